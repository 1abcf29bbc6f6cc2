"""What relay's launches take with L2 kept and with cold caches."""
import json
import os
import sys


def load(name):
    with open(os.path.join(sys.argv[1], name + ".json"), encoding="utf-8") as file:
        return json.load(file)


def cycles(name):
    return [launch["cycles"] for launch in load(name)["launches"]]


assert load("small")["caches"] == "l2-kept" and load("small-cold")["caches"] == "cold"
kept, cold = cycles("small"), cycles("small-cold")
assert cold[0::2] == cold[:1] * 3 and cold[1::2] == cold[1:2] * 3, cold
assert kept[0] == cold[0], "the first launch finds nothing"
# 256 KiB that L2 of 1.5 MiB still has.
assert kept[1] < 0.87 * cold[1], (kept, cold)
assert kept[3] == kept[5], "nothing changes any more"
# 4 MiB: what is read first has been replaced.
kept, cold = cycles("large"), cycles("large-cold")
assert 0.8 * cold[1] < kept[1] < 1.5 * cold[1], (kept, cold)
