"""Error and speed-up of clones as functions of the reduction factor.

For each factor 2, 4, 8, ... up to the longest loop's trips: the clone alone, its
IPC taken for the original's as in GPGPU-MiniBench's figures 16 and 17, and the
line through it and the two that are cut half and a quarter as far, as heddle clone
--verify takes it."""

import argparse
import os
import sys
import tempfile

import common
import minibench


def reduce(kernel, machine, least, originals):
    """Of one kernel: {"rows": [name, factor, speed-up and error of one clone, of three],
    "failed": [name, why]}; no rows if it has no long loops."""
    rows, failed = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "profile.json")
        why = minibench.profile(kernel, path)
        if not why and isinstance(minibench.clone(path, os.path.join(folder, "first"), "--factor", "16"), str):
            return {"rows": [], "failed": []}
        full = why or originals.result(kernel, machine)
        if isinstance(full, str):
            return {"rows": [], "failed": [(str(kernel), full)]}
        before, factor = [], least
        while True:
            place = os.path.join(folder, str(factor))
            plan = minibench.clone(path, place, "--factor", str(factor), "--gpu", machine)
            if isinstance(plan, str):
                break  # leaves nothing
            one = minibench.run_clone(place, machine)
            if isinstance(one, str):
                failed.append((f"{kernel}, factor {factor}", one))
                break
            line = [(place, one)] + before[:2]
            three = minibench.project(*(p for p, _ in line)) if len(line) == 3 else None
            seconds = sum(r["seconds"] for _, r in line)
            rows.append([kernel.name, factor, full["seconds"] / max(one["seconds"], 1e-6),
                         100 * (one["ipc"] / full["ipc"] - 1)] +
                        ([full["seconds"] / max(seconds, 1e-6), 100 * (three["ipc"]["value"] / full["ipc"] - 1)]
                         if isinstance(three, dict) else ["", ""]))
            print(f"{kernel} / {factor}: one {rows[-1][2]:.1f}x {rows[-1][3]:.1f} %" +
                  (f", three {rows[-1][4]:.1f}x {rows[-1][5]:.1f} %" if rows[-1][4] else ""),
                  file=sys.stderr, flush=True)
            before = line
            factor *= 2
    return {"rows": rows, "failed": failed}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernel", action="append", help="only this kernel (repeatable)")
    parser.add_argument("--machine", default="minibench-28sm")
    parser.add_argument("--least", type=int, default=2, help="factor to begin with")
    parser.add_argument("--keep-originals", action="store_true",
                        help="simulations of originals by an earlier build count")
    options = parser.parse_args()

    rows, failed = [], []
    originals, finished = minibench.Originals(options.keep_originals), common.Cache("reduction")
    for kernel in minibench.chosen(options.kernel):
        key = f"{kernel.name}-{options.machine}-{options.least}-{minibench.input_digest(kernel)}.json"
        kept = finished.path(key)
        if not os.path.exists(kept):
            minibench.write_json(kept, reduce(kernel, options.machine, options.least, originals))
        found = minibench.read_json(kept)
        rows += found["rows"]
        failed += found["failed"]
    if not rows:
        sys.exit("no long loop in any of these kernels")

    report = common.Report("reduction", "Error and speed-up against the reduction factor")
    report.say(f"On {options.machine}. *One*: the clone alone. *Three*: the line through it and the clones of half "
               "and of a quarter of the factor; the time of all three counts. Speed-ups are of the model's CPU time; errors of IPC in percent.")
    columns = ["kernel", "factor", "speed-up one", "error one", "speed-up three", "error three"]
    report.table(columns, rows)
    for factor in sorted({row[1] for row in rows}):
        group = [row for row in rows if row[1] == factor]
        whole = [row for row in group if row[5] != ""]
        lines = sorted(abs(row[5]) for row in whole)
        alone = sorted(abs(row[3]) for row in group)
        report.say(f"Factor {factor} ({len(group)} kernels): one {minibench.harmonic([r[2] for r in group]):.1f}x, median "
                   f"error {alone[len(alone) // 2]:.1f} %" +
                   (f"; three {minibench.harmonic([r[4] for r in whole]):.1f}x, median error "
                    f"{lines[len(lines) // 2]:.1f} %" if lines else "") + ".")
    for name, why in failed:
        report.say(f"Not in the table: {name}: {why}")
    if not options.kernel:
        report.csv(columns, rows)
        report.write()


if __name__ == "__main__":
    main()
