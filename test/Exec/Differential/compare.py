"""Runs random kernels on both engines and compares every buffer, counter and trace;
then their PTX, read back, and the portable ones (generate.py) as host code: buffers
must be the same. At level ptx both engines issue the same instructions.

compare.py HEDDLE FOLDER FIRST LAST: seeds FIRST to LAST. Prints what differs
and leaves the kernel in FOLDER; exit status 1 if anything does."""

import glob
import json
import os
import subprocess
import sys

from generate import Generator

BUFFERS = ["out", "real", "wide", "sums", "bins"]
GRID = 3
FLAGS = ["--", "-ffp-contract=off"]


def launch(heddle, command, source, generator, extra):
    elements = GRID * generator.block
    args = ["--grid", str(GRID), "--block", str(generator.block), "-q"]
    for text in [f"out:u32[{elements}]=zero", f"real:f32[{elements}]=zero",
                 f"wide:f64[{elements}]=zero", f"sums:u64[{elements}]=zero",
                 "bins:u32[32]=iota", f"in:u32[{elements}]=uniform:0:100000:7", "u32=5"]:
        args += ["--arg", text]
    result = subprocess.run([heddle, *command, source, *args, *extra],
                            capture_output=True, text=True, timeout=500)
    if result.returncode:
        print(f"{source}: {' '.join(command)} {' '.join(extra)}: {result.stderr}")
    return result.returncode == 0


def results(stem):
    return {b: open(f"{stem}.{b}", "rb").read() for b in BUFFERS}


def engines(heddle, folder, source, generator):
    """What both engines do with the kernel, compiled once; false if one fails."""
    module = source[:-3] + ".ll"
    compiled = subprocess.run([heddle, "kernels", source, "--emit-llvm", "-o", module, *FLAGS],
                              capture_output=True, text=True, timeout=500)
    if compiled.returncode:
        print(f"{source}: {compiled.stderr}")
        return False
    seen = []
    for engine in ["jit", "interpreter"]:
        stem = os.path.join(folder, os.path.basename(source)[:-3] + "." + engine)
        dumps = [x for b in BUFFERS + ["in"] for x in ("--dump", f"{b}={stem}.{b}")]
        choice = ["--engine", engine]
        if not launch(heddle, ["run"], module, generator, [*choice, "--counters", "--json", stem + ".json", *dumps]):
            return False
        contents = results(stem)
        if not launch(heddle, ["trace"], module, generator, [*choice, "--isa", "ir", "-o", stem + ".trace"]):
            return False
        # Without counters the JIT makes other code.
        if not launch(heddle, ["run"], module, generator, [*choice, *dumps]):
            return False
        contents.update({b + " without counters": data for b, data in results(stem).items()})
        contents["trace"] = open(stem + ".trace", "rb").read()
        contents["counters"] = json.load(open(stem + ".json"))
        simulated = stem + ".simulated.json"
        if not launch(heddle, ["simulate", "--isa", "ptx"], module, generator, [*choice, "--json", simulated]):
            return False
        contents["simulation"] = json.load(open(simulated))
        for report in ["counters", "simulation"]:
            for key in ["engine", "seconds"]:
                contents[report].pop(key, None)
        seen.append(contents)
    different = [key for key in seen[0] if seen[0][key] != seen[1][key]]
    if different:
        print(f"{source}: the engines differ in {', '.join(different)}")
    return not different and seen[0]


def ptx(heddle, folder, source, generator):
    """What the kernel's PTX does, read back."""
    stem = source[:-3] + ".ptx"
    emitted = subprocess.run([heddle, "kernels", source, "--ptx", "-o", stem, *FLAGS],
                             capture_output=True, text=True, timeout=500)
    if emitted.returncode:
        print(f"{source}: no PTX: {emitted.stderr}")
        return False
    dumps = [x for b in BUFFERS for x in ("--dump", f"{b}={stem}.{b}")]
    return launch(heddle, ["run"], stem, generator, dumps) and results(stem)


def host(folder, source, generator):
    """What host code of the same source does. Nothing is fused, halves round at once."""
    stem = source[:-3] + ".host"
    header = os.path.join(os.path.dirname(os.path.abspath(__file__)), "host.h")
    built = subprocess.run(["clang++-22", "-w", "-O1", "-std=c++20", "-DHOST", "-include", header, *FLAGS[1:], "-Xclang",
                            "-ffloat16-excess-precision=none", "-x", "c++", source, "-o", stem],
                           capture_output=True, text=True, timeout=500)
    if built.returncode:
        print(f"{source}: no host code: {built.stderr}")
        return False
    run = subprocess.run([stem, str(generator.block), source[:-3] + ".jit.in", stem], capture_output=True, text=True,
                         timeout=100)
    if run.returncode:
        print(f"{source}: host code: {run.returncode} {run.stderr}")
    return not run.returncode and results(stem)


def compare(heddle, folder, seed):
    generator = Generator(seed)
    source = os.path.join(folder, f"seed{seed}.cu")
    with open(source, "w") as file:
        file.write(generator.kernel())
    seen = engines(heddle, folder, source, generator)
    if not seen:
        return False
    others = {"its PTX": ptx(heddle, folder, source, generator)}
    if generator.portable:
        others["host code"] = host(folder, source, generator)
    for who, contents in others.items():
        different = [b for b in BUFFERS if contents and contents[b] != seen[b]]
        if different:
            print(f"{source}: {who} does something else with {', '.join(different)}")
        if different or not contents:
            return False
    for path in glob.glob(source[:-3] + ".*"):
        os.remove(path)
    return True


def main():
    heddle, folder, first, last = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    seeds = range(int(first), int(last) + 1)
    failed = [s for s in seeds if not compare(heddle, folder, s)]
    print(f"{len(seeds)} kernels, {len(failed)} differ: {failed}")
    sys.exit(bool(failed))


main()
