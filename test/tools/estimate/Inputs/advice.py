"""usage: advice.py BEFORE AFTER: the gain without bank conflicts is that of the second kernel, which has none."""

import json
import sys

before, after = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
lifted = {row["limit"]: row for row in before["advice"]["lifted"]}
said = lifted["bank conflicts"]["speed_up"]
real = before["cycles"] / after["cycles"]
assert before["advice"]["lifted"][0]["limit"] == "bank conflicts", "it is the largest gain"
assert before["advice"]["cycles"] == before["cycles"]
assert abs(said / real - 1) < 0.02, (said, real)
assert lifted["bank conflicts"]["set"] == ["shared.conflict_free=true"]
assert "bank conflicts" not in {row["limit"] for row in after["advice"]["lifted"]}
assert all(a["cycles"] <= b["cycles"] for a, b in
           zip(before["advice"]["lifted"], before["advice"]["lifted"][1:])), "best first"
