"""usage: compare.py ORIGINAL CLONE: results of heddle simulate whose instructions, lanes, requests, sectors per
request and bank conflicts must be alike. Prints `alike`, or what differs."""

import json
import sys

LIMITS = {"warp instructions": 0.03, "lanes": 0.03, "global requests": 0.01, "sectors": 0.03, "conflicts": 0.05,
          "cycles": 0.15}


def metrics(path):
    with open(path, encoding="utf-8") as file:
        r = json.load(file)
    memory = r["spaces"]["global"]
    return {"warp instructions": r["warp_instructions"], "lanes": r["thread_instructions"] / r["warp_instructions"],
            "global requests": memory["instructions"], "sectors": memory["transactions"] / memory["instructions"],
            "conflicts": r["shared_conflict_cycles"], "cycles": r["cycles"]}


before, after = metrics(sys.argv[1]), metrics(sys.argv[2])
wrong = [f"{name}: {before[name]:.6g} became {after[name]:.6g}" for name, limit in LIMITS.items()
         if abs(after[name] - before[name]) > limit * before[name]]
print("\n".join(wrong) or "alike")
