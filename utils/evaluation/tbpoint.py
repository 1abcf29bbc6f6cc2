"""TBPoint: error and sample size beside full simulation, random, SimPoint."""

import argparse
import os
import tempfile

import applications
from common import Report, geometric_mean, heddle, heddle_json

# Figure 12 of the paper changes SMs and warps per SM; one profile serves all.
MACHINES = (
    ("14 SMs, 48 warps", []),
    ("7 SMs, 48 warps", ["sm.count=7"]),
    ("28 SMs, 48 warps", ["sm.count=28"]),
    ("14 SMs, 16 warps", ["sm.max_warps=16"]),
    ("14 SMs, 32 warps", ["sm.max_warps=32"]),
)
WAYS = (("tbpoint", []), ("as in the paper", ["--as-in-paper"]),
        ("warm caches", ["--warm-caches"]))


class Sampler:
    """Runs of `heddle sample` on one application, with one profile."""

    def __init__(self, app, folder):
        self.app = app
        self.launches = os.path.join(folder, f"{app.name}.yaml")
        self.profile = os.path.join(folder, f"{app.name}.json")
        app.write(self.launches)
        heddle("profile", app.source, "--launch", self.launches, "-o", self.profile, "-q")

    def run(self, sets, *options):
        words = [word for field in sets for word in ("--set", field)]
        result, _ = heddle_json("sample", self.app.source, "--launch", self.launches, "--gpu",
                                "fermi-tbpoint", "--profile", self.profile, *words, *options)
        return result


def measure(sampler, machine, sets, unit):
    """One row per way to choose."""
    full = sampler.run(sets, "--compare", "--unit", unit)
    results = [(WAYS[0][0], full)] + [(way, sampler.run(sets, *options))
                                      for way, options in WAYS[1:]]
    results += [(b["method"], b) for b in full["baselines"]]
    return [{
        "application": sampler.app.name,
        "class": sampler.app.kind,
        "machine": machine,
        "launches": full["num_launches"],
        "warp_instructions": full["warp_instructions"],
        "method": way,
        "sample_fraction": result["sample_fraction"],
        "cycles": result["cycles"],
        "full_cycles": full["full_cycles"],
        "error": abs(result["cycles"] - full["full_cycles"]) / full["full_cycles"],
        "seconds_model": full["seconds"]["model"] if way == "tbpoint" else 0.0,
        "seconds_full": full["seconds"]["full"],
    } for way, result in results]


def summary(rows):
    """Geometric means by method. Errors below a hundredth of a percent count as
    that: one error of zero would make any mean zero."""
    table = []
    for method in dict.fromkeys(r["method"] for r in rows):
        some = [r for r in rows if r["method"] == method]
        worst = max(some, key=lambda r: r["error"])
        table.append((method, 100 * geometric_mean([max(r["error"], 1e-4) for r in some]),
                      100 * worst["error"], worst["application"],
                      100 * geometric_mean([r["sample_fraction"] for r in some])))
    return table


COLUMNS = ("method", "error %, geometric mean", "worst %", "of", "sample %, geometric mean")


def main():
    parser = argparse.ArgumentParser(prog="utils/reproduce tbpoint", description=__doc__)
    parser.add_argument("--applications", nargs="*", help="only these")
    parser.add_argument("--machines", type=int, default=1,
                        help=f"how many machines, up to {len(MACHINES)}")
    parser.add_argument("--unit", type=int, default=100000,
                        help="warp instructions per unit of the baselines")
    options = parser.parse_args()

    report = Report("tbpoint", "TBPoint: what has to be simulated")
    report.say(f"""Applications composed of our kernels (utils/evaluation/applications), simulated in part and as a
whole on `fermi-tbpoint`. Errors are of projected cycles against the full simulation by the same simulator. *tbpoint* is
what Heddle does by default: it warms until L2 has been filled and measures a region until its mean IPC is known to 1 %;
*as in the paper* leaves that out; *warm caches* keeps L2 warm across skipped blocks. Random, systematic and SimPoint
choose among units of {options.unit:,} warp instructions of the full simulation.
""")
    if options.applications:
        report.say(f"Only these of the {len(applications.ALL)} applications: "
                   f"{', '.join(options.applications)}.\n")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for make in applications.ALL:
            app = make()
            if options.applications and app.name not in options.applications:
                continue
            sampler = Sampler(app, folder)
            for machine, sets in MACHINES[:options.machines]:
                rows += measure(sampler, machine, sets, options.unit)
                first = [r for r in rows if r["application"] == app.name
                         and r["machine"] == machine][0]
                print(f"  {app.name}, {machine}: error {100 * first['error']:.2f} % with "
                      f"{100 * first['sample_fraction']:.2f} %", flush=True)

    first = [r for r in rows if r["machine"] == MACHINES[0][0]]
    report.say("## The paper's machine\n")
    names = list(dict.fromkeys(r["application"] for r in first))
    methods = list(dict.fromkeys(r["method"] for r in first))
    table = []
    for name in names:
        of = {r["method"]: r for r in first if r["application"] == name}
        any_row = of[methods[0]]
        table.append([name, any_row["class"], any_row["launches"], any_row["warp_instructions"],
                      100 * any_row["sample_fraction"]]
                     + [100 * of[m]["error"] for m in methods])
    report.table(["application", "class", "launches", "warp instructions", "sample %"]
                 + [f"error %, {m}" for m in methods], table)
    report.table(COLUMNS, summary(first))
    faster = geometric_mean([r["seconds_full"] / r["seconds_model"] for r in first
                             if r["seconds_model"] > 0])
    report.say(f"CPU time of the sampled simulation: 1/{faster:.0f} of the full one (geometric mean).\n")
    for machine, sets in MACHINES[1:options.machines]:
        report.say(f"## {machine} (`{' '.join(sets)}`)\n")
        report.table(COLUMNS, summary([r for r in rows if r["machine"] == machine]))
    report.csv(list(rows[0]), [list(r.values()) for r in rows])
    report.write()


if __name__ == "__main__":
    main()
