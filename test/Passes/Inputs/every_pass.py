"""Runs every pass of PassRegistry.def alone, then heddle-prepare as a whole and step by step, on one module.

usage: every_pass.py OPT PLUGIN PassRegistry.def MODULE
Prints what each pass said that failed, and whether the steps gave what the whole gave. A crash is an error."""

import os
import re
import subprocess
import sys

opt, plugin, registry, module = sys.argv[1:]
base = [opt, f"-load-pass-plugin={plugin}", "-preserve-bc-uselistorder"]


def run(passes, source, out=None, *more):
    command = base + [f"-passes={passes}", source, *more] + (["-o", out] if out else ["-disable-output"])
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"'{passes}' on {source} ends with {done.returncode}:\n{done.stderr}")
    return done


def split(text):
    """The passes of a pipeline, and LLVM's between two of Heddle's as one."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c in "(<") - (c in ")>")
        if c == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += c
    steps, ours = [], True
    for part in parts + [part]:
        is_ours = "heddle-" in part
        if is_ours or ours:
            steps.append(part)
        else:
            steps[-1] += "," + part
        ours = is_ours
    return steps


checks = ("-verify-each", "-verify-analysis-invalidation")
names = re.findall(r'HEDDLE_(?:MODULE|FUNCTION)_PASS\("([^"]+)"', open(registry).read())
alone = module + ".alone.bc"
for name in names:
    done = run(f"{name},verify", module, alone, *checks)
    for line in done.stderr.splitlines():
        if "error:" in line:
            print(f"{name}: {line}")
print(f"{len(names)} passes alone")

for whole in ("heddle-prepare", "heddle-prepare-for-analysis", "heddle-prepare-lifted"):
    at_once, by_steps = f"{module}.{whole}.bc", f"{module}.{whole}.steps.bc"
    done = run(whole, module, at_once, *checks)
    if done.returncode:
        sys.exit(f"{whole}: {done.stderr}")
    pipeline = run(whole, module, None, "-print-pipeline-passes").stdout.strip()
    steps = split(pipeline)
    source = module
    for step in steps:
        if run(step, source, by_steps, "-verify-analysis-invalidation").returncode:
            sys.exit(f"'{step}' fails alone")
        source = by_steps
    # Values of one name are told apart by a number that depends on what the process has named before; reading
    # gives declarations of intrinsics the attributes that they have at least.
    texts = []
    for bitcode in (at_once, by_steps):
        run("verify,strip-nondebug", bitcode, bitcode + ".ll", "-S")
        texts.append(re.sub("^; ModuleID.*", "", open(bitcode + ".ll").read()))
    print(f"{whole}: {'the same' if texts[0] == texts[1] else 'another module'} in {len(steps)} steps")
