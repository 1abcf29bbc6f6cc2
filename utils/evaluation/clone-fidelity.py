"""Unreduced clones against originals: what behaviour profile and plan get wrong
before anything is cut.

Every kernel with the large launch of test/kernels, or, with --long, that of
utils/evaluation/launches where there is one. Simulations of originals are kept
in the build folder as minibench keeps them. The table is written if it is
whole, that is, without --kernel, --machine and --long."""

import argparse
import os
import sys
import tempfile

import common
import minibench

MACHINE = "minibench-28sm"


def kernels(names, long):
    """One language of each kernel."""
    if long:
        return minibench.chosen(names)
    found = {}
    for size in ("large", "test"):
        for kernel in common.kernels(size, names=names):
            found.setdefault(kernel.name, kernel)
    return [found[name] for name in sorted(found)]


def hit_rate(cache):
    return 100 * cache["hits"] / cache["accesses"] if cache and cache["accesses"] else 0.0


def row(kernel, machine, originals):
    """How the clone does, or the message of a failure."""
    full = originals.result(kernel, machine)
    if isinstance(full, str):
        return full
    with tempfile.TemporaryDirectory() as folder:
        path, place = os.path.join(folder, "profile.json"), os.path.join(folder, "clone")
        why = minibench.profile(kernel, path)
        plan = why or minibench.clone(path, place)
        one = plan if isinstance(plan, str) else minibench.run_clone(place, machine)
    if isinstance(one, str):
        return one
    before, after = minibench.metrics(full), minibench.metrics(one)

    def requests(result):
        return result["spaces"]["global"]["instructions"]
    return {"kernel": kernel.name, "language": kernel.language, "machine": machine.removeprefix("minibench-"),
            "warps": full["warp_instructions"] / 1e6, "ipc": full["ipc"],
            "error": minibench.percent(one["ipc"], full["ipc"]),
            "cycles": minibench.percent(one["cycles"], full["cycles"]),
            "instructions": minibench.percent(one["warp_instructions"], full["warp_instructions"]),
            "requests": minibench.percent(requests(one), requests(full)),
            "lanes": after["lanes"] - before["lanes"],
            "sectors": minibench.percent(after["sectors"], before["sectors"]),
            "conflicts": after["conflicts"] - before["conflicts"],
            "l1": hit_rate(one["l1"]) - hit_rate(full["l1"]),
            "dram": minibench.percent(after["dram"], before["dram"]),
            "drawn": plan["accesses"]["drawn"], "accesses": plan["accesses"]["affine"] + plan["accesses"]["drawn"]}


COLUMNS = {"kernel": "kernel", "language": "language", "machine": "machine", "warps": "M warp instructions",
           "ipc": "IPC", "error": "IPC error", "cycles": "cycles", "instructions": "instructions",
           "requests": "requests", "lanes": "lanes", "sectors": "sectors", "conflicts": "conflicts", "l1": "L1",
           "dram": "DRAM", "drawn": "drawn", "accesses": "accesses"}


def write_report(rows, failed, write):
    report = common.Report("clone-fidelity", "Unreduced clones against originals")
    report.say("A synthetic clone of which nothing is cut, against its original in the same timing model, with the large "
               "launches of `test/kernels`. Errors of IPC, cycles, warp instructions, requests to global memory, "
               "sectors per request and DRAM accesses per instruction are in percent; *lanes* are active lanes per warp "
               "instruction, *conflicts* cycles of bank conflicts per 1,000 warp instructions, *L1* the hit rate in "
               "percentage points; *drawn* of the *accesses* follow no function.")
    report.table(list(COLUMNS.values()), [[r[key] for key in COLUMNS] for r in rows])
    if write:
        report.csv(list(COLUMNS), [[r[key] for key in COLUMNS] for r in rows])
    errors = {key: [abs(r[key]) for r in rows] for key in ("error", "sectors", "l1", "conflicts", "lanes")}
    report.say(f"{len(rows)} clones. Means of absolute errors: IPC {minibench.mean(errors['error']):.2f} % (median "
               f"{common.median(errors['error']):.2f} %, worst {max(errors['error']):.1f} %), sectors "
               f"{minibench.mean(errors['sectors']):.2f} %, L1 {minibench.mean(errors['l1']):.2f} points, conflicts "
               f"{minibench.mean(errors['conflicts']):.2f}, lanes {minibench.mean(errors['lanes']):.3f}.")
    for kernel, why in failed:
        report.say(f"Not in the table: {kernel}: {why}")
    if write:
        report.write()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernel", action="append", help="only this kernel (repeatable)")
    parser.add_argument("--machine", action="append", choices=minibench.MACHINES,
                        help=f"on this machine (repeatable); otherwise {MACHINE}")
    parser.add_argument("--long", action="store_true", help="the launches that minibench takes")
    parser.add_argument("--keep-originals", action="store_true",
                        help="simulations of originals by an earlier build count")
    options = parser.parse_args()
    chosen = kernels(options.kernel, options.long)
    if not chosen:
        sys.exit(f"no kernel is called {' or '.join(options.kernel)}")
    originals = minibench.Originals(options.keep_originals)
    rows, failed = [], []
    for kernel in chosen:
        for machine in options.machine or [MACHINE]:
            found = row(kernel, machine, originals)
            if isinstance(found, dict):
                rows.append(found)
            else:
                failed.append((f"{kernel} on {machine}", found))
            print(f"{kernel} {machine}: {found if isinstance(found, str) else round(found['error'], 2)}",
                  file=sys.stderr, flush=True)
    if rows:
        write_report(rows, failed, write=not (options.kernel or options.machine or options.long))


if __name__ == "__main__":
    main()
