"""The timing model's silicon machines beside times measured on V100, P100 and T4.

Options: --count N measurements of each GPU and operation; --limits PIPELINE (percent)
only estimates them with the pipeline model, whose times are those of a host, and makes
the exit status 1 where their mean error is larger."""

import argparse
import sys

import common
import measured
from common import Report, heddle_json, median


def kendall(pairs):
    """Kendall's tau of (predicted, measured): concordant less discordant pairs."""
    score = count = 0
    for i, (a, b) in enumerate(pairs):
        for c, d in pairs[:i]:
            if (a - c) * (b - d):
                score += 1 if (a - c) * (b - d) > 0 else -1
                count += 1
    return score / count if count else 1.0


SIMPLE = ("addu", "mulu", "relu")


def line(gpu, ops):
    """The line of time over elements, each of which is read and written once: its
    microseconds at no elements, and GB/s."""
    points = [(m.rows * m.columns, m.time_us) for m in measured.measurements()
              if m.gpu == gpu and m.op in ops]
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    slope = (sum((x - mean_x) * (y - mean_y) for x, y in points) /
             sum((x - mean_x) ** 2 for x, _ in points))
    return mean_y - slope * mean_x, 8e-3 / slope


def overhead(gpu):
    """Microseconds that a measured time holds beside the kernel."""
    return line(gpu, SIMPLE)[0]


def summary(name, rows):
    """Errors of simulated times, and of those with the overhead added."""
    plain = [abs(r["simulated_us"] / r["measured_us"] - 1) for r in rows]
    added = [abs((r["simulated_us"] + r["overhead_us"]) / r["measured_us"] - 1) for r in rows]
    tau = kendall([(r["simulated_us"], r["measured_us"]) for r in rows])
    return [name, len(rows), f"{sum(plain) / len(plain):.1%}", f"{median(plain):.1%}",
            f"{sum(added) / len(added):.1%}", f"{median(added):.1%}", f"{tau:.2f}"]


def check(chosen, limit):
    """1 if the pipeline's mean error over the measurements is above the limit."""
    errors = []
    for m in chosen:
        result, _ = heddle_json("estimate", *m.arguments(), "--gpu", m.gpu)
        errors.append(abs(result["host_time_us"] / m.time_us - 1))
        print(f"{m.gpu} {m.op} {m.rows} x {m.columns}: {errors[-1]:.1%}", file=sys.stderr)
    mean = 100 * sum(errors) / len(errors)
    print(f"{len(errors)} launches, mean error {mean:.1f} %, limit {limit:g} %")
    return int(mean > limit)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2,
                        help="measurements of each GPU and operation")
    parser.add_argument("--limits", type=float)
    parser.add_argument("--heddle", help="the binary, if not build/release's")
    options = parser.parse_args()
    if options.heddle:
        common.HEDDLE = options.heddle
    chosen = measured.sample(options.count)
    if options.limits is not None:
        return check(chosen, options.limits)
    extra = {gpu: overhead(gpu) for gpu in sorted({m.gpu for m in chosen})}
    rows = []
    for m in chosen:
        result, _ = heddle_json("simulate", *m.arguments(), "--gpu", m.gpu)
        rows.append({"gpu": m.gpu, "op": m.op, "rows": m.rows, "columns": m.columns,
                     "measured_us": m.time_us, "simulated_us": result["time_us"],
                     "overhead_us": extra[m.gpu]})

    report = Report("hardware", "Silicon beside the timing model")
    report.say("Times that a deep-learning library's kernels took on real GPUs, and what `heddle "
               "simulate` says of our own kernels that do the same work in the same launches "
               "(`utils/evaluation/measured`), on `v100`, `p100` and `t4`. "
               f"Launches of each GPU and operation: {options.count}, none below 10 us.")
    report.say("The measured times hold more than the kernel: on the straight line of time over "
               "bytes of the simplest operations, no bytes at all take " +
               ", ".join(f"{extra[g]:.0f} us on {g}" for g in extra) +
               ". What it consists of is not known here: the host and the timing itself are likely, "
               "and L2, which repeated launches find full of dirty lines that must be written back. "
               "It and `dram.efficiency` come from the same table, so the second pair of columns "
               "shows the fit, not an independent check. Errors are given without and with this constant added.")
    report.say("Softmax and layer norm move fewer bytes in a second than these do: " +
               "; ".join(f"{g} {line(g, ('softmax',))[1]:.0f} and {line(g, ('ln',))[1]:.0f} GB/s, "
                         f"not {line(g, SIMPLE)[1]:.0f}" for g in extra) +
               ". Our kernels of them use the library's methods (an exact exponential, Welford's "
               "mean and variance), but are not its code. Its times grow faster with the rows "
               "than ours, so what is missing is no constant.")
    head = ["", "launches", "MAPE", "median", "MAPE, overhead added", "median, overhead added",
            "Kendall tau"]
    groups = [(f"{key} {name}" if key == "gpu" else name, [r for r in rows if r[key] == name])
              for key in ("gpu", "op") for name in sorted({r[key] for r in rows})]
    report.table(head, [summary("all", rows)] + [summary(n, g) for n, g in groups])
    columns = list(rows[0])
    report.table(columns + ["error, overhead added"],
                 [[r[c] for c in columns] +
                  [f"{(r['simulated_us'] + r['overhead_us']) / r['measured_us'] - 1:+.1%}"]
                  for r in rows])
    report.csv(columns, [[r[c] for c in columns] for r in rows])
    report.write()


if __name__ == "__main__":
    sys.exit(main())
