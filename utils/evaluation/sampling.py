"""Sampling of applications never seen before: error, size, and how often the interval holds."""

import argparse
import os
import statistics
import subprocess

from composed import drawn
from common import ROOT, Cache, Report, geometric_mean, heddle, heddle_json

SMALLEST = 1e-4  # an error of zero would make any geometric mean zero
METHODS = (("stratified", []), ("tbpoint", ["--method", "tbpoint"]),
           ("intervals", ["--method", "intervals"]))


def head_seed():
    """The first eight digits of the hash of the commit that last changed a method, so that
    the applications are drawn after it."""
    paths = ["runtime/sampling"]
    text = subprocess.run(["git", "log", "-1", "--format=%H", "--", *paths], cwd=ROOT,
                          capture_output=True, text=True, check=False).stdout
    return int(text[:8], 16) if text else 1


class Drawn:
    """An application, profiled once and simulated as a whole once per machine."""

    def __init__(self, app, cache):
        self.app, self.cache = app, cache
        self.launches = cache.path(app.name + ".yaml")
        with open(self.launches, "w", encoding="utf-8") as file:
            file.write(app.text())
        self.profile = cache.path(app.name + ".profile")
        if not os.path.exists(self.profile):
            heddle("profile", app.source, "--launch", self.launches, "-o", self.profile, "-q")

    def sample(self, gpu, *options):
        result, _ = heddle_json("sample", self.app.source, "--launch", self.launches, "--profile",
                                self.profile, "--gpu", gpu, *options, limit_s=1800)
        return result

    def measure(self, gpu):
        full = self.cache.path(f"{self.app.name}.{gpu}.full")
        whole = self.sample(gpu, "--method", "full", "--full-simulation", full)["cycles"]
        rows = []
        for method, options in METHODS:
            # Without --compare: intervals would choose by what it is to find out.
            result = self.sample(gpu, *options)
            low, high = result["confidence"]
            rows.append({
                "application": self.app.name.removeprefix("drawn-"), "gpu": gpu,
                "launches": result["num_launches"],
                "warp_instructions": result["warp_instructions"], "method": method,
                "error": abs(result["cycles"] - whole) / whole,
                "half_width": (high - low) / 2 / result["cycles"],
                "contained": low <= whole <= high,
                "sample_fraction": result["sample_fraction"],
            })
        return rows


def report_machine(report, gpu, rows):
    report.say(f"## {gpu}\n")
    names = list(dict.fromkeys(r["application"] for r in rows))
    table = []
    for name in names:
        of = {r["method"]: r for r in rows if r["application"] == name}
        first = of["stratified"]
        table.append([name, first["launches"], first["warp_instructions"],
                      100 * first["sample_fraction"], 100 * first["half_width"]]
                     + [100 * of[m]["error"] for m, _ in METHODS])
    report.table(["application", "launches", "warp instructions", "sample %", "half width %"]
                 + [f"error %, {m}" for m, _ in METHODS], table)
    summary = []
    for method, _ in METHODS:
        of = [r for r in rows if r["method"] == method]
        errors = [r["error"] for r in of]
        summary.append([
            method, 100 * geometric_mean([max(e, SMALLEST) for e in errors]),
            100 * statistics.mean(errors), 100 * max(errors),
            100 * geometric_mean([r["sample_fraction"] for r in of]),
            100 * statistics.mean(r["sample_fraction"] for r in of),
            f"{sum(r['contained'] for r in of)} of {len(of)}",
            100 * statistics.median(r["half_width"] for r in of)])
    report.table(["method", "error %, geometric mean", "mean %", "worst %",
                  "sample %, geometric mean", "mean", "intervals with the truth",
                  "half width %, median"], summary)


def main():
    parser = argparse.ArgumentParser(prog="utils/reproduce sampling", description=__doc__)
    parser.add_argument("--seed", type=int, help="default: from the commit that last changed "
                        "runtime/sampling")
    parser.add_argument("--applications", type=int, default=22)
    parser.add_argument("--gpu", nargs="*", default=["v100", "quadro-k620"])
    options = parser.parse_args()
    seed = head_seed() if options.seed is None else options.seed

    report = Report("sampling", "Sampling of applications never seen before")
    report.say(f"""Applications whose launches differ, drawn by seed {seed}
(`utils/evaluation/composed/drawn.py`): the seed is the hash of the commit that last changed a method. Errors are of
projected cycles against the full simulation by the same simulator; those below 0.01 % count as that in geometric means.
*stratified* is the default, to 2 %; the others estimate their error by eight launches or intervals that they check,
which count as simulated.
""")
    cache = Cache(f"sampling-{seed}")
    rows = []
    apps = [Drawn(app, cache) for app in drawn.draw(seed, options.applications)]
    for gpu in options.gpu:
        for app in apps:
            rows += app.measure(gpu)
            first = rows[-len(METHODS)]
            print(f"  {first['application']} on {gpu}: error {100 * first['error']:.2f} % with "
                  f"{100 * first['sample_fraction']:.2f} %", flush=True)
        report_machine(report, gpu, [r for r in rows if r["gpu"] == gpu])
    report.csv(list(rows[0]), [list(r.values()) for r in rows])
    report.write()


if __name__ == "__main__":
    main()
