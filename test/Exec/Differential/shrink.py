"""Takes out of a random kernel what its difference does not need."""

import re
import time


def kind(line):
    """What was said of a difference, without numbers, so that another one of a smaller kernel is not taken for it."""
    return re.sub(r"\d+", "N", line)


def depth(line):
    return line.count("{") - line.count("}")


def is_whole(lines):
    """Whether braces that open in these lines close there, and none before."""
    level = 0
    for line in lines:
        # "} else {" and "break; }" close what is open first.
        level -= len(re.match(r"[\s}]*", line)[0].replace(" ", ""))
        if level < 0:
            return False
        level += depth(line) + len(re.match(r"[\s}]*", line)[0].replace(" ", ""))
    return level == 0


def units(lines, first):
    """Ranges that may go: from the longest blocks to single lines. Since threads would race without it, a barrier goes only with
    the block around it or after another."""
    found = []
    for begin in range(first, len(lines)):
        if depth(lines[begin]) > 0:
            level, end = depth(lines[begin]), begin + 1
            while level and end < len(lines):
                level += depth(lines[end])
                end += 1
            found.append((begin, end))
        elif ("sync" not in lines[begin] or lines[begin].strip() == lines[begin - 1].strip()) and is_whole(lines[begin:begin + 1]):
            found.append((begin, begin + 1))
    return sorted(found, key=lambda unit: unit[0] - unit[1])


def smaller(lines, unit):
    """The kernel without a block or a line, or without the first and last line of a block."""
    begin, end = unit
    yield lines[:begin] + lines[end:]
    if end - begin > 2 and lines[end - 1].strip() == "}":
        yield lines[:begin] + lines[begin + 1:end - 1] + lines[end:]


def shrink(generator, differences, seconds):
    """Changes the text of \\p generator to a shorter one of which \\p differences, a function of it, first says the same. What it
    declares and fills before its first barrier stays. Ends soon after so many seconds at the latest."""
    said, until = kind(differences(generator)[0]), time.monotonic() + seconds
    lines, at, fewer = generator.kernel().splitlines(), 0, True
    first = 1 + next((n for n, line in enumerate(lines) if "__syncthreads" in line), -1)

    def still_differs(tried):
        generator.text = "\n".join(tried) + "\n"
        found = differences(generator)
        return bool(found) and kind(found[0]) == said

    while time.monotonic() < until:
        left = units(lines, first)
        if at >= len(left):
            if not fewer:
                break
            at, fewer = 0, False
            continue
        found = next((tried for tried in smaller(lines, left[at]) if still_differs(tried)), None)
        lines, at, fewer = (found, at, True) if found else (lines, at + 1, fewer)
    generator.text = "\n".join(lines) + "\n"
