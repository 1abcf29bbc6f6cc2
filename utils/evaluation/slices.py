"""Cost of executed, sliced and static traces, kernel by kernel.

CPU time of one thread on the large launches. Execution and slice run whole
launches and feed the same counters (blocks, lanes, sectors, lines, bank
passes), so that what is compared is the work of making the events; a static
trace is made, encoded, for one round of thread blocks."""

import argparse
import json
import os
import sys

import common

RUN = os.path.join(common.BUILD, "bin", "engine-run")
# Blocks that a V100 takes at once, 80 SMs of 8: the round of a static trace.
ROUND = 640
# Compute-heavy: this much of the executed IR is floating-point arithmetic.
HEAVY = 0.2


def engine(kernel, repeat, *options):
    run = common.Run([RUN, kernel.source, "--launch", kernel.launch, "--engine", "jit",
                      "--counters", "--repeat", repeat, *options])
    if run.status != 0:
        sys.exit(f"{kernel}: {run.errors}")
    return json.loads(run.output)


def milliseconds(result):
    return 1e3 * max(min(result["cpu_seconds"]), 1e-6)


def static(kernel, repeat):
    return 1e3 * min(
        json.loads(common.heddle("trace", kernel.source, "--launch", kernel.launch, "--mode",
                                 "static", "--blocks", f"0:{ROUND}").output)["seconds"]
        for _ in range(repeat))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernel", action="append", help="only this kernel (repeatable)")
    parser.add_argument("--size", default="large", choices=["test", "large"])
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()

    rows = []
    for kernel in common.kernels(options.size, names=options.kernel):
        executed = engine(kernel, options.repeat)
        sliced = engine(kernel, options.repeat, "--sliced")
        rows.append([kernel.name, kernel.language, milliseconds(executed), milliseconds(sliced),
                     milliseconds(executed) / milliseconds(sliced), static(kernel, 2),
                     sliced["kept"], executed["float_share"]])
        print(f"{kernel}: {rows[-1][4]:.2f}", file=sys.stderr)
    rows.sort(key=lambda row: -row[4])

    report = common.Report("slices", "Cost of executed, sliced and static traces")
    report.say("Milliseconds of CPU time. Executed and sliced: one launch with all counters, "
               "compiling not included. Static: the traces of the first "
               f"{ROUND} thread blocks (or all), with slicing, decoding and encoding. Kept: share of "
               "the kernel's IR instructions that the slice computes. Float: share of the executed "
               "IR instructions that are floating-point arithmetic.")
    columns = ["kernel", "language", "executed ms", "sliced ms", "executed / sliced", "static ms",
               "kept", "float"]
    report.table(columns, rows)
    report.csv(columns, rows)
    heavy = [row for row in rows if row[7] >= HEAVY]
    report.say("Executed over sliced, geometric means: {:.2f} over all {} kernels, {:.2f} over the {} "
               "compute-heavy ones (float at least {}): {}.".format(
                   common.geometric_mean([row[4] for row in rows]), len(rows),
                   common.geometric_mean([row[4] for row in heavy]), len(heavy), HEAVY,
                   ", ".join(sorted({row[0] for row in heavy}))))
    report.say(f"Static traces of one round: median {common.median([row[5] for row in rows]):.2f} ms.")
    report.write()


if __name__ == "__main__":
    main()
