"""Holds what `heddle trace export` says it left out against what `heddle simulate` issued.

usage: check-slots.py KIND SAID RESULT_JSON ...
KIND is what the launch has: "guarded" accesses that no lane makes, or "folded" instructions."""

import json
import re
import sys

for kind, said, result in zip(sys.argv[1::3], sys.argv[2::3], sys.argv[3::3]):
    with open(said, encoding="utf-8") as file:
        text = file.read().replace(",", "")
    with open(result, encoding="utf-8") as file:
        issued = json.load(file)["issued_instructions"]

    def count(pattern):
        found = re.search(pattern, text)
        return int(found[1]) if found else 0

    lines = count(r"(\d+) lines")
    guarded = count(r"(\d+) issue slots of accesses")
    folded = count(r"(\d+) folded instructions")
    assert lines, text
    assert {"guarded": guarded, "folded": folded}[kind], text
    assert lines + guarded <= issued <= lines + guarded + folded, (text, issued)
