"""What --advice promises beside what the kernel gains when it is changed by hand.

Pairs of kernels (utils/evaluation/advice/pairs.cu), of which the second lacks one limit of the first,
the kernels of test/kernels, and steps of a matrix product that was measured on an A6000 (test/hw/silicon).
Options: --gpu MACHINE[,MACHINE...], --only pairs|kernels|silicon."""

import argparse
import csv
import json
import math
import os
import sys

from common import KERNELS, Kernel, Report, heddle, heddle_json, kernels, median

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "advice", "pairs.cu")
THREADS = 512 * 256
WORDS = f"f32[{THREADS}]"
INDICES = f"i32[{THREADS}]=uniform:0:{THREADS - 1}:3"

# Pair, limit that the second kernel lacks, block, arguments of both kernels.
PAIRS = [
    ("rows", "uncoalesced accesses", "256", [f"f32[{THREADS * 64}]", WORDS, f"i32={THREADS}"]),
    ("field", "uncoalesced accesses", "256", [f"f32[{THREADS * 8}]", WORDS, f"i32={THREADS}"]),
    ("scatter", "uncoalesced accesses", "256", [WORDS, WORDS, f"i32={THREADS}"]),
    ("gaps", "uncoalesced accesses", "256", [f"f32[{THREADS * 8}]", WORDS]),
    ("tile", "bank conflicts", "32,8", [f"f32[{512 * 1024}]", f"f32[{512 * 1024}]"]),
    ("sum", "bank conflicts", "256", [WORDS, WORDS, "i32=32"]),
    ("table", "bank conflicts", "256", [f"i32[{THREADS}]", f"i32[{THREADS}]"]),
    ("few", "one more block per SM (shared memory)", "256", [INDICES, f"i32[{THREADS}]"]),
    ("pair", "one more block per SM (shared memory)", "256", [INDICES, f"i32[{THREADS}]"]),
    ("waves", "pipe sfu", "256", [WORDS, WORDS]),
    ("doubles", "pipe fp64", "256", [f"f64[{THREADS}]", f"f64[{THREADS}]"]),
    ("stage", "memory latency", "256", [f"f32[{THREADS * 16}]", WORDS, "i32=16"]),
]


# Kernels of test/kernels that solve one problem in two ways, and the limit that the second is written to avoid. The
# list was written before the pairs were run.
TWINS = [
    ("transpose_naive", "transpose_tiled", "uncoalesced accesses", "v100"),
    ("matmul_naive", "matmul_tiled", "memory latency", "v100"),
    ("spmv_csr", "spmv_warp", "uncoalesced accesses", "v100"),
    ("half_product", "half_product_staged", "memory latency", "a100"),
]

HERE = os.path.dirname(os.path.abspath(__file__))
SGEMM = os.path.join(HERE, "silicon", "sgemm.cu")
LADDER = os.path.join(HERE, "..", "..", "test", "hw", "silicon", "sgemm_ladder_a6000.csv")

# The rule by which pairs and limits are chosen, written down before the pairs were run with it: the first five steps,
# each of which changes the one before, and of each the limit that its description in the table says the change eases.
RULE = ("The five pairs are the first five steps of the table, each of which changes the one before. The limit of a pair is what the change "
        "eases by its description: neighbouring threads on neighbouring columns, uncoalesced accesses; tiles in shared memory, the latency of "
        "global memory; eight results of a thread, and then eight times eight, loads of shared memory; A transposed in shared memory, bank "
        "conflicts. The rule was written after an earlier state of this table and quick runs of `shared` and `tile_1d` had been seen.")
STEPS = [
    ("naive", "coalesced", "uncoalesced accesses"),
    ("coalesced", "shared", "memory latency"),
    ("shared", "tile_1d", "loads of shared memory"),
    ("tile_1d", "tile_2d", "loads of shared memory"),
    ("tile_2d", "vectorised", "bank conflicts"),
]
# Steps that ease a limit and pay for it with narrower accesses: shown, not counted.
TRADES = [
    ("vectorised", "linear_no_conflicts", "bank conflicts"),
    ("vectorised", "offset_no_conflicts", "bank conflicts"),
]
# Threads and elements of C of a block.
BLOCKS = {"naive": ("32,32", 1024), "coalesced": ("1024", 1024), "shared": ("1024", 1024), "tile_1d": ("512", 4096)}
DEPTHS = (128, 256)  # summands; one wave of blocks takes each of them alike


def step(name):
    """One wave of blocks of the product on an A6000: cycles for an element of C and a summand, and the
    gain without each limit, best first. Both from the slope over the depth of the sum, as in silicon.md."""
    block, elements = BLOCKS.get(name, ("256", 16384))

    def launch(blocks_per_sm, depth, *options):
        words = [SGEMM, "--kernel", name, "--grid", f"28,{3 * blocks_per_sm}", "--block", block, "--gpu", "a6000",
                 "--isa", "machine", *options]
        for arg in ["f32[16777216]=zero"] * 3 + ["f32=0.5", "f32=0.25", "i32=4096", f"i32={depth}"]:
            words += ["--arg", arg]
        return heddle_json("simulate", *words, limit_s=1800)[0]
    per_sm = launch(1, 32)["occupancy"]["blocks_per_sm"]
    few, many = (launch(per_sm, depth, "--advice") for depth in DEPTHS)
    lifted = {row["limit"]: row["cycles"] for row in few["advice"]["lifted"]}
    cycles = many["cycles"] - few["cycles"]
    gains = {row["limit"]: cycles / (row["cycles"] - lifted[row["limit"]])
             for row in many["advice"]["lifted"] if row["limit"] in lifted}
    return cycles / (84 * per_sm * elements), dict(sorted(gains.items(), key=lambda gain: -gain[1]))


def compare(measured, steps, seen):
    """A row of each of `steps`; `seen` holds what step() said of those before."""
    rows = []
    for before, after, limit in steps:
        for name in (before, after):
            if name not in seen:
                seen[name] = step(name)
                print(name, *seen[name], file=sys.stderr)
        real = measured[after] / measured[before]
        gains = seen[before][1]
        said = gains.get(limit, 1.0)
        place = list(gains).index(limit) + 1 if limit in gains else 0
        both = seen[before][0] / seen[after][0]
        rows.append([before, after, limit, real, said, abs(said / real - 1) * 100, place, both, abs(both / real - 1) * 100])
    return rows


def in_order(gains):
    """How many of all pairs of (real, said) the two put in the same order, and how many there are."""
    pairs = [(a, b) for i, a in enumerate(gains) for b in gains[:i] if a[0] != b[0]]
    return sum((a[0] > b[0]) == (a[1] > b[1]) for a, b in pairs), len(pairs)


def silicon(report):
    with open(LADDER, newline="", encoding="utf-8") as file:
        measured = {row["step"]: float(row["gflops"]) for row in csv.DictReader(file)}
    report.say("## Against silicon")
    report.say("Steps of a product of matrices of 4096 x 4096 on an RTX A6000 (`test/hw/silicon/sgemm_ladder_a6000.csv`). `--advice` of the "
               "step before says what the limit costs; beside it stands what the change gained on the GPU, and what `simulate` says of it.")
    report.say(RULE)
    columns = ["before", "after", "limit", "on the GPU", "simulate --advice", "difference, %", "place", "simulate of both", "difference, % "]
    seen = {}
    rows = compare(measured, STEPS, seen)
    report.table(columns, rows)
    near = sum(row[5] <= 15 for row in rows)
    right, pairs = in_order([(row[3], row[4]) for row in rows])
    report.say(f"{near} of {len(rows)} within 15 %, median {median([row[5] for row in rows]):.1f} %; "
               f"{right} of {pairs} pairs of steps in the right order of their gains.")
    apart = [f"{row[0]} to {row[1]}" for row in rows if (row[4] - 1) * (row[7] - 1) < 0]
    report.say("Two causes of misses are what a change of the machine cannot say: tiles in shared memory also load four elements of A with one "
               "instruction (1.25 loads for a multiplication instead of 2), and larger tiles of registers leave fewer warps. "
               "Steps of which `--advice` says a gain and `simulate` of both a loss, or the other way round: "
               f"{', '.join(apart) or 'none'}.")
    report.say("Two more steps avoid bank conflicts of `vectorised` and pay for it with narrower accesses, so that they lost on the GPU. Advice lifts "
               "a limit and changes nothing else; it cannot tell what a change costs elsewhere. They are not counted above.")
    report.table(columns, compare(measured, TRADES, seen))


def run(command, kernel, block, args, machine, *more):
    words = [SOURCE, "--kernel", kernel, "--grid", "512", "--block", block, "--gpu", machine, *more]
    for arg in args:
        words += ["--arg", arg]
    return heddle_json(command, *words)[0]


def gain_of(result, limit):
    """The speed-up that the advice gives to a limit, and its place among all."""
    rows = result["advice"]["lifted"]
    for place, row in enumerate(rows, 1):
        if row["limit"] == limit:
            return row["speed_up"], place
    return 1.0, 0


def with_l1_as_before(rows, machines):
    """A sentence on `pair`, whose smaller array leaves more of the unified memory to L1: what it gains without that."""
    _, _, block, args = next(pair for pair in PAIRS if pair[0] == "pair")
    gains = []
    for machine in machines:
        size = json.loads(heddle("gpus", machine, "--json", "-").output)[0]["shared"]["size"]
        largest = ("--set", f"shared.carve_outs=[{size}]")  # as before the change
        before, after = (run("simulate", f"pair_{which}", block, args, machine, *largest)["cycles"] for which in ("before", "after"))
        said = next(row[4] for row in rows if row[:2] == ["pair", machine])
        gains.append(f"{before / after:.3f} on {machine} (advice: {said:.3f})")
    return ("The smaller array of `pair_after` lets one more block onto an SM and, where shared memory and L1 share their bytes, also leaves more of them to L1. "
            f"With as much for shared memory as before, the change gains {', '.join(gains)}.")


def pairs(report, machines):
    columns = ["pair", "machine", "limit", "change by hand", "simulate --advice", "difference, %", "place",
               "estimate --advice", "difference, % "]
    rows = []
    for machine in machines:
        for pair, limit, block, args in PAIRS:
            before = run("simulate", pair + "_before", block, args, machine, "--advice")
            after = run("simulate", pair + "_after", block, args, machine)
            fast = run("estimate", pair + "_before", block, args, machine, "--model", "interval", "--advice")
            real = before["cycles"] / after["cycles"]
            said, place = gain_of(before, limit)
            guess, _ = gain_of(fast, limit)
            rows.append([pair, machine, limit, real, said, abs(said / real - 1) * 100, place,
                         guess, abs(guess / real - 1) * 100])
            print(*rows[-1], file=sys.stderr)
    report.table(columns, rows)
    for name, column in (("simulate", 5), ("estimate", 8)):
        errors = [row[column] for row in rows]
        near = sum(error <= 15 for error in errors)
        orders = [in_order([(row[3], row[column - 1]) for row in rows if row[1] == machine]) for machine in machines]
        right, pairs_of = (sum(counts) for counts in zip(*orders))
        report.say(f"`{name} --advice`: {near} of {len(errors)} within 15 %, median {median(errors):.1f} %, "
                   f"worst {max(errors):.0f} %; of two pairs on one machine {right} of {pairs_of} in the right order of their gains.")
    report.say(with_l1_as_before(rows, machines))
    report.csv(columns, rows)


def advice_of(command, kernel, machine, *more):
    """The result of `command` for the launch of a kernel, and the gains of its advice, best first."""
    result = heddle_json(command, kernel.source, "--launch", kernel.launch, "--gpu", machine, "--advice", *more, limit_s=1800)[0]
    return result, {row["limit"]: row["speed_up"] for row in result["advice"]["lifted"]}


def twin(name):
    """The large launch of a kernel, also of one that needs an architecture."""
    paths = [os.path.join(KERNELS, name, name + ending) for ending in (".cl", ".cu", "-large.yaml")]
    return Kernel(name, next(path for path in paths if os.path.exists(path)), paths[-1])


def threads(result):
    return math.prod(result["grid"]) * math.prod(result["block"])


def twins(report):
    columns = ["before", "after", "machine", "limit", "change by hand", "simulate --advice", "difference, %", "place",
               "threads, times", "warp instructions, times"]
    rows = []
    for before, after, limit, machine in TWINS:
        first, second = twin(before), twin(after)
        old, gains = advice_of("simulate", first, machine)
        new = heddle_json("simulate", second.source, "--launch", second.launch, "--gpu", machine, limit_s=1800)[0]
        real, said = old["cycles"] / new["cycles"], gains.get(limit, 1.0)
        place = list(gains).index(limit) + 1 if limit in gains else 0
        rows.append([before, after, machine, limit, real, said, abs(said / real - 1) * 100, place,
                     threads(new) / threads(old), new["warp_instructions"] / old["warp_instructions"]])
        print(*rows[-1], file=sys.stderr)
    report.say("Some of them solve one problem in two ways. The second was written to avoid a limit of the first, and differs in more than that, as "
               "the last two columns show: it has other threads and other instructions, and barriers. Advice of one limit says nothing of those.")
    report.table(columns, rows)


def first_gains(report, machine):
    """The first three gains of every kernel, by both models."""
    report.say("## The kernels of test/kernels")
    report.say(f"The launches of their tests on {machine}: the three limits that gain most by `simulate --advice`, and in brackets what "
               "`estimate --advice` (interval model) says of the same limit.")
    rows, near, gains, same = [], 0, 0, 0
    for kernel in kernels("test", names=None):
        if any(row[0] == kernel.name for row in rows):
            continue
        _, exact = advice_of("simulate", kernel, machine)
        _, fast = advice_of("estimate", kernel, machine, "--model", "interval")
        first = list(exact.items())[:3]
        near += sum(abs(fast.get(limit, 1.0) / gain - 1) <= 0.15 for limit, gain in first)
        gains += len(first)
        same += next(iter(fast)) == first[0][0]
        rows.append([kernel.name] + [f"{limit} {gain:.2f} ({fast.get(limit, 1.0):.2f})" for limit, gain in first])
        print(*rows[-1], file=sys.stderr)
    report.table(["kernel", "first", "second", "third"], rows)
    report.say(f"The fast model names the same limit first for {same} of {len(rows)} kernels, and {near} of {gains} gains are within 15 %.")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu", default="v100,a100")
    parser.add_argument("--only", choices=["pairs", "kernels", "silicon"])
    options = parser.parse_args()
    report = Report("advice", "Advice: what lifting a limit promises and what a change of the kernel brings")
    report.say("Each pair of kernels differs in one limit. `--advice` of the first kernel says what the model gains "
               "without the limit; beside it stands what `simulate` gains from the first kernel to the second, which was "
               "changed by hand. The difference is relative to the latter. Both are our model: this measures the advice, "
               "not the model.")
    if options.only in (None, "pairs"):
        pairs(report, options.gpu.split(","))
    if options.only in (None, "kernels"):
        first_gains(report, options.gpu.split(",", maxsplit=1)[0])
        twins(report)
    if options.only in (None, "silicon"):
        silicon(report)
    report.write()


if __name__ == "__main__":
    main()
