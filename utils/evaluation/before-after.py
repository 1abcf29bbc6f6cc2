"""Numbers and speed of this build beside those of an earlier one.

Options: --before BUILD (build folder of the earlier build; needed), --every N (every N th
kernel), --gpu NAME (may be repeated), --kernel NAME (may be repeated), --rounds N (timed
runs of each launch, 3), --speed-gpu NAME (machine of the timed runs, may be repeated)."""

import argparse
import os
import sys

import common

# Machines that replay PTX: those of papers, and another simulator's. Silicon's files have
# fields that earlier builds do not know.
MACHINES = ["fermi-tbpoint", "gpumech", "minibench-8sm", "minibench-28sm", "reference-gtx480", "reference-qv100"]
MODELS = {"timing": ["simulate"], "interval": ["estimate", "--model", "interval"],
          "pipeline": ["estimate", "--model", "pipeline"]}
# CPU time as a multiple of the earlier build's.
WANTED = {"timing": "at most 1.1", "interval": "at most 1.25", "pipeline": "nothing, as it simulates rounds now"}


def cycles(result):
    """Cycles of the kernel: earlier builds count what a launch costs with them."""
    if result is None:
        return None
    return result["cycles"] - result.get("launch_cycles", 0)


class Pair:
    """The two builds on one launch."""

    def __init__(self, before, kernel):
        self.before, self.kernel = before, kernel

    def words(self, model, gpu):
        return [*MODELS[model], self.kernel.source, "--launch", self.kernel.launch, "--gpu", gpu]

    def results(self, model, gpu):
        words = self.words(model, gpu)
        return common.result_of(self.before, words), common.result_of(common.BUILD, words + common.LIKE_BEFORE)


def off(value, truth):
    return 100 * abs(value / truth - 1)


def summary(model, gpu, rows, refused, truth):
    """One line of a model on a machine; of fast models also how far both builds are from `simulate`."""
    moved = [abs(row[5]) for row in rows]
    line = [model, gpu, len(rows), refused, sum(m == 0 for m in moved), sum(m <= 1 for m in moved),
            common.median(moved), max(moved)]
    if model == "timing":
        return line + ["", ""]
    known = [row for row in rows if row[2] in truth]
    return line + [common.text(common.median([off(row[i], truth[row[2]][i - 3]) for row in known])) for i in (3, 4)]


def numbers(pairs, machines, report):
    columns = ["model", "machine", "kernel", "before", "after", "difference %"]
    rows, lines = [], []
    for gpu in machines:
        truth = {}
        for model in MODELS:
            of_model, refused = [], 0
            for pair in pairs:
                before, after = map(cycles, pair.results(model, gpu))
                if before is None or after is None:
                    refused += 1
                    continue
                of_model.append([model, gpu, repr(pair.kernel), before, after, 100 * (after / before - 1)])
                if model == "timing":
                    truth[repr(pair.kernel)] = (before, after)
            rows += of_model
            lines.append(summary(model, gpu, of_model, refused, truth))
            print(*lines[-1], file=sys.stderr, flush=True)
    report.say("## Numbers")
    report.say("The last two columns: median error of the fast models against `simulate` of the same build.")
    report.table(["model", "machine", "launches", "refused by one", "equal", "within 1 %", "median %", "worst %",
                  "off before %", "off after %"], lines)
    report.say("Launches whose `simulate` differs by more than 1 %:")
    report.table(columns, [row for row in rows if row[0] == "timing" and abs(row[5]) > 1])
    report.csv(columns, rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gpu", action="append")
    parser.add_argument("--kernel", action="append")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--speed-gpu", action="append")
    common.add_before(parser)
    arguments = parser.parse_args()
    if not arguments.before:
        parser.error("--before is needed")
    before = os.path.abspath(arguments.before)
    version = common.Run([os.path.join(before, "bin", "heddle"), "--version"]).output.strip()
    report = common.Report("before-after", "This build beside an earlier one")
    report.say(f"Before: {version}. Both replay PTX, with Clang's rules for loops. Launches are those of `test/kernels`, test size for "
               "the numbers and large for the times.")
    small = common.kernels("test", names=arguments.kernel)[::arguments.every]
    numbers([Pair(before, k) for k in small], arguments.gpu or MACHINES, report)
    for gpu in arguments.speed_gpu or ["v100", "reference-qv100"]:
        for model, wanted in WANTED.items():
            common.say_ratios(report, f"{model} on {gpu}", arguments,
                              lambda kernel: Pair(before, kernel).words(model, gpu), wanted, arguments.rounds)
    common.say_ratios(report, "run", arguments, lambda kernel: [
        "run", kernel.source, "--launch", kernel.launch], "at most 1.1", arguments.rounds,
        like_before=["--compiler", "clang"])
    report.write()


if __name__ == "__main__":
    main()
