"""Clones against originals on the machines of GPGPU-MiniBench.

Two clones of each kernel, one reduced twice as far as the other; heddle clone
--project puts a line through both. Simulations of originals are kept in
build/minibench-cache. Kernels with loops run on the long launches of
utils/evaluation/launches, the others on those of test/kernels."""

import argparse
import hashlib
import json
import os
import sys
import tempfile

import common

MACHINES = ["minibench-8sm", "minibench-28sm", "minibench-56sm", "minibench-110sm"]
CACHE = os.path.join(common.ROOT, "build", "minibench-cache")
LAUNCHES = os.path.join(common.ROOT, "utils", "evaluation", "launches")
KEPT = ("cycles", "warp_instructions", "thread_instructions", "ipc", "seconds", "l1", "l2", "dram",
        "spaces", "shared_conflict_cycles", "cpi_stack")


def last_line(run):
    return (run.errors.strip().splitlines() or [f"exit status {run.status}"])[-1]


def simulate(source, launch, machine, path, extra=()):
    """The result, or the message of the failure; the whole of it is in `path`."""
    done = common.heddle("simulate", source, "--launch", launch, "--gpu", machine, "--json", path,
                         "-q", *extra, check=False)
    if done.status != 0:
        return last_line(done)
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    return {key: result.get(key) for key in KEPT}


def digest(*paths):
    state = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            state.update(file.read())
    return state.hexdigest()[:16]


def original(kernel, machine, keep=False):
    """From the cache if neither heddle nor the kernel have changed since; with
    `keep` heddle may have."""
    build = digest(common.HEDDLE)
    path = os.path.join(CACHE, f"{kernel.name}-{machine}-{digest(kernel.source, kernel.launch)}.json")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
        if keep or found["build"] == build:
            return found["result"]
    os.makedirs(CACHE, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        result = simulate(kernel.source, kernel.launch, machine, os.path.join(folder, "r.json"))
    if not isinstance(result, str):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"build": build, "result": result}, file)
    return result


def chosen(names):
    """One language of each kernel, with its long launch where there is one."""
    found = {}
    for kernel in common.kernels("large", names=names):
        long = os.path.join(LAUNCHES, kernel.name + ".yaml")
        if os.path.exists(long):
            kernel.launch = long
        found.setdefault(kernel.name, kernel)
    return list(found.values())


def profile(kernel, path):
    done = common.heddle("profile", "--behavior", kernel.source, "--launch", kernel.launch, "-q",
                         "-o", path, check=False)
    return last_line(done) if done.status else ""


def clone(profile_path, folder, *options):
    """The plan that clone.json holds, or the message of the failure."""
    done = common.heddle("clone", profile_path, "-o", folder, "-q", *options, check=False)
    if done.status:
        return last_line(done)
    with open(os.path.join(folder, "clone.json"), encoding="utf-8") as file:
        return json.load(file)


def run_clone(folder, machine):
    """Simulates the clone in `folder`; its result stays there for --project."""
    return simulate(os.path.join(folder, "clone.ptx"), os.path.join(folder, "clone.launch.yaml"),
                    machine, os.path.join(folder, "result.json"))


def project(*folders):
    """Metrics of the whole: {name: {"value", "error"}}."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "projection.json")
        done = common.heddle("clone", "--project", *folders, "--json", path, "-q", check=False)
        if done.status:
            return last_line(done)
        with open(path, encoding="utf-8") as file:
            return json.load(file)["metrics"]


def miss_rate(cache):
    return cache["misses"] / cache["accesses"] if cache and cache["accesses"] else 0.0


def metrics(result):
    shared, loads = result["spaces"]["global"], result["warp_instructions"]
    return {"l1": 100 * miss_rate(result["l1"]), "l2": 100 * miss_rate(result["l2"]),
            "sectors": shared["transactions"] / max(shared["instructions"], 1),
            "conflicts": 1000 * result["shared_conflict_cycles"] / loads,
            "lanes": result["thread_instructions"] / loads,
            "dram": 1000 * result["dram"]["accesses"] / loads}


def harmonic(values):
    return len(values) / sum(1 / v for v in values) if values else 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernel", action="append", help="only this kernel (repeatable)")
    parser.add_argument("--machine", action="append", help="only this machine (repeatable)")
    parser.add_argument("--error", default="3", help="percent, for the automatic factor")
    parser.add_argument("--keep-originals", action="store_true",
                        help="simulations of originals by an earlier build count")
    parser.add_argument("--originals", action="store_true", help="only simulate the originals")
    options = parser.parse_args()
    machines = options.machine or MACHINES
    if options.originals:
        for machine in machines:
            for kernel in chosen(options.kernel):
                result = original(kernel, machine, options.keep_originals)
                print(kernel, machine, result if isinstance(result, str) else result["seconds"],
                      file=sys.stderr, flush=True)
        return

    rows, failed, ranks = [], [], {}
    for kernel in chosen(options.kernel):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "profile.json")
            why = profile(kernel, path)
            if why:
                failed.append((kernel, why))
                continue
            for machine in machines:
                full = original(kernel, machine, options.keep_originals)
                small, large = (os.path.join(folder, f"{machine}-{half}") for half in (1, 2))
                plan = clone(path, small, "--factor", "auto", "--error", options.error, "--gpu", machine)
                wrong = full if isinstance(full, str) else plan if isinstance(plan, str) else ""
                if not wrong:
                    loop, grid = plan["loop_factor"], plan["blocks"]
                    other = clone(path, large, "--factor", str(max(loop // 2, 1)),
                                  *(["--blocks", str(2 * grid)] if plan["grid_factor"] > 1 else []))
                    wrong = other if isinstance(other, str) else ""
                if wrong:
                    failed.append((f"{kernel} on {machine}", wrong))
                    continue
                same = other["expected_scale"] >= plan["expected_scale"] * 0.99
                one = run_clone(small, machine)
                two = None if same or isinstance(one, str) else run_clone(large, machine)
                whole = one if isinstance(one, str) else two if isinstance(two, str) else \
                    project(small, *([] if same else [large]))
                if isinstance(whole, str):
                    failed.append((f"{kernel} on {machine}", whole))
                    continue
                seconds = one["seconds"] + (two["seconds"] if two else 0.0)
                ipc = whole["ipc"]["value"]
                before, after = metrics(full), metrics(two or one)
                cut = " ".join(filter(None, [f"loops / {loop}" if loop > 1 else "",
                                             f"grid / {plan['grid_factor']:.3g}"
                                             if plan["grid_factor"] > 1 else ""])) or "nothing"
                rows.append([kernel.name, kernel.language, machine.removeprefix("minibench-"), cut,
                             full["warp_instructions"] / 1e6, full["seconds"] / max(seconds, 1e-6),
                             full["ipc"], 100 * (ipc / full["ipc"] - 1),
                             100 * (one["ipc"] / full["ipc"] - 1), 100 * whole["ipc"]["error"],
                             after["l1"] - before["l1"], after["l2"] - before["l2"],
                             100 * (after["sectors"] / max(before["sectors"], 1e-9) - 1),
                             after["conflicts"] - before["conflicts"],
                             after["lanes"] - before["lanes"], plan["loops_long"]])
                ranks.setdefault(kernel.name, []).append((full["cycles"], whole["cycles"]["value"]))
                print(f"{kernel} {machine} {cut}: {rows[-1][5]:.1f}x, IPC error {rows[-1][7]:.1f} %, "
                      f"one clone {rows[-1][8]:.1f} %", file=sys.stderr, flush=True)

    report = common.Report("minibench", "Clones against originals")
    report.say("Two clones per kernel and machine, `--factor auto` and one that is cut half as far, against the "
               "original in the same timing model. IPC is projected from both by `heddle clone --project`; *one* "
               "takes the IPC of the smaller clone alone for the original's, as the paper does. Speed-ups are of the "
               "model's CPU time, for both clones together. IPC errors, expected errors and errors of sectors per "
               "request are in percent, of miss rates in percentage points, of bank conflicts in cycles per 1,000 warp "
               "instructions, of divergence in active lanes per warp instruction. These machines have no L2.")
    columns = ["kernel", "language", "machine", "cut", "M warp instructions", "speed-up", "IPC",
               "IPC error", "one", "expected", "L1", "L2", "sectors", "conflicts", "lanes"]
    report.table(columns, [row[:-1] for row in rows])
    report.csv(columns, [row[:-1] for row in rows])
    groups = (("Kernels with long loops", [r for r in rows if r[-1]]),
              ("Kernels without", [r for r in rows if not r[-1]]), ("All", rows))
    for what, group in groups:
        if group:
            errors = sorted(abs(r[7]) for r in group)
            alone = [abs(r[8]) for r in group]
            report.say(f"{what} ({len(group)} simulations of {len({r[0] for r in group})} kernels): harmonic-mean "
                       f"speed-up {harmonic([r[5] for r in group]):.1f}; IPC error mean "
                       f"{sum(errors) / len(errors):.1f} %, median {errors[len(errors) // 2]:.1f} %, worst "
                       f"{errors[-1]:.1f} %; of one clone mean {sum(alone) / len(alone):.1f} %.")
    whole = {name: pairs for name, pairs in ranks.items() if len(pairs) == len(machines) > 1}
    if whole:
        def rank(pairs, which):
            return sorted(range(len(pairs)), key=lambda i: pairs[i][which])
        other = [name for name, pairs in whole.items() if rank(pairs, 0) != rank(pairs, 1)]
        report.say(f"The machines rank alike by cycles for {len(whole) - len(other)} of {len(whole)} kernels"
                   + (f"; not for {', '.join(other)}." if other else "."))
    for name, why in failed:
        report.say(f"Not in the table: {name}: {why}")
    report.write()


if __name__ == "__main__":
    main()
