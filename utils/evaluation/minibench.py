"""Clones against originals on the machines of GPGPU-MiniBench.

For each kernel and machine heddle clone --verify makes clones from small to large
and simulates them until the lines through them agree. Kernels whose launch says how often their
loops go around, or whose large launch is but a few times what the largest machine
holds at once, run on the launches of utils/evaluation/launches, the others on those
of test/kernels. Simulations of originals are kept in the build folder
until what decides them changes; finished rows until heddle changes. The table is
written if it is whole, that is, without --kernel and --machine."""

import argparse
import hashlib
import json
import os
import re
import shutil
import sys
import tempfile

import common

# The machine on which clones are compared with reduction of the original.
COMPARED = "minibench-28sm"
MACHINES = ["minibench-8sm", "minibench-28sm", "minibench-56sm", "minibench-110sm"]
LAUNCHES = os.path.join(common.ROOT, "utils", "evaluation", "launches")
LEAST_INSTRUCTIONS = 10e6
KEPT = ("cycles", "warp_instructions", "thread_instructions", "ipc", "seconds", "l1", "l2", "dram",
        "spaces", "shared_conflict_cycles", "cpi_stack")
# Archives that have no part in heddle simulate. All else may decide its result.
APART = ("Behavior", "Synthesis", "SynthConversion", "SynthDialect", "Sampling", "Interval",
         "Pipeline", "Record", "Calibration", "CalibrationPTX", "StaticTrace")
SIMULATE = ("SimulateCommand", "CloneCommand")


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


def input_digest(kernel):
    """Of the source, the launch, and the files that it names."""
    folder = os.path.dirname(kernel.launch)
    with open(kernel.launch, encoding="utf-8") as file:
        data = re.findall(r"file: ([^}]*)}", file.read())
    return digest(kernel.source, kernel.launch, *(os.path.join(folder, name.strip()) for name in data))


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write_json(path, value):
    """At once or not at all."""
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(value, file)
    os.rename(path + ".part", path)


def simulator():
    """Digest of the compiled parts of heddle that decide what simulate says."""
    parts = []
    for folder, _, files in os.walk(common.BUILD):
        for name in files:
            stem = name.split(".")[0]
            if name.endswith(".a") and name.startswith("libHeddle"):
                if stem.removeprefix("libHeddle") not in APART:
                    parts.append(os.path.join(folder, name))
            elif name.endswith(".o") and folder.endswith("heddle.dir") and stem in SIMULATE:
                parts.append(os.path.join(folder, name))
    return digest(*sorted(parts))


class Originals:
    """Simulations of originals. With `keep` those of an earlier simulator count."""

    def __init__(self, keep=False):
        self.keep, self.simulator = keep, simulator()
        self.folder = os.path.join(common.BUILD, "evaluation", "originals")
        os.makedirs(self.folder, exist_ok=True)

    def result(self, kernel, machine):
        return self._kept(kernel, machine, "", lambda path: simulate(
            kernel.source, kernel.launch, machine, path))

    def in_place(self, kernel, machine, factor, mode, folder):
        """The same with trip counts cut: after the optimiser ("inplace"), or
        before ("source"). Clones are made once in `folder`."""
        def run(path):
            place = os.path.join(folder, f"{mode}-{factor}")
            if not os.path.exists(place):
                plan = clone(kernel.source, place, "--launch", kernel.launch, "--mode", mode,
                             "--factor", str(factor))
                if isinstance(plan, str):
                    return plan
            return simulate(os.path.join(place, "clone.ptx"), os.path.join(place, "clone.launch.yaml"),
                            machine, path)
        return self._kept(kernel, machine, f"-{mode}-{factor}", run)

    def _kept(self, kernel, machine, what, run):
        path = os.path.join(self.folder, f"{kernel.name}-{machine}{what}-{input_digest(kernel)}.json")
        if os.path.exists(path):
            found = read_json(path)
            if self.keep or found["simulator"] == self.simulator:
                return found["result"]
        with tempfile.TemporaryDirectory() as folder:
            result = run(os.path.join(folder, "r.json"))
        if not isinstance(result, str):
            write_json(path, {"simulator": self.simulator, "result": result})
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
    """Writes the profile to `path`; the message of a failure, or nothing. Kept until heddle changes."""
    kept = common.Cache("profiles").path(f"{kernel.name}-{input_digest(kernel)}.json")
    if not os.path.exists(kept):
        done = common.heddle("profile", "--behavior", kernel.source, "--launch", kernel.launch, "-q",
                             "-o", kept, check=False)
        if done.status:
            return last_line(done)
    shutil.copyfile(kept, path)
    return ""


def clone(source, folder, *options):
    """The plan that clone.json holds, or the message of the failure."""
    done = common.heddle("clone", source, "-o", folder, "-q", *options, check=False)
    if done.status:
        return last_line(done)
    return read_json(os.path.join(folder, "clone.json"))


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
        return read_json(path)["metrics"]


def miss_rate(cache):
    return cache["misses"] / cache["accesses"] if cache and cache["accesses"] else 0.0


def metrics(result):
    shared, loads = result["spaces"]["global"], result["warp_instructions"]
    return {"l1": 100 * miss_rate(result["l1"]), "l2": 100 * miss_rate(result["l2"]),
            "sectors": shared["transactions"] / max(shared["instructions"], 1),
            "conflicts": 1000 * result["shared_conflict_cycles"] / loads,
            "lanes": result["thread_instructions"] / loads,
            "dram": 1000 * result["dram"]["accesses"] / loads}


def projected(whole):
    """The same of what --project gives."""
    def value(name):
        return whole.get(name, {"value": 0.0})["value"]
    return {"l1": 100 * value("l1.miss_rate"), "l2": 100 * value("l2.miss_rate"),
            "sectors": value("global.transactions_per_request"),
            "conflicts": 1000 * value("shared_conflict_cycles") / value("warp_instructions"),
            "lanes": value("active_lanes"),
            "dram": 1000 * value("dram.accesses") / value("warp_instructions")}


def harmonic(values):
    return len(values) / sum(1 / v for v in values) if values else 0.0


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else 0.0


def percent(value, of):
    return 100 * (value / of - 1) if of else 0.0


def search(kernel, folder, machine, error):
    """Clones until lines agree, compared with the original's head: what --json says, and the
    result of the greatest alone. Or the message of a failure."""
    out = os.path.join(folder, "projection.json")
    os.makedirs(folder)
    done = common.heddle("clone", kernel.source, "--launch", kernel.launch, "-o", folder, "--factor", "auto", "--verify", "--error", error,
                         "--gpu", machine, "--json", out, "-q", check=False)
    if done.status:
        return last_line(done)
    found = read_json(out)
    found["greatest"] = read_json(os.path.join(found["simulated"][-1]["folder"], "result.json"))
    return found


def compare(kernel, machine, originals, folder, error):
    """A row: how its clones do. Or the message of a failure."""
    full = originals.result(kernel, machine)
    found = search(kernel, os.path.join(folder, machine), machine, error)
    if isinstance(found, str):
        return found
    clones, whole = found["simulated"], found["metrics"]
    loop, grid = clones[-1]["loop_factor"], clones[-1]["grid_factor"]
    one = found["greatest"]
    before, after = metrics(full), projected(whole)
    others = {}
    if machine == COMPARED and loop > 1:
        for mode in ("inplace", "source"):
            result = originals.in_place(kernel, machine, loop, mode, folder)
            others[mode] = result if isinstance(result, str) else percent(result["ipc"], full["ipc"])
    cut = [f"loops / {loop}"] if loop > 1 else []
    cut += [f"grid / {grid:.3g}"] if grid > 1.01 else []
    return {"kernel": kernel.name, "language": kernel.language,
            "machine": machine.removeprefix("minibench-"), "cut": ", ".join(cut) or "nothing",
            "clones": f"{len(clones)}{'' if found['agree'] else ' *'}",
            "warps": full["warp_instructions"] / 1e6,
            "speedup": full["seconds"] / max(sum(c["seconds"] for c in clones) + found["check"]["seconds"], 1e-6),
            "ipc": full["ipc"], "error": percent(whole["ipc"]["value"], full["ipc"]),
            "one": percent(one["ipc"], full["ipc"]), "expected": 100 * whole["ipc"]["error"],
            "l1": after["l1"] - before["l1"], "l2": after["l2"] - before["l2"],
            "sectors": percent(after["sectors"], before["sectors"]),
            "conflicts": after["conflicts"] - before["conflicts"],
            "lanes": after["lanes"] - before["lanes"],
            "dram": percent(after["dram"], before["dram"]),
            "loops": loop > 1, "cycles": full["cycles"], "projected": whole["cycles"]["value"],
            "seconds": full["seconds"], **others}


COLUMNS = {"kernel": "kernel", "language": "language", "machine": "machine", "cut": "cut",
           "clones": "clones", "warps": "M warp instructions", "speedup": "speed-up", "ipc": "IPC", "error": "IPC error",
           "one": "one", "expected": "expected", "l1": "L1", "l2": "L2", "sectors": "sectors",
           "conflicts": "conflicts", "lanes": "lanes", "dram": "DRAM"}


def summary(name, rows):
    """A line of the table of means, as figures 16 to 20 of the paper give them."""
    def distance(key):
        return mean(abs(r[key]) for r in rows)
    errors = sorted(abs(r["error"]) for r in rows)
    return [name, len(rows), harmonic([r["speedup"] for r in rows]), max(r["speedup"] for r in rows),
            mean(errors), errors[len(errors) // 2], errors[-1], distance("one"), distance("l1"),
            distance("l2"), distance("sectors"), distance("conflicts"), distance("lanes"),
            distance("dram")]


def ranking(rows):
    """Machines of one kernel from the fastest, by `key`; those that the original's
    times cannot tell apart (less than 1 % from the next) in the original's order."""
    truth = sorted(rows, key=lambda r: r["cycles"])
    wrong = [(a, b) for i, a in enumerate(truth) for b in truth[i + 1:]
             if b["cycles"] > 1.01 * a["cycles"] and b["projected"] <= a["projected"]]
    return truth, wrong


def write_comparison(report, rows):
    """The paper's comparison with reduction in the source, and with cutting the
    optimised code in place."""
    compared = [r for r in rows if isinstance(r.get("source"), float) and isinstance(r.get("inplace"), float)]
    if not compared:
        return
    report.say("## Against reduction of the original\n\nIPC errors, in percent, of single clones with trip counts divided by "
               "the same factor: *synth*, the synthetic clone; *in place*, the original's code after optimisation with "
               "its trip counts cut (`heddle clone --mode inplace`); *source*, cut before it (`--mode source`), so that "
               "the optimiser makes other code of loops that have become short. On "
               f"{COMPARED}. Absolute errors.")
    keys = ("one", "inplace", "source")
    report.table(["kernel", "cut", "synth", "in place", "source"],
                 [[r["kernel"], r["cut"]] + [abs(r[key]) for key in keys] for r in compared])
    errors = {key: [abs(r[key]) for r in compared] for key in keys}
    report.say("All: " + "; ".join(
        f"{name} mean {mean(errors[key]):.1f} %, median {common.median(errors[key]):.1f} %"
        for name, key in (("synth", "one"), ("in place", "inplace"), ("source", "source"))) +
        f"; synth with the line through clones {mean(abs(r['error']) for r in compared):.1f} %.")
    for r in rows:
        for mode in ("inplace", "source"):
            if isinstance(r.get(mode), str):
                report.say(f"Not compared: {r['kernel']} on {r['machine']}, {mode}: {r[mode]}")


def timed_again(rows, kernels, error, count):
    """Of rows evenly spread over the table: [kernel, machine, speed-up, the same with the
    original and its clones simulated one right after the other]."""
    lines = []
    for row in (rows[int((i + 0.5) * len(rows) / count)] for i in range(count)):
        kernel = next(k for k in kernels if k.name == row["kernel"])
        machine = "minibench-" + row["machine"]
        with tempfile.TemporaryDirectory() as folder:
            full = simulate(kernel.source, kernel.launch, machine, os.path.join(folder, "full.json"))
            found = search(kernel, os.path.join(folder, machine), machine, error)
            if isinstance(full, dict) and isinstance(found, dict):
                seconds = sum(c["seconds"] for c in found["simulated"]) + found["check"]["seconds"]
                lines.append([row["kernel"], row["machine"], row["speedup"], full["seconds"] / seconds])
                print(f"again: {kernel} {machine} {lines[-1][2]:.1f}x, {lines[-1][3]:.1f}x", file=sys.stderr, flush=True)
    return lines


def write_report(rows, failed, machines, again, write):
    report = common.Report("minibench", "Clones against originals")
    report.say("`heddle clone --factor auto --verify` against the original in the same timing model: clones from small to large "
               "(*clones*; `*`: their lines did not agree within the error before they would have cost more than their share of the "
               "original's work), the last three or four of which are projected. *cut*: the greatest of them; *one* takes its IPC "
               "alone for the original's, as the paper does. Speed-ups are of the model's CPU time, for all clones that were "
               "simulated together. IPC errors, expected errors and errors of sectors per "
               "request and of DRAM accesses per instruction are in percent, of miss rates in percentage points, of bank conflicts in "
               "cycles per 1,000 warp instructions, of divergence in active lanes per warp instruction. These machines have no L2.")
    report.say("Launches (`utils/evaluation/launches`, else the large one of `test/kernels`): where arguments or data say "
               "how often a kernel's loops go around, they do so hundreds or thousands of times, and the launch executes "
               "at least 10 M warp instructions; the other kernels have grids of several times what the machines hold at once.")
    report.table(list(COLUMNS.values()), [[row[key] for key in COLUMNS] for row in rows])
    if write:
        report.csv(list(COLUMNS.values()), [[row[key] for key in COLUMNS] for row in rows])

    report.say("## Means\n\nAs in figures 16 to 20 of the paper: harmonic mean of speed-ups, means of absolute errors.")
    lines = []
    for what, group in (("loops cut", [r for r in rows if r["loops"]]),
                        ("others", [r for r in rows if not r["loops"]]), ("all", rows)):
        for machine in [m.removeprefix("minibench-") for m in machines] + ["all"]:
            part = [r for r in group if machine in (r["machine"], "all")]
            if part and not (machine == "all" and len(machines) == 1):
                lines.append(summary(f"{what}, {machine}", part))
    report.table(["kernels, machine", "clones", "speed-up", "greatest", "IPC error", "median", "worst", "one",
                  "L1", "L2", "sectors", "conflicts", "lanes", "DRAM"], lines)
    short = sorted({r["kernel"] for r in rows if r["loops"] and r["warps"] * 1e6 < LEAST_INSTRUCTIONS})
    if short:
        report.say(f"Loops cut in launches below 10 M warp instructions: {', '.join(short)}.")

    write_comparison(report, rows)
    if len(machines) > 1:
        report.say("## Ranking of the machines\n\nFrom the fastest to the slowest, by the original's cycles and by "
                   "the projected ones. `=` joins machines whose originals differ by less than 1 %: their order is not "
                   "counted.")
        lines, kept = [], 0
        for name in dict.fromkeys(r["kernel"] for r in rows):
            mine = [r for r in rows if r["kernel"] == name]
            if len(mine) < len(machines):
                continue
            truth, wrong = ranking(mine)
            order = truth[0]["machine"]
            for a, b in zip(truth, truth[1:]):
                order += (" = " if b["cycles"] <= 1.01 * a["cycles"] else ", ") + b["machine"]
            lines.append([name, order,
                          ", ".join(r["machine"] for r in sorted(mine, key=lambda r: r["projected"])),
                          "; ".join(f"{b['machine']} before {a['machine']}" for a, b in wrong) or "kept"])
            kept += not wrong
        report.table(["kernel", "originals", "clones", "ranking"], lines)
        report.say(f"The ranking is kept for {kept} of {len(lines)} kernels.")
    if again:
        ratio = common.median(new / old for _, _, old, new in again)
        report.say("## Timed again\n\nSimulations of originals are kept, so that they and the clones of the table were made at different "
                   "times and beside other work. Speed-ups of rows evenly spread over the table, with the original and its clones "
                   f"simulated one right after the other: {ratio:.2f} times those of the table (median).")
        report.table(["kernel", "machine", "speed-up", "again"], again)
    for name, why in failed:
        report.say(f"Not in the table: {name}: {why}")
    if write:
        report.write()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernel", action="append", help="only this kernel (repeatable)")
    parser.add_argument("--machine", action="append", choices=MACHINES,
                        help="only this machine (repeatable)")
    parser.add_argument("--error", default="3", help="percent, within which lines agree")
    parser.add_argument("--keep-originals", action="store_true",
                        help="simulations of originals by an earlier build count")
    parser.add_argument("--again", type=int, default=0, metavar="N",
                        help="time N rows again, the original and its clones one right after the other")
    parser.add_argument("--originals", action="store_true", help="only simulate the originals")
    options = parser.parse_args()
    machines = options.machine or MACHINES
    kernels = chosen(options.kernel)
    if not kernels:
        sys.exit(f"no kernel is called {' or '.join(options.kernel)}")
    originals = Originals(options.keep_originals)
    finished = common.Cache("minibench")
    rows, failed, done = [], [], 0
    for kernel in kernels:
        with tempfile.TemporaryDirectory() as folder:
            for machine in machines:
                done += 1
                full = originals.result(kernel, machine)
                key = input_digest(kernel)
                kept = finished.path(f"{kernel.name}-{machine}-{options.error}-{key}.json")
                if options.originals:
                    row = "" if isinstance(full, dict) else full
                elif isinstance(full, str):
                    row = full
                elif os.path.exists(kept):
                    row = read_json(kept)
                else:
                    row = compare(kernel, machine, originals, folder, options.error)
                    if isinstance(row, dict):
                        write_json(kept, row)
                if isinstance(row, dict):
                    rows.append(row)
                    said = (f"{row['cut']}: {row['speedup']:.1f}x, IPC error {row['error']:.1f} %, "
                            f"one clone {row['one']:.1f} %")
                else:
                    said = row or f"{full['seconds']:.2f} s"
                    if row:
                        failed.append((f"{kernel} on {machine}", row))
                print(f"[{done}/{len(kernels) * len(machines)}] {kernel} {machine} {said}",
                      file=sys.stderr, flush=True)
    if rows:
        again = timed_again(rows, kernels, options.error, options.again) if options.again else []
        write_report(rows, failed, machines, again, write=not (options.kernel or options.machine))


if __name__ == "__main__":
    main()
