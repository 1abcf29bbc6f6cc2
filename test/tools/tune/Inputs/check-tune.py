"""Checks the JSON of `heddle tune`: usage: check-tune.py TUNE.json"""

import json
import sys

r = json.load(open(sys.argv[1], encoding="utf-8"))
assert r["schema"] == "tune/1" and r["kernel"] == "rows" and r["unrolled_loops"] == [4]
tried = r["configurations"]
given = [c for c in tried if c["as_given"]]
assert len(given) == 1 and given[0]["status"] == "simulated" and given[0]["unroll"] == 0
simulated = [c for c in tried if c["status"] == "simulated"]
assert len(simulated) == 3  # the best two and the launch as given
assert [c["simulate_us"] for c in simulated] == sorted(c["simulate_us"] for c in simulated)
assert tried[: len(simulated)] == simulated
# All cover the same threads.
assert all(c["grid"][0] * c["block"][0] == 65536 for c in tried)
sizes = {c["block"][0] for c in tried}
assert sizes == {32, 64, 128, 256, 512, 1024}, sizes
assert {c["unroll"] for c in tried} == {0, 1, 4}
# 32 threads a block leave half of the warps of an SM empty: some other size is faster.
assert simulated[0]["simulate_us"] < given[0]["simulate_us"]
