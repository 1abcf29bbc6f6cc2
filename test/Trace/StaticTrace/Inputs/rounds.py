"""Reads the dump of a warp and prints how often the blocks ran that ran more than
once, in the order of their numbers."""

import collections
import json
import sys

warp = json.load(sys.stdin)["blocks"][0]["warps"][0]
rounds = collections.Counter(event["bb"] for event in warp["events"])
print("rounds:", " ".join(str(n) for _, n in sorted(rounds.items()) if n > 1) or "none")
