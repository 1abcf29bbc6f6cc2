"""Compares lib/MachineCode/Patterns.def with what was measured: counts of instructions per operation and architecture.

usage: check_patterns.py SOURCE_DIR
Prints each operation whose sequence differs in any opcode but moves, and each row that is said to be measured and is not, or
the other way round; then a line with the sum."""

import collections
import csv
import os
import re
import sys

ROW = re.compile(r'^HEDDLE_PATTERN\("(.*?)", "(.*?)", "(.*?)", (\d+), (\d+), "(.*?)", (\w+)\)', re.M)
MOVES = ("MOV", "IMAD.MOV.U32")
# What a row says that each file has its counts.
FACTS = {"sequences.csv": "Measured", "hopper.csv": "Seen"}
# Sums and differences run on either pipe.
SAME = {"IMAD.IADD": "IADD3", "IMAD.MOV": "IADD3", "IMAD.X": "IADD3.X", "FMUL.FTZ": "FMUL", "FADD.FTZ": "FADD"}


def row_of(rows, operation, arch):
    words = operation.split(".")
    for row in rows:
        base, modifiers, kind, first, last, _, _ = row
        inner = words[:-1] if base == "cvt" else words
        if (words[0] == base and int(first) <= arch <= int(last) and kind in ("", words[-1])
                and all(m in inner for m in modifiers.split(".") if m)):
            return row
    return None


def plain(opcode):
    opcode = SAME.get(opcode, opcode)
    # Which comparison it is, is not part of the pattern's claim.
    return opcode.split(".")[0] if opcode.startswith(("ISETP", "FSETP", "DSETP")) else opcode


def count(opcodes):
    return collections.Counter(plain(o) for o in opcodes if o not in MOVES)


def main():
    root = sys.argv[1]
    with open(os.path.join(root, "lib", "MachineCode", "Patterns.def"), encoding="utf-8") as file:
        rows = ROW.findall(file.read())
    facts = []
    for name, source in FACTS.items():
        with open(os.path.join(root, "test", "MachineCode", "Inputs", name), encoding="utf-8") as file:
            facts += ((source, fact) for fact in csv.DictReader(file))
    equal = total = 0
    measured_rows = set()
    for source, fact in facts:
        measured = collections.Counter()
        for word in fact["instructions"].split():
            opcode, number = word.rsplit(":", 1)
            measured[plain(opcode)] += int(number)
        for arch in map(int, fact["architectures"].split()):
            row = row_of(rows, fact["operation"], arch)
            measured_rows.add((row, source))
            ours = count(step.lstrip("-@+=~<0123456789") for step in row[5].split() if step != "|") if row else collections.Counter()
            total += 1
            equal += ours == measured
            if ours != measured:
                print(f"{fact['operation']}, sm_{arch}: more {dict(ours - measured)}, fewer {dict(measured - ours)}")
    wrong = [(row, name) for row in rows for name, source in FACTS.items() if ((row, source) in measured_rows) != (row[6] == source)]
    for row, name in wrong:
        print(f"{', '.join(row[:5])}: said to be {row[6]}, {'not ' if row[6] == FACTS[name] else ''}in {name}")
    print(f"{equal} of {total} sequences equal; {len(measured_rows)} of {len(rows)} rows measured")
    return equal != total or bool(wrong)


sys.exit(main())
