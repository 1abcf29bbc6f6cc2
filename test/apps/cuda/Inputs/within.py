"""Whether tbpoint's projection is as near to the simulation of every launch as asked.

usage: within.py SAMPLE.json SIMULATED.json SHARE"""

import json
import sys


def cycles(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["cycles"]


sample, whole, share = cycles(sys.argv[1]), cycles(sys.argv[2]), float(sys.argv[3])
if not whole > 0 or abs(sample - whole) > share * whole:
    sys.exit(f"{sample} cycles instead of {whole}")
