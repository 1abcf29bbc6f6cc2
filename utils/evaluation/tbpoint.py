"""TBPoint: error and sample size beside full simulation, random, SimPoint."""

import argparse
import hashlib
import os

import composed
from common import Cache, Report, geometric_mean, heddle, heddle_json

# Figure 12 of the paper changes SMs and warps per SM; one profile serves all.
MACHINES = (
    ("14 SMs, 48 warps", []),
    ("7 SMs, 48 warps", ["sm.count=7"]),
    ("28 SMs, 48 warps", ["sm.count=28"]),
    ("14 SMs, 16 warps", ["sm.max_warps=16", "sm.max_threads_per_block=512"]),
    ("14 SMs, 32 warps", ["sm.max_warps=32"]),
)
WAYS = (("tbpoint", []), ("as in the paper", ["--as-in-paper"]),
        ("warm caches", ["--warm-caches"]))


class Sampler:
    """Runs of `heddle sample` on one application, with one profile and one full simulation per
    machine."""

    def __init__(self, app, cache):
        self.app, self.cache, self.seconds = app, cache, 0
        text = app.text()
        # The same launches have the same files.
        self.stem = f"{app.name}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
        self.launches = cache.path(self.stem + ".yaml")
        with open(self.launches, "w", encoding="utf-8") as file:
            file.write(text)
        self.profile = cache.path(self.stem + ".profile")
        if not os.path.exists(self.profile):
            heddle("profile", app.source, "--launch", self.launches, "-o", self.profile, "-q")

    def run(self, sets, *options):
        words = [word for field in sets for word in ("--set", field)]
        full = self.cache.path("-".join([self.stem, *sets]) + ".full")
        result, run = heddle_json("sample", self.app.source, "--launch", self.launches, "--gpu",
                                "fermi-tbpoint", "--method", "tbpoint", "--check-launches", "0",
                                "--profile", self.profile, *words, *options,
                                "--compare", "--full-simulation", full, limit_s=1800)
        self.seconds += run.cpu_seconds
        return result


def measure(sampler, machine, sets, unit, ways):
    """One row per way to choose."""
    first, *others = [sampler.run(sets, "--unit", unit, *options) for _, options in ways]
    results = [(ways[0][0], first)] + [(way, result) for (way, _), result in zip(ways[1:], others)]
    results += [(b["method"], b) for b in first["baselines"]]
    return [{
        "application": sampler.app.name,
        "class": sampler.app.kind,
        "machine": machine,
        "launches": first["num_launches"],
        "warp_instructions": first["warp_instructions"],
        "method": way,
        "sample_fraction": result["sample_fraction"],
        "cycles": result["cycles"],
        "full_cycles": first["full_cycles"],
        "error": abs(result["cycles"] - first["full_cycles"]) / first["full_cycles"],
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
    parser.add_argument("--machines", type=int, default=len(MACHINES),
                        help=f"on how many machines, up to {len(MACHINES)}")
    parser.add_argument("--unit", type=int, default=100000,
                        help="warp instructions per unit of the baselines")
    options = parser.parse_args()

    report = Report("tbpoint", "TBPoint: what has to be simulated")
    report.say(f"""Applications composed of our kernels (utils/evaluation/composed), simulated in part and as a
whole on `fermi-tbpoint`. Errors are of projected cycles against the full simulation by the same simulator. *tbpoint* is
what `--method tbpoint` does without its check of launches: it warms until L2 has been filled and measures a region until its mean IPC is known to 1 %;
it also tells launches apart by their arguments, and interpolates sizes in between; *as in the paper* leaves that out; *warm caches* keeps L2 warm across skipped blocks. Random, systematic and SimPoint
choose among units of {options.unit:,} warp instructions of the full simulation.
""")
    if options.applications:
        report.say(f"Only these of the {len(composed.ALL)} applications: "
                   f"{', '.join(options.applications)}.\n")
    rows = []
    cache = Cache("tbpoint")
    apps = [make() for make in composed.ALL]
    samplers = [Sampler(app, cache) for app in apps
                if not options.applications or app.name in options.applications]
    for machine, sets in MACHINES[:options.machines]:
        for sampler in samplers:
            rows += measure(sampler, machine, sets, options.unit, WAYS if not sets else WAYS[:1])
            of = [r for r in rows if r["application"] == sampler.app.name
                  and r["machine"] == machine][0]
            print(f"  {sampler.app.name}, {machine}: error {100 * of['error']:.2f} % with "
                  f"{100 * of['sample_fraction']:.2f} %, {sampler.seconds:.0f} CPU s so far",
                  flush=True)

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
    for machine, sets in MACHINES[1:options.machines]:
        report.say(f"## {machine} (`{' '.join(sets)}`)\n")
        report.table(COLUMNS, summary([r for r in rows if r["machine"] == machine]))
    report.csv(list(rows[0]), [list(r.values()) for r in rows])
    report.write()


if __name__ == "__main__":
    main()
