"""usage: check-dump.py JSON: whether a dump of vector_add is what it should be."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    dump = json.load(file)
assert dump["tool"] == "heddle" and dump["kernel"] == "vector_add", dump.keys()
assert dump["grid"] == [782, 1, 1] and dump["block"] == [256, 1, 1]
assert [block["index"] for block in dump["blocks"]] == list(range(782))
touched = {0: set(), 1: set(), 2: set()}
for block in dump["blocks"]:
    assert len(block["warps"]) == 8
    for warp in block["warps"]:
        for event in warp["events"]:
            for access in event["accesses"]:
                assert access["space"] == "global" and access["bytes"] == 4
                assert access["store"] == (access["memory"] == 2)
                for lane in range(32):
                    if access["lanes"] >> lane & 1:
                        touched[access["memory"]].add(access["base"] + lane * access["stride"])
for addresses in touched.values():
    # Each element once: 200,000 consecutive ones.
    assert len(addresses) == 200000
    assert max(addresses) - min(addresses) == 4 * 199999
