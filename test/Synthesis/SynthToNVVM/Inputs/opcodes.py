"""Counts the instructions of a PTX entry by opcode: opcodes.py FILE"""

import collections
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
body = text[text.index(".entry"):]
body = re.sub(r"//.*", "", body[body.index("{") + 1:])
counts = collections.Counter(
    match.group(1) for match in re.finditer(r"^\s*(?:@!?%\w+\s+)?([a-z][\w.:]*)(?:\s[^;{]*)?;", body, re.M))
for opcode, count in sorted(counts.items()):
    print(opcode, count)
