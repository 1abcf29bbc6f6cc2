"""Applications of many launches, composed of the kernels of test/kernels as
programs call them: levels of a search, iterations of a solver, stages of a sort.
Each writes an application file (docs/LaunchFile.md) that `heddle sample` reads."""

import os

from common import KERNELS

DATA = os.path.join(KERNELS, "data")


class Application:
    """A program's launches. Buffers are declared where they are first used."""

    def __init__(self, name, kind, kernel, language="cl"):
        self.name, self.kind = name, kind
        self.source = os.path.join(KERNELS, kernel, f"{kernel}.{language}")
        self.buffers, self.known, self.steps = {}, set(), []

    def buffer(self, name, kind, count, init="zero"):
        self.buffers[name] = f"{{name: {name}, type: {kind}, count: {count}, init: {init}}}"

    def launch(self, kernel, grid, block, *arguments):
        words = []
        for argument in arguments:
            if argument in self.buffers:
                first = argument not in self.known
                self.known.add(argument)
                words.append("{buffer: %s}" % (self.buffers[argument] if first
                                               else f"{{name: {argument}}}"))
            else:
                words.append("{%s}" % argument)
        self.steps.append(f"  - {{kernel: {kernel}, grid: {list(grid)}, block: {list(block)}, "
                          f"args: [{', '.join(words)}]}}")

    def sync(self, call="clFinish"):
        self.steps.append(f"  - sync: {call}")

    def text(self):
        return "launches:\n" + "\n".join(self.steps) + "\n"


def graph(app, seed):
    app.buffer("rowOffsets", "i32", 24001, f"{{file: {DATA}/rows-24000.bin}}")
    app.buffer("columns", "i32", 545846, f"{{uniform: [0, 24000], seed: {seed}}}")


def bfs():
    """Levels of a breadth-first search, eighty times."""
    app = Application("bfs", "irregular", "bfs_level", "cu")
    graph(app, 18)
    app.buffer("level", "i32", 24000, "{uniform: [-2, 8], seed: 19}")
    app.buffer("marks", "u8", 24000)
    app.buffer("found", "i32", 1)
    for _ in range(80):
        for current in range(8):
            app.launch("bfs_level", [94], [256], "rowOffsets", "columns", "level", "marks",
                       "found", "i32: 24000", f"i32: {current}")
            app.sync()
    return app


def sssp():
    """Relaxations of a shortest-path search with three frontiers in turn."""
    app = Application("sssp", "irregular", "sssp_relax")
    graph(app, 20)
    app.buffer("weights", "u32", 545846, "{uniform: [1, 101], seed: 21}")
    app.buffer("distance", "u32", 24000, "{uniform: [0, 1001], seed: 23}")
    app.buffer("lowered", "u32", 24000, "{value: 4294967295}")
    for width in (2, 4, 16):
        app.buffer(f"active{width}", "u8", 24000, f"{{uniform: [0, {width}], seed: 22}}")
    for step in range(150):
        app.launch("sssp_relax", [94], [256], "rowOffsets", "columns", "weights",
                   f"active{(2, 4, 16)[step % 3]}", "distance", "lowered", "i32: 24000")
    return app


def spmv():
    """The product of a power iteration, x and y swapped."""
    app = Application("spmv", "irregular", "spmv_csr")
    graph(app, 24)
    app.buffer("values", "f32", 545846, "{uniform: [0.0, 0.01], seed: 25}")
    app.buffer("x", "f32", 24000, "{uniform: [0.0, 1.0], seed: 26}")
    app.buffer("y", "f32", 24000)
    for step in range(120):
        x, y = ("x", "y") if step % 2 == 0 else ("y", "x")
        app.launch("spmv_csr", [94], [256], "rowOffsets", "columns", "values", x, y, "i32: 24000")
    return app


def kmeans():
    app = Application("kmeans", "regular", "kmeans_assign")
    app.buffer("points", "f32", 16384 * 8, "{uniform: [0.0, 10.0], seed: 16}")
    app.buffer("centers", "f32", 96, "{uniform: [0.0, 10.0], seed: 17}")
    app.buffer("membership", "i32", 16384)
    for _ in range(300):
        app.launch("kmeans_assign", [64], [256], "points", "centers", "membership", "i32: 16384",
                   "i32: 12", "i32: 8")
        app.sync("clEnqueueReadBuffer")
    return app


def diffusion():
    app = Application("diffusion", "regular", "diffusion")
    app.buffer("a", "f32", 256 * 512, "{uniform: [0.0, 255.0], seed: 30}")
    app.buffer("b", "f32", 256 * 512)
    for step in range(400):
        source, target = ("a", "b") if step % 2 == 0 else ("b", "a")
        app.launch("diffusion", [16, 32], [16, 16], source, target, "i32: 256", "i32: 512",
                   "f32: 30.0", "f32: 0.2")
    return app


def hotplate():
    """A stencil on grids of three sizes, as a multigrid solver visits them."""
    app = Application("hotplate", "regular", "stencil_2d")
    for size in (128, 256, 512):
        app.buffer(f"a{size}", "f32", size * size, "{uniform: [0.0, 100.0], seed: 10}")
        app.buffer(f"b{size}", "f32", size * size)
    for _ in range(60):
        for size in (512, 256, 128, 256):
            for half in range(2):
                source, target = (f"a{size}", f"b{size}") if half == 0 else (f"b{size}", f"a{size}")
                app.launch("stencil_2d", [size // 16] * 2, [16, 16], source, target,
                           f"i32: {size}", f"i32: {size}", "f32: 0.6", "f32: 0.1")
    return app


def lu():
    """Elimination steps on a matrix that shrinks."""
    app = Application("lu", "regular", "lu_step")
    app.buffer("matrix", "f32", 768 * 768, "{uniform: [1.0, 2.0], seed: 27}")
    for step in range(47):
        left = 47 - step
        app.launch("lu_step", [left, left], [16, 16], "matrix", "i32: 768", f"i32: {step * 16}")
    return app


def fft():
    app = Application("fft", "regular", "fft_stage")
    app.buffer("a", "f32", 262144, "{uniform: [-1.0, 1.0], seed: 44}")
    app.buffer("b", "f32", 262144)
    for transform in range(30):
        for stage in range(17):
            source, target = ("a", "b") if stage % 2 == 0 else ("b", "a")
            app.launch("fft_stage", [512], [128], source, target, "u32: 65536",
                       f"u32: {1 << stage}")
    return app


def sort():
    """Bitonic sorts of eight arrays of 131,072 keys: launches of two kernels."""
    app = Application("sort", "regular", "bitonic_sort")
    for array in range(8):
        keys = f"keys{array}"
        app.buffer(keys, "u32", 131072, f"{{uniform: [0, 1000001], seed: {37 + array}}}")
        app.launch("bitonic_local", [256], [256], keys)
        size = 1024
        while size <= 131072:
            stride = size // 2
            while stride:
                app.launch("bitonic_stage", [256], [256], keys, "u32: 65536", f"u32: {size}",
                           f"u32: {stride}")
                stride //= 2
            size *= 2
    return app


def pathfinder():
    """Fifteen rows of a grid per launch, down the grid from several first rows."""
    app = Application("pathfinder", "regular", "dynprog_row")
    app.buffer("cost", "i32", 16384 * 152, "{uniform: [0, 10], seed: 12}")
    app.buffer("b", "i32", 16384)
    for problem in range(12):
        first = f"first{problem}"
        app.buffer(first, "i32", 16384, f"{{uniform: [0, 10], seed: {130 + problem}}}")
        for step in range(10):
            source, target = (first, "b") if step % 2 == 0 else ("b", first)
            app.launch("dynprog_row", [73], [256], "cost", source, target, "i32: 16384",
                       f"i32: {1 + step * 15}", "i32: 15")
    return app


def particles():
    """Forces among bodies, step by step."""
    app = Application("particles", "regular", "nbody")
    app.buffer("bodies", "f32", 4 * 1536, "{uniform: [0.0, 1.0], seed: 31}")
    app.buffer("acceleration", "f32", 4 * 1536)
    for _ in range(150):
        app.launch("nbody", [12], [128], "bodies", "acceleration", "i32: 1536", "f32: 0.01")
    return app


def fluid():
    app = Application("fluid", "irregular", "lattice_boltzmann", "cu")
    app.buffer("a", "f32", 9 * 384 * 192, "{uniform: [0.05, 0.15], seed: 39}")
    app.buffer("b", "f32", 9 * 384 * 192)
    app.buffer("type", "u8", 384 * 192, "{uniform: [0, 10], seed: 40}")
    for step in range(120):
        source, target = ("a", "b") if step % 2 == 0 else ("b", "a")
        app.launch("lattice_boltzmann", [4, 192], [96], source, target, "type", "i32: 384",
                   "i32: 192", "f32: 0.8")
    return app


def zoom():
    """Frames of a zoom into the Mandelbrot set."""
    app = Application("zoom", "irregular", "mandelbrot")
    app.buffer("iterations", "u16", 128 * 80)
    for frame in range(240):
        app.launch("mandelbrot", [8, 5], [16, 16], "iterations", "i32: 128", "i32: 80",
                   f"f32: {-2.1 + 0.0005 * frame:.6f}", f"f32: {0.9375 - 0.00025 * frame:.6f}",
                   f"f32: {0.0234375 * 0.9995 ** frame:.9f}", "i32: 128")
    return app


def options():
    """One launch of many blocks that do the same."""
    app = Application("options", "regular", "black_scholes")
    for index, name in enumerate(("price", "strike", "years", "call", "put")):
        app.buffer(name, "f32", 8388608,
                   f"{{uniform: [{(20.0, 20.0, 0.25, 0.0, 0.0)[index]}, 30.0], seed: {32 + index}}}")
    app.launch("black_scholes", [32768], [256], "price", "strike", "years", "call", "put",
               "f32: 0.02", "f32: 0.3", "i32: 8388608")
    return app


def tracking():
    """Weights of a particle filter, frame by frame."""
    app = Application("tracking", "irregular", "particle_weights")
    app.buffer("position", "f32", 16384, "{uniform: [0.0, 512.0], seed: 41}")
    app.buffer("offsets", "i8", 100, "{uniform: [-5, 6], seed: 42}")
    app.buffer("image", "u8", 512 * 512, "{uniform: [0, 256], seed: 43}")
    app.buffer("weight", "f32", 8192, "{value: 0.0005}")
    for _ in range(300):
        app.launch("particle_weights", [64], [128], "position", "offsets", "image", "weight",
                   "i32: 8192", "i32: 50", "i32: 512", "i32: 512", "f32: 100.0", "f32: 228.0")
    return app


ALL = (bfs, sssp, spmv, kmeans, diffusion, hotplate, lu, fft, sort, pathfinder, particles, fluid,
       zoom, options, tracking)
