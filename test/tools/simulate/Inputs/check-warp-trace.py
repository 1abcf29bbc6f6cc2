"""Checks a Chrome trace of `heddle simulate --perfetto`: its form, that the slices of each
row follow one another, that every SM has rows, and its size.

usage: check-warp-trace.py FILE MAX_BYTES SMS [RESULT]
SMS: at least so many; RESULT: `simulate --json` of the same run, whose warp cycles the
slices must hold, all and no more."""

import collections
import json
import os
import sys

path, max_bytes, sms = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
assert os.path.getsize(path) <= max_bytes, f"{os.path.getsize(path)} bytes"
trace = json.load(open(path, encoding="utf-8"))
assert set(trace) == {"displayTimeUnit", "otherData", "traceEvents"}
resolution = trace["otherData"]["resolution_cycles"]
every = trace["otherData"]["every_nth_sm"]
assert resolution & (resolution - 1) == 0 and every & (every - 1) == 0

ends, total, named = {}, 0, set()
counters = collections.defaultdict(lambda: -1)
for event in trace["traceEvents"]:
    kind, pid = event["ph"], event["pid"]
    assert isinstance(pid, int) and pid % every == 0
    if kind == "M":
        named.add((pid, event.get("tid")))
    elif kind == "C":
        assert event["ts"] > counters[pid], "counter goes back"
        counters[pid] = event["ts"]
        assert 0 <= event["args"]["ipc"] <= 8
    else:
        assert kind == "X", kind
        row = (pid, event["tid"])
        assert row in named and (pid, None) in named, f"row {row} has no name"
        assert event["dur"] > 0 and event["ts"] >= ends.get(row, 0), f"slices of {row} overlap"
        assert event["ts"] % resolution == 0 and event["dur"] % resolution == 0
        ends[row] = event["ts"] + event["dur"]
        total += event["dur"]
        assert {"block", "warp"} <= set(event["args"])
assert len({pid for pid, _ in ends}) >= sms, f"{len({pid for pid, _ in ends})} SMs"
if len(sys.argv) > 4:
    result = json.load(open(sys.argv[4], encoding="utf-8"))
    cycles = sum(sum(i["cycles"].values()) for i in result["instructions"])
    assert total == cycles, f"{total} warp cycles instead of {cycles}"
