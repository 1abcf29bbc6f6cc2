"""Rates and latencies of matrix instructions beside data sheets and measurements.

Options: --gpu MACHINE[,MACHINE...] takes part of the rows, --no-write prints only,
--before FOLDER also times the execution of fragments beside an earlier build's (build
folder), which the page keeps until it is measured again."""

import argparse
import csv
import os
import sys
import tempfile

from common import BUILD, EVALUATION, Report, Run, heddle_json

# The bits of a factor; D is in f32, of integers in s32, of f64 in f64.
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "s8": 8, "s4": 4, "f64": 64}

# SMs and MHz of the machine files, and the data sheets' dense peaks in 10^12
# operations per second, by the instruction that reaches them.
MACHINES = {
    "v100": (80, 1380, "sm_70", "V100 PCIe data sheet", {"mma.f16": 112}),
    "t4": (40, 1590, "sm_75", "T4 data sheet", {"mma.f16": 65, "mma.s8": 130, "mma.s4": 260}),
    "a100": (108, 1410, "sm_80", "A100 data sheet", {
        "mma.f16": 312, "mma.bf16": 312, "mma.tf32": 156, "mma.s8": 624, "mma.s4": 1248, "mma.f64": 19.5,
        "mma.sp.f16": 624, "mma.sp.tf32": 312, "mma.sp.s8": 1248}),
    "h100": (132, 1830, "sm_90a", "H100 SXM data sheet", {
        "mma.f64": 67, "wgmma.f16": 989.4, "wgmma.bf16": 989.4, "wgmma.tf32": 494.7, "wgmma.e4m3": 1978.9, "wgmma.s8": 1978.9}),
    "h100-pcie": (114, 1755, "sm_90a", "H100 PCIe data sheet", {
        "mma.f64": 51, "wgmma.f16": 756, "wgmma.bf16": 756, "wgmma.tf32": 378, "wgmma.e4m3": 1513, "wgmma.s8": 1513}),
    "l40": (142, 2490, "sm_89", "L40 data sheet", {
        "mma.f16": 181.05, "mma.bf16": 181.05, "mma.tf32": 90.5, "mma.e4m3": 362, "mma.s8": 362, "mma.s4": 724}),
    "rtx4090": (128, 2520, "sm_89", "Ada white paper", {
        "mma.f16": 165.2, "mma.bf16": 165.2, "mma.tf32": 82.6, "mma.e4m3": 330.3, "mma.s8": 660.6, "mma.s4": 1321.2}),
    "a6000": (84, 1800, "sm_86", "GA102 white paper", {
        "mma.f16": 154.8, "mma.bf16": 154.8, "mma.tf32": 77.4, "mma.s8": 309.7, "mma.s4": 619.3}),
    "rtx3090": (82, 1695, "sm_86", "GA102 white paper", {
        "mma.f16": 71.2, "mma.bf16": 71.2, "mma.tf32": 35.6, "mma.s8": 284.7, "mma.s4": 569.3}),
    "a10": (72, 1695, "sm_86", "A10 data sheet", {
        "mma.f16": 125, "mma.bf16": 125, "mma.tf32": 62.5, "mma.s8": 250, "mma.s4": 500}),
    "l4": (58, 2040, "sm_89", "L4 data sheet", {
        "mma.f16": 121, "mma.bf16": 121, "mma.tf32": 60, "mma.e4m3": 242.5, "mma.s8": 242.5}),
    "l20": (92, 2520, "sm_89", "L20 product brief", {
        "mma.f16": 119.5, "mma.bf16": 119.5, "mma.tf32": 59.8, "mma.e4m3": 239, "mma.s8": 239}),
    "h200": (132, 1830, "sm_90a", "H200 data sheet", {
        "mma.f64": 67, "wgmma.f16": 989.4, "wgmma.bf16": 989.4, "wgmma.tf32": 494.7, "wgmma.e4m3": 1978.9, "wgmma.s8": 1978.9}),
}
# The clock that a sheet's peak is for, where it is not the machine's boost clock:
# the peak over the SMs and over the operations per cycle and SM of the
# architecture's white paper.
SHEET_MHZ = {
    ("h100", "mma.f64"): 1980, ("h200", "mma.f64"): 1980, ("l20", "mma"): 2537,
    ("h100-pcie", "wgmma"): 1620,
}
# Published measurements: machine, instruction, what, value, source. Those that could
# not be looked up again say so.
MEASURED = [
    ("a100", "mma.sync m16n8k16 f16", "latency", 24.7, "Sun et al. (arXiv 2206.02874), quoted from memory"),
    ("a100", "mma.sync m16n8k8 f16", "latency", 17.7, "Sun et al. (arXiv 2206.02874), quoted from memory"),
    ("h100", "mma.sync m16n8k16 f16", "latency", 24.1, "Luo et al. (arXiv 2402.13499), H800, quoted from memory"),
    ("h100", "mma.sync m16n8k8 f16", "latency", 16.0, "Luo et al. (arXiv 2402.13499), H800, quoted from memory"),
    ("h100", "mma.sync m16n8k16 f16", "per cycle and SM", 1288, "Luo et al. (arXiv 2402.13499): 62.9 % of the peak, quoted from memory"),
    ("h100", "wgmma m64n256k16 f16", "latency", 128, "Luo et al. (arXiv 2402.13499), H800, quoted from memory"),
]
COLUMNS = ["machine", "instruction", "what", "MHz", "ours", "target", "error", "source"]


class Instruction:
    """One opcode with the registers of a lane: those of A, B and C; metadata or not."""

    def __init__(self, kind, shape, bits=None, sparse=False, shared=None):
        self.kind, self.shape, self.sparse, self.shared = kind, shape, sparse, shared
        m, n, k = shape
        d = {"s": "s32"}.get(kind[0], "f64" if kind == "f64" else "f32")
        self.register = {"s32": "b32", "f32": "f32", "f64": "f64"}[d]
        self.products = m * n * k // (4 if shared is not None else 1)
        if shared is not None:
            signs = "" if d == "s32" else ", 1, 1"
            order = "" if BITS[kind] != 16 else ", 0, 0" if shared else ", 0"
            self.c = n // 2
            self.text = (f"wgmma.mma_async.sync.aligned.m{m}n{n}k{k}.{d}.{kind}.{kind} {{%s}}, "
                         f"{'%%d1' if shared else '{%%r0, %%r1, %%r2, %%r3}'}, %%d1, 1{signs}{order};")
            return
        word = 64 if kind == "f64" else 32
        self.c = 8 if (m, n, k) == (8, 8, 4) and kind == "f16" else m * n // 32
        a = 2 if self.c == 8 else m * k * BITS[kind] // word // 32 // (2 if sparse else 1)
        b = 2 if self.c == 8 else n * k * BITS[kind] // word // 32
        if self.c == 8:
            self.products *= 4
        first = "%%a" if kind == "f64" else "%%r"
        lists = ["{" + ", ".join(f"{first}{i}" for i in range(count)) + "}" for count in (a, b)]
        self.text = (f"mma.{'sp::ordered_metadata.' if sparse else ''}sync.aligned.m{m}n{n}k{k}.row.col.{d}.{kind}.{kind}.{d} "
                     f"{{%s}}, {lists[0]}, {lists[1]}, {{%s}}{', %%r8, 0' if sparse else ''};")

    def name(self):
        m, n, k = self.shape
        if self.shared is not None:
            return f"wgmma m{m}n{n}k{k} {self.kind}" + ("" if self.shared else ", A in registers")
        return f"{'mma.sp' if self.sparse else 'mma.sync'} m{m}n{n}k{k} {self.kind}"


def kernel(instruction, arch, count, chains, waits):
    """PTX of `count` products, `chains` of which do not depend on each other; wgmma is
    awaited after each product (`waits`) or at the end."""
    sums = instruction.c * chains
    zero = {"b32": "0", "f32": "0f00000000", "f64": "0d0000000000000000"}[instruction.register]
    move = "u32" if instruction.register == "b32" else instruction.register
    lines = [".version 8.8", f".target {arch}", ".address_size 64", ".shared .align 1024 .b8 memory[4096];",
             ".visible .entry products(.param .u64 out)", "{", ".reg .b32 %r<16>;", ".reg .b64 %d<4>;",
             ".reg .f64 %a<8>;", f".reg .{instruction.register} %s<{sums}>;", "mov.u32 %r9, %tid.x;",
             "mov.u64 %d2, memory;", "cvt.u32.u64 %r10, %d2;", "bfe.u32 %r10, %r10, 4, 14;", "cvt.u64.u32 %d1, %r10;"]
    lines += [f"mov.u32 %r{i}, %r9;" for i in range(8)] + ["mov.u32 %r8, 0x44444444;"]
    lines += [f"cvt.rn.f64.u32 %a{i}, %r9;" for i in range(8)] if instruction.register == "f64" else []
    lines += [f"mov.{move} %s{i}, {zero};" for i in range(sums)]
    group = instruction.shared is not None
    if group:
        lines.append("wgmma.fence.sync.aligned;")
    for n in range(count):
        at = n % chains * instruction.c
        registers = ", ".join(f"%s{at + i}" for i in range(instruction.c))
        lines.append(instruction.text % ((registers,) if group else (registers, registers)))
        if group and (waits or n + 1 == count):
            lines += ["wgmma.commit_group.sync.aligned;", "wgmma.wait_group.sync.aligned 0;"]
    lines.append("ld.param.u64 %d0, [out];")
    lines += [f"st.global.{instruction.register} [%d0+{8 * i}], %s{i};" for i in range(min(sums, 8))]
    return "\n".join(lines + ["ret;", "}"]) + "\n"


def cycles(machine, arch, folder, text, warps):
    path = os.path.join(folder, "products.ptx")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    result, _ = heddle_json("simulate", path, "--gpu", machine, "--arch", arch, "--isa", "ptx", "--grid", "1",
                            "--block", str(32 * warps), "--arg", "f64[64]=zero", "--set", "icache.size=0", "--set", "dram.trefi=0")
    return result["cycles"]


def rate(machine, arch, folder, instruction):
    """Multiply-adds per cycle and SM: the slope between two numbers of products."""
    group = instruction.shared is not None
    warps, chains = (8, 1) if group else (16, 4)
    few, many = (16, 48) if group and instruction.shape[1] > 64 else (64, 192)
    if group and instruction.shape[1] <= 64:  # past the start, when fewer wait
        few, many = 4096 // instruction.shape[1], 8192 // instruction.shape[1]
    times = [cycles(machine, arch, folder, kernel(instruction, arch, n, chains, False), warps) for n in (few, many)]
    return (many - few) * warps * instruction.products / (times[1] - times[0])


def latency(machine, arch, folder, instruction):
    warps = 4 if instruction.shared is not None else 1
    times = [cycles(machine, arch, folder, kernel(instruction, arch, n, 1, True), warps) for n in (8, 40)]
    return (times[1] - times[0]) / 32


def depth(kind, bits):
    return bits // BITS[kind]


def largest(name, machine):
    """The instruction of a data sheet's row."""
    kind = name.rsplit(".", 1)[1]
    if name.startswith("wgmma"):
        return Instruction(kind, (64, 256, depth(kind, 256)), shared=True)
    if machine == "v100":
        return Instruction(kind, (8, 8, 4))
    if machine == "t4":
        return Instruction(kind, (16, 8, 8) if kind == "f16" else (8, 8, depth(kind, 128)))
    if kind == "f64":
        return Instruction(kind, (8, 8, 4) if machine == "a100" else (16, 8, 16))
    sparse = name.startswith("mma.sp")
    return Instruction(kind, (16, 8, depth(kind, 512 if sparse else 256)), sparse=sparse)


def row(machine, name, what, ours, target, source, mhz=""):
    error = f"{100 * (ours / target - 1):+.1f}%" if target else ""
    return [machine, name, what, mhz, round(ours, 1), target or "", error, source]


def sheet_clock(machine, name, mhz):
    """The clock of the peak that a sheet gives for instruction `name`."""
    return SHEET_MHZ.get((machine, name)) or SHEET_MHZ.get((machine, name.split(".")[0]), mhz)


def rows_of(machine, folder):
    sms, mhz, arch, sheet, peaks = MACHINES[machine]
    for name, peak in peaks.items():
        instruction = largest(name, machine)
        # Half of what a sparse product counts is multiplied.
        clock = sheet_clock(machine, name, mhz)
        ours = rate(machine, arch, folder, instruction) * sms * clock * 2e6 / 1e12
        yield row(machine, instruction.name(), "TFLOPS", ours, peak, sheet, clock)
    instructions = {i.name(): i for i in [Instruction("f16", (16, 8, 8)), Instruction("f16", (16, 8, 16)),
                                          Instruction("f16", (64, 256, 16), shared=True)]}
    for place, name, what, value, source in MEASURED:
        if place == machine:
            measure = latency if what == "latency" else rate
            yield row(machine, name, what, measure(machine, arch, folder, instructions[name]), value, source)
    if machine != "h100":  # the others do not differ per cycle
        return
    for sparse in (Instruction("f16", (16, 8, 32), sparse=True), Instruction("s8", (16, 8, 64), sparse=True)):
        yield row(machine, sparse.name(), "per cycle and SM", rate(machine, arch, folder, sparse), None, "")


def say_columns(report):
    """wgmma by n, beside the rule that the model follows."""
    machine, rows = "h100", []
    arch = MACHINES[machine][2]
    with tempfile.TemporaryDirectory() as folder:
        for n in (8, 16, 24, 32, 48, 64, 96, 128, 192, 256):
            found = [n]
            for shared in (True, False):
                instruction = Instruction("f16", (64, n, 16), shared=shared)
                # Multiply-adds of the four units (group_products), bytes of operands from the 32 banks.
                rule = max(64 * n * 16 / (4 * 512), 32 * (n + 64 * shared) / 128)
                found += [round(64 * n * 16 / rate(machine, arch, folder, instruction), 1), rule, round(latency(machine, arch, folder, instruction), 1)]
            rows.append(found)
            print(*found, file=sys.stderr, flush=True)
    report.say("## wgmma by n\n\nCycles of `wgmma` m64nNk16 f16 on `h100`, one after the other by two warp groups, and the latency of one that is awaited. The rule takes the longer of two: "
               "2,048 multiply-adds a cycle of the four units of an SM, as the white paper has them, and 128 bytes of operands a cycle from shared memory (a row of A and a column of B have 32 bytes). "
               "A single product takes no less than its 24 cycles of latency. *Facts: none.* Luo et al. (arXiv 2402.13499 and 2501.12084) have tables of `wgmma` by n, which could not be read, and no other "
               "publication was found; so nothing here has a target. Searched: wgmma, m64n8k16 to m64n256k16, latency, throughput, H800, H100, microbenchmark.")
    report.table(["n", "A in shared memory: cycles", "rule", "latency", "A in registers: cycles", "rule", "latency"], rows)


# stages.cu: a block for each SM, as columns and rows of tiles.
STAGED = {"a100": (4, 27), "rtx3090": (2, 41)}
LAYOUTS = ["as it is", "8 halves of padding", "swizzled"]
# LeetCUDA, pull request 123 (README): wmma products with cp.async, 16384 x 16384 x 8192
# on an RTX 3080 Laptop, 45.38 TFLOPS with three stages and 42.75 with two.
PUBLISHED_GAIN = 45.38 / 42.75


def source_of(name):
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), name)


def staged(machine, layout, stages, depth):
    """The result of a wave of tiles of 128 x 128, `depth` deep."""
    columns, rows = STAGED[machine]
    n, m = 128 * columns, 128 * rows
    # More shared memory than two blocks of an SM could have: one block each.
    memory = max(stages * 2 * 128 * (40 if layout == 1 else 32) * 2, 56 << 10)
    with tempfile.NamedTemporaryFile("w", suffix=".cu") as source:
        source.write(f"#define LAYOUT {layout}\n#define STAGES {stages}\n" + open(source_of("stages.cu"), encoding="utf-8").read())
        source.flush()
        return heddle_json("simulate", source.name, "--gpu", machine, "--arch", "sm_80", "--grid", f"{columns},{rows}", "--block", "256",
                           "--dynamic-shared", str(memory), "--arg", f"f16[{m * depth}]=uniform:-1:1", "--arg",
                           f"f16[{n * depth}]=uniform:-1:1", "--arg", f"f32[{m * n}]=zero", "--arg", f"i32={n}", "--arg", f"i32={depth}")[0]


def say_layouts(report):
    """Bank cycles of the loop, by layout: the slope between two depths leaves out the rest."""
    rows = []
    for layout, name in enumerate(LAYOUTS):
        few, many = (staged("a100", layout, 2, depth)["spaces"]["shared"] for depth in (128, 256))
        cycles, count = (many[key] - few[key] for key in ("transactions", "instructions"))
        # Six ldmatrix.x4 a warp and step, and four copies of 16 bytes a thread: 512 bytes each.
        rows.append([name, count, cycles, cycles - 4 * count])
    report.say("## Layouts in shared memory\n\n`stages.cu`: half product by `mma.sync`, `ldmatrix` and `cp.async`, tiles of 128 x 128 x 32, so that a line has "
               "64 bytes. Each access moves 512 bytes, which are four bank cycles; all beyond are conflicts. By hand, with two quarters of a warp together where "
               "that is faster (`shared.merge_wide`): without a layout the eight lines of a matrix lie in two groups of banks. Two `ldmatrix` of A take 16 cycles, "
               "four of B take 8, so that six have 40 too many. Padding leaves the reads none. Its lines of 80 bytes make each of the four copies take 6. A swizzle leaves none.")
    report.table(["layout", "accesses", "bank cycles", "conflicts"], rows)


def say_stages(report):
    rows = []
    for machine in STAGED:
        blocks = STAGED[machine][0] * STAGED[machine][1]
        before = None
        for stages in range(1, 5):
            results = [staged(machine, 2, stages, depth) for depth in (256, 768)]
            cycles = (results[1]["cycles"] - results[0]["cycles"]) / 512
            rate = blocks * 128 * 128 * 2 / cycles * results[0]["core_mhz"] * 1e6 / 1e12
            gain = f"{100 * (rate / before - 1):+.1f}%" if before else ""
            rows.append([machine, stages, round(rate, 1), gain])
            print(*rows[-1], file=sys.stderr, flush=True)
            before = rate
    report.say("## Stages\n\nThe same product, swizzled, one block on each SM, at level machine: the slope over the depth. Many waves of it are a product of 8192^3. "
               "*Stages* counts tiles in shared memory: with one, a tile is copied, awaited and multiplied.")
    report.table(["machine", "stages", "TFLOPS", "gain over one less"], rows)
    report.say(f"One publication of a gain by hardware was found: three stages against two, {100 * (PUBLISHED_GAIN - 1):+.1f}% (wmma, 16384 x 16384 x 8192, RTX 3080 Laptop; README of "
               "LeetCUDA, pull request 123). Its tiles, clock and power are not given with it, and its GPU is no machine here; so it is no target. Of half products at 8192^3 these were found: "
               "wmma 105 to 113 and `mma.sync` 115 TFLOPS on L20 (the same README, no sizes, type of the sums not said), and 243 on an RTX PRO 6000 (no machine here). "
               "None has a structure, type of sums and clock that are known and a machine of ours, so no target is set. Searched: H100, A100, L20, RTX 4090 with "
               "`mma.sync`, `wgmma`, TMA, 8192, TFLOPS."
               " Of H100 two articles with figures by step were found, but only their beginnings could be read: "
               "\"Beating cuBLAS on an H100\" (Vizuara; bf16, 4096^3, H100 SXM5) and "
               "\"Inside NVIDIA GPUs: Anatomy of high performance matmul kernels\" (A. Gordic, 2025). The same goes for the tables of Luo et al.")


# Loops of fragments.cu; engine and options; turns of the loop, so that each run takes
# seconds where shuffles execute it.
LOOPS = {"wmma_product": "wmma 16 x 16 x 16 f16, with its loads", "mma_product": "mma.sync m16n8k16 f16"}
ENGINES = [("jit", [], 2_000_000), ("jit, counters", ["--counters"], 500_000), ("interpreter", [], 300_000)]
EXECUTION = os.path.join(EVALUATION, "tensor-execution.csv")
EXECUTION_COLUMNS = ["loop", "engine", "before ns", "ours ns", "times as fast"]


def nanoseconds(build, kernel, engine, options, turns):
    """CPU time of one turn of a loop: the slope between two numbers of turns."""
    source = source_of("fragments.cu")

    def seconds(count):
        words = [os.path.join(build, "bin", "heddle"), "run", source, "--kernel", kernel, "--arch", "sm_80", "-q",
                 "--engine", engine.split(",")[0], "--threads", "1", "--max-steps", str(10**10), "--grid", "1", "--block", "32",
                 "--arg", "f16[512]=uniform:-1:1", "--arg", "f32[512]=zero", "--arg", f"i32={count}", *options]
        runs = [Run(words) for _ in range(3)]
        if any(run.status for run in runs):
            sys.exit(" ".join(words) + "\n" + runs[0].errors)
        return min(run.cpu_seconds for run in runs)
    few = turns // 100
    return (seconds(turns) - seconds(few)) / (turns - few) * 1e9


def execution(before):
    """Times the loops in both builds and writes the table that the page keeps."""
    with open(EXECUTION, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(EXECUTION_COLUMNS)
        for kernel, name in LOOPS.items():
            for engine, options, turns in ENGINES:
                old, new = (nanoseconds(build, kernel, engine, options, turns) for build in (before, BUILD))
                writer.writerow([name, engine, round(old, 1), round(new, 1), round(old / new, 1)])
                print(name, engine, old, new, file=sys.stderr, flush=True)


def say_execution(report):
    if not os.path.exists(EXECUTION):
        return
    with open(EXECUTION, newline="", encoding="utf-8") as file:
        rows = [row[:2] + [float(value) for value in row[2:]] for row in list(csv.reader(file))[1:]]
    report.say("## Execution\n\nCPU time of a turn of a loop over one product, `heddle run` on one warp, as last measured by `--before` on this kind of processor; "
               "before: the build that executed fragments as shuffles and multiplications. The factors change in each turn. `mma.sync` takes six more operations a turn, which are timed with it.")
    report.table(EXECUTION_COLUMNS, rows)
    report.say("Twenty times is reached where shuffles were executed or counted one by one. The JIT had made vector code of those of constant lanes: `mma.sync`, 2,048 "
               "multiply-adds, took the time above. The processor's two vector units of 16 floats need 64 cycles for so many, and 128 for those of the `wmma`, so that a "
               "twentieth of the JIT's times is out of reach: it would take a clock of 21 GHz, or of 5.")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu")
    parser.add_argument("--no-write", action="store_true")
    parser.add_argument("--before")
    options = parser.parse_args()
    options.gpu_given = options.gpu is not None
    options.gpu = options.gpu or ",".join(MACHINES)
    report = Report("tensor", "Matrix instructions beside data sheets")
    report.say("Micro-kernels of PTX on one SM, at the level of PTX. A rate is the slope between two numbers of products that do not depend on each other (mma: 16 warps, "
               "wgmma: two warp groups), a latency that of products which do; of wgmma it includes the wait. TFLOPS are those of all SMs at the clock that the sheet's peak is for, which stands in the row. The operations of a "
               "sparse product are counted as the data sheet counts them, with the zeros.")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for machine in options.gpu.split(","):
            for found in rows_of(machine, folder):
                rows.append(found)
                print(*found, file=sys.stderr, flush=True)
    sheets = [r for r in rows if r[2] == "TFLOPS"]
    others = [r[:3] + r[4:] for r in rows if r[2] != "TFLOPS" and r[5]]
    report.say("## Data sheets")
    report.table(COLUMNS, sheets)
    report.say("Peaks are quoted from memory. Machine files take their rates from the same sheets, so that these rows check that the pipe reaches them, not the rates themselves. "
               "Most peaks are those of the boost clock, which the machine files have. The tensor peaks of H100 PCIe are those of 1,620 MHz, while its boost clock is 1,755; "
               "the FP64 peak of H100 SXM and H200 is that of 1,980 MHz, their other peaks of 1,830; L20's peaks are those of 2,537 MHz, its boost clock is 2,520. "
               "These four clocks are what the peaks give with the operations per cycle and SM of the white papers. L4's sheet rounds 60.6 TFLOPS of TF32 to 60. "
               "The rate of `mma.sync` on H100 is in whole cycles: 2,048 multiply-adds take 6 of them, not 6.4.")
    if others:
        report.say("## Published measurements")
        report.table(COLUMNS[:3] + COLUMNS[4:], others)
    free = [r[:3] + r[4:5] for r in rows if not r[5]]
    if free:
        report.say("## Without a target\n\nNo measurement of these was found; they are twice the rate of the dense products.")
        report.table(COLUMNS[:3] + COLUMNS[4:5], free)
    if options.before:
        execution(os.path.abspath(options.before))
    if "h100" in options.gpu.split(","):
        say_columns(report)
    if not options.gpu_given:
        say_layouts(report)
        say_stages(report)
    say_execution(report)
    if not options.no_write:
        report.csv(COLUMNS, rows)
        report.write()


if __name__ == "__main__":
    main()
