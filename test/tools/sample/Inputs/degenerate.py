"""Samples applications that leave a method nothing to choose from, by every method.

usage: degenerate.py HEDDLE SOURCE APPLICATION...

Prints for each application what all methods say of its error, or what one says else."""

import json
import subprocess
import sys

METHODS = (["tbpoint"], ["tbpoint", "--as-in-paper"], ["tbpoint", "--warm-caches"], ["intervals"],
           ["intervals", "--interval", "sync", "--feature", "KN"], ["random", "--unit", "100"],
           ["systematic", "--unit", "100"], ["simpoint", "--unit", "100"], ["stratified"])

heddle, source, *applications = sys.argv[1:]
for application in applications:
    odd = []
    for method in METHODS:
        run = subprocess.run(
            [heddle, "sample", source, "--launch", application, "--gpu", "fermi-tbpoint", "-q",
             "--compare", "--json", "-", "--method", *method],
            capture_output=True, text=True, timeout=100, check=False)
        if run.returncode:
            odd.append(f"{' '.join(method)}: {run.stderr.strip()}")
            continue
        result = json.loads(run.stdout)
        if not (result["cycles"] > 0 and 0 < result["sample_fraction"] <= 1 and
                abs(result["error"]) < 1e-9):
            odd.append(f"{' '.join(method)}: {result}")
    print(application.rsplit("/", 1)[-1], *(odd or ["exact by all"]))
