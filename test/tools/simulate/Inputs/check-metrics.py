"""Compares the table of metrics in docs with those that a result has.

usage: check-metrics.py Reports.md METRICS.csv"""

import csv
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
documented = {name for names in re.findall(r"^\| (`[a-z].*?) \|", text, re.M) for name in re.findall(r"`([a-z0-9_]+__[^`]+)`", names)}
# One row stands for the states of a stall.
states = re.search(r"STATE is one of ([^.]+)\.", text).group(1)
stalls = {f"smsp__warp_issue_stalled_{s}_per_warp_active.pct" for s in re.findall(r"`(\w+)`", states)}
documented = {name for name in documented if "STATE" not in name} | stalls
counted = {row["Metric Name"] for row in csv.DictReader(open(sys.argv[2], encoding="utf-8"))}
assert documented == counted, documented ^ counted
