"""What --advice promises beside what the kernel gains when it is changed by hand.

Pairs of kernels (utils/evaluation/advice/pairs.cu), of which the second lacks one limit of the first.
Option: --gpu MACHINE[,MACHINE...]."""

import argparse
import os
import sys

from common import Report, heddle_json, median

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
]


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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu", default="v100,a100")
    options = parser.parse_args()
    report = Report("advice", "Advice: what lifting a limit promises and what a change of the kernel brings")
    report.say("Each pair of kernels differs in one limit. `--advice` of the first kernel says what the model gains "
               "without the limit; beside it stands what `simulate` gains from the first kernel to the second, which was "
               "changed by hand. The difference is relative to the latter. Both are our model: this measures the advice, "
               "not the model.")
    columns = ["pair", "machine", "limit", "change by hand", "simulate --advice", "difference, %", "place",
               "estimate --advice", "difference, % "]
    rows = []
    for machine in options.gpu.split(","):
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
        report.say(f"`{name} --advice`: {near} of {len(errors)} within 15 %, median {median(errors):.1f} %, "
                   f"worst {max(errors):.0f} %.")
    report.csv(columns, rows)
    report.write()


if __name__ == "__main__":
    main()
