"""An interrupted study: what was done, and what was not, and nothing twice.

usage: partial.py RESULT.json"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    result = json.load(file)
assert result["truncated"] is True and result["cycles"] > 0
left = result["not_estimated"]
done = [row["change"] for row in result.get("what_if", [])]
assert not set(done) & set(left)
if left != ["what was asked for beside the estimate"]:
    changes = [change for change in done + left if change.startswith("clock.core=")]
    assert changes == [f"clock.core={1000 + i / 10:g}" for i in range(10000)], (len(done), len(left))
