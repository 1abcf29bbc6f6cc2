"""GT-Pin: error and size of the selections of recorded applications, and how well they hold elsewhere."""

import argparse
import os
import tempfile

from common import BUILD, HEDDLE, Report, Run, geometric_mean, heddle, heddle_json

APPS = os.path.join(BUILD, "bin", "apps")
# Many launches of moderate size, so that every combination can be judged by a full simulation.
SIZES = {
    "bfs": (4096, 40), "conjugate": (64, 80), "diffusion": (128, 96, 600), "fft": (10, 40),
    "gauss": (192,), "jacobi": (48, 1500), "kmeans": (4000, 8, 100), "life": (96, 800),
    "particles": (2500, 15), "pathfinder": (3000, 1800, 6), "pipeline": (96, 64, 90),
    "sort": (15,),
}
SMALLEST = 1e-4  # an error of zero would make any geometric mean zero
# Figure 8 of the paper: other clocks, other generations.
OTHERS = (("v100 at 700 MHz", ["--gpu", "v100", "--set", "clock.core=700"]),
          ("t4", ["--gpu", "t4"]))
THRESHOLDS = (0.0, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1)


class Recorded:
    """A program of test/apps, recorded and profiled once."""

    def __init__(self, name, folder):
        self.name = name
        self.path = os.path.join(folder, name + ".rec")
        self.profile = os.path.join(folder, name + ".profile")
        run = Run([HEDDLE, "record", "-q", "-o", self.path, "--", os.path.join(APPS, name),
                   *SIZES.get(name, ())])
        if run.status != 0:
            raise SystemExit(run.errors)
        study, _ = heddle_json("profile", self.path, "-o", self.profile)
        self.instructions = study["application"]["total"]["thread_instructions"]
        self.launches = study["application"]["total"]["launches"]

    def sample(self, *options):
        # Intervals of a hundredth of the application, as 100 M instructions are of the paper's.
        result, _ = heddle_json("sample", self.path, "--profile", self.profile, "--method",
                                "intervals", "--interval-instructions",
                                max(1, self.instructions // 100), *options)
        return result

    def judge(self, gpu):
        """Error and size of the 30 combinations, by a full simulation."""
        result = self.sample("--gpu", gpu, "--compare")
        self.full = result["full_cycles"]
        self.combinations = [dict(c, error=abs(c["cycles"] - self.full) / self.full)
                             for c in result["combinations"]]

    def chosen(self, threshold):
        """The smallest selection below the threshold, or else the one of least error."""
        fit = [c for c in self.combinations if c["error"] < threshold]
        if fit:
            return min(fit, key=lambda c: c["sample_fraction"])
        return min(self.combinations, key=lambda c: (round(c["error"], 4), c["sample_fraction"]))


def mean_error(choices):
    return 100 * geometric_mean([max(c["error"], SMALLEST) for c in choices])


def mean_saving(choices):
    return geometric_mean([1 / c["sample_fraction"] for c in choices])


def main():
    parser = argparse.ArgumentParser(prog="utils/reproduce gt-pin", description=__doc__)
    parser.add_argument("--applications", nargs="*", help="only these")
    parser.add_argument("--gpu", default="v100")
    parser.add_argument("--others", type=int, default=len(OTHERS),
                        help="on how many other machines to validate")
    options = parser.parse_args()
    report = Report("gt-pin", "GT-Pin: what has to be simulated of recorded applications")
    report.say(f"""The programs of `test/apps`, recorded. Errors are of projected cycles against the full
simulation on `{options.gpu}` by the same simulator; the saving is all warp instructions over those simulated. Intervals of the kind
`instructions` are a hundredth of the application. Errors below 0.01 % count as that in geometric means.
""")
    rows, validated, apps = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.applications or sorted(
                f for f in os.listdir(APPS) if os.path.isfile(os.path.join(APPS, f))):
            app = Recorded(name, folder)
            app.judge(options.gpu)
            apps.append(app)
            rows += [[name, c["interval"], c["feature"], c["selected"], c["sample_fraction"],
                      c["error"]] for c in app.combinations]
            best = app.chosen(0)
            for machine, words in OTHERS[:options.others]:
                full, _ = heddle_json("simulate", app.path, *words)
                part = app.sample(*words, "--interval", best["interval"], "--feature",
                                  best["feature"])
                validated.append((name, machine,
                                  abs(part["cycles"] - full["cycles"]) / full["cycles"]))
            print(f"  {name}: {100 * best['error']:.2f} % at "
                  f"{1 / best['sample_fraction']:.1f} x", flush=True)

    report.say("## Least error per application\n")
    report.table(["application", "launches", "interval", "feature", "selected", "error %", "saving"],
                 [[a.name, a.launches, b["interval"], b["feature"], b["selected"],
                   100 * b["error"], 1 / b["sample_fraction"]]
                  for a in apps for b in [a.chosen(0)]])
    best = [a.chosen(0) for a in apps]
    report.say(f"Geometric means: {mean_error(best):.2f} % at {mean_saving(best):.1f} x.\n")

    report.say("## One combination for all\n")
    table = []
    for key in dict.fromkeys((c["interval"], c["feature"]) for c in apps[0].combinations):
        of = [c for a in apps for c in a.combinations if (c["interval"], c["feature"]) == key]
        table.append([*key, mean_error(of), 100 * max(c["error"] for c in of), mean_saving(of)])
    report.table(["interval", "feature", "error %, geometric mean", "worst %", "saving"], table)

    report.say("## The smallest selection below a threshold\n")
    report.table(["threshold %", "error %, geometric mean", "worst %", "saving"],
                 [[100 * t, mean_error(c), 100 * max(x["error"] for x in c), mean_saving(c)]
                  for t in THRESHOLDS for c in [[a.chosen(t) for a in apps]]])

    if validated:
        report.say("## The selection of least error on other machines\n")
        machines = [m for m, _ in OTHERS[:options.others]]
        report.table(["application"] + [f"error %, {m}" for m in machines],
                     [[a.name] + [100 * e for m in machines for n, on, e in validated
                                  if n == a.name and on == m] for a in apps])
        worst = max(validated, key=lambda v: v[2])
        report.say(f"Worst: {100 * worst[2]:.2f} % ({worst[0]}, {worst[1]}).\n")
    report.csv(["application", "interval", "feature", "selected", "sample fraction", "error"], rows)
    report.write()


if __name__ == "__main__":
    main()
