"""Lists the loops of reports (`heddle analyze --json`) that are neither closed nor
attributed to a load, and counts the kernels without any.

usage: attributed.py REPORT..."""

import json
import sys

kernels, good = 0, 0
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    for kernel in report["kernels"]:
        left = [loop for loop in kernel["loops"] if not loop["attributed"]]
        for loop in left:
            print(f"open: {kernel['kernel']} line {loop['line']} ({loop['source']})")
        kernels, good = kernels + 1, good + (not left)
print(f"{good} of {kernels} kernels")
