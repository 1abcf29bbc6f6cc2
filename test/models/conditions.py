"""Runs every model on all built-in machines over some kernels; a model that breaks one of
its conditions ends with status 3.

A launch NAME-large, on which machines come close to their peaks, is for the fast models only.

usage: conditions.py HEDDLE KERNELS FOLDER NAME..."""

import os
import subprocess
import sys

MODELS = ["pipeline", "interval", "interval=gpumech"]


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        print(*command, result.returncode, result.stderr)
    return result.returncode == 0


def main():
    heddle, kernels, folder, *names = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    listing = subprocess.run([heddle, "gpus"], capture_output=True, text=True, check=True)
    machines = [line.split()[0] for line in listing.stdout.splitlines()[1:]]
    good = len(machines) >= 15
    for launch in names:
        name = launch.removesuffix("-large")
        trace = os.path.join(folder, launch + ".trace")
        source = next(s for e in ("cu", "cl")
                      if os.path.exists(s := os.path.join(kernels, name, f"{name}.{e}")))
        file = os.path.join(kernels, name, launch + ".yaml")
        good &= run(heddle, "trace", source, "--launch", file, "--lane-order", "-o", trace, "-q")
        for machine in machines:
            if launch == name:
                good &= run(heddle, "simulate", trace, "--gpu", machine, "-q")
            for model in MODELS:
                good &= run(heddle, "estimate", trace, "--gpu", machine, "--model", model, "-q")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
