"""Times of kernels on real GPUs, and our kernels that do the same work.

Reads test/hw/measured_elementwise.csv: element-wise operations, softmax and layer normalisation of a deep-learning library."""

import csv
import os

from common import HARDWARE

TABLE = os.path.join(HARDWARE, "measured_elementwise.csv")
SOURCES = os.path.dirname(os.path.abspath(__file__))

# Kernel of elementwise.cu and number of tensors read.
ELEMENTWISE = {
    "add": ("add", 2), "mul": ("mul", 2), "div": ("div_two", 2), "pow": ("pow_two", 2),
    "addu": ("addu", 1), "mulu": ("mulu", 1), "divu": ("divu", 1), "powu": ("powu", 1),
    "relu": ("relu", 1), "gelu": ("gelu", 1), "tanh": ("tanh_one", 1),
}
WITH_SCALAR = ("addu", "mulu", "divu", "powu")


class Measurement:
    """One measured launch."""

    def __init__(self, row):
        self.gpu, self.op = row["gpu"], row["op"]
        self.rows, self.columns = int(row["rows"]), int(row["columns"])
        self.grid = [int(row[f"grid_{d}"]) for d in "xyz"]
        self.block = [int(row[f"block_{d}"]) for d in "xyz"]
        self.time_us = float(row["time_ms"]) * 1000

    def arguments(self):
        """The command line of our kernel: source, --kernel, grid, block, arguments."""
        n, rows, columns = self.rows * self.columns, self.rows, self.columns
        tensor, result = f"f32[{n}]=value:0.5", f"f32[{n}]=zero"
        if self.op in ELEMENTWISE:
            source, (name, reads) = "elementwise.cu", ELEMENTWISE[self.op]
            args = [tensor] * reads + [result, f"i32={n}"]
            if self.op in WITH_SCALAR:
                args.append("f32=2.0")
        elif self.op == "softmax":
            source, name = "rows.cu", "softmax_warp" if self.block[1] == 4 else "softmax_block"
            args = [tensor, result, f"i32={rows}", f"i32={columns}"]
        else:
            source, name = "rows.cu", "layer_norm"
            args = [tensor] + [f"f32[{columns}]=value:1"] * 2 + [f"f32[{rows}]=zero"] * 2
            args += [result, f"i32={rows}", f"i32={columns}"]
        words = [os.path.join(SOURCES, source), "--kernel", name,
                 "--grid", ",".join(map(str, self.grid)), "--block", ",".join(map(str, self.block))]
        for arg in args:
            words += ["--arg", arg]
        return words


def measurements(least_us=10.0):
    """All rows of at least this time; below, the launch itself takes most of it."""
    with open(TABLE, encoding="utf-8") as file:
        found = [Measurement(row) for row in csv.DictReader(file)]
    return [m for m in found if m.time_us >= least_us]


def sample(count, least_us=10.0):
    """`count` measurements of each GPU and operation, evenly over the smaller
    half by time: the longest take long to simulate and add nothing."""
    groups = {}
    for m in measurements(least_us):
        groups.setdefault((m.gpu, m.op), []).append(m)
    chosen = []
    for _, group in sorted(groups.items()):
        group.sort(key=lambda m: (m.time_us, m.rows, m.columns))
        half = group[:max(count, len(group) // 2)]
        chosen += [half[i * len(half) // count] for i in range(count)]
    return chosen
