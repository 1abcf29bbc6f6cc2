"""Runs random kernels on both engines and compares every buffer, counter and trace;
then their PTX, read back, whose buffers must be the same.

compare.py HEDDLE FOLDER FIRST LAST: seeds FIRST to LAST. Prints what differs
and leaves the kernel in FOLDER; exit status 1 if anything does."""

import json
import os
import subprocess
import sys

from generate import Generator

BUFFERS = ["out", "real", "wide", "sums", "bins"]
GRID = 3


def launch(heddle, command, source, block, extra):
    elements = GRID * block
    args = ["--grid", str(GRID), "--block", str(block), "-q"]
    for text in [f"out:u32[{elements}]=zero", f"real:f32[{elements}]=zero",
                 f"wide:f64[{elements}]=zero", f"sums:u64[{elements}]=zero",
                 "bins:u32[32]=iota", f"u32[{elements}]=uniform:0:100000:7", "u32=5"]:
        args += ["--arg", text]
    result = subprocess.run([heddle, *command, source, *args, *extra],
                            capture_output=True, text=True, timeout=500)
    if result.returncode:
        print(f"{source}: {' '.join(command)} {' '.join(extra)}: {result.stderr}")
    return result.returncode == 0


def compare(heddle, folder, seed):
    generator = Generator(seed)
    source = os.path.join(folder, f"seed{seed}.cu")
    with open(source, "w") as file:
        file.write(generator.kernel())
    seen = []
    for engine in ["jit", "interpreter"]:
        stem = os.path.join(folder, f"seed{seed}.{engine}")
        dumps = [x for b in BUFFERS for x in ("--dump", f"{b}={stem}.{b}")]
        if not launch(heddle, ["run"], source, generator.block,
                      ["--engine", engine, "--counters", "--json", stem + ".json", *dumps]):
            return False
        if not launch(heddle, ["trace"], source, generator.block,
                      ["--engine", engine, "--isa", "ir", "-o", stem + ".trace"]):
            return False
        contents = {b: open(f"{stem}.{b}", "rb").read() for b in BUFFERS}
        # Without counters the JIT makes other code.
        if not launch(heddle, ["run"], source, generator.block, ["--engine", engine, *dumps]):
            return False
        for b in BUFFERS:
            contents[b + " without counters"] = open(f"{stem}.{b}", "rb").read()
        contents["trace"] = open(stem + ".trace", "rb").read()
        report = json.load(open(stem + ".json"))
        for key in ["engine", "seconds"]:
            del report[key]
        contents["counters"] = report
        seen.append(contents)
    ptx = os.path.join(folder, f"seed{seed}.ptx")
    emitted = subprocess.run([heddle, "kernels", source, "--ptx", "-o", ptx],
                             capture_output=True, text=True, timeout=500)
    if emitted.returncode:
        print(f"{source}: no PTX: {emitted.stderr}")
        return False
    stem = os.path.join(folder, f"seed{seed}.ptx")
    dumps = [x for b in BUFFERS for x in ("--dump", f"{b}={stem}.{b}")]
    if not launch(heddle, ["run"], ptx, generator.block, dumps):
        return False
    for b in BUFFERS:
        if open(f"{stem}.{b}", "rb").read() != seen[0][b]:
            print(f"{source}: its PTX does something else with {b}")
            return False
    different = [key for key in seen[0] if seen[0][key] != seen[1][key]]
    if different:
        print(f"{source}: the engines differ in {', '.join(different)}")
    return not different


def main():
    heddle, folder, first, last = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    seeds = range(int(first), int(last) + 1)
    failed = [s for s in seeds if not compare(heddle, folder, s)]
    print(f"{len(seeds)} kernels, {len(failed)} differ: {failed}")
    sys.exit(bool(failed))


main()
