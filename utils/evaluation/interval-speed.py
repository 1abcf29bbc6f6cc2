"""CPU time of the interval model against the timing model's on the same launches.

Options: --kernel NAME (may be repeated), --gpu NAME (default v100), --keep DIR (traces
and simulations stay there and are used again), --before BUILD (CPU time beside an earlier
build's), --every N (that on every N th kernel)."""

import argparse
import json
import os
import re
import tempfile

import common

# Launches of a million warps and more instructions than the large ones have: kernels whose
# elements are independent, with this many times as many.
LONGER = {"vector_add": 4, "black_scholes": 8, "softmax": 8}
CHANGES = ["dram.bandwidth=450", "l1.mshrs=128", "l2.latency=250", "sm.scheduler=lrr"]
WHOLE = ["--whole", "--replay", "150000"]


def longer(kernel, factor, folder):
    """The kernel's launch with `factor` times as many blocks and elements."""
    with open(kernel.launch, encoding="utf-8") as file:
        text = file.read()
    elements = set(re.findall(r"count: (\d+)", text))

    def scaled(match):
        return str(int(match.group(0)) * factor)

    text = re.sub(r"(?<=grid: \[)\d+", scaled, text)
    text = re.sub(r"(?<=count: )\d+", scaled, text)
    text = "\n".join(re.sub(r"\d+$", scaled, line)
                     if line.strip().startswith("- i32") and line.split()[-1] in elements else line
                     for line in text.split("\n"))
    path = os.path.join(folder, f"{kernel.name}-x{factor}.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return common.Kernel(f"{kernel.name} x{factor}", kernel.source, path)


class Bench:
    def __init__(self, folder, gpu):
        self.folder, self.gpu = folder, gpu

    def path(self, kernel, ending):
        return os.path.join(self.folder, kernel.name.replace(" ", "-") + ending)

    def trace(self, kernel):
        path = self.path(kernel, ".trace")
        if not os.path.exists(path):
            common.heddle("trace", kernel.source, "--launch", kernel.launch, "-o", path, "-q")
        return path

    def simulate(self, kernel):
        path = self.path(kernel, f".{self.gpu}.json")
        if not os.path.exists(path):
            common.heddle("simulate", self.trace(kernel), "--gpu", self.gpu, "--json", path, "-q")
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def estimate(self, kernel, *options):
        return common.heddle_json("estimate", self.trace(kernel), "--gpu", self.gpu, "--model",
                                  "interval", *options)


def row(bench, kernel):
    truth = bench.simulate(kernel)
    runs = [bench.estimate(kernel) for _ in range(3)]
    first = common.median([result["seconds"] for result, _ in runs])
    result, process = runs[0]
    whole, _ = bench.estimate(kernel, *WHOLE)
    words = [word for change in CHANGES for word in ("--what-if", change)]
    swept, _ = bench.estimate(kernel, *words)
    others = swept["what_if"][1:]
    further = common.median([r["seconds"] for r in others if "seconds" in r])
    alone = [bench.estimate(kernel, "--set", change)[0]["cycles"] for change in CHANGES]
    apart = sum(abs(r["cycles"] / cycles - 1) for r, cycles in zip(others, alone)) / len(alone)

    def error(of):
        return 100 * (of["cycles"] / truth["cycles"] - 1)

    return {"kernel": kernel.name, "warp instructions": truth["warp_instructions"],
            "simulated, s": truth["seconds"], "first estimate, s": first,
            "times less": truth["seconds"] / first, "read, %": 100 * result["collected"],
            "further machine, ms": 1000 * further,
            "times less again": truth["seconds"] / further, "apart, %": 100 * apart,
            "error, %": error(result),
            "whole, s": whole["seconds"], "whole error, %": error(whole),
            "peak MiB": process.peak_bytes / 2**20}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernel", action="append")
    parser.add_argument("--gpu", default="v100")
    parser.add_argument("--keep")
    common.add_before(parser)
    arguments = parser.parse_args()
    report = common.Report("interval-speed", "Speed of the interval model")
    report.say(f"CPU seconds of the models alone, on {arguments.gpu}: the timing model's, those of the "
               "first estimate (reading the trace file included), and those of an estimate for "
               "another machine with the profile kept (median of " + ", ".join(CHANGES) + "); *apart*, how "
               "far their cycles are from those of an estimate of that machine alone (mean). `whole` "
               "is the estimate that reads every block and replays 150,000 instructions per SM: what "
               "reading a part costs is the difference of the two errors.")
    if arguments.kernel:
        report.say("Of all kernels only: " + ", ".join(arguments.kernel) + ".")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments.keep or folder, arguments.gpu)
        kernels = []
        for kernel in common.kernels("large", names=arguments.kernel):
            if any(kernel.name == other.name for other in kernels):
                continue
            kernels.append(kernel)
            if kernel.name in LONGER:
                kernels.append(longer(kernel, LONGER[kernel.name], folder))
        rows = []
        for kernel in kernels:
            rows.append(row(bench, kernel))
            print(*[common.text(v) for v in rows[-1].values()], flush=True)
            report.csv(list(rows[0]), [list(r.values()) for r in rows])
    report.table(list(rows[0]), [list(r.values()) for r in rows])

    def column(name, of=rows):
        return [r[name] for r in of]

    large = [r for r in rows if r["warp instructions"] >= 5_000_000]
    for what, of in (("all launches", rows), ("launches of 5 M warp instructions and more", large)):
        if of:
            report.say(f"Over {what} ({len(of)}), median: first estimate "
                       f"{common.median(column('times less', of)):.0f} times less, further machine "
                       f"{common.median(column('times less again', of)):.0f} times less. Mean of "
                       f"|error| {sum(map(abs, column('error, %', of))) / len(of):.1f} %, whole "
                       f"{sum(map(abs, column('whole error, %', of))) / len(of):.1f} %, apart "
                       f"{sum(column('apart, %', of)) / len(of):.1f} %. In all: "
                       f"{sum(column('simulated, s', of)):.1f} s against "
                       f"{sum(column('first estimate, s', of)):.2f} s.")
    common.say_ratios(report, f"interval on {arguments.gpu}", arguments, lambda kernel: [
        "estimate", kernel.source, "--launch", kernel.launch, "--gpu", arguments.gpu, "--model", "interval"],
        "at most 1.25", rounds=5)
    report.write()


if __name__ == "__main__":
    main()
