"""Two results that differ in nothing but the time that they took.

usage: same-result.py RESULT.json OTHER.json"""

import json
import sys

first, second = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
for result in first, second:
    result.pop("seconds")
differ = [key for key in first.keys() | second.keys() if first.get(key) != second.get(key)]
assert not differ, differ
