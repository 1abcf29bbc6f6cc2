"""Levels of code and compilers beside measured times: which is the default (docs/MachineCode.md).

ptx: level ptx; clang and nvcc: level machine with the loops of either. Options: --group NAME[,NAME...] takes part of the groups, --most N at most N launches of each, evenly (15). No ptxas
is asked: registers of level ptx are an estimate, as for most users."""

import argparse
import concurrent.futures
import csv
import math
import os

import common
import hardware
import measured
import silicon
from common import HARDWARE, Report, median

LEVELS = {"ptx": ("--isa", "ptx"), "clang": ("--isa", "machine", "--compiler", "clang"),
          "nvcc": ("--isa", "machine", "--compiler", "nvcc")}
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "levels")
REFUSED = math.log(4)


def simulate(level, *words, clang=()):
    run = common.Run([common.HEDDLE, "simulate", *words, *LEVELS[level], "--json", "-", "-q", *clang], limit_s=1800)
    if run.status != 0:
        raise RuntimeError(run.errors.strip())
    return common.json.loads(run.output)


def error(ours, theirs):
    return abs(math.log(ours / theirs))


def library():
    """Kernels of a deep-learning library: (label, level -> error)."""
    chosen = measured.sample(2)
    extra = hardware.overheads(chosen)
    for m in chosen:
        if m.gpu in ("v100", "t4"):
            yield (f"{m.gpu} {m.op} {m.rows} x {m.columns}", lambda level, m=m: error(
                simulate(level, *m.arguments(), "--gpu", m.gpu)["time_us"] + extra[m.gpu, m.op], m.time_us))


def micro(name):
    """A table of test/hw/silicon as utils/evaluation/silicon.py runs it, without what machines were fitted to."""
    folder = os.path.join(common.BUILD, "evaluation", "silicon")
    os.makedirs(folder, exist_ok=True)
    for point in silicon.TABLES[name](folder):
        if point.column not in silicon.FITTED:
            yield (f"{point.machine} {point.column} {point.label}",
                   lambda level, p=point: error(Levelled(level)(p), p.measured))


class Levelled:
    """Computes a point of silicon.py at a level."""

    def __init__(self, level):
        self.level = level

    def __call__(self, point):
        silicon.LEVEL.words = LEVELS[self.level]
        return point.compute()


LADDER = {"naive": (32, 1024), "coalesced": (32, 1024), "shared": (32, 1024), "tile_1d": (64, 512),
          "tile_2d": (128, 256), "vectorised": (128, 256)}


def ladder_step(level, kernel, tile, threads, gflops):
    """One wave of blocks of the product of 4096 x 4096; what 128 more summands take."""
    n, sms = 4096, 84

    def launch(blocks, k):
        rows = -(-blocks * tile // n) * tile
        rows = n if kernel == "naive" else rows
        return simulate(level, os.path.join(FOLDER, "ladder.cu"), "--kernel", kernel, "--grid", str(blocks),
                        "--block", "32,32" if kernel == "naive" else str(threads), "--gpu", "a6000",
                        *sum((["--arg", a] for a in
                              (f"i32={n}", f"i32={k}", "f32=1", f"f32[{rows * k}]=value:0.5",
                               f"f32[{n * k}]=value:0.5", "f32=0", f"f32[{n * n}]=zero")), []))
    wave = sms * launch(sms, 32)["occupancy"]["blocks_per_sm"]
    few, many = launch(wave, 64), launch(wave, 192)
    ours = 2e-9 * wave * tile * tile * 128 / ((many["time_us"] - few["time_us"]) * 1e-6)
    return error(ours, gflops)


def ladder():
    with open(os.path.join(HARDWARE, "silicon", "sgemm_ladder_a6000.csv"), newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["step"] in LADDER:
                yield row["step"], (lambda level, row=row: ladder_step(level, row["step"], *LADDER[row["step"]],
                                                                      float(row["gflops"])))


def convolution_time(level, row):
    """Milliseconds of 4096 x 4096 outputs: what a second wave of blocks takes, for all of them."""
    size, sms = 4096, 108
    bx, by, tx, ty = (int(row[k]) for k in ("block_size_x", "block_size_y", "tile_size_x", "tile_size_y"))
    flags = [f"-DBLOCK_X={bx}", f"-DBLOCK_Y={by}", f"-DTILE_X={tx}", f"-DTILE_Y={ty}",
             f"-DREAD_ONLY={row['read_only']}", f"-DPADDING={row['use_padding']}"]
    pitch = size + 14

    def launch(blocks):
        return simulate(level, os.path.join(FOLDER, "convolution.cu"), "--grid", str(blocks), "--block", f"{bx},{by}",
                        "--gpu", "a100", *sum((["--arg", a] for a in
                                               (f"i32={size}", f"i32={size}", f"f32[{pitch * pitch}]=value:0.5",
                                                f"f32[{size * size}]=zero")), []), clang=["--", *flags])
    wave = sms * launch(sms)["occupancy"]["blocks_per_sm"]
    blocks = size // (bx * tx) * (size // (by * ty))
    few, many = launch(wave), launch(2 * wave)
    return 1e-3 * (many["time_us"] - few["time_us"]) * blocks / wave


def convolution():
    with open(os.path.join(HARDWARE, "silicon", "tuning_convolution_a100.csv"), newline="", encoding="utf-8") as file:
        rows = [r for r in csv.DictReader(file) if r["ms"].replace(".", "").isdigit()]
    # Whole tiles, 12 of them evenly by time.
    whole = sorted((r for r in rows if all(
        4096 % (int(r[f"block_size_{d}"]) * int(r[f"tile_size_{d}"])) == 0 for d in "xy")), key=lambda r: float(r["ms"]))
    for row in [whole[i * len(whole) // 12] for i in range(12)]:
        yield (" ".join(row[k] for k in row if k != "ms"),
               lambda level, row=row: error(convolution_time(level, row), float(row["ms"])))


GROUPS = {"library": library, "stream": lambda: micro("stream"), "strides": lambda: micro("strides"),
          "roofline": lambda: micro("roofline"), "small": lambda: micro("small"), "ladder": ladder,
          "convolution": convolution}


def evenly(launches, most):
    count = min(len(launches), most)
    return [launches[i * len(launches) // count] for i in range(count)]


def score(errors):
    return (median(errors) + max(errors)) / 2


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--group", default=",".join(GROUPS))
    parser.add_argument("--most", type=int, default=15)
    options = parser.parse_args()
    os.environ["HEDDLE_PTXAS"] = ""
    jobs = [(group, label, level, compute) for group in options.group.split(",")
            for label, compute in evenly(list(GROUPS[group]()), options.most) for level in LEVELS]

    def compute(job):
        try:
            value, note = job[3](job[2]), ""
        except (RuntimeError, SystemExit) as refused:
            value, note = REFUSED, " refused: " + str(refused).splitlines()[-1]
        print(f"{job[0]:12} {job[1]:40} {job[2]:8} {value:.3f}{note}", file=common.sys.stderr, flush=True)
        return value
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        values = list(pool.map(compute, jobs))
    found = {}
    for (group, _, level, _), value in zip(jobs, values):
        found.setdefault(group, {}).setdefault(level, []).append(value)

    report = Report("levels", "Levels of code beside measured times")
    report.say("Errors |ln(ours / measured)| of `simulate --isa ptx` and of `--isa machine` with loops unrolled as by Clang and as by nvcc, by the rules "
               "of [Machine code](../MachineCode.md#which-level-is-the-default), on tables that no machine was fitted to. "
               "Score: (median + worst) / 2; the smaller mean score is the default. "
               f"At most {options.most} launches of each group, evenly from its list; registers of level `ptx` are estimated.")
    table = [[group, len(errors["ptx"])] + [f"{x:.3f}" for level in LEVELS for x in
                                            (median(errors[level]), max(errors[level]), score(errors[level]))]
             for group, errors in found.items()]
    means = [sum(score(errors[level]) for errors in found.values()) / len(found) for level in LEVELS]
    table.append(["mean", ""] + [x for mean in means for x in ("", "", f"{mean:.3f}")])
    report.table(["group", "launches"] + [f"{level}: {what}" for level in LEVELS
                                          for what in ("median", "worst", "score")], table)
    report.csv(["group", "launch", "level", "error"],
               [[g, label, level, f"{v:.4f}"] for (g, label, level, _), v in zip(jobs, values)])
    report.write()


if __name__ == "__main__":
    main()
