"""Runs every model on all built-in machines over some kernels; a model that breaks one of
its conditions fails.

A launch NAME-large, on which machines come close to their peaks, is for the fast models only.

usage: conditions.py HEDDLE KERNELS FOLDER NAME..."""

import csv
import os
import subprocess
import sys

MODELS = ["pipeline", "interval", "interval=gpumech"]


def sweep(heddle, source, launch, table, machines, models):
    """Whether all MODELS end well on all MACHINES."""
    database = table + ".db"
    for old in (table, database):
        if os.path.exists(old):
            os.remove(old)
    run = subprocess.run([heddle, "sweep", "--input", source, "--launch", launch, "--vary", "gpu=" + ",".join(machines),
                          "--vary", "model=" + ",".join(models), "--threads", "1", "-o", database, "--csv", table, "-q"],
                         capture_output=True, text=True, check=False)
    rows = []
    if os.path.exists(table):
        with open(table, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    wrong = [row for row in rows if row["status"] != "done"]
    for row in wrong:
        print(launch, row["gpu"], row["model"], row["message"])
    if run.returncode or len(rows) != len(machines) * len(models):
        print(launch, run.returncode, len(rows), run.stderr)
        return False
    return not wrong


def main():
    heddle, kernels, folder, *names = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    listing = subprocess.run([heddle, "gpus"], capture_output=True, text=True, check=True)
    machines = [line.split()[0] for line in listing.stdout.splitlines()[1:]]
    good = len(machines) >= 15
    for launch in names:
        name = launch.removesuffix("-large")
        source = next(s for e in ("cu", "cl")
                      if os.path.exists(s := os.path.join(kernels, name, f"{name}.{e}")))
        models = MODELS if launch != name else [*MODELS, "simulate"]
        good &= sweep(heddle, source, os.path.join(kernels, name, launch + ".yaml"),
                      os.path.join(folder, launch + ".csv"), machines, models)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
