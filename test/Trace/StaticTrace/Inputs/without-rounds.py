"""Compares the static and the executed trace of a kernel, without what a warp repeats while it waits:
without-rounds.py HEDDLE SCRATCH KERNEL [-- FLAGS]"""

import subprocess
import sys

heddle, scratch, kernel, flags = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]


def was_told_no(group, following):
    """Whether the block ran again, since its test has no answer of yes in the trace."""
    return "not executed" in group and group.splitlines()[0] == following.splitlines()[0]


def events(mode):
    """The trace as groups of lines, one for each basic block that ran; of the same several times in a row the last."""
    trace = f"{scratch}/{mode}.trace"
    subprocess.run([heddle, "trace", f"{kernel}.cu", "--arch", "sm_90a", "--launch", f"{kernel}.yaml", "--mode", mode,
                    "-q", "-o", trace] + flags, check=True)
    dump = subprocess.run([heddle, "trace", "dump", trace], check=True, capture_output=True, text=True).stdout
    groups = []
    for line in dump.splitlines()[1:]:
        if line.startswith("      ") and groups:
            groups[-1] += "\n" + line
        else:
            groups.append(line)
    pairs = zip(groups, groups[1:] + ["end"])
    return [group for group, following in pairs if group != following and not was_told_no(group, following)]


static, executed = events("static"), events("executed")
for number, (a, b) in enumerate(zip(static, executed)):
    if a != b:
        sys.exit(f"event {number}:\nstatic\n{a}\nexecuted\n{b}")
if len(static) != len(executed):
    sys.exit(f"{len(static)} events, executed {len(executed)}")
print(len(static), "events, the same")
