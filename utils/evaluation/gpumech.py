"""Interval models against the timing model: errors and CPI stacks.

Options: --kernel NAME (may be repeated), --sweep (also warps per SM, MSHRs and
DRAM bandwidth, figures 13 to 15 of GPUMech: hours on a slow machine), --keep DIR
(traces and simulations stay there and are used again)."""

import argparse
import json
import os
import tempfile

import common

MODELS = ["naive", "markov", "mt", "mt-mshr", "gpumech", "heddle"]
CONFIGURATIONS = [("gpumech", "lrr"), ("gpumech", "gto"), ("v100", "gto"), ("v100", "lrr")]
SWEEPS = {"sm.max_warps": [8, 16, 32, 48], "l1.mshrs": [32, 64, 128, 256],
          "dram.bandwidth": [64, 128, 192, 256]}
CATEGORIES = {
    "base": ["selected", "not_selected"],
    "compute_data": ["wait", "short_scoreboard"],
    "compute_structural": ["math_pipe_throttle", "dispatch_stall"],
    "memory_data": ["long_scoreboard", "imc_miss", "drain"],
    "memory_structural": ["lg_throttle", "mio_throttle", "tex_throttle"],
    "synchronisation": ["barrier", "membar"],
    "idle": ["no_instruction", "branch_resolving", "sleeping"]}


class Bench:
    """Traces and simulations of kernels, made once each."""

    def __init__(self, folder):
        self.folder = folder

    def trace(self, kernel):
        path = os.path.join(self.folder, kernel.name + ".trace")
        if not os.path.exists(path):
            common.heddle("trace", kernel.source, "--launch", kernel.launch, "-o", path, "-q")
        return path

    def simulate(self, kernel, gpu, policy, sets=()):
        name = ".".join([kernel.name, gpu, policy, *[s.replace("=", "-") for s in sets], "json"])
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            words = [w for s in sets for w in ("--set", s)]
            result, _ = common.heddle_json("simulate", self.trace(kernel), "--gpu", gpu, "--set",
                                           f"sm.scheduler={policy}", *words)
            with open(path, "w", encoding="utf-8") as file:
                json.dump(result, file)
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def estimate(self, kernel, gpu, policy, model, sets=()):
        words = [w for s in sets for w in ("--set", s)]
        return common.heddle_json("estimate", self.trace(kernel), "--gpu", gpu, "--set",
                                  f"sm.scheduler={policy}", *words, "--model",
                                  f"interval={model}")[0]


def error(estimate, truth):
    return 100 * (estimate["cycles"] / truth["cycles"] - 1)


def shares(stack):
    """Percentages of a stack of warp states by category."""
    total = sum(stack.values()) or 1
    return {category: 100 * sum(stack.get(state, 0) for state in states) / total
            for category, states in CATEGORIES.items()}


def mean(values):
    return sum(values) / len(values) if values else 0.0


def compare(bench, kernels, gpu, policy, report, everything):
    errors, differences, rows = {m: [] for m in MODELS}, {c: [] for c in CATEGORIES}, []
    for kernel in kernels:
        truth = bench.simulate(kernel, gpu, policy)
        row = [kernel.name, truth["cycles"]]
        for model in MODELS:
            estimate = bench.estimate(kernel, gpu, policy, model)
            errors[model].append(error(estimate, truth))
            row.append(errors[model][-1])
        ours, measured = shares(estimate["cpi_stack"]), shares(truth["cpi_stack"])
        for category in CATEGORIES:
            differences[category].append(abs(ours[category] - measured[category]))
        rows.append(row)
        everything.append([gpu, policy, *row, *[measured[c] for c in CATEGORIES],
                           *[ours[c] for c in CATEGORIES]])
        print(gpu, policy, *row, flush=True)
    report.say(f"## {gpu}, {policy}")
    report.say("Error of the cycles of the whole launch in percent, signed.")
    report.table(["kernel", "cycles", *MODELS], rows)
    report.table(["", *MODELS],
                 [["mean of |error|, %", *[mean([abs(e) for e in errors[m]]) for m in MODELS]],
                  ["kernels under 20 %, %",
                   *[100 * mean([abs(e) < 20 for e in errors[m]]) for m in MODELS]]])
    report.say("CPI stack of `heddle` against the measured one, mean absolute difference in points "
               "of CPI share: " +
               ", ".join(f"{c} {mean(differences[c]):.1f}" for c in CATEGORIES) + ".")


def sweep(bench, kernels, field, values, report):
    rows = []
    for value in values:
        errors = {m: [] for m in MODELS}
        for kernel in kernels:
            sets = [f"{field}={value}"]
            truth = bench.simulate(kernel, "gpumech", "lrr", sets)
            for model in MODELS:
                errors[model].append(abs(error(bench.estimate(kernel, "gpumech", "lrr", model, sets),
                                               truth)))
        rows.append([value, *[mean(errors[m]) for m in MODELS]])
        print(field, *rows[-1], flush=True)
    report.say(f"## gpumech, lrr: {field}")
    report.table([field, *MODELS], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernel", action="append")
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    report = common.Report("gpumech", "Interval models against the timing model")
    report.say("Launches: the large ones of our kernels. Models: the five of GPUMech as published "
               "and Heddle's own ([IntervalModel](../IntervalModel.md)); error_kind same-simulator.")
    kernels, everything = [], []
    for kernel in common.kernels("large", names=arguments.kernel):
        if all(kernel.name != other.name for other in kernels):
            kernels.append(kernel)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments.keep or folder)
        for gpu, policy in CONFIGURATIONS:
            compare(bench, kernels, gpu, policy, report, everything)
        if arguments.sweep:
            for field, values in SWEEPS.items():
                sweep(bench, kernels, field, values, report)
    report.csv(["machine", "policy", "kernel", "cycles", *[f"{m} error, %" for m in MODELS],
                *[f"measured {c}, %" for c in CATEGORIES], *[f"heddle {c}, %" for c in CATEGORIES]],
               everything)
    report.write()


if __name__ == "__main__":
    main()
