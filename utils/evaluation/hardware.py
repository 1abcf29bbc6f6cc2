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


def bandwidth(gpu, ops):
    """GB/s by the straight line of time over elements, each read and written once."""
    points = [(m.rows * m.columns, m.time_us) for m in measured.measurements()
              if m.gpu == gpu and m.op in ops]
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    slope = (sum((x - mean_x) * (y - mean_y) for x, y in points) /
             sum((x - mean_x) ** 2 for x, _ in points))
    return 8e-3 / slope


def overhead(measurements):
    """Microseconds that the times of an operation on a GPU hold beside the kernel: the
    median, over pairs with as many columns but for 2 % and the same alignment, of the line
    through both at no elements. The larger has half as many elements again or more."""
    found = []
    for few in measurements:
        for many in measurements:
            alike = (abs(few.columns / many.columns - 1) <= 0.02 and
                     (few.columns - many.columns) % 4 == 0 and few.block == many.block)
            small, large = few.rows * few.columns, many.rows * many.columns
            if alike and large >= 1.5 * small:
                found.append(few.time_us -
                             small * (many.time_us - few.time_us) / (large - small))
    return median(found)


def overheads(chosen):
    """By GPU and operation, from those measurements that are not chosen."""
    names = {(m.gpu, m.op, m.rows, m.columns) for m in chosen}
    rest = {}
    for m in measured.measurements():
        if (m.gpu, m.op, m.rows, m.columns) not in names:
            rest.setdefault((m.gpu, m.op), []).append(m)
    return {key: overhead(group) for key, group in rest.items()}


def summary(name, rows):
    """Errors of simulated times, of those with the overhead added, and beside measured
    times without it."""
    plain = [abs(r["simulated_us"] / r["measured_us"] - 1) for r in rows]
    added = [abs((r["simulated_us"] + r["overhead_us"]) / r["measured_us"] - 1) for r in rows]
    kernel = [abs(r["simulated_us"] / (r["measured_us"] - r["overhead_us"]) - 1) for r in rows]
    tau = kendall([(r["simulated_us"], r["measured_us"]) for r in rows])
    return [name, len(rows)] + [f"{value:.1%}" for errors in (plain, added, kernel)
                                for value in (sum(errors) / len(errors), median(errors))] + [f"{tau:.2f}"]


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
    extra = overheads(chosen)
    gpus = sorted({m.gpu for m in chosen})
    rows = []
    for m in chosen:
        result, _ = heddle_json("simulate", *m.arguments(), "--gpu", m.gpu)
        rows.append({"gpu": m.gpu, "op": m.op, "rows": m.rows, "columns": m.columns,
                     "measured_us": m.time_us, "simulated_us": result["time_us"],
                     "overhead_us": extra[m.gpu, m.op]})

    report = Report("hardware", "Silicon beside the timing model")
    report.say("Times that a deep-learning library's kernels took on real GPUs, and what `heddle "
               "simulate` says of our own kernels that do the same work in the same launches "
               "(`utils/evaluation/measured`), on `v100`, `p100` and `t4`. "
               f"Launches of each GPU and operation: {options.count}, none below 10 us.")

    def range_of(gpu, ops):
        values = [extra[gpu, op] for op in ops]
        return f"{min(values):.0f} to {max(values):.0f}"
    report.say("The measured times hold more than the kernel. Of two measurements of an operation with nearly as many columns "
               "the line of time over elements does not go through zero: it leaves " +
               "; ".join(f"{range_of(g, measured.ELEMENTWISE)} us for element-wise operations on {g}, "
                         f"{extra[g, 'softmax']:.0f} for softmax, {extra[g, 'ln']:.0f} for layer norm" for g in gpus) +
               ". Operations that move the same bytes at the same rate differ in it, so most of it is no kernel's: the host's part of "
               "each operation, we assume (layer norm also returns means and deviations). The overhead is the median "
               "over all such pairs of the measurements that are not compared below. It and `dram.efficiency` "
               "come from the same table, so errors with the overhead added show a fit. What stays the model's is how times "
               "grow: the last errors are those beside measured times without the overhead.")
    report.say("Softmax and layer norm move fewer bytes in a second than element-wise operations: " +
               "; ".join(f"{g} {bandwidth(g, ('softmax',)):.0f} and {bandwidth(g, ('ln',)):.0f} GB/s, "
                         f"not {bandwidth(g, SIMPLE):.0f}" for g in gpus) +
               ". Long rows are read three and two times, and not always found in a cache again. Our kernels of them follow the library's "
               "methods as its pull requests describe them, but are not its code: blocks for a row take 16 bytes per thread "
               "(36485; not the first elements of a row that begins elsewhere), layer norm reads its factors and summands one by one "
               "(107287 says so of the library before 2023) and takes Welford's mean and variance. "
               "Not modelled: rows of softmax of up to 1,024 columns that do not begin at multiples of 32 bytes were measured a sixth slower on v100 "
               "and an eighth on t4.")
    head = ["", "launches", "MAPE", "median", "MAPE, overhead added", "median, overhead added",
            "MAPE, kernel alone", "median, kernel alone", "Kendall tau"]
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
