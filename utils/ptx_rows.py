"""The rows of include/heddle/ABI/PTXInstructions.def, for the scripts that make
the docs' table and the test that executes each of them."""

import dataclasses
import pathlib
import re

DEFINITION = pathlib.Path(__file__).resolve().parent.parent / "include/heddle/ABI/PTXInstructions.def"


@dataclasses.dataclass
class Row:
    section: str
    name: str
    modifiers: str
    types: str
    operands: str
    op_class: str
    effect: str
    lift: str

    def groups(self):
        """Alternatives of each group of words, and whether it may be left out."""
        return [(group.rstrip("?").split("|"), group.endswith("?")) for group in self.modifiers.split()]

    def type_lists(self):
        """Per word of type: [(name, counts)], counts "" if one is issued."""
        lists = []
        for part in self.types.split(" . ") if self.types else []:
            default, names = "", []
            for word in part.split():
                if word.startswith("="):
                    default = word[1:]
                else:
                    name, _, counts = word.partition(":")
                    names.append((name, counts or default))
            lists.append(names)
        return lists

    def sides(self):
        """Letters of results and of sources."""
        results, sources = self.operands.split("=")
        return results.split(), sources.split()


def rows():
    section, found = "", []
    for line in DEFINITION.read_text().split("\n"):
        if match := re.fullmatch(r'HEDDLE_PTX\("(.*?)", "(.*?)", "(.*?)", "(.*?)", (\w+), (\w+), (.*)\)', line):
            found.append(Row(section, *match.groups()))
        elif match := re.fullmatch(r"//- (.*)", line):
            section = match.group(1)
    return found
