"""Numbers and speed of this build beside those of an earlier one.

Options: --before FOLDER (build folder of the earlier build; needed), --gpu NAME (may be
repeated), --kernel NAME (may be repeated), --rounds N (timed runs of each launch, 3),
--speed-gpu NAME (machine of the timed runs)."""

import argparse
import json
import os
import sys
import tempfile

import common

# Machines that replay PTX: those of papers, and another simulator's. Silicon's files have
# fields that earlier builds do not know.
MACHINES = ["fermi-tbpoint", "gpumech", "minibench-8sm", "minibench-28sm", "reference-gtx480", "reference-qv100"]
MODELS = {"timing": ["simulate"], "interval": ["estimate", "--model", "interval"],
          "pipeline": ["estimate", "--model", "pipeline"]}
LIKE_BEFORE = ["--compiler", "clang"]  # the only rules for loops that earlier builds know


def run(build, words):
    """Result of a command of a build, or None where it refuses."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "result.json")
        done = common.Run([os.path.join(build, "bin", "heddle"), *words, "--json", path, "-q"])
        if done.status != 0:
            return None
        with open(path, encoding="utf-8") as file:
            return json.load(file)


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
        return run(self.before, words), run(common.BUILD, words + LIKE_BEFORE)

    def seconds(self, model, gpu, rounds):
        """CPU seconds of the model, medians of runs that take turns."""
        turns = [self.results(model, gpu) for _ in range(rounds)]
        if any(None in turn for turn in turns):
            return None
        return [common.median([turn[i]["seconds"] for turn in turns]) for i in (0, 1)]


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


def speed(pairs, gpu, rounds, report):
    rows = []
    for pair in pairs:
        for model in MODELS:
            seconds = pair.seconds(model, gpu, rounds)
            if seconds and min(seconds) > 0.02:
                rows.append([model, repr(pair.kernel), *seconds, seconds[1] / seconds[0]])
                print(*rows[-1], file=sys.stderr, flush=True)
    report.say(f"## CPU time on {gpu}")
    report.say("`seconds` of the results, one host thread; runs of both builds take turns.")
    report.table(["model", "kernel", "before s", "after s", "after / before"], rows)
    for model in MODELS:
        ratios = [row[4] for row in rows if row[0] == model]
        if ratios:
            report.say(f"{model}: geometric mean of the ratios {common.geometric_mean(ratios):.2f} over {len(ratios)} launches.")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", required=True)
    parser.add_argument("--gpu", action="append")
    parser.add_argument("--kernel", action="append")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--speed-gpu", default="reference-qv100")
    arguments = parser.parse_args()
    before = os.path.abspath(arguments.before)
    version = common.Run([os.path.join(before, "bin", "heddle"), "--version"]).output.strip()
    report = common.Report("before-after", "This build beside an earlier one")
    report.say(f"Before: {version}. Both replay PTX, with Clang's rules for loops. Launches are those of `test/kernels`, test size for "
               "the numbers and large for the times.")
    numbers([Pair(before, k) for k in common.kernels("test", names=arguments.kernel)], arguments.gpu or MACHINES, report)
    # Large launches of every third kernel, which is about a tenth of an hour.
    large = common.kernels("large", names=arguments.kernel)[:: 1 if arguments.kernel else 3]
    speed([Pair(before, k) for k in large], arguments.speed_gpu, arguments.rounds, report)
    report.write()


if __name__ == "__main__":
    main()
