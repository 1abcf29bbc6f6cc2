"""Applies the problem matchers of the page on editors to output of the commands.

usage: check-matchers.py UseInAnEditor.md REMARKS ADVICE"""

import json
import re
import sys

page, remarks, advice = (open(path, encoding="utf-8").read() for path in sys.argv[1:])
tasks = json.loads(re.search(r"```json\n(.*?)```", page, re.S).group(1))["tasks"]


def found(task, text):
    pattern = tasks[task]["problemMatcher"]["pattern"]
    regexp = re.compile(pattern["regexp"])
    for line in text.split("\n"):
        if match := regexp.match(line):
            yield {key: match.group(group) for key, group in pattern.items() if key != "regexp"}


lines = list(found(0, remarks))
assert len(lines) >= 5, remarks
assert all(p["file"].endswith("column.cu") and p["severity"] == "remark" and p["code"] == "-Rpass-analysis=heddle" for p in lines), lines
assert any(p["line"] == "10" and "not coalesced" in p["message"] for p in lines), lines
lines = list(found(1, advice))
assert any(p["file"].endswith("k.cu") and p["line"] == "3" and p["code"] == "uncoalesced accesses" and p["message"] for p in lines), advice
