"""Reads the dump of a warp of data.cu: how often its loop ran, which lanes stored,
and whether the accesses of the loop lie in the first buffer."""

import json
import sys

warp = json.load(sys.stdin)["blocks"][0]["warps"][0]
loads, stores, rounds = [], [], {}
for event in warp["events"]:
    rounds[event["bb"]] = rounds.get(event["bb"], 0) + 1
    for access in event["accesses"]:
        addresses = access.get("addresses", [])
        if access["store"]:
            stores.append(access["lanes"])
        elif rounds[event["bb"]] > 1 or addresses:
            loads += addresses
print("loop", max(rounds.values()))
print("guarded", f"{stores[0]:08x}" if stores else "never")
begin, size = 0xC0000000, 256 * 4
print("inside the buffer" if loads and all(begin <= a < begin + size for a in loads)
      else f"outside: {loads[:4]}")
