"""Runs random kernels on both engines (EngineCompare.cpp) and, those of even seeds,
as host code (all of OpenCL): buffers must be the same.

compare.py ENGINE-COMPARE FOLDER FIRST LAST: seeds FIRST to LAST, many to a file, so
that headers are read once. What a file's kernels cannot do together they do in halves.
HEDDLE_SLOWER=N, for a build with sanitizers: of each file's one in N, which may take
N times as long.
Prints what differs and leaves the kernel in FOLDER; exit status 1 if anything does."""

import array
import glob
import itertools
import os
import random
import resource
import subprocess
import sys

from generate import Generator, source
from shrink import shrink

TOGETHER = 20  # more make the parts of a module that each kernel's passes copy large
SLOWER = int(os.environ.get("HEDDLE_SLOWER", "1"))
SECONDS = 30 * SLOWER  # of CPU, for a kernel alone
SHRINKING = int(os.environ.get("HEDDLE_SHRINK", "60"))  # seconds for the first kernel that differs
BUFFERS = [("out", 4), ("real", 4), ("wide", 8), ("sums", 8), ("bins", 0)]
# Registers come from the estimate and code is not kept: neither is compared.
ENVIRONMENT = {**os.environ, "HEDDLE_PTXAS": "", "HEDDLE_CACHE": "off"}
HOST = ["clang++-22", "-w", "-O0", "-std=c++20", "-DHOST", "-ffp-contract=off", "-Xclang",
        "-ffloat16-excess-precision=none", "-include", os.path.join(os.path.dirname(os.path.abspath(__file__)), "host.h"),
        "-x", "c++"]


def execute(command, seconds):
    """Status and what was printed; ended by SIGXCPU after so many seconds of CPU."""
    run = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1)))
    return run.returncode, run.stdout, run.stderr


def unlike(folder, generator):
    """The buffers that host code leaves otherwise, if there is any."""
    stem = os.path.join(folder, generator.name)
    with open(stem + ".engine", "rb") as engine, open(stem + ".host", "rb") as host:
        return [name for name, size in BUFFERS
                if len({f.read(size * 3 * generator.block or 128) for f in (engine, host)}) > 1]


def compare(tool, folder, inputs, generators):
    """The lines to print, by generator; None: try fewer at a time."""
    stem = os.path.join(folder, f"{generators[0].name}-{len(generators)}")
    device = "cl" if generators[0].opencl else "cu"
    for suffix, language in {"cu": "cuda", device: "opencl" if device == "cl" else "cuda"}.items():
        with open(f"{stem}.{suffix}", "w") as file:
            file.write(source(generators, language))
    steps = [[tool, f"{stem}.{device}", inputs, folder, *[f"{g.name}:{'x'.join(map(str, g.shape))}{':any-order' * g.any_order}" for g in generators]]]
    if any(g.portable for g in generators):
        steps += [[*HOST, stem + ".cu", "-o", stem + ".out"], [stem + ".out", inputs, folder]]
    lines = {g.name: [] for g in generators}
    for step in steps:
        status, out, err = execute(step, SECONDS + 5 * SLOWER * len(generators))
        if status != 0 and len(generators) > 1:
            return None
        if status != 0:
            lines[generators[0].name].append(f"{generators[0].name}: {step[0]}: status {status}: {err.strip()}")
            return lines
        for line in out.splitlines() if step[0] == tool else []:
            if not line.startswith("done "):
                lines.setdefault(line.split(":")[0], []).append(line)
    for g in generators:
        if g.portable and not lines[g.name] and (names := unlike(folder, g)):
            lines[g.name].append(f"{g.name}: host code does something else with {', '.join(names)}")
    return lines


def clean(folder, generators):
    for path in glob.glob(os.path.join(folder, f"{generators[0].name}-{len(generators)}.*")):
        os.remove(path)
    for g in generators:
        for path in glob.glob(os.path.join(folder, f"{g.name}.*")):
            os.remove(path)


def compare_seeds(tool, folder, inputs, seeds):
    """Which seeds, of one language, differ; prints how and leaves their files."""
    together = [Generator(s) for s in seeds]
    lines = compare(tool, folder, inputs, together)
    clean(folder, together)
    if not lines:
        half = len(seeds) // 2
        return compare_seeds(tool, folder, inputs, seeds[:half]) + compare_seeds(tool, folder, inputs, seeds[half:])
    failed = []
    for s in seeds:
        if not lines[f"kernel{s}"]:
            continue
        alone = Generator(s)
        differences = lambda g: compare(tool, folder, inputs, [g])[g.name]
        found = differences(alone)
        print("\n".join(found or lines[f"kernel{s}"]), flush=True)
        if found and not failed and SHRINKING:
            before = len(alone.kernel().splitlines())
            shrink(alone, differences, SHRINKING)
            print(f"kernel{s}: {before} lines, {len(alone.kernel().splitlines())} that still do this")
            differences(alone)  # leaves its files
        failed.append(s)
    return failed


def main():
    tool, folder, first, last = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    numbers = random.Random(7)
    inputs = os.path.join(folder, f"in{first}")
    with open(inputs, "wb") as file:
        array.array("I", [numbers.randrange(100000) for _ in range(3 * 128)]).tofile(file)
    seeds = range(int(first), int(last) + 1)
    count, failed = 0, []
    for _, group in itertools.groupby(seeds, lambda s: (s - 1) // TOGETHER):
        group = list(group)[:max(1, TOGETHER // SLOWER)]
        count += len(group)
        failed += compare_seeds(tool, folder, inputs, group)
    os.remove(inputs)
    print(f"{count} kernels, {len(failed)} differ: {failed}")
    sys.exit(bool(failed))


main()
