"""Writes JSON that hurts into a folder.

usage: deep-json.py FOLDER"""

import sys

# A frame of 50 bytes for each list would need more than any stack has.
DEPTH = 5_000_000
deep = "[" * DEPTH + "]" * DEPTH
files = {
    "behavior": '{"tool": "heddle", "behavior_format": 8, "checksum": "", "behavior": %s}' % deep,
    "profile": '{"profile_format": %s}' % deep,
    "result": '{"tool": "heddle", "version": "0.1.0", "kernel": "k", "cycles": 5, "launch": %s}' % deep,
    "format": '{"profile_format": [%s]}' % ",".join("1" * 100_000),
    "units": '{"full_simulation_format": 1, "machine": "v100", "unit": 1000000, "cycles": [], '
             '"warp_instructions": [], "units": [%s]}' % ",".join(["[0, 1, 1, 1048576, []]"] * 4000),
}
for name, text in files.items():
    with open(f"{sys.argv[1]}/{name}.json", "w", encoding="utf-8") as file:
        file.write(text)
