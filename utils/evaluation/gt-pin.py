"""GT-Pin: error and size of the selections of recorded applications, and how well they hold elsewhere."""

import argparse
import os

from common import BUILD, HEDDLE, Cache, Report, Run, geometric_mean, heddle_json

APPS = os.path.join(BUILD, "bin", "apps")
# Hundreds to thousands of launches, each large enough to fill the machine for a while.
SIZES = {
    "bfs": (4096, 200), "conjugate": (96, 80, 12), "diffusion": (128, 96, 1200), "fft": (12, 60),
    "gauss": (320,), "jacobi": (96, 1500), "kmeans": (6000, 8, 60, 12), "life": (96, 1500),
    "particles": (2500, 15, 12), "pathfinder": (3000, 6000, 6), "pipeline": (96, 64, 240),
    "sort": (14, 24),
}
SMALLEST = 1e-4  # an error of zero would make any geometric mean zero
# Figure 8 of the paper: other clocks, another generation.
OTHERS = (("700 MHz", ["--set", "clock.core=700"]), ("350 MHz", ["--set", "clock.core=350"]),
          ("gtx480", ["--gpu", "gtx480"]))
THRESHOLDS = (0.0, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1)


class Recorded:
    """A program of test/apps, recorded and profiled once."""

    def __init__(self, name, cache):
        self.name, self.cache = name, cache
        # A recording holds what the device computed: one serves until the program changes.
        self.path = cache.path(name + ".rec")
        self.profile = cache.path(name + ".profile")
        study = cache.path(name + ".json")
        if not os.path.exists(study):
            run = Run([HEDDLE, "record", "-q", "-o", self.path, "--", os.path.join(APPS, name),
                       *SIZES.get(name, ())])
            if run.status != 0:
                raise SystemExit(run.errors)
        total = cache.json(name + ".json", "profile", self.path, "-o",
                           self.profile)["application"]["total"]
        self.instructions, self.launches = total["thread_instructions"], total["launches"]
        self.warp_instructions = total["warp_instructions"]

    def sample(self, machine, *options):
        """Judged by a full simulation, which all methods on a machine share."""
        key = "-".join(word.lstrip("-") for word in machine)
        result, run = heddle_json("sample", self.path, "--cold", "--profile", self.profile, *machine,
                                  "--compare", "--full-simulation",
                                  self.cache.path(f"{self.name}.{key}.full"), *options,
                                  limit_s=1800)
        return result, run.cpu_seconds

    def combinations(self, machine):
        """Error and size of the 30 combinations."""
        # Intervals of a hundredth of the application, as 100 M instructions are of the paper's.
        result, seconds = self.sample(machine, "--method", "intervals", "--interval-instructions",
                                      max(1, self.instructions // 100))
        full = result["full_cycles"]
        return [dict(c, error=abs(c["cycles"] - full) / full)
                for c in result["combinations"]], seconds

    def judge(self, machine, target):
        self.judged, self.seconds = self.combinations(machine)
        self.known, _ = self.sample(machine, "--method", "stratified", "--target-error", target)

    def chosen(self, threshold):
        """The smallest selection below the threshold, or else the one of least error: among
        errors that are one tenth of a percent the smallest. What selects everything is no choice."""
        some = [c for c in self.judged if c["selected"] < c["intervals"]]
        fit = [c for c in some if c["error"] < threshold]
        if fit:
            return min(fit, key=lambda c: c["sample_fraction"])
        return min(some, key=lambda c: (round(c["error"], 3), c["sample_fraction"]))


def mean_error(choices):
    return 100 * geometric_mean([max(c["error"], SMALLEST) for c in choices])


def mean_saving(choices):
    return geometric_mean([1 / c["sample_fraction"] for c in choices])


def report_choices(report, apps):
    report.say("## Least error per application\n")
    best = [a.chosen(0) for a in apps]
    report.table(["application", "launches", "warp instructions", "interval", "feature", "selected",
                  "error %", "saving", "CPU s of the full simulation"],
                 [[a.name, a.launches, a.warp_instructions, b["interval"], b["feature"],
                   b["selected"], 100 * b["error"], 1 / b["sample_fraction"], a.seconds]
                  for a, b in zip(apps, best)])
    report.say(f"Geometric means: {mean_error(best):.2f} % at {mean_saving(best):.1f} x.\n")

    report.say("## One combination for all\n")
    table = []
    for key in dict.fromkeys((c["interval"], c["feature"]) for c in apps[0].judged):
        of = [c for a in apps for c in a.judged if (c["interval"], c["feature"]) == key]
        table.append([*key, mean_error(of), 100 * max(c["error"] for c in of), mean_saving(of)])
    report.table(["interval", "feature", "error %, geometric mean", "worst %", "saving"], table)

    report.say("## The smallest selection below a threshold\n")
    report.table(["threshold %", "error %, geometric mean", "worst %", "saving"],
                 [[100 * t, mean_error(c), 100 * max(x["error"] for x in c), mean_saving(c)]
                  for t in THRESHOLDS for c in [[a.chosen(t) for a in apps]]])


def report_confidence(report, apps, target):
    report.say(f"""## Known error

Stratified sampling in two phases to {100 * target:g} % at 95 % confidence, with 100 seeds: how many of the intervals contain the truth.
""")
    report.table(["application", "error %", "half width %", "saving", "contained of 100"],
                 [[a.name, 100 * k["error"],
                   50 * (k["confidence"][1] - k["confidence"][0]) / k["cycles"],
                   1 / k["sample_fraction"], k["coverage"]["contained"]]
                  for a in apps for k in [a.known]])
    contained = sum(a.known["coverage"]["contained"] for a in apps)
    projections = sum(a.known["coverage"]["projections"] for a in apps)
    report.say(f"{contained:,} of {projections:,} projections contain the truth: "
               f"{100 * contained / projections:.1f} %.\n")


def report_elsewhere(report, apps, gpu, others):
    """Figure 8: the choice is made on one machine and used on others."""
    report.say("## The selection of least error on other machines\n")
    machines, rows = OTHERS[:others], []
    for a in apps:
        best, errors = a.chosen(0), []
        for _, words in machines:
            words = words if "--gpu" in words else ["--gpu", gpu, *words]
            errors += [c["error"] for c in a.combinations(words)[0]
                       if (c["interval"], c["feature"]) == (best["interval"], best["feature"])]
        rows.append([a.name] + [100 * e for e in errors])
        print(f"  {a.name} elsewhere: worst {100 * max(errors):.2f} %", flush=True)
    report.table(["application"] + [f"error %, {m}" for m, _ in machines], rows)
    report.say(f"Worst: {max(max(r[1:]) for r in rows):.2f} %.\n")


def main():
    parser = argparse.ArgumentParser(prog="utils/reproduce gt-pin", description=__doc__)
    parser.add_argument("--applications", nargs="*", help="only these")
    parser.add_argument("--gpu", default="quadro-k620")
    parser.add_argument("--others", type=int, default=len(OTHERS),
                        help="on how many other machines to validate")
    parser.add_argument("--target-error", type=float, default=0.02)
    options = parser.parse_args()
    report = Report("gt-pin", "GT-Pin: what has to be simulated of recorded applications")
    report.say(f"""The programs of `test/apps`, recorded. Errors are of projected cycles against the full
simulation on `{options.gpu}` (a small GPU, as the paper's is) by the same simulator; the saving is all warp instructions over those
simulated. Intervals of the kind `instructions` are a hundredth of the application. Errors below 0.01 % count as that in geometric means.
Caches are empty at each launch (`--cold`).
""")
    cache, apps = Cache("gt-pin"), []
    for name in options.applications or sorted(
            f for f in os.listdir(APPS) if os.path.isfile(os.path.join(APPS, f))):
        app = Recorded(name, cache)
        app.judge(["--gpu", options.gpu], options.target_error)
        apps.append(app)
        best, small = app.chosen(0), app.chosen(0.03)
        print(f"  {name}: {100 * best['error']:.2f} % at {1 / best['sample_fraction']:.1f} x, "
              f"{100 * small['error']:.2f} % at {1 / small['sample_fraction']:.1f} x, "
              f"{app.seconds:.1f} s", flush=True)
    report_choices(report, apps)
    report_confidence(report, apps, options.target_error)
    if options.others:
        report_elsewhere(report, apps, options.gpu, options.others)
    report.csv(["application", "interval", "feature", "selected", "sample fraction", "error"],
               [[a.name, c["interval"], c["feature"], c["selected"], c["sample_fraction"],
                 c["error"]] for a in apps for c in a.judged])
    report.write()


if __name__ == "__main__":
    main()
