"""Cost of executed, sliced and static traces, kernel by kernel.

CPU time of one thread on the large launches, best of several repetitions.
Execution and slice feed the same counters (blocks, lanes, sectors, lines, bank
passes), so that what is compared is the work of making the events."""

import argparse
import json
import os
import sys

import common

RUN = os.path.join(common.BUILD, "bin", "engine-run")
# A kernel counts as compute-heavy if at least this share of its executed IR
# instructions is arithmetic on data, neither memory nor control.
COMPUTE_SHARE = 0.5


def engine(kernel, repeat, *options):
    run = common.Run([RUN, kernel.source, "--launch", kernel.launch, "--engine", "jit",
                      "--counters", "--repeat", repeat, *options])
    if run.status != 0:
        sys.exit(f"{kernel}: {run.errors}")
    return json.loads(run.output)


def milliseconds(result):
    return 1e3 * max(min(result["cpu_seconds"]), 1e-6)


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
                     milliseconds(executed) / milliseconds(sliced), sliced["kept"],
                     executed["float_share"]])
        print(f"{kernel}: {rows[-1][4]:.2f}", file=sys.stderr)
    rows.sort(key=lambda row: -row[4])

    report = common.Report("slices", "Cost of sliced traces")
    report.say("Milliseconds of CPU time for one launch with all counters: executed, and as the "
               "control slice with the same counters. `kept`: share of the kernel's IR instructions "
               "that the slice computes. `float`: share of the executed IR instructions that are "
               "floating-point arithmetic.")
    columns = ["kernel", "language", "executed ms", "sliced ms", "executed / sliced", "kept", "float"]
    report.table(columns, rows)
    report.csv(columns, rows)
    heavy = [row for row in rows if row[6] >= 0.25]
    report.say(f"Geometric mean of executed / sliced: {common.geometric_mean([r[4] for r in rows]):.2f} "
               f"over all {len(rows)}, {common.geometric_mean([r[4] for r in heavy]):.2f} over the "
               f"{len(heavy)} compute-heavy ones (at least a quarter of the executed instructions "
               f"floating-point arithmetic): {', '.join(sorted({r[0] for r in heavy}))}.")
    report.write()


if __name__ == "__main__":
    main()
