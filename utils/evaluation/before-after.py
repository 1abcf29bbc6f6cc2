"""Numbers and speed of this build beside those of an earlier one.

Options: --before BUILD (build folder of the earlier build), --every N (every N th kernel),
--gpu NAME (may be repeated), --kernel NAME (may be repeated), --rounds N (timed runs of each
launch, 3), --speed-gpu NAME (machine of the timed runs, may be repeated), --only PARTS (of
numbers,causes,speed; the others are taken from the page's tables)."""

import argparse
import csv
import os
import statistics
import sys

import common

# Machines that replay PTX: those of papers, and another simulator's. Silicon's files have
# fields that earlier builds do not know.
MACHINES = ["fermi-tbpoint", "gpumech", "minibench-8sm", "minibench-28sm", "reference-gtx480", "reference-qv100"]
MODELS = {"timing": ["simulate"], "interval": ["estimate", "--model", "interval"],
          "pipeline": ["estimate", "--model", "pipeline"]}
# Machines of the timed runs: two that are as they were, and v100, which has got what silicon showed since.
SPEED_MACHINES = ["gpumech", "reference-qv100", "v100"]
# CPU time as a multiple of the earlier build's: a median or mean over the launches.
WANTED = {"timing": "at most 1.1", "interval": "at most 1.25 on v100, the machine of `interval-speed`",
          "pipeline": "nothing, as it simulates rounds now"}
# Why launches differ: model, machine and kernel, of which any may be *, the cause, and settings of the machine without which it does nothing. A name
# of SHORTHANDS may stand for several.
SHORTHANDS = {"behind_sms": ["dram.policy=fixed", "dram.latency=1", "dram.bandwidth=100000", "l2.latency=1", "icnt.latency=1",
                             "icnt.slice_bytes=4096", "icnt.reply_bytes=4096", "icnt.request_bytes=4096"]}
CAUSES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "before-after-causes.csv")
NUMBERS = ["model", "machine", "kernel", "before", "after", "difference %"]
SPEED = ["model", "machine", "kernel", "before s", "after s", "counted branches"]
WITHOUT = ["model", "machine", "kernel", "instructions before", "instructions after", "before without it", "after without it"]


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

    def results(self, model, gpu, settings=()):
        words = self.words(model, gpu) + [word for setting in settings for word in ("--set", setting)]
        return common.result_of(self.before, words), common.result_of(common.BUILD, words + common.LIKE_BEFORE)


def numbers(pairs, machines):
    """Rows of NUMBERS, without launches that either build refuses."""
    rows = []
    for gpu in machines:
        for model in MODELS:
            for pair in pairs:
                before, after = map(cycles, pair.results(model, gpu))
                if before is not None and after is not None:
                    rows.append([model, gpu, repr(pair.kernel), before, after, 100 * (after / before - 1)])
            print(model, gpu, file=sys.stderr, flush=True)
    return rows


def without_causes(pairs, rows):
    """Rows of WITHOUT: launches that differ, again without what is said to be the cause. Of `simulate` the cycles of
    both builds, of fast models `simulate` and the model, both of this build."""
    differences, found = Differences(rows), []
    by_name = {repr(pair.kernel): pair for pair in pairs}
    for row in rows:
        settings = [each for word in differences.cause(*row[:3])["settings"].split() for each in SHORTHANDS.get(word, [word])]
        pair, other = by_name[row[2]], ["", ""]
        if row[0] == "timing" and abs(row[5]) > 1:
            insts = [result["warp_instructions"] for result in pair.results("timing", row[1])]
            if settings:
                other = map(cycles, pair.results("timing", row[1], settings))
        elif row[0] != "timing" and settings and differences.kind(row) == "farther":
            insts = ["", ""]
            other = [cycles(pair.results(model, row[1], settings)[1]) for model in ("timing", row[0])]
        else:
            continue
        found.append([*row[:3], *insts, *other])
        print(*found[-1], file=sys.stderr, flush=True)
    return found


def speed(before, machines, options):
    """Rows of SPEED: the least CPU seconds of runs that take turns."""
    rows = []
    commands = [(model, gpu) for gpu in machines for model in MODELS] + [("run", "")]
    for kernel in common.kernels("large", names=options.kernel)[::options.every]:
        for model, gpu in commands:
            words = ["run", kernel.source, "--launch", kernel.launch] if model == "run" else Pair(before, kernel).words(model, gpu)
            both = common.seconds_of_both(before, words, options.rounds, ["--compiler", "clang"] if model == "run" else common.LIKE_BEFORE)
            if both and min(both) > 0:
                rows.append([model, gpu, repr(kernel), *both, "yes" if common.counts_branches() else "no"])
                print(*rows[-1], file=sys.stderr, flush=True)
    return rows


class Differences:
    """What became of each launch in the fast models, and why."""

    def __init__(self, rows):
        self.truth = {(row[1], row[2]): row for row in rows if row[0] == "timing"}
        with open(CAUSES, encoding="utf-8") as file:
            self.causes = list(csv.DictReader(file))

    def cause(self, model, gpu, kernel):
        for row in self.causes:
            if all(row[column] in ("*", value, value.split()[0]) for column, value in
                   (("model", model), ("machine", gpu), ("kernel", kernel))):
                return row
        return {"cause": UNKNOWN, "settings": ""}

    def errors(self, row):
        """Of both builds against their own `simulate`, signed, in percent; None without one."""
        truth = self.truth.get((row[1], row[2]))
        return truth and [100 * (row[i] / truth[i] - 1) for i in (3, 4)]

    def kind(self, row):
        if abs(row[5]) <= 1:
            return "within 1 %"
        before, after = map(abs, self.errors(row))
        if after <= before:
            return "nearer"
        return "as near" if after <= before + 1 else "farther"


UNKNOWN = "**not known**"
KINDS = ["within 1 %", "nearer", "as near", "farther"]


def say_numbers(report, rows, without, launches):
    differences = Differences(rows)
    groups = {}
    for row in rows:
        groups.setdefault((row[0], row[1]), []).append(row)
    lines = []
    for (model, gpu), its in groups.items():
        moved = [abs(row[5]) for row in its]
        line = [model, gpu, len(its), launches - len(its), sum(m == 0 for m in moved), sum(m <= 1 for m in moved),
                common.median(moved), max(moved)]
        known = [] if model == "timing" else [differences.errors(row) for row in its if differences.errors(row)]
        lines.append(line + ([common.text(common.median([abs(e[i]) for e in known])) for i in (0, 1)] if known else ["", ""]))
    report.say("## Numbers")
    report.say("The last two columns: median error of the fast models against `simulate` of the same build.")
    report.table(["model", "machine", "launches", "refused by one", "equal", "within 1 %", "median %", "worst %",
                  "off before %", "off after %"], lines)
    say_simulate(report, differences, rows, without)
    say_fast(report, differences, [row for row in rows if row[0] != "timing" and differences.errors(row)], without)


def say_simulate(report, differences, rows, without):
    report.say("## Launches whose `simulate` differs by more than 1 %")
    report.say("*Without it*: the difference once more with the cause switched off in both builds by settings of the machine. Where the code has other "
               "instructions, that is the cause, or part of it.")
    again = {tuple(row[:3]): row[3:] for row in without}
    lines = []
    for row in rows:
        if row[0] != "timing" or abs(row[5]) <= 1:
            continue
        cause, (insts, insts_now, before, after) = differences.cause(*row[:3]), again.get(tuple(row[:3]), [""] * 4)
        other = 100 * (float(insts_now) / float(insts) - 1) if insts else 0
        left = 100 * (float(after) / float(before) - 1) if before else ""
        text = ("in part: " if before and abs(left) > 1 else "") + cause["cause"]
        lines.append([*row[1:], common.text(other) if other else "", text, cause["settings"].replace(" ", ", "), left])
    report.table([*NUMBERS[1:], "instructions %", "cause", "switched off by", "without it %"], lines)


def say_fast(report, differences, rows, without):
    report.say("## Why the fast models differ")
    report.say("Both have another inside: the interval model replays the blocks of one SM on the SM of `simulate`, before an analytic memory, where it "
               "had queues of its own, and the pipeline model simulates a round where it added up latencies. Both are held to `simulate`, so this table "
               "counts what became of each launch: the cycles are those of before, *nearer* to `simulate` of the same build, *as near* (farther by one point at most), "
               "or *farther*.")
    report.table(["model", "launches", *KINDS, "mean error before %", "mean error after %"],
                 [[model, len(its), *[sum(differences.kind(row) == kind for row in its) for kind in KINDS],
                   *[statistics.mean(abs(differences.errors(row)[i]) for row in its) for i in (0, 1)]]
                  for model in MODELS if model != "timing" for its in [[row for row in rows if row[0] == model]]])
    report.say("Those that are farther. Errors against `simulate` of the same build, before and after, and in this build with a part of the machine "
               "switched off. A cause is one only if the error is then at most a point above that of before; for the others none was found. "
               "Some 17 parts were tried for each launch that earlier runs had left, so a few causes pass by chance. For 15 launches no single part "
               "of those was one, and some 20 others and all of the memory behind the SMs at once were tried. Of these six needed another part beside it, or "
               f"another one. `behind_sms` stands for {', '.join(SHORTHANDS['behind_sms'])}.")
    again = {tuple(row[:3]): row[5:] for row in without}
    lines = []
    for row in rows:
        if differences.kind(row) != "farther":
            continue
        errors, cause = differences.errors(row), differences.cause(*row[:3])
        truth, ours = again.get(tuple(row[:3]), ["", ""])
        left = 100 * (float(ours) / float(truth) - 1) if truth else ""
        holds = truth and abs(left) <= abs(errors[0]) + 1
        lines.append([*row[:3], *errors, cause["cause"] if holds else UNKNOWN, cause["settings"].replace(" ", ", ") if holds else "", left if holds else ""])
    report.say(f"Found for {sum(line[5] != UNKNOWN for line in lines)} of {len(lines)}.")
    report.table(["model", "machine", "kernel", "before %", "after %", "lies in", "switched off by", "without it %"], lines)


def say_speed(report, rows):
    report.say("## CPU time")
    left_out = sorted({repr(kernel) for kernel in common.kernels("large")} - {row[2] for row in rows})
    report.say(f"CPU seconds of the models alone on large launches, {'with' if all(row[5] == 'yes' for row in rows) else 'without'} counted branches: the least of runs "
               "that take turns. A product of halves took its tensor instructions apart before, and would rule the means: *others* are without these. "
               f"Not run, or refused: {', '.join(left_out) or 'none'}.")
    lines = []
    groups = {}
    for row in rows:
        groups.setdefault((row[0], row[1]), []).append(row)
    for (model, gpu), its in groups.items():
        ratios = {row[2]: row[4] / row[3] for row in its}
        others = [ratio for kernel, ratio in ratios.items() if not kernel.startswith("half_product")]
        lines.append([model, gpu, len(ratios), common.geometric_mean(list(ratios.values())), common.median(list(ratios.values())),
                      common.geometric_mean(others), sum(row[4] for row in its) / sum(row[3] for row in its), WANTED.get(model, "at most 1.1")])
    report.table(["model", "machine", "launches", "geometric mean", "median", "others: geometric mean", "sum of all", "wanted"], lines)
    report.say("After over before, launch by launch:")
    names = sorted({row[2] for row in rows})
    ratio = {tuple(row[:3]): row[4] / row[3] for row in rows}
    report.table(["launch", *[" ".join(group) for group in groups]],
                 [[name, *[ratio.get((*group, name), "") for group in groups]] for name in names])


def path(name):
    return os.path.join(common.EVALUATION, name + ".csv")


def from_table(name, columns):
    texts = ("model", "machine", "kernel", "counted branches")
    with open(path(name), encoding="utf-8") as file:
        return [[row[c] if c in texts or row[c] == "" else float(row[c]) for c in columns] for row in csv.DictReader(file)]


def to_table(name, columns, rows):
    with open(path(name), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gpu", action="append")
    parser.add_argument("--kernel", action="append")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--speed-gpu", action="append")
    parser.add_argument("--only", default="numbers,causes,speed")
    common.add_before(parser)
    options = parser.parse_args()
    if not options.before:
        parser.error("--before is needed")
    parts = options.only.split(",")
    report = common.Report("before-after", "This build beside an earlier one")
    report.say("Before: the commit from which this form of the sources was made. Both replay PTX, with Clang's rules for loops. Launches are those of "
               "`test/kernels`, test size for the numbers and large for the times. The machines are those of papers and of another simulator, since "
               "silicon's have fields that the earlier build does not know.")
    before = os.path.abspath(options.before)
    kernels = common.kernels("test", names=options.kernel)[::options.every]
    pairs = [Pair(before, kernel) for kernel in kernels]
    if "numbers" in parts:
        to_table("before-after", NUMBERS, numbers(pairs, options.gpu or MACHINES))
    if "speed" in parts:
        to_table("before-after-speed", SPEED, speed(before, options.speed_gpu or SPEED_MACHINES, options))
    rows = from_table("before-after", NUMBERS)
    if "causes" in parts:
        to_table("before-after-without", WITHOUT, without_causes(pairs, rows))
    say_numbers(report, rows, from_table("before-after-without", WITHOUT), len(kernels))
    say_speed(report, from_table("before-after-speed", SPEED))
    report.write()


if __name__ == "__main__":
    main()
