"""lane-order.py FREE KEPT: whether two dumps say the same up to the lanes of shared memory, where the
first is in ascending order and the second is not."""

import json
import sys

free, kept = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
ascending = others = 0
for a, b in zip(free["blocks"][0]["warps"][0]["events"], kept["blocks"][0]["warps"][0]["events"], strict=True):
    for x, y in zip(a["accesses"], b["accesses"], strict=True):
        if x["space"] == "shared" and "addresses" in x:
            assert x["addresses"] == sorted(y["addresses"]), (x, y)
            ascending += 1
            others += y["addresses"] != x["addresses"]
        else:
            assert x == y, (x, y)
assert ascending > 10 and others > 10, (ascending, others)
