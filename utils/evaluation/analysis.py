"""Loops, branches and accesses of our kernels, as static analysis sees them."""

import argparse
import collections
import os

from common import ROOT, Report, heddle_json, kernels

BOUNDS = ("constant", "scalar evolution", "scalar evolution after rotation", "induction", "grid stride",
          "block stride", "geometric", "recurrence", "induction in memory", "assumption", "data",
          "endless", "unknown")
BRANCHES = ("uniform", "by block", "by iteration", "by thread", "by data")
ACCESSES = ("uniform", "affine", "formula", "data")


def counted(items, key, order):
    counts = collections.Counter(item[key] for item in items)
    return ", ".join(f"{counts[name]} {name}" for name in order if counts[name]) or "-"


def main():
    parser = argparse.ArgumentParser(prog="utils/reproduce analysis", description=__doc__)
    parser.add_argument("--kernels", nargs="*", help="only these")
    options = parser.parse_args()
    report = Report("analysis", "Static analysis of our kernels")
    report.say("""`heddle analyze` on every kernel of `test/kernels`, without a launch: how the iterations of its
loops are known, what decides its branches, and what form its addresses have. `docs/Analysis/` says what the classes
mean. A loop is *open* if neither a formula bounds it nor a load is named that decides it.
""")
    rows, seen = [], set()
    for kernel in kernels("test", names=options.kernels):
        if kernel.source in seen:
            continue
        seen.add(kernel.source)
        result, run = heddle_json("analyze", kernel.source)
        for one in result["kernels"]:
            rows.append({
                "file": os.path.relpath(kernel.source, os.path.join(ROOT, "test", "kernels")),
                "kernel": one["kernel"].split("(")[0],
                "loops": len(one["loops"]),
                "bounded": sum(loop["closed"] for loop in one["loops"]),
                "attributed to a load": sum(loop["attributed"] and not loop["closed"]
                                            for loop in one["loops"]),
                "open": sum(not loop["attributed"] for loop in one["loops"]),
                "how": counted(one["loops"], "source", BOUNDS),
                "branches": counted(one["branches"], "class", BRANCHES),
                "accesses": counted(one["accesses"], "class", ACCESSES),
                "cpu_seconds": run.cpu_seconds,
            })
    columns = ("file", "kernel", "loops", "bounded", "attributed to a load", "open", "how", "branches",
               "accesses")
    report.table(columns, [[row[name] for name in columns] for row in rows])
    total = {name: sum(row[name] for row in rows) for name in ("loops", "bounded", "attributed to a load", "open")}
    good = sum(row["open"] == 0 for row in rows)
    report.say(f"""{total['loops']} loops in {len(rows)} kernels: {total['bounded']} bounded,
{total['attributed to a load']} attributed to a load, {total['open']} open. {good} of {len(rows)} kernels have no open
loop. Longest analysis of a file, compilation included: {max(row['cpu_seconds'] for row in rows):.2f} CPU seconds.
""")
    report.csv(list(rows[0]), [list(row.values()) for row in rows])
    report.write()


if __name__ == "__main__":
    main()
