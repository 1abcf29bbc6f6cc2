"""usage: reuse.py BEFORE ONE: the advice on loads of shared memory is what the machine with its field says."""

import json
import sys

before, one = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
lifted = {row["limit"]: row for row in before["advice"]["lifted"]}["loads of shared memory"]
assert lifted["set"] == ["shared.reuse=8"]
assert lifted["cycles"] == one["cycles"] < 0.7 * before["cycles"], (lifted["cycles"], one["cycles"], before["cycles"])
assert one["machine"]["what_if"] and one["machine"]["overrides"] == {"shared.reuse": "8"}, one["machine"]
