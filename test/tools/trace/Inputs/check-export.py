"""Checks a folder that `heddle trace export` wrote against `heddle trace dump --json`.

usage: check-export.py FOLDER INFO_JSON DUMP_JSON

Every warp has as many lines as it says, all together as many as the launch issues;
the addresses of global accesses are those of the dump, lane by lane, in order."""

import json
import re
import sys

folder, info_path, dump_path = sys.argv[1:]
with open(info_path, encoding="utf-8") as file:
    info = json.load(file)
with open(dump_path, encoding="utf-8") as file:
    dump = json.load(file)
with open(f"{folder}/kernelslist.g", encoding="utf-8") as file:
    assert file.read() == "kernel-1.traceg\n"
with open(f"{folder}/kernel-1.traceg", encoding="utf-8") as file:
    text = file.read()

header = dict(re.findall(r"^-(.+?) = (.*)$", text, re.M))
assert header["kernel name"] == info["kernel"], header
assert header["grid dim"] == "({},{},{})".format(*info["grid"]), header
assert header["block dim"] == "({},{},{})".format(*info["block"]), header
assert header["nregs"] == str(info["registers_per_thread"]), header


def addresses(line):
    """Lane -> address of a line with a memory width, else None."""
    words = line.split()
    mask = int(words[1], 16)
    opcode_at = 3 + int(words[2])
    width_at = opcode_at + 2 + int(words[opcode_at + 1])
    if words[opcode_at][:3] not in ("LDG", "STG"):
        return None
    lanes = [lane for lane in range(32) if mask >> lane & 1]
    mode, numbers = words[width_at + 1], words[width_at + 2:]
    if mode == "1":
        base, stride = int(numbers[0], 16), int(numbers[1])
        return {lane: base + i * stride for i, lane in enumerate(lanes)}
    assert mode == "0" and len(numbers) == len(lanes), line
    return dict(zip(lanes, (int(n, 16) for n in numbers)))


def expected(access):
    lanes = [lane for lane in range(32) if access["lanes"] >> lane & 1]
    if "addresses" in access:
        return dict(zip(lanes, access["addresses"]))
    return {lane: access["base"] + lane * access["stride"] for lane in lanes}


warps = re.findall(r"^warp = (\d+)\ninsts = (\d+)\n((?:[0-9a-f]{4,} .*\n)*)", text, re.M)
issued = 0
told = [warp for block in dump["blocks"] for warp in block["warps"]]
assert len(warps) == len(told) == info["warps"], (len(warps), len(told))
for (_, count, lines), events in zip(warps, told):
    lines = lines.splitlines()
    assert len(lines) == int(count), count
    assert " EXIT " in lines[-1], lines[-1]
    issued += len(lines)
    here = [a for a in map(addresses, lines) if a is not None]
    there = [expected(a) for event in events["events"] for a in event["accesses"]
             if a["space"] == "global" and a["lanes"]]
    assert here == there, (here[:3], there[:3])
assert issued == info["issued_instructions"], (issued, info["issued_instructions"])
print("as told")
