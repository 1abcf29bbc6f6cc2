"""Whether tbpoint's projection is as near to the full simulation as asked.

usage: within.py SAMPLE.json SHARE"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    sample = json.load(file)
if not sample["full_cycles"] > 0 or sample["error"] > float(sys.argv[2]):
    sys.exit(f"error {sample['error']} of {sample['full_cycles']} cycles")
