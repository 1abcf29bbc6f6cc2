"""Stated errors of clones on kernels that no rule was fitted to.

Kernels and launches are drawn by a seed (composed/kernels.py): the hash of the
commit that last changed how clones are made or judged. A kernel that the machine
itself cannot take, since a block of it needs more than an SM has, has no cycles to
compare with: it is drawn again from "NUMBER.1" and so on, which is fixed before
any clone is made, and the page says which numbers were. Options: --seed TEXT,
--kernels N (20), --gpu NAME (minibench-28sm), --only NUMBER, --no-write."""

import argparse
import json
import os
import statistics
import subprocess
import sys

import common
from composed import kernels

PATHS = ("runtime/synthesis", "runtime/behavior", "tools/heddle/CloneSearchRun.cpp")


def last_change():
    text = subprocess.run(["git", "log", "-1", "--format=%H", "--", *PATHS], cwd=common.ROOT, capture_output=True,
                          text=True, check=False).stdout
    return text[:12] or "1"


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


MOST_DRAWS = 8


def draw(number, seed, gpu, cache):
    """The first of a number's draws that the machine takes: [folder, options of commands, its name]."""
    for again in range(MOST_DRAWS):
        name = f"{number}.{again}" if again else str(number)
        folder = cache.path(f"{seed}-{name}")
        source, launch = kernels.write(folder, f"{seed}/{name}", common.heddle)
        where, whole = [source, "--launch", launch, "--gpu", gpu, "-q"], os.path.join(folder, f"{gpu}.json")
        run = None if os.path.exists(whole) else common.heddle("simulate", *where, "--isa", "ptx", "--json", whole, check=False)
        if not run or run.status == 0:
            return folder, where, name
        if "a block needs" not in run.errors:  # Occupancy.cpp
            break
    sys.exit(f"kernel {name} of seed {seed}: {run.errors}")


def compare(number, seed, gpu, cache):
    """A row: what clones say of a drawn kernel, and what is so."""
    folder, where, name = draw(number, seed, gpu, cache)
    whole, search = os.path.join(folder, f"{gpu}.json"), os.path.join(folder, f"{gpu}-clones.json")
    if not os.path.exists(search):
        common.heddle("clone", *where, "--factor", "auto", "--verify", "-o", os.path.join(folder, "clones"), "--json", search,
                      check=False)
    full = read(whole)
    row = {"kernel": name, "instructions": full["warp_instructions"] / 1e6, "ipc": full["ipc"], "error": None,
           "stated": None, "speedup": None}
    if not os.path.exists(search):
        return {**row, "correction": None, "work": None, "holds": "refused", "l1": None}
    found = read(search)
    check, clones = found.get("check"), found["simulated"]
    row["correction"] = check["correction"] if check else None
    row["work"] = 1 / (sum(c["share"] for c in clones) + (check["share"] if check else 0))
    # The time of a short head is what is left of a measured and an estimated one: it may be nothing.
    if not check or check["seconds"] > 0:
        row["speedup"] = full["seconds"] / (sum(c["seconds"] for c in clones) + (check["seconds"] if check else 0))
    if "metrics" not in found:
        return {**row, "holds": "refused", "l1": None}
    cycles, l1 = found["metrics"]["cycles"], found["metrics"].get("l1.miss_rate")
    row["error"], row["stated"] = 100 * (cycles["value"] / full["cycles"] - 1), 100 * cycles["error"]
    row["holds"] = "yes" if abs(row["error"]) <= row["stated"] else "no"
    row["l1"] = 100 * (l1["value"] - full["l1"]["misses"] / full["l1"]["accesses"]) if l1 and full["l1"]["accesses"] else None
    return row


COLUMNS = {"kernel": "kernel", "instructions": "M warp instructions", "ipc": "IPC", "work": "fewer instructions",
           "speedup": "speed-up", "correction": "correction", "error": "error %", "stated": "stated %", "holds": "holds",
           "l1": "L1 miss rate, points"}


def summary(rows):
    told = [r for r in rows if r["error"] is not None]
    held = sum(r["holds"] == "yes" for r in told)
    if not told:
        return "No kernel has a projection."
    errors = [abs(r["error"]) for r in told]
    return (f"{len(rows)} kernels, of which {len(rows) - len(told)} were refused. The stated error holds for {held} of {len(told)}; its "
            f"median is {statistics.median(r['stated'] for r in told):.1f} %. Errors of cycles: mean {statistics.mean(errors):.1f} %, "
            f"median {statistics.median(errors):.1f} %, worst {max(errors):.1f} %. Harmonic means: "
            f"{statistics.harmonic_mean([r['work'] for r in told]):.1f} times fewer instructions, "
            f"{statistics.harmonic_mean([r['speedup'] for r in told if r['speedup']]):.1f} times less CPU time.")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed")
    parser.add_argument("--kernels", type=int, default=20)
    parser.add_argument("--gpu", default="minibench-28sm")
    parser.add_argument("--only", type=int)
    parser.add_argument("--no-write", action="store_true")
    options = parser.parse_args()
    seed, cache = options.seed or last_change(), common.Cache("clone-errors")
    rows = []
    for number in range(options.kernels) if options.only is None else [options.only]:
        rows.append(compare(number, seed, options.gpu, cache))
        print({key: round(v, 2) if isinstance(v, float) else v for key, v in rows[-1].items()}, file=sys.stderr, flush=True)
    report = common.Report("clone-errors", "Stated errors of clones on kernels never seen")
    report.say(f"`heddle clone --factor auto --verify --gpu {options.gpu}` on {len(rows)} kernels drawn by the seed `{seed}` "
               "(`utils/evaluation/composed/kernels.py`): the hash of the commit that last changed how clones are made or judged. "
               "*Fewer instructions*: those of the original over those of all clones and of both heads. *Correction*: what the "
               "heads say that the clones' cycles are to be multiplied with. *Holds*: whether the error is within the stated one.")
    again = [r["kernel"] for r in rows if "." in r["kernel"]]
    report.say("A kernel that the machine itself cannot take, since a block of it needs more than an SM has, is drawn again; "
               f"that befell {len(again)} of {len(rows)} numbers{': ' + ', '.join(again) if again else ''}.")
    table = [["-" if r[key] is None else r[key] for key in COLUMNS] for r in rows]
    report.table(list(COLUMNS.values()), table)
    report.say(summary(rows))
    if not options.no_write and options.only is None:
        report.csv(list(COLUMNS), table)
        report.write()


if __name__ == "__main__":
    main()
