"""Interval models against the timing model: errors and CPI stacks.

Options: --kernel NAME (may be repeated), --brief (no sweeps), --keep DIR (simulations
stay there and are used again by a command of the same binary and arguments),
--simulator PATH (another heddle that simulates, by default the one of the build)."""

import argparse
import concurrent.futures
import csv
import hashlib
import json
import math
import os
import tempfile

import common

MODELS = ["naive", "markov", "mt", "mt-mshr", "gpumech", "heddle"]
CONFIGURATIONS = [("gpumech", "lrr"), ("gpumech", "gto"), ("v100", "gto"), ("v100", "lrr")]
SWEEPS = {"sm.max_warps": [8, 16, 32, 48], "l1.mshrs": [32, 64, 128, 256],
          "dram.bandwidth": [64, 128, 192, 256]}
SWEEP_WARP_INSTRUCTIONS = 3_000_000  # larger launches take part in the tables only
LEVELS = ["BASE", "DEP", "L1", "L2", "DRAM", "MSHR", "QUEUE"]
CATEGORIES = ["base", "compute_data", "compute_structural", "memory_data", "memory_structural",
              "synchronisation", "idle"]
WORKERS = 2


class Bench:
    """Traces and simulations of kernels, made once each."""

    def __init__(self, folder, simulator):
        self.folder, self.simulator = folder, simulator
        with open(simulator, "rb") as file:
            self.binary = hashlib.sha256(file.read()).hexdigest()

    def trace(self, kernel):
        path = os.path.join(self.folder, kernel.name + ".trace")
        if not os.path.exists(path):
            common.heddle("trace", kernel.source, "--launch", kernel.launch, "-o", path, "-q")
        return path

    def simulate(self, kernel, gpu, policy, sets=()):
        sets = [f"sm.scheduler={policy}", *sets]
        key = hashlib.sha256(" ".join([self.binary, kernel.name, gpu, *sets]).encode()).hexdigest()
        path = os.path.join(self.folder, key[:24] + ".json")
        if not os.path.exists(path):
            words = [w for s in sets for w in ("--set", s)]
            run = common.Run([self.simulator, "simulate", self.trace(kernel), "--gpu", gpu, *words,
                              "--json", path + ".part", "-q"])
            if run.status != 0:
                raise SystemExit(run.errors)
            os.replace(path + ".part", path)
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def estimate(self, kernel, gpu, policy, sets=()):
        """All models with one collection."""
        words = [w for s in [f"sm.scheduler={policy}", *sets] for w in ("--set", s)]
        return common.heddle_json("estimate", self.trace(kernel), "--gpu", gpu, *words, "--model",
                                  "interval", "--all-models")[0]


def error(cycles, truth):
    return 100 * (cycles / truth["cycles"] - 1)


def shares(stack, names):
    total = sum(stack[name] for name in names) or 1
    return [100 * stack[name] / total for name in names]


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else 0.0


class Table:
    """The CSV, written row by row."""

    def __init__(self):
        os.makedirs(common.EVALUATION, exist_ok=True)
        self.file = open(os.path.join(common.EVALUATION, "gpumech.csv"), "w", newline="",
                         encoding="utf-8")
        self.writer = csv.writer(self.file, lineterminator="\n")
        self.row(["machine", "policy", "change", "kernel", "cycles",
                  *[f"{m} error, %" for m in MODELS],
                  *[f"{side} {c}, %" for side in ("measured", "heddle")
                    for c in [*LEVELS, *CATEGORIES]]])

    def row(self, values):
        self.writer.writerow([round(v, 3) if isinstance(v, float) else v for v in values])
        self.file.flush()


def stacks(truth, estimate):
    """Shares in percent: measured and estimated, levels and categories."""
    return [*shares(truth["gpumech_stack"], LEVELS), *shares(truth["cpi_categories"], CATEGORIES),
            *shares(estimate["gpumech_stack"], LEVELS),
            *shares(estimate["cpi_categories"], CATEGORIES)]


def compare(bench, kernels, gpu, policy, report, table):
    errors, differences, rows = {m: [] for m in MODELS}, [], []

    def one(kernel):
        return bench.simulate(kernel, gpu, policy), bench.estimate(kernel, gpu, policy)

    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        for kernel, (truth, estimate) in zip(kernels, pool.map(one, kernels)):
            of = [error(estimate["models"][m]["cycles"], truth) for m in MODELS]
            for model, value in zip(MODELS, of):
                errors[model].append(value)
            split = stacks(truth, estimate)
            half = len(split) // 2
            differences.append([abs(a - b) for a, b in zip(split[:half], split[half:])])
            rows.append([kernel.name, truth["cycles"], *of])
            table.row([gpu, policy, "", kernel.name, truth["cycles"], *of, *split])
    report.say(f"## {gpu}, {policy}")
    report.say("Error of the cycles of the whole launch in percent, signed.")
    report.table(["kernel", "cycles", *MODELS], rows)
    report.table(["", *MODELS],
                 [["mean of |error|, %", *[mean(map(abs, errors[m])) for m in MODELS]],
                  ["kernels under 20 %, %",
                   *[100 * mean(abs(e) < 20 for e in errors[m]) for m in MODELS]]])
    report.say("CPI stacks of `heddle` against the measured ones, mean absolute difference in points "
               "of the whole:")
    means = [mean(row[n] for row in differences) for n in range(len(LEVELS) + len(CATEGORIES))]
    report.table(["by level", *LEVELS], [["points", *means[:len(LEVELS)]]])
    report.table(["by cause", *CATEGORIES], [["points", *means[len(LEVELS):]]])


def changes(field, value):
    if field == "sm.max_warps":  # the machine checks that its largest block fits
        return [f"{field}={value}", f"sm.max_threads_per_block={min(1024, 32 * value)}"]
    return [f"{field}={value}"]


def sweep(bench, kernels, field, report, table):
    values = SWEEPS[field]
    errors = {value: {m: [] for m in MODELS} for value in values}
    results = {}

    def one(kernel):
        return ([bench.estimate(kernel, "gpumech", "lrr", changes(field, v)) for v in values],
                [bench.simulate(kernel, "gpumech", "lrr", changes(field, v)) for v in values])

    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        for kernel, (estimates, truths) in zip(kernels, pool.map(one, kernels)):
            for value, estimate, truth in zip(values, estimates, truths):
                of = [error(estimate["models"][m]["cycles"], truth) for m in MODELS]
                for model, e in zip(MODELS, of):
                    errors[value][model].append(abs(e))
                table.row(["gpumech", "lrr", f"{field}={value}", kernel.name, truth["cycles"], *of])
                results[kernel.name, value] = truth, estimate
    report.say(f"## gpumech, lrr: {field}")
    report.say(f"Mean of |error| in percent over the {len(kernels)} kernels of at most "
               f"{SWEEP_WARP_INSTRUCTIONS // 1_000_000} M warp instructions and blocks of at most "
               f"{min(SWEEPS['sm.max_warps'])} warps.")
    report.table([field, *MODELS],
                 [[v, *[mean(errors[v][m]) for m in MODELS]] for v in values])
    return results


def scaling(results, kernels, report):
    """Figure 16: cycles per instruction over warps, for the kernels that gain and lose most."""
    values = SWEEPS["sm.max_warps"]
    gain = {k.name: results[k.name, values[0]][0]["cycles"] / results[k.name, values[-1]][0]["cycles"]
            for k in kernels if all((k.name, v) in results for v in values)}
    ordered = sorted(gain, key=gain.get)
    chosen = list(dict.fromkeys([*ordered[:1], *ordered[len(ordered) // 2:][:1], *ordered[-1:]]))
    report.say("## gpumech, lrr: CPI stacks over warps per SM")
    report.say("The kernels whose time gains least, in the middle and most from more warps, in cycles "
               "per warp instruction of an SM.")
    rows = []
    for name in chosen:
        for value in values:
            truth, estimate = results[name, value]
            for what, of in (("simulated", truth), ("`heddle`", estimate["models"]["heddle"]),
                             ("`gpumech`", estimate["models"]["gpumech"])):
                rows.append([name, value, what, of["core_cpi"],
                             *[of["gpumech_stack"][level] for level in LEVELS]])
    report.table(["kernel", "warps", "", "CPI", *LEVELS], rows)


def admitted(bench, kernels, report):
    """The kernels that every machine takes; the report names the others."""
    kept = []
    for kernel in kernels:
        try:
            for gpu, policy in CONFIGURATIONS:
                bench.simulate(kernel, gpu, policy)
            kept.append(kernel)
        except SystemExit as refusal:
            report.say(f"Left out: {kernel.name} ({str(refusal).strip().removeprefix('heddle: error: ')}).")
    return kept


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernel", action="append")
    parser.add_argument("--brief", action="store_true")
    parser.add_argument("--keep")
    parser.add_argument("--simulator", default=common.HEDDLE)
    arguments = parser.parse_args()
    report = common.Report("gpumech", "Interval models against the timing model")
    report.say("Launches: the large ones of our kernels. Models: the five of GPUMech as published "
               "and Heddle's own ([IntervalModel](../IntervalModel.md)); error_kind same-simulator.")
    kernels = []
    for kernel in common.kernels("large", names=arguments.kernel):
        if all(kernel.name != other.name for other in kernels):
            kernels.append(kernel)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments.keep or folder, arguments.simulator)
        kernels = admitted(bench, kernels, report)
        table = Table()
        for gpu, policy in CONFIGURATIONS:
            compare(bench, kernels, gpu, policy, report, table)
            report.write()
        if not arguments.brief:
            few = []
            for kernel in kernels:
                truth = bench.simulate(kernel, "gpumech", "lrr")
                threads = math.prod(truth["block"])
                if (truth["warp_instructions"] <= SWEEP_WARP_INSTRUCTIONS
                        and threads <= 32 * min(SWEEPS["sm.max_warps"])):
                    few.append(kernel)
            for field in SWEEPS:
                results = sweep(bench, few, field, report, table)
                if field == "sm.max_warps":
                    scaling(results, few, report)
                report.write()
        report.write()


if __name__ == "__main__":
    main()
