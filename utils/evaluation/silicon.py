"""Micro-benchmarks on the machines beside what GPUs showed (test/hw/silicon).

Options: --table NAME[,NAME...] and --gpu MACHINE[,MACHINE...] take part of the rows,
--every N each N-th of them, --limits TABLE:PERCENT[,...] makes the exit status 1 where
the mean error of a table is larger, --jobs N runs side by side, --no-write prints only.
--full simulates one stream in its measured size, which takes minutes."""

import argparse
import concurrent.futures
import csv
import math
import os
import random
import re
import struct
import sys
import tempfile
import threading

import common
from common import HARDWARE, Report, heddle_json

DATA = os.path.join(HARDWARE, "silicon")
KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "silicon")
SOURCE = os.path.join(KERNELS, "kernels.cu")
TMA_SOURCE = os.path.join(KERNELS, "tma.cu")

# The names of the tables, and the machines of ours.
MACHINES = {
    "V100 PCIe 16 GB": "v100", "A100 SXM4 40 GB": "a100", "A100": "a100", "A100 PCIe": "a100",
    "A100 SXM4 80 GB": "a100-80", "H100 PCIe": "h100-pcie", "H800 PCIe": "h100-pcie",
    "L40": "l40", "RTX 4090": "rtx4090",
}
# SMs, bytes of shared memory that the blocks of an SM can have, reserved for each
# block, bytes of L2.
SIZES = {
    "v100": (80, 98304, 0, 6291456), "a100": (108, 167936, 1024, 41943040),
    "a100-80": (108, 167936, 1024, 41943040), "h100-pcie": (114, 233472, 1024, 52428800),
    "l40": (142, 102400, 1024, 100663296), "rtx4090": (128, 102400, 1024, 75497472),
}
# Only these columns were fitted, of these GPUs; all others are reported.
FITTED_GPUS = ("v100", "a100", "a100-80")
FITTED = {"latency", "init", "read", "l1", "l2"}

FIRST_BUFFER = 0x200000000000  # where a kernel sees its first buffer


def table(name):
    with open(os.path.join(DATA, name + ".csv"), newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            row["machine"] = MACHINES[row["gpu"]]
            yield row


LEVEL = threading.local()  # .words: options for level of code and compiler, if not level "machine"


def run(machine, kernel, grid, block, args, *more, level=None):
    """Cycles of a launch and the core clock in MHz."""
    name, *instance = kernel.split("<", 1)
    if instance:
        more = ("--instance", kernel, *more)
    words = [SOURCE, "--kernel", name, "--grid", str(grid), "--block", str(block), "--gpu",
             machine, *(("--isa", level) if level else getattr(LEVEL, "words", None) or ("--isa", "machine")), *more]
    for arg in args:
        words += ["--arg", arg]
    result, _ = heddle_json("simulate", *words, limit_s=1800)
    return result["cycles"], result["core_mhz"]


def slope(few, many, work):
    """Work per second that the larger run does beyond the smaller."""
    (begin, mhz), (end, _) = few, many
    return work * mhz * 1e6 / (end - begin)


class Point:
    """A measured number, and how to compute ours."""

    def __init__(self, table, row, column, label, measured, compute):
        self.table, self.machine, self.gpu = table, row["machine"], row["gpu"]
        self.column, self.label, self.measured = column, label, float(measured)
        self.compute = compute
        self.fitted = column in FITTED and self.machine in FITTED_GPUS
        self.ours = None

    @property
    def error(self):
        return self.ours / self.measured - 1


# Latency by footprint: a ring of lines in random order, the second round less the
# first. Where it is four times as large as L2 every load misses, and a part of the
# ring is enough.

RING_LOADS = 4096


def ring(folder, bytes_, whole):
    lines = bytes_ // 128
    order = [0] + random.Random(7).sample(range(1, lines), lines - 1 if whole else 2 * RING_LOADS)
    if len(order) >= 32:
        order = order[:len(order) // 32 * 32]
    path = os.path.join(folder, f"ring-{bytes_}{'' if whole else '-part'}.bin")
    if not os.path.exists(path):
        with open(path + f".{os.getpid()}", "wb") as file:
            file.truncate(lines * 128)
            for here, there in zip(order, order[1:] + order[:1]):
                file.seek(here * 128)
                file.write(struct.pack("<Q", FIRST_BUFFER + there * 128))
        os.rename(path + f".{os.getpid()}", path)
    return path, lines, len(order)


def latency(row, folder):
    bytes_ = int(float(row["footprint_KiB"]) * 1024) // 4096 * 4096
    whole = bytes_ < 4 * SIZES[row["machine"]][3]
    path, lines, loads = ring(folder, bytes_, whole)
    args = [f"u64[{lines * 16}]=file:{path}", "u64[1]=zero"]
    few = loads // 32 if whole else RING_LOADS // 64
    many = few + (max(RING_LOADS // loads, 1) * few if whole else few)
    begin, _ = run(row["machine"], "chase", 1, 1, args + [f"i32={few}"])
    end, _ = run(row["machine"], "chase", 1, 1, args + [f"i32={many}"])
    return (end - begin) / ((many - few) * 32)


def on_plateau(rows, row, column):
    """Whether all footprints up to a tenth smaller or larger take as long, within 3 %."""
    kib, cycles = float(row["footprint_KiB"]), float(row[column])
    return all(abs(float(r[column]) / cycles - 1) < 0.03 for r in rows
               if 0.9 < float(r["footprint_KiB"]) / kib < 1.1)


def latencies(folder):
    wanted = {"latency_by_footprint": (16, 60, 100, 250, 1000, 4000, 17000, 36000, 180000, 450000),
              "latency_by_footprint_hopper": (16, 60, 500, 4000, 16000, 36000, 220000, 450000)}
    for file, sizes in wanted.items():
        rows = [r for r in table(file) if r.get("access", "load") == "load"]
        for gpu in dict.fromkeys(r["gpu"] for r in rows):
            own = [r for r in rows if r["gpu"] == gpu]
            column = "cycles_per_load" if "cycles_per_load" in own[0] else "cycles"
            for size in sizes:
                near = min(own, key=lambda r: abs(float(r["footprint_KiB"]) - size))
                kib, l2_kib = float(near["footprint_KiB"]), SIZES[near["machine"]][3] / 1024
                if abs(kib / size - 1) < 0.4 and not l2_kib < kib < 4 * l2_kib:
                    name = "latency" if on_plateau(own, near, column) else "between plateaus"
                    yield Point(name, near, "latency", near["footprint_KiB"] + " KiB",
                                near[column], lambda r=near: latency(r, folder))


# One double per thread, whole waves. Nothing is used twice, so that L2's size does not
# matter in the steady state: a small L2 reaches it sooner.

STREAMS = {"init": 1, "read": 1, "scale": 2, "triad": 4, "stencil3": 2, "stencil5": 2}
IN_FLIGHT = 4 << 20  # bytes of writes that may be between the SMs and L2


def stream(row, kernel, elements=None):
    machine, threads = row["machine"], int(row["threads_per_block"])
    per_sm = int(row["blocks_per_SM"])
    sms, shared, reserved, l2 = SIZES[machine]
    wave = sms * per_sm
    waves = 12
    while l2 > 8 << 20:
        l2 //= 2
    if threads * per_sm >= 128 and kernel != "read":
        waves = max(waves, -(-(l2 * 5 // 4 + IN_FLIGHT) // (wave * threads * 8)))
    dynamic = max(0, shared // per_sm // 1024 * 1024 - reserved)
    dynamic = min(dynamic, shared - reserved)
    more = ["--dynamic-shared", str(dynamic)]

    def launch(blocks, *others):
        n = blocks * threads
        args = [f"f64[{n}]=zero"] * 4 + ["f64=0.5", f"i32={n}"]
        return run(machine, kernel, blocks, threads, args, *more, *others)
    if elements:
        cycles, mhz = launch(elements // threads)
        return STREAMS[kernel] * elements * 8e-9 / (cycles / mhz * 1e-6)
    shrink = ["--set", f"l2.size={l2}"]
    return slope(launch(wave * waves, *shrink), launch(2 * wave * waves, *shrink),
                 8e-9 * STREAMS[kernel] * wave * waves * threads)


def streams(_):
    chosen = {(32, 1), (128, 2), (384, 2), (1024, 2), (768, 2)}
    for row in table("stream_by_occupancy"):
        if (int(row["threads_per_block"]), int(row["blocks_per_SM"])) in chosen:
            for kernel in STREAMS:
                yield Point("stream", row, kernel,
                            f"{row['threads_per_block']} x {row['blocks_per_SM']}",
                            row[kernel + "_GBs"], lambda r=row, k=kernel: stream(r, k))


# The kernel knows its footprint when it is compiled. Where a part of it fits, warps
# whose lines stay get ahead: it takes rounds until that settles. All footprints of a
# GPU but the smallest are multiples of what a block reads in one step: 512 threads on
# V100 and A100, 256 on L40. A larger block would not read whole steps.

def l1(row, step):
    machine, bytes_ = row["machine"], int(float(row["footprint_KiB_per_block"]) * 1024)
    threads = step // 8
    steps = bytes_ // 8 // threads
    rounds = max(16 if bytes_ < 300 << 10 else 2, (1 << 20) // bytes_)
    sms = SIZES[machine][0]

    def launch(scale):
        return run(machine, f"l1_read<{threads}, {steps}>", sms, threads,
                   [f"f32[{bytes_ // 4}]=zero", "f32[1024]=zero", "i32=0", f"i32={rounds * scale}"])
    return slope(launch(1), launch(2), 1e-9 * bytes_ * rounds * sms)


def l1s(_):
    rows = list(table("l1_bandwidth_by_footprint"))
    for gpu in dict.fromkeys(r["gpu"] for r in rows):
        own = [r for r in rows if r["gpu"] == gpu]
        kib = [int(float(r["footprint_KiB_per_block"])) for r in own]
        step = 1024 * math.gcd(*(k for k in kib if k >= 8))
        for size in (4, 16, 64, 120, 148, 172, 204, 384, 1000):
            near = min(own, key=lambda r: abs(float(r["footprint_KiB_per_block"]) - size))
            yield Point("l1", near, "l1", near["footprint_KiB_per_block"] + " KiB",
                        near["GBs_all_SMs"], lambda r=near, s=step: l1(r, s))


# Of the 200,000 blocks all but the first start where one before has ended, so that those
# that share a chunk are at different places of it. Those of our first wave begin at different
# places, and the numbers are taken after two waves more, when L2 holds what it then will.

def l2(row):
    machine, bytes_ = row["machine"], int(float(row["footprint_KiB"]) * 1024)
    chunks, sms = bytes_ // 524288, SIZES[machine][0]
    wave = sms * (2 if SIZES[machine][1] > 102400 else 1)

    def launch(waves):
        return run(machine, "l2_read", wave * waves, 1024,
                   [f"f64[{chunks * 65536}]=zero", "f64[1024]=zero", f"i32={chunks}", f"i32={wave}"])
    return slope(launch(3), launch(5), 2 * wave * 524288e-9)


def l2s(_):
    rows = list(table("l2_bandwidth_by_footprint"))
    for gpu in dict.fromkeys(r["gpu"] for r in rows):
        own = [r for r in rows if r["gpu"] == gpu]
        for size in (8, 24, 33, 40, 64, 256):
            near = min(own, key=lambda r: abs(float(r["footprint_KiB"]) - size * 1024))
            yield Point("l2", near, "l2", near["footprint_KiB"] + " KiB", near["GBs"],
                        lambda r=near: l2(r))


def stride(row):
    args = [f"f{32 if row['type'] == 'float' else 64}[{64 * 64 + 64}]=zero"] * 2
    args += [f"i32={row['stride_elements']}", "i32=0"]

    def launch(rounds):
        return run(row["machine"], "strides_" + row["type"], 1, 1024, args + [f"i32={rounds}"])[0]
    return (launch(24) - launch(8)) / (16 * 8 * 32)


def strides(_):
    for row in list(table("l1_strides"))[::2]:
        yield Point("strides", row, row["type"], row["stride_elements"],
                    row["cycles_per_warp_load"], lambda r=row: stride(r))


def roofline(row):
    blocks, inner = int(row["blocks"]), int(row["inner_iterations"])
    threads = blocks * 256

    def launch(pairs):
        buffer = f"f32[{threads * pairs}]=zero"
        return run(row["machine"], "roofline", blocks, 256,
                   [buffer, buffer, "f32[1024]=zero", f"i32={pairs}", f"i32={inner}"],
                   "--set", f"clock.core={row['SM_MHz']}", "--set", f"clock.l2={row['SM_MHz']}")
    return slope(launch(8), launch(24), threads * 16 * (2 + 2 * inner) * 1e-9)


def rooflines(_):
    for row in table("roofline"):
        if int(row["inner_iterations"]) in (0, 8, 16, 24, 32, 40, 56, 80, 120, 160, 200, 320):
            yield Point("roofline", row, "GFLOPs", row["flop_per_byte"], row["GFLOPs"],
                        lambda r=row: roofline(r))


# One after the other in a graph, thousands of times: buffers are in L2, and each SM has
# the code. What is between two kernels is the measured time of the fewest elements less
# our kernel's.

def small_us(machine, elements, threads):
    buffer = f"f64[{elements}]=value:1"  # zeros are not copied to the GPU
    cycles, mhz = run(machine, "quarter", -(-elements // threads), threads,
                      [buffer, buffer, f"i32={elements}"], "--warm-l2",
                      "--set", "icache.size=0")
    return cycles / mhz


def small_point(row, threads, fewest):
    def measured_us(r):
        return 16e-3 * int(r["elements"]) / float(r[f"GBs_block{threads}"])

    def compute():
        gap = measured_us(fewest) - small_us(row["machine"], int(fewest["elements"]), threads)
        n = int(row["elements"])
        return 16e-3 * n / (small_us(row["machine"], n, threads) + gap)
    return Point("small", row, f"block {threads}", row["elements"],
                 row[f"GBs_block{threads}"], compute)


def smalls(_):
    rows = list(table("small_kernels_graph"))
    for size in (8192, 33000, 134000, 546000, 2200000):
        row = min(rows, key=lambda r: abs(int(r["elements"]) - size))
        for threads in (32, 128, 512, 1024):
            yield small_point(row, threads, rows[0])


# A ladder of matrix products: each wave of blocks takes what one takes of 256 summands and,
# by the slope from 128 on, of the others; the last wave has as many blocks as are left.

# Threads and elements of C of a block.
LADDER_BLOCKS = {"naive": ("32,32", 1024), "coalesced": (1024, 1024), "shared": (1024, 1024), "tile_1d": (512, 4096),
                 "tile_2d": (256, 16384), "vectorised": (256, 16384), "linear_no_conflicts": (256, 16384),
                 "offset_no_conflicts": (256, 16384), "autotuned": (256, 16384), "warp_tiles": (128, 16384),
                 "double_buffered": (256, 32768)}
LADDER_SMS, LADDER_SIDE = 84, 4096


def ladder(step):
    block, elements = LADDER_BLOCKS[step]

    def launch(blocks_per_sm, depth):
        words = [os.path.join(KERNELS, "sgemm.cu"), "--kernel", step, "--grid",
                 f"28,{3 * blocks_per_sm}", "--block", str(block), "--gpu", "a6000", "--isa", "machine"]
        for arg in [f"f32[{LADDER_SIDE ** 2}]=zero"] * 3 + ["f32=0.5", "f32=0.25", f"i32={LADDER_SIDE}", f"i32={depth}"]:
            words += ["--arg", arg]
        return heddle_json("simulate", *words, limit_s=1800)[0]

    def wave(blocks_per_sm):
        few, many = launch(blocks_per_sm, 128)["cycles"], launch(blocks_per_sm, 256)["cycles"]
        return many + (many - few) * (LADDER_SIDE - 256) / 128
    first = launch(1, 32)
    per_sm = first["occupancy"]["blocks_per_sm"]
    waves, left = divmod(LADDER_SIDE ** 2 // elements, LADDER_SMS * per_sm)
    cycles = waves * wave(per_sm) + (wave(-(-left // LADDER_SMS)) if left else 0)
    return 2e-3 * LADDER_SIDE ** 3 * first["core_mhz"] / cycles


def kendall(points):
    """Kendall's tau over the pairs that the measurement tells apart by more than 3 %."""
    pairs = [(p, q) for i, p in enumerate(points) for q in points[:i]
             if abs(p.measured - q.measured) > 0.03 * min(p.measured, q.measured)]
    right = sum((p.measured < q.measured) == (p.ours < q.ours) for p, q in pairs)
    return 2 * right / len(pairs) - 1, len(pairs)


def ladders(_):
    with open(os.path.join(DATA, "sgemm_ladder_a6000.csv"), newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["step"] in LADDER_BLOCKS:
                row.update(machine="a6000", gpu="RTX A6000")
                yield Point("ladder", row, "GFLOPs", row["step"], row["gflops"],
                            lambda s=row["step"]: ladder(s))


# Bulk copies, at the level of PTX: the machine level has no rows for them. The rows with
# an even number of blocks per SM were left out of the fit, and of the latencies the
# footprints 100, 2,000, 4,000 and 450,000 KiB. Where the tensor ends is not known: ours
# has 4,096 floats in a row.

TMA_THREADS = 64  # not published; all arrive and wait for each tile
# GB/s of DRAM on the board of the H800, of which 0.952 arrive as `read` shows on the H100:
# by the rows with three blocks an SM and tiles of 12 and 16 KiB that lie in whole lines.
H800_DRAM = 1904


def tma_launch(kernel, blocks, threads, args, *more):
    text = [f"kernel: {kernel}", "arch: sm_90", f"grid: [{blocks}]", f"block: [{threads}]",
            "args:"] + [f"  - {a}" for a in args]
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write("\n".join(text) + "\n")
        file.flush()
        result, _ = heddle_json("simulate", TMA_SOURCE, "--kernel", kernel, "--launch", file.name,
                                "--gpu", "h100-pcie", "--isa", "ptx", *more, limit_s=1800)
    return result["cycles"], result["core_mhz"]


def tma_throughput(row):
    blocks, bytes_ = int(row["blocks"]), int(float(row["load_KiB"]) * 1024)
    sides = [int(n) for n in re.findall(r"= (\d+)", row["tile"])]
    sms, shared, reserved, _ = SIZES["h100-pcie"]
    first = max(2, (4 << 20) // (blocks * bytes_))
    board = ("--set", f"dram.bandwidth={H800_DRAM}")

    def launch(rounds):
        count = rounds * blocks * bytes_ // 4
        buffer = f"{{name: from, type: f32, count: {count}, init: zero}}"
        if not sides:
            return tma_launch("tma_bw", blocks, TMA_THREADS, [f"buffer: {buffer}", f"i32: {bytes_}",
                                                     f"i32: {rounds}"], *board)
        dims = list(sides)
        dims[0] = max(sides[0], min(4096, count))
        if len(sides) > 1:
            dims[1] = max(sides[1], 1024 if len(sides) == 3 else 0)
        across, down = dims[0] // sides[0], 1
        if len(sides) == 3:
            down = dims[1] // sides[1]
            dims[2] = -(-rounds * blocks // (across * down)) * sides[2]
        elif len(sides) == 2:
            down = -(-rounds * blocks // across)
            dims[1] = down * sides[1]
        else:
            across = rounds * blocks
            dims[0] = across * sides[0]
        count = math.prod(dims)
        buffer = f"{{name: from, type: f32, count: {count}, init: zero}}"
        x, y, z = (sides + [1, 1])[:3]
        return tma_launch(f"tma_boxes_{len(sides)}d", blocks, TMA_THREADS,
                          [f"tensor_map: {{buffer: {buffer}, type: f32, dims: {dims}, box: {sides}}}"]
                          + [f"i32: {n}" for n in (bytes_, rounds, x, y, z, across, down)], *board)
    return slope(launch(first), launch(2 * first), 1e-9 * first * blocks * bytes_)


def tma_throughputs(_):
    with open(os.path.join(DATA, "tma_throughput_h800.csv"), newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            row.update(machine="h100-pcie", gpu="H800 PCIe")
            point = Point("tma", row, row["experiment"][4:],
                          f"{row['blocks']} x {row['load_KiB']} KiB {row['tile']}", row["GBs"],
                          lambda r=row: tma_throughput(r))
            point.fitted = int(row["blocks"]) // 114 % 2 == 1
            yield point


def tma_latency(row, folder):
    bytes_ = int(float(row["footprint_KiB"]) * 1024) // 4096 * 4096
    lines = bytes_ // 128
    whole = bytes_ < 4 * SIZES["h100-pcie"][3]
    steps = lines if whole else 2 * RING_LOADS
    order = [0] + random.Random(7).sample(range(1, lines), steps - 1)
    path = os.path.join(folder, f"tma-{bytes_}.bin")
    with open(path + f".{os.getpid()}", "wb") as file:
        file.truncate(bytes_)
        for here, there in zip(order, order[1:] + order[:1]):
            file.seek(here * 128)
            file.write(struct.pack("<Q", there))
    os.rename(path + f".{os.getpid()}", path)
    few = steps if whole else RING_LOADS
    many = few + min(steps, RING_LOADS)

    def launch(rounds):
        buffer = f"{{name: from, type: u64, count: {bytes_ // 8}, init: {{file: {path}}}}}"
        return tma_launch("tma_chase", 1, 1,
                          [f"tensor_map: {{buffer: {buffer}, type: u64, dims: [{bytes_ // 8}], "
                           "box: [2]}", "buffer: {name: out, type: u64, count: 1, init: zero}",
                           f"i32: {rounds}"])
    begin, _ = launch(few)
    end, _ = launch(many)
    return (end - begin) / (many - few)


def tma_latencies(folder):
    rows = [r for r in table("latency_by_footprint_hopper") if r["access"] == "tma"]
    for size in (16, 100, 500, 2000, 4000, 220000, 450000):
        near = min(rows, key=lambda r: abs(float(r["footprint_KiB"]) - size))
        point = Point("tma latency", near, "latency", near["footprint_KiB"] + " KiB",
                      near["cycles"], lambda r=near: tma_latency(r, folder))
        point.fitted = size in (16, 500, 220000)
        yield point


# One thread chases an address through the shared memory of the next block of its cluster,
# or of its own. Clusters have no rows at level machine.

def remote(row):
    size, own = row["cluster_size"], row["same_block"]

    def launch(loads):
        return run(row["machine"], "remote", int(size), 32,
                   ["i32[1024]=zero", f"i32={0 if own == '1' else 1}", f"i32={loads}"],
                   "--cluster", size, level="ptx")[0]
    return (launch(1024) - launch(512)) / 512


def remotes(_):
    with open(os.path.join(DATA, "dsm_latency_h800.csv"), newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            row.update(machine="h100-pcie", gpu="H800 PCIe")
            yield Point("dsm_latency_h800", row,
                        "own block" if row["same_block"] == "1" else "other block",
                        row["cluster_size"], row["median_cycles"], lambda r=row: remote(r))


# Chains of one DPX function: cycles of one by one warp, and how many a full SM does in a cycle. What the measured compiler left out of its loops says nothing (README.md there).

DPX = os.path.join(KERNELS, "dpx.cu")
DPX_GPUS = {"A100": "a100", "4090": "rtx4090", "H800": "h100-pcie"}
SM_THREADS = {"a100": 2048, "rtx4090": 1536, "h100-pcie": 2048}


def chain_cycles(machine, function, blocks, threads, rounds):
    return heddle_json("simulate", DPX, "--kernel", function, "--grid", str(blocks), "--block", str(threads), "--gpu", machine, "--set",
                       "sm.count=1", "--isa", "machine", "--arg", "i32[1024]=zero", "--arg", "i32[16]=zero", "--arg", f"i32={rounds}")[0]["cycles"]


def latency_of(machine, function):
    """Cycles of a function in one warp, by the slope over the rounds of a chain."""
    return (chain_cycles(machine, function, 1, 32, 24) - chain_cycles(machine, function, 1, 32, 8)) / (16 * 8)


def rate_of(machine, function):
    """How many a full SM does in a cycle, by the slope over waves of blocks."""
    wave, threads, rounds = SM_THREADS[machine] // 256, 256, 64
    cycles = chain_cycles(machine, function, 4 * wave, threads, rounds) - chain_cycles(machine, function, 2 * wave, threads, rounds)
    return 2 * wave * threads * rounds * 8 / cycles


def chains(_):
    with open(os.path.join(DATA, "dpx.csv"), newline="", encoding="utf-8") as file:
        measured = {(row["gpu"], row["benchmark"]): float(row["value"]) for row in csv.DictReader(file)}
    for (gpu, benchmark), latency in measured.items():
        function, _, column = benchmark.rpartition("_")
        if column != "lat" or latency < 2:
            continue
        row = {"machine": DPX_GPUS[gpu], "gpu": gpu}
        yield Point("dpx", row, "cycles", function, latency, lambda r=row, f=function: latency_of(r["machine"], f))
        yield Point("dpx", row, "per cycle", function, measured[gpu, function + "_bw"],
                    lambda r=row, f=function: rate_of(r["machine"], f))


TABLES = {"latency": latencies, "tma": tma_throughputs, "tma latency": tma_latencies,
          "dsm_latency_h800": remotes, "dpx": chains, "stream": streams, "l1": l1s, "l2": l2s, "strides": strides,
          "roofline": rooflines, "small": smalls, "ladder": ladders}


def full_stream():
    """The rule's error beside one stream of the measured size."""
    row = next(r for r in table("stream_by_occupancy") if r["machine"] == "v100" and
               (r["threads_per_block"], r["blocks_per_SM"]) == ("1024", "2"))
    ours, whole = stream(row, "read"), stream(row, "read", 1 << 28)
    return (f"V100's `read` with two blocks of 1024 threads: {ours:.0f} GB/s by the rule, "
            f"{whole:.0f} with all 268 million elements.")


def mean_error(points):
    return sum(abs(p.error) for p in points) / len(points)


def summary(points):
    rows = []
    for name in dict.fromkeys(p.table for p in points):
        for fitted in (True, False):
            part = [p for p in points if p.table == name and p.fitted == fitted]
            for machine in dict.fromkeys(p.machine for p in part):
                own = [p for p in part if p.machine == machine]
                worst = max(own, key=lambda p: abs(p.error))
                rows.append([name, machine, "fit" if fitted else "report", len(own),
                             f"{mean_error(own):.1%}",
                             f"{worst.error:+.1%} ({worst.column}, {worst.label})"])
    return rows


COPIES = ("Of `tma`. Where memory limits them, copies of whole lines were measured at 1,800 to 1,830 GB/s on an H800, while plain reads on an H100 with "
          "memory of the same nominal rate reach 1,942 (`read`, 1024 x 2). The column counts gigabytes, as it is named: in gibibytes the largest row would "
          "be 1,965 GB/s, more than any read of either board, and the same authors report 1,861 for plain loads of their H800 (Luo et al., quoted from "
          "memory). So the H800's memory is slower by 0.934; that number was chosen by the rows with three blocks an SM and is set for these rows alone. Boxes "
          "of X = 4, Y = 4, Z = 256 lose a third from one block per SM to two, which ours do not: each of their rows of 16 bytes lies in another page, and the "
          "translation of addresses is not modelled (a guess at the cause).")


CHAINS = ("Of `dpx`. On sm_90 functions of halves are one instruction, as in code of ptxas 12.4, which also joins two of two operands. It joins a sum and a "
          "maximum of words, and two maxima, too; the H800's rows say that the compiler of that time did not, and neither does the machine level. "
          "Elsewhere they are sequences of sums, shifts and maxima, as nvcc 12.4 writes them. What the measured rows of halves (`s16x2`) run there is another one: two "
          "maxima take 11 cycles and less than seven instructions, in code of nvcc 12.4 and 13.0 20 cycles and eight. Joined functions (2 cycles each) leave "
          "a rate of 72 per cycle where one instruction does two; ours has 109. These rows are the only ones that are far off. "
          "All rows of `dpx` were in sight when our functions and the rule for rates were chosen: they are not blind.")


def show(points, full, write):
    report = Report("silicon", "Micro-benchmarks beside silicon")
    report.say(
        "Our own kernels (`utils/evaluation/silicon`), written from the descriptions of the "
        "micro-benchmarks in `test/hw/silicon`, on the machines of the GPUs that were measured, "
        "with the machine level of code. Rows called `fit` are those that numbers in machine "
        "files were fitted to: latency, `init`, `read` and cache bandwidths of V100 and A100. "
        "All others are reported only, but for `scale` and `triad` of V100 at 128 x 2, by which "
        "`dram.write_low` was chosen. Banks, rows and refresh of HBM2 are its standard's; the queues "
        "(`dram.queue`, `dram.write_queue`) were chosen with all streams of V100, A100 and H100 PCIe in "
        "sight, so that these rows are no longer blind. `h100-pcie` holds the rows of H100 PCIe and H800 PCIe. "
        "Of `tma` and `tma latency`, the copy engine's three numbers were fitted to the rows with "
        "1 or 3 blocks per SM and to the footprints 16, 500 and 220,000 KiB; these run at the "
        "level of PTX, with blocks of 64 threads of which all wait for each tile, a number that "
        "is not published and was chosen with the fit.")
    report.say(
        "Rules. A bandwidth is the slope between a launch and one of twice the work, whole waves "
        "of blocks, without launch overhead; small kernels are single launches. Rows of `l2` begin with blocks at "
        "all places of their chunks, as those of 200,000 blocks are after the first wave. A product of the ladder is "
        "its waves of blocks, each by the slope over the depth of the sum. Streams run with "
        "a small L2: nothing is used twice, so that the steady state comes sooner. Latencies are "
        "those of plateaus, where footprints up to a tenth smaller or larger take as long; the others are in a "
        "table of their own. No footprint lies between one and four times L2. Other tables are "
        "sampled: sizes and occupancies near round numbers, every second stride, a third of the "
        "roofline's points. `dsm_latency_h800` runs at level ptx, and `cluster.latency` was fitted to "
        "its rows of another block. The whole command takes some 11 CPU minutes.")
    report.say(
        "Known causes. L1 keeps lines that were used since all of their set were, and of the others the newest "
        "goes, so that F bytes in an L1 of C miss F / C - 1 of the time: V100, A100 and L40 all keep most up to 1.5 times "
        "the size and nothing at 2. Which warps run ahead decides the rest: with 4 sets, not 64, V100 is 39, 46 and 34 % too "
        "fast at 148, 172 and 204 KiB. Of the rows that the table leaves out V100 is 17, 30, 32 and 7 % too fast at 124, 128, "
        "236 and 280 KiB, A100 -13, +3 and +12 % off at 236, 280 and 328, L40 +24 % at 224. On A100 L1 is given 160 KiB, "
        "near which the chase of one thread begins to miss and these rows fit best; its smallest carve-outs would leave 184. "
        "The policy, the sets and A100's 160 KiB were chosen with L40's rows in sight, too, and hashed sets by the ladder, which "
        "was 11.3 % off without and 7.2 with: neither is blind any more. "
        "Chases miss from 120 (V100), 152 (A100) and 88 KiB (L40) on, as if 8 KiB, and on the later two 32 KiB of "
        "shared memory, were taken from L1; with 96 KiB the rows of L40 from 118 to 192 KiB are 24 to 51 % too slow. "
        "In V100's chase each line beyond 120 KiB "
        "brings four misses until all miss at 160, as with sets of three ways whose oldest goes; warps show more "
        "hits than such sets allow. `triad` on H100 PCIe at low occupancy takes twice the time of "
        "`read` there, on A100 1.3 times, as here; why is not known. Of the ladder, `autotuned` is said "
        "to have warps with sub-tiles of 64x64 and threads with tiles of 8x8, which are 64x32 for a warp of "
        "256 threads' eight: read as four sub-tiles of the block, in each of which a thread has 4x4. "
        "`double_buffered` writes the next tile to the other buffer before it sums this one. The loads of these "
        "kernels from shared memory are those of nvcc's code, as many and as wide; `vectorised`, the two without "
        "conflicts and `double_buffered` then come within 2 % of each other, where silicon has 12 %. Before, one of "
        "four words was loaded alone, which put them in silicon's order by chance.")
    if any(p.table == "tma" for p in points):
        report.say(COPIES)
    if any(p.table == "dpx" for p in points):
        report.say(CHAINS)
    if full:
        report.say(full_stream())
    steps = [p for p in points if p.table == "ladder"]
    if len(steps) > 1:
        tau, pairs = kendall(steps)
        report.say(f"Kendall's tau of the ladder: {tau:.2f} over the {pairs} pairs of its {len(steps)} steps that were measured more "
                   "than 3 % apart.")
    report.table(["table", "machine", "", "rows", "mean error", "worst"], summary(points))
    columns = ["table", "machine", "column", "row", "measured", "ours", "error"]
    rows = [[p.table, p.machine, p.column, p.label, p.measured, round(p.ours, 2),
             f"{p.error:+.1%}"] for p in points]
    if write:
        report.table(columns, rows)
        report.csv(columns, rows)
        report.write()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table")
    parser.add_argument("--gpu")
    parser.add_argument("--column")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--limits", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--no-write", action="store_true")
    parser.add_argument("--heddle", help="the binary, if not build/release's")
    options = parser.parse_args()
    if options.heddle:
        common.HEDDLE = options.heddle
    folder = os.path.join(common.BUILD, "evaluation", "silicon")
    os.makedirs(folder, exist_ok=True)

    points = []
    for name, make in TABLES.items():
        if not options.table or name in options.table.split(","):
            points += make(folder)
    if options.gpu:
        points = [p for p in points if p.machine in options.gpu.split(",")]
    if options.column:
        points = [p for p in points if p.column in options.column.split(",")]
    points = points[::options.every]
    if not points:
        sys.exit("utils/reproduce silicon: no rows left")

    def compute(point):
        point.ours = point.compute()
        print(f"{point.table:9} {point.machine:10} {point.column:9} {point.label:>14} "
              f"{point.measured:10.1f} {point.ours:10.1f} {point.error:+7.1%}",
              file=sys.stderr, flush=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(compute, points))

    show(points, options.full, not options.no_write)
    failed = False
    for limit in filter(None, options.limits.split(",")):
        name, percent = limit.split(":")
        reached = 100 * mean_error([p for p in points if p.table == name])
        print(f"{name}: mean error {reached:.1f} %, limit {percent} %")
        failed |= reached > float(percent)
    sys.exit(int(failed))


if __name__ == "__main__":
    main()
