"""Cycles of atomics of whole warps at one address: one_lane.py HEDDLE SOURCE."""

import json
import subprocess
import sys

HEDDLE, SOURCE = sys.argv[1:]
LAUNCHES = {
    "count": ["--arg", "u32[1]=zero", "--arg", "u32=256"],
    "ticket": ["--arg", "u32[1]=zero", "--arg", "u32[256]", "--arg", "u32=3"],
    "floats": ["--arg", "f32[1]=zero"],
}


def cycles(*command):
    run = subprocess.run([HEDDLE, *command, "-q", "--json", "-"], capture_output=True, text=True,
                         check=False)
    if run.returncode:
        sys.exit(run.stderr)
    return json.loads(run.stdout)["cycles"]


for kernel, arguments in LAUNCHES.items():
    launch = [SOURCE, "--kernel", kernel, "--grid", "64", "--block", "256", "--gpu", "a100",
              *arguments]
    found = [cycles("simulate", *launch), cycles("estimate", *launch),
             cycles("estimate", "--model", "interval", *launch)]
    print(kernel, "beyond" if min(found) > 10000 else "within" if max(found) < 5000 else "apart", found)
