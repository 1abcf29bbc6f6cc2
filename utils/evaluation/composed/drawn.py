"""Applications whose launches differ, drawn by a seed: batches of ragged shapes,
adaptive grids, frontiers, schedules. They are for reporting only: no constant of
the sampling methods was fitted to them (`utils/reproduce sampling`)."""

import math
import random

from composed import Application


class Sizes:
    """A sequence of sizes between two bounds, as programs have them."""

    KINDS = ("uniform", "logarithmic", "walk", "schedule", "few", "mixture", "growing")

    def __init__(self, rng, least, most):
        self.rng, self.least, self.most = rng, least, most
        self.kind = rng.choice(self.KINDS)
        self.at = self.log_uniform()
        self.known = [self.log_uniform() for _ in range(rng.randint(2, 6))]
        self.rate = rng.uniform(1.005, 1.05)

    def log_uniform(self):
        return math.exp(self.rng.uniform(math.log(self.least), math.log(self.most)))

    def next(self, step, count):
        rng = self.rng
        if self.kind == "uniform":
            size = rng.uniform(self.least, self.most)
        elif self.kind == "logarithmic":
            size = self.log_uniform()
        elif self.kind == "walk":
            self.at *= math.exp(rng.gauss(0, 0.15))
            size = self.at = min(max(self.at, self.least), self.most)
        elif self.kind == "schedule":  # halves from time to time
            size = self.most / 2 ** (4 * step // count)
        elif self.kind == "few":
            size = rng.choice(self.known)
        elif self.kind == "mixture":  # mostly one size
            size = self.known[0] if rng.random() < 0.9 else self.log_uniform()
        else:
            size = self.least + (self.most - self.least) * (step + 1) / count
        return int(min(max(size, self.least), self.most))


def blocks(items, threads):
    return (items + threads - 1) // threads


def saxpy(app, rng, sizes, count):
    app.buffer("x", "f32", sizes.most, "{uniform: [-1.0, 1.0], seed: 3}")
    app.buffer("y", "f32", sizes.most, "{uniform: [5.0, 10.0], seed: 4}")
    for step in range(count):
        n = sizes.next(step, count)
        app.launch("saxpy", [rng.choice((40, 80, 160))], [256], f"i32: {n}", "f32: 2.5", "x", "y")


def softmax(app, rng, sizes, count):
    app.buffer("in", "f32", 2048 * 256, "{uniform: [-4.0, 4.0], seed: 46}")
    app.buffer("out", "f32", 2048 * 256)
    for step in range(count):
        columns = sizes.next(step, count)
        rows = rng.randint(16, 256)
        app.launch("softmax", [rows], [256], "in", "out", f"i32: {columns}")
        app.steps[-1] = app.steps[-1].replace("args:", f"dynamic_shared: {4 * columns}, args:")


def layer_norm(app, rng, sizes, count):
    columns = 4 * rng.randint(64, 256)
    app.buffer("in", "f32", sizes.most * columns, "{uniform: [-1.0, 3.0], seed: 47}")
    app.buffer("out", "f32", sizes.most * columns)
    app.buffer("gamma", "f32", columns, "{uniform: [0.5, 1.5], seed: 48}")
    app.buffer("beta", "f32", columns, "{uniform: [4.0, 5.0], seed: 49}")
    for step in range(count):
        rows = sizes.next(step, count)
        app.launch("layer_norm", [blocks(rows, 4)], [32, 4], "in", "out", "gamma", "beta",
                   f"i32: {rows}", f"i32: {columns}", "f32: 0.00001")


def matmul(kernel):
    def make(app, rng, sizes, count):
        for name in "abc":
            app.buffer(name, "f32", sizes.most ** 2, "{uniform: [0.0, 1.0], seed: 5}")
        for step in range(count):
            m, n = sizes.next(step, count), sizes.next(step, count)
            k = sizes.next(step, count)
            app.launch(kernel, [blocks(n, 16), blocks(m, 16)], [16, 16], "a", "b", "c",
                       f"i32: {m}", f"i32: {n}", f"i32: {k}")
    return make


def stencil_3d(app, rng, sizes, count):
    volume = sizes.most ** 3
    app.buffer("a", "f32", volume, "{uniform: [0.0, 1.0], seed: 11}")
    app.buffer("b", "f32", volume)
    for step in range(count):
        n = sizes.next(step, count)
        source, target = ("a", "b") if step % 2 == 0 else ("b", "a")
        app.launch("stencil_3d", [blocks(n, 32), blocks(n, 8)], [32, 8], source, target,
                   f"i32: {n}", f"i32: {n}", f"i32: {n}")


def black_scholes(app, rng, sizes, count):
    for name in ("price", "strike", "years", "call", "put"):
        app.buffer(name, "f32", sizes.most, "{uniform: [1.0, 30.0], seed: 32}")
    for step in range(count):
        n = sizes.next(step, count)
        app.launch("black_scholes", [blocks(n, 256)], [256], "price", "strike", "years", "call",
                   "put", "f32: 0.02", "f32: 0.3", f"i32: {n}")


def monte_carlo(app, rng, sizes, count):
    app.buffer("mean", "f32", 4096)
    for step in range(count):
        threads, paths = sizes.next(step, count), rng.randint(8, 64)
        app.launch("monte_carlo", [blocks(threads, 128)], [128], "mean", f"i32: {threads}",
                   f"i32: {paths}", "f32: 100.0", "f32: 95.0", "f32: 0.01", "f32: 0.25",
                   f"u32: {step}")


def histogram(app, rng, sizes, count):
    app.buffer("data", "u8", sizes.most, "{uniform: [0, 256], seed: 9}")
    app.buffer("bins", "u32", 256)
    for step in range(count):
        n = sizes.next(step, count)
        app.launch("histogram", [rng.choice((20, 40, 80))], [192], "data", "bins", f"i32: {n}")


def spmv_warp(app, rng, sizes, count):
    from composed import DATA
    app.buffer("rowOffsets", "i32", 6001, f"{{file: {DATA}/rows-6000.bin}}")
    app.buffer("columns", "i32", 105026, "{uniform: [0, 6000], seed: 24}")
    app.buffer("values", "f32", 105026, "{uniform: [0.0, 1.0], seed: 25}")
    app.buffer("x", "f32", 6000, "{uniform: [0.0, 1.0], seed: 26}")
    app.buffer("y", "f32", 6000)
    for step in range(count):
        rows = sizes.next(step, count)
        app.launch("spmv_warp", [blocks(rows, 4)], [128], "rowOffsets", "columns", "values", "x",
                   "y", f"i32: {rows}")


def mandelbrot(app, rng, sizes, count):
    app.buffer("iterations", "u16", 160 * 140)
    x, y = rng.uniform(-1.5, -0.5), rng.uniform(-0.3, 0.3)
    for step in range(count):
        pixel = 0.0175 * 0.97 ** step
        app.launch("mandelbrot", [10, 9], [16, 16], "iterations", "i32: 160", "i32: 140",
                   f"f32: {x - 80 * pixel:.7f}", f"f32: {y + 70 * pixel:.7f}",
                   f"f32: {pixel:.9f}", f"i32: {sizes.next(step, count)}")


def nearest_neighbor(app, rng, sizes, count):
    for name, size in (("queries", 4000), ("points", 2 * sizes.most), ("distance", 2000)):
        app.buffer(name, "f32", size, "{uniform: [0.0, 1.0], seed: 14}")
    app.buffer("index", "i32", 2000)
    for step in range(count):
        queries, points = rng.randint(200, 2000), sizes.next(step, count)
        app.launch("nearest_neighbor", [blocks(queries, 128)], [128], "queries", "points",
                   "index", "distance", f"i32: {queries}", f"i32: {points}")


def btree_search(app, rng, sizes, count):
    from composed import DATA
    app.buffer("nodes", "i32", 6560, f"{{file: {DATA}/btree-820.bin}}")
    app.buffer("queries", "i32", sizes.most, "{uniform: [0, 20001], seed: 45}")
    app.buffer("found", "i32", sizes.most)
    for step in range(count):
        n = sizes.next(step, count)
        app.launch("btree_search", [blocks(n, 128)], [128], "nodes", "queries", "found",
                   "i32: 820", f"i32: {n}")


def nbody(app, rng, sizes, count):
    app.buffer("bodies", "f32", 4 * sizes.most, "{uniform: [0.0, 1.0], seed: 31}")
    app.buffer("acceleration", "f32", 4 * sizes.most)
    for step in range(count):
        n = sizes.next(step, count)
        app.launch("nbody", [blocks(n, 128)], [128], "bodies", "acceleration", f"i32: {n}",
                   "f32: 0.01")


def transpose(app, rng, sizes, count):
    app.buffer("in", "f32", sizes.most ** 2, "iota")
    app.buffer("out", "f32", sizes.most ** 2)
    for step in range(count):
        width, height = sizes.next(step, count), sizes.next(step, count)
        app.launch("transpose_tiled", [blocks(width, 32), blocks(height, 32)], [32, 8], "in",
                   "out", f"i32: {width}", f"i32: {height}")


# Kernel's folder, language, makes the launches, sizes from and to, launches from and to.
FAMILIES = (
    ("saxpy", "cu", saxpy, 20000, 400000, 150, 400),
    ("softmax", "cu", softmax, 64, 2048, 150, 400),
    ("layer_norm", "cu", layer_norm, 40, 1200, 150, 400),
    ("matmul_tiled", "cl", matmul("matmul_tiled"), 32, 256, 150, 300),
    ("matmul_naive", "cl", matmul("matmul_naive"), 32, 192, 150, 300),
    ("stencil_3d", "cu", stencil_3d, 16, 64, 150, 400),
    ("black_scholes", "cl", black_scholes, 4000, 120000, 150, 400),
    ("monte_carlo", "cu", monte_carlo, 256, 4096, 150, 300),
    ("histogram", "cl", histogram, 20000, 300000, 150, 400),
    ("spmv_warp", "cu", spmv_warp, 300, 6000, 150, 400),
    ("mandelbrot", "cl", mandelbrot, 32, 512, 150, 250),
    ("nearest_neighbor", "cl", nearest_neighbor, 100, 1000, 150, 400),
    ("btree_search", "cu", btree_search, 1000, 20000, 150, 400),
    ("nbody", "cl", nbody, 128, 1536, 150, 300),
    ("transpose_tiled", "cl", transpose, 64, 512, 150, 400),
)


def draw(seed, count):
    """`count` applications; the same for the same seed. Families follow each other so
    that each is there before one comes twice; all else is drawn."""
    rng = random.Random(seed)
    order = []
    while len(order) < count:
        order += rng.sample(FAMILIES, len(FAMILIES))
    made = []
    for number, (folder, language, make, least, most, few, many) in enumerate(order[:count]):
        sizes = Sizes(rng, least, most)
        app = Application(f"drawn-{number:02}-{folder}-{sizes.kind}", "drawn", folder, language)
        make(app, rng, sizes, rng.randint(few, many))
        made.append(app)
    return made
