"""CUDA kernels drawn by a seed, with launches of tens of millions of warp
instructions: loops of constant and of drawn length, streams, rows, gathers,
tiles, atomics, branches. They are for reporting only: no rule of
clones was fitted to what other seeds than "dev" draw (`utils/reproduce clone-errors`)."""

import json
import os
import random

LEAST_INSTRUCTIONS, MOST_INSTRUCTIONS = 20e6, 160e6
MOST_ELEMENTS = 1 << 24
THREADS = (64, 128, 192, 256, 512)


class Drawn:
    """One kernel: `source()`, and `launch(grid, trips)`."""

    LOOPS = ("none", "constant", "constant", "constant", "drawn", "blockwise", "nested")

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.threads = self.random.choice(THREADS)
        self.loop = self.random.choice(self.LOOPS)
        self.shared, self.numbers = [], 0
        self.before = [self.arithmetic() for _ in range(self.random.randint(0, 2))]
        self.body = [self.piece() for _ in range(self.random.randint(1, 4))]
        self.after = [self.arithmetic() for _ in range(self.random.randint(0, 2))]

    def number(self):
        self.numbers += 1
        return self.numbers

    # Pieces: what is done with s, thread i of all `total`, and iteration k.
    def arithmetic(self):
        """A chain of products and sums, or a function."""
        r = self.random
        if r.random() < 0.3:
            return r.choice(["s += __expf(-s * s);", "s = sqrtf(fabsf(s) + 1.0f);", "s = s / (fabsf(s) + 1.5f);",
                             "s += rsqrtf(s * s + 0.5f);", "s += __sinf(s);"])
        return " ".join(f"s = s * {r.uniform(0.5, 0.99):.3f}f + {r.uniform(0, 1):.3f}f;" for _ in range(r.randint(1, 10)))

    def hash(self):
        return "h = (h ^ (h >> 15)) * 0x85ebca6bu; h ^= h >> 13; s += (float)(h & 255u);"

    def stream(self):
        return "s += a[(i + k * total) & mask];"

    def row(self):
        return f"s += a[(i * {self.random.choice((4, 16, 33, 64))} + k) & mask];"

    def table(self):
        return f"s += b[(k * {self.random.choice((1, 2, 7))} + {self.random.choice(('0', 'threadIdx.x'))}) & 1023];"

    def gather(self):
        return "s += a[idx[(i + k * total) & mask] & mask];"

    def near(self):
        return f"s += a[(i + (idx[(i + k * total) & mask] & {self.random.choice((15, 63, 1023))})) & mask];"

    def stencil(self):
        return (f"{{ int at = (i + k * {self.random.choice(('total', 'blockDim.x'))}) & mask; s += 0.5f * a[at] + 0.25f * a[(at + 1) & mask] "
                "+ 0.25f * a[(at + 2) & mask]; }")

    def branch(self):
        return (f"if ((idx[(i + k) & mask] & 15) < {self.random.randint(1, 15)}) {{ {self.arithmetic()} }} else {{ {self.arithmetic()} }}")

    def turn(self):
        return f"if ((k & {self.random.choice((1, 3, 7))}) == 0) {{ {self.arithmetic()} }}"

    def lanes(self):
        return f"if ((threadIdx.x & 31) < {self.random.randint(1, 31)}) {{ {self.arithmetic()} }}"

    def tile(self):
        n, count = self.number(), self.random.choice((4, 8, 16))
        self.shared.append(f"__shared__ float tile{n}[{self.threads}];")
        return (f"tile{n}[threadIdx.x] = s; __syncthreads(); for (int j = 0; j < {count}; ++j) s += tile{n}[(threadIdx.x * "
                f"{self.random.choice((1, 2, 8))} + j) % {self.threads}]; __syncthreads();")

    def counts(self):
        n = self.number()
        self.shared.append(f"__shared__ unsigned counts{n}[256];")
        return f"atomicAdd(&counts{n}[idx[(i + k) & mask] & {self.random.choice((31, 255))}], 1u);"

    def store(self):
        return "c[(i + k * total) & mask] = s;"

    def piece(self):
        return self.random.choice([self.arithmetic, self.arithmetic, self.hash, self.stream, self.stream, self.row, self.table, self.gather,
                                   self.near, self.stencil, self.branch, self.turn, self.lanes, self.tile, self.counts, self.store])()

    def meets(self):
        return any("__syncthreads" in line for line in self.body)

    def source(self):
        body = "\n    ".join(self.body)
        # Threads of a block that meet in the loop go around equally often.
        trips = {"drawn": "trips / 2 + idx[i & mask] % (trips + 1)",
                 "blockwise": "trips / 2 + idx[blockIdx.x & mask] % (trips + 1)"}.get(self.loop, "trips")
        if self.loop == "drawn" and self.meets():
            trips = "trips"
        if self.loop == "none":
            work = f"  {{ const int k = 1;\n    {body}\n  }}"
        elif self.loop == "nested":
            work = f"  for (int o = 0; o < trips; ++o)\n    for (int k = o; k < o + {self.random.randint(3, 24)}; ++k) {{\n    {body}\n  }}"
        else:
            work = f"  const int n = {trips};\n  for (int k = 0; k < n; ++k) {{\n    {body}\n  }}"
        shared = "\n  ".join(self.shared)
        return ("extern \"C\" __global__ void drawn(const float *__restrict__ a, const float *__restrict__ b, float *c,\n"
                "                                 const int *__restrict__ idx, int mask, int trips) {\n"
                f"  {shared}\n  const int i = blockIdx.x * blockDim.x + threadIdx.x, total = gridDim.x * blockDim.x;\n"
                "  float s = a[i & mask];\n  unsigned h = i;\n"
                f"  {' '.join(self.before)}\n{work}\n  {' '.join(self.after)}\n  c[i & mask] = s;\n}}\n")

    def launch(self, grid, trips):
        elements = 1 << 16
        while elements < min(grid * self.threads * max(trips, 1), MOST_ELEMENTS):
            elements *= 2
        return (f"kernel: drawn\ngrid: [{grid}]\nblock: [{self.threads}]\nargs:\n"
                f"  - buffer: {{type: f32, count: {elements}, init: {{uniform: [0.0, 1.0], seed: 1}}}}\n"
                "  - buffer: {type: f32, count: 1024, init: {uniform: [0.0, 1.0], seed: 2}}\n"
                f"  - buffer: {{type: f32, count: {elements}, init: zero}}\n"
                f"  - buffer: {{type: i32, count: {elements}, init: {{uniform: [0, {MOST_ELEMENTS - 1}], seed: 3}}}}\n"
                f"  - i32: {elements - 1}\n  - i32: {trips}\n")


def write(folder, seed, heddle):
    """The kernel of a seed with a launch of a drawn size in `folder`: paths of both.
    `heddle(*arguments)` runs the command."""
    kernel = Drawn(seed)
    os.makedirs(folder, exist_ok=True)
    source, launch, profile = (os.path.join(folder, name) for name in ("drawn.cu", "drawn.yaml", "size.json"))
    with open(source, "w", encoding="utf-8") as file:
        file.write(kernel.source())

    def instructions(grid, trips):
        with open(launch, "w", encoding="utf-8") as file:
            file.write(kernel.launch(grid, trips))
        heddle("profile", "--behavior", source, "--launch", launch, "-q", "-o", profile)
        with open(profile, encoding="utf-8") as file:
            return json.load(file)["behavior"]["WarpInstructions"]

    rng = kernel.random
    wanted = LEAST_INSTRUCTIONS * (MOST_INSTRUCTIONS / LEAST_INSTRUCTIONS) ** rng.random()
    if kernel.loop == "none":
        trips, grid = 0, 16
        grid = max(int(wanted / instructions(grid, trips) * grid), 1)
    else:
        warps = 2 ** rng.uniform(9, 14)
        grid = max(int(32 * warps / kernel.threads), 1)
        few, many = instructions(16, 16), instructions(16, 48)
        trips = max(int((wanted / grid * 16 - few) / (many - few) * 32 + 16), 1)
    with open(launch, "w", encoding="utf-8") as file:
        file.write(kernel.launch(grid, trips))
    return source, launch
