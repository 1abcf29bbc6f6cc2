"""Every number of a machine file says where it comes from, and every source that it names
by a letter is named at the top: sources.py FILE..."""

import re
import sys

FREE = ("base", "description", "target", "isa")  # names, not numbers


def faults(path):
    named, inherited = set(), False
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            named |= set(re.findall(r"\[([A-Z0-9])\]", line))
            continue
        text, _, source = line.partition(" #")
        key, _, value = text.strip().partition(":")
        if text.startswith('  "'):  # "CLASS.TYPE": {...}
            value = text[text.index('":') + 2:]
        if key in FREE or not re.search(r"\d|true|false", value):
            continue
        if not re.search(r"\w", source):
            yield f"{path}:{number}: {key} has no source"
        for letter in re.findall(r"\[([A-Z])\]", source):
            if letter not in named:
                yield f"{path}:{number}: [{letter}] is not named at the top"


found = [fault for path in sys.argv[1:] for fault in faults(path)]
print("\n".join(found) or f"{len(sys.argv) - 1} files: every number has a source")
sys.exit(bool(found))
