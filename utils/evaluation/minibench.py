"""Clones against originals on the machines of GPGPU-MiniBench.

Two clones of each kernel, one reduced twice as far as the other, by trip counts
where loops are long enough and else by thread blocks. The line through their
cycles gives those of the whole: what a launch costs to start and to end is not
scaled up. Simulations of originals are kept in build/minibench-cache."""

import argparse
import hashlib
import json
import os
import sys
import tempfile

import common

MACHINES = ["minibench-8sm", "minibench-28sm", "minibench-56sm", "minibench-110sm"]
CACHE = os.path.join(common.ROOT, "build", "minibench-cache")
KEPT = ("cycles", "warp_instructions", "ipc", "seconds", "l1")


def simulate(source, launch, machine):
    """The result, or the message of the failure."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "result.json")
        done = common.heddle("simulate", source, "--launch", launch, "--gpu", machine, "--json",
                             path, "-q", check=False)
        if done.status != 0:
            return done.errors.strip().splitlines()[-1]
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
            return {key: result.get(key) for key in KEPT}


def original(kernel, machine):
    """From the cache if neither heddle nor the kernel have changed since."""
    state = hashlib.sha256()
    for path in (common.HEDDLE, kernel.source, kernel.launch):
        with open(path, "rb") as file:
            state.update(file.read())
    path = os.path.join(CACHE, f"{kernel.name}-{kernel.language}-{machine}-{state.hexdigest()[:16]}.json")
    if not os.path.exists(path):
        os.makedirs(CACHE, exist_ok=True)
        result = simulate(kernel.source, kernel.launch, machine)
        if isinstance(result, str):
            return result
        with open(path, "w", encoding="utf-8") as file:
            json.dump(result, file)
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def clone(profile, folder, loop, grid):
    done = common.heddle("clone", profile, "-o", folder, "-q", "--factor", loop, "--grid-factor",
                         grid, check=False)
    return done.errors.strip().splitlines()[-1] if done.status else ""


def reduction(profile, options):
    """Factors of the smaller clone: (loops, grid)."""
    with open(profile, encoding="utf-8") as file:
        behavior = json.load(file)["behavior"]
    longest = max([loop["MeanTrips"] for loop in behavior["Loops"]], default=0)
    factor = 1
    while longest / (factor * 2) >= options.min_trips:
        factor *= 2
    if factor >= 4:
        return factor, 1
    blocks = behavior["Grid"]["X"] * behavior["Grid"]["Y"] * behavior["Grid"]["Z"]
    factor = 1
    while blocks / (factor * 2) >= options.min_blocks:
        factor *= 2
    return 1, factor


def miss_rate(result):
    l1 = result["l1"] or {}
    return 1 - l1.get("hits", 0) / l1["accesses"] if l1.get("accesses") else 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernel", action="append", help="only this kernel (repeatable)")
    parser.add_argument("--machine", action="append", help="only this machine (repeatable)")
    parser.add_argument("--min-trips", type=int, default=8, help="that the longest loop keeps")
    parser.add_argument("--min-blocks", type=int, default=448, help="that a reduced grid keeps")
    parser.add_argument("--size", default="large", choices=["test", "large"])
    options = parser.parse_args()
    machines = options.machine or MACHINES

    rows, failed = [], []
    estimates = {}
    for kernel in common.kernels(options.size, names=options.kernel):
        with tempfile.TemporaryDirectory() as folder:
            profile = os.path.join(folder, "profile.json")
            done = common.heddle("profile", "--behavior", kernel.source, "--launch", kernel.launch,
                                 "-q", "-o", profile, check=False)
            if done.status != 0:
                failed.append((kernel, done.errors.strip().splitlines()[-1]))
                continue
            loop, grid = reduction(profile, options)
            if loop * grid < 4:
                failed.append((kernel, "neither loops nor grid are long enough to cut"))
                continue
            places = []
            for half in (1, 2):
                places.append(os.path.join(folder, str(half)))
                why = clone(profile, places[-1], max(loop // half, 1), max(grid // half, 1))
                if why:
                    break
            if why:
                failed.append((kernel, why))
                continue
            for machine in machines:
                full = original(kernel, machine)
                pair = [simulate(os.path.join(place, "clone.ptx"),
                                 os.path.join(place, "clone.launch.yaml"), machine)
                        for place in places]
                wrong = [result for result in (full, *pair) if isinstance(result, str)]
                if wrong:
                    failed.append((f"{kernel} on {machine}", wrong[0]))
                    continue
                small, large = pair
                work = large["warp_instructions"] - small["warp_instructions"]
                slope = (large["cycles"] - small["cycles"]) / work if work else 0
                cycles = large["cycles"] + slope * (full["warp_instructions"] - large["warp_instructions"])
                ipc = full["warp_instructions"] / cycles if cycles > 0 else 0.0
                rows.append([kernel.name, kernel.language, machine,
                             f"loops / {loop}" if loop > 1 else f"grid / {grid}",
                             full["warp_instructions"] / 1e6,
                             full["seconds"] / max(small["seconds"], 1e-6),
                             full["seconds"] / max(small["seconds"] + large["seconds"], 1e-6),
                             full["ipc"], 100 * (small["ipc"] / full["ipc"] - 1),
                             100 * (ipc / full["ipc"] - 1),
                             100 * (miss_rate(small) - miss_rate(full))])
                estimates.setdefault(repr(kernel), []).append((full["cycles"], cycles))
                print(f"{kernel} {machine}: {rows[-1][6]:.1f}x, IPC error of the small clone "
                      f"{rows[-1][8]:.1f} %, of both {rows[-1][9]:.1f} %", file=sys.stderr)

    report = common.Report("minibench", "Clones against originals")
    report.say("Two clones per kernel, against the original in the same timing model: the trip counts "
               f"divided as far as the longest loop keeps {options.min_trips} iterations, or, where "
               f"that is less than by 4, the grid as far as {options.min_blocks} thread blocks stay; "
               "and a second one reduced half as far. *One*: the first clone alone, its IPC taken for "
               "the original's, as the paper does. *Both*: cycles of the whole from the line through "
               "both. Speed-ups are of the model's CPU time, errors in percent, L1 in percentage points.")
    columns = ["kernel", "language", "machine", "cut", "M warp instructions", "speed-up one",
               "speed-up both", "IPC", "error one", "error both", "L1 miss rate error"]
    report.table(columns, rows)
    report.csv(columns, rows)
    groups = (("All", rows), ("Loops cut", [r for r in rows if r[3].startswith("loops")]),
              ("Grid cut", [r for r in rows if r[3].startswith("grid")]))
    for what, chosen in groups:
        if not chosen:
            continue
        for name, speed, error in (("one", 5, 8), ("both", 6, 9)):
            harmonic = len(chosen) / sum(1 / r[speed] for r in chosen)
            errors = sorted(abs(r[error]) for r in chosen)
            report.say(f"{what}, {name} ({len(chosen)} simulations): harmonic-mean speed-up {harmonic:.1f}, "
                       f"IPC error mean {sum(errors) / len(errors):.1f} %, median "
                       f"{errors[len(errors) // 2]:.1f} %, worst {errors[-1]:.1f} %.")
    if len(machines) > 1 and estimates:
        def rank(pairs, which):
            return sorted(range(len(pairs)), key=lambda i: pairs[i][which])
        alike = sum(rank(pairs, 0) == rank(pairs, 1) for pairs in estimates.values())
        report.say(f"The machines rank alike by cycles for {alike} of {len(estimates)} kernels.")
    for name, why in failed:
        report.say(f"Not in the table: {name}: {why}")
    report.write()


if __name__ == "__main__":
    main()
