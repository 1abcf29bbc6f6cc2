"""What decided a search for clones is in its result.

usage: decided.py OF-PROFILE OF-KERNEL PROJECTED"""

import json
import sys

profile, kernel, projected = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
assert profile["machine"] == {"name": "minibench-8sm", "what_if": False, "overrides": {}}
assert "launch" not in profile and "code_hash" not in profile["compiler"]
assert kernel["machine"]["overrides"] == {"clock.core": "900"} and kernel["machine"]["file"].endswith("mine8.yaml")
assert projected["machine"] == kernel["machine"] and projected["level"] == "ptx"
assert any("seed" in text for text in kernel["launch"]["args"]), kernel["launch"]
assert len(kernel["compiler"]["code_hash"]) == 16 and kernel["options"] == {"error": 3}
for result, files in (profile, 1), (kernel, 1), (projected, 2):
    assert [len(one["sha256"]) for one in result["source"]] == [64] * files, result["source"]
for result in profile, kernel:
    assert result["compiler"]["llvm"].startswith("22."), result["compiler"]
