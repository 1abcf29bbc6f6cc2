"""Our machine code of a source beside nvcc's own: registers per thread and issued instructions.

nvcc's side is kept in test/MachineCode/Inputs/nvcc.csv, so nothing but Heddle is needed here. --measure makes it again,
with nvcc ($NVCC, else on PATH) and the ptxas and nvdisasm of CUDA 11.8 ($HEDDLE_PTXAS). --set NAME takes those of one set,
--limits A,B,C fails beyond so many % (registers: median, 90th percentile; instructions: median). --heddle FILE, --no-write."""

import argparse
import concurrent.futures
import csv
import glob
import os
import re
import subprocess
import sys
import tempfile

import common
from common import ROOT, Report, Run, json, kernels, median

ARCHITECTURE, MACHINE = "sm_80", "a100"
FACTS = os.path.join(ROOT, "test", "MachineCode", "Inputs", "nvcc.csv")
COLUMNS = ["set", "kernel", "registers", "issued instructions"]


def sources():
    """(set, name, source, launch) of the CUDA kernels with a launch."""
    for kernel in kernels("test", "CUDA"):
        yield "test/kernels", kernel.name, kernel.source, kernel.launch
    for source in sorted(glob.glob(os.path.join(ROOT, "test", "unseen", "*.cu"))):
        yield "test/unseen", os.path.basename(source)[:-3], source, source[:-2] + "yaml"


def simulate(source, launch, *options):
    """(registers per thread, issued instructions, cycles), or None if it is refused or falls back to PTX."""
    run = Run([common.HEDDLE, "simulate", source, "--launch", launch, "--gpu", MACHINE, "--json", "-", "-q", *options])
    if run.status != 0:
        return None
    result = json.loads(run.output)
    return None if "fallback" in result["code"] else (result["code"]["registers_per_thread"], result["issued_instructions"], result["cycles"])


def compile_by_nvcc(source, folder):
    """The PTX that nvcc makes of the source."""
    nvcc = os.environ.get("NVCC") or "nvcc"
    path = os.path.join(folder, os.path.basename(source))
    subprocess.run([nvcc, "-w", f"-arch={ARCHITECTURE}", "-ptx", "-o", path + ".ptx", source], check=True)
    return nvcc, path


def by_nvcc(source, launch, folder):
    """The same of nvcc: the registers that it reports, and the instructions of its PTX in the code of ptxas 11.8."""
    nvcc, path = compile_by_nvcc(source, folder)
    report = subprocess.run([nvcc, "-w", f"-arch={ARCHITECTURE}", "-cubin", "-Xptxas", "-v", "-o", path + ".cubin", source],
                            check=True, capture_output=True, text=True).stderr
    used = dict(re.findall(r"entry function '(\w+)'.*?Used (\d+) registers", report, re.S))
    with open(launch, encoding="utf-8") as file:
        name = re.search(r"^kernel: (.+)$", file.read(), re.M).group(1).strip().strip("'\"")
    own = [n for n in used if n == name or n.startswith(f"_Z{len(name)}{name}")]
    found = simulate(path + ".ptx", launch, "--isa", "sass")
    return (int(used[own[0]]), found[1]) if found and len(own) == 1 else None


def measure(chosen):
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda s: by_nvcc(s[2], s[3], folder), chosen)
        rows = [[s[0], s[1], *facts] for s, facts in zip(chosen, found) if facts]
    with open(FACTS, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])


def percentile(values, share):
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


def summary(rows):
    registers, instructions = ([100 * abs(r[k] / r[k + 1] - 1) for r in rows] for k in (2, 4))
    return [median(registers), percentile(registers, 0.9), median(instructions), percentile(instructions, 0.9)]


def main():
    parser = argparse.ArgumentParser(prog="utils/reproduce nvcc", description=__doc__)
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--heddle")
    parser.add_argument("--set")
    parser.add_argument("--limits")
    parser.add_argument("--no-write", action="store_true")
    options = parser.parse_args()
    if options.heddle:
        common.HEDDLE = options.heddle
    chosen = list(sources())
    if options.measure:
        measure(chosen)
    with open(FACTS, newline="", encoding="utf-8") as file:
        facts = {(r["set"], r["kernel"]): (int(r["registers"]), int(r["issued instructions"])) for r in csv.DictReader(file)}
    chosen = [s for s in chosen if s[:2] in facts and options.set in (None, s[0])]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        ours = list(pool.map(lambda s: simulate(s[2], s[3], "--isa", "machine"), chosen))
    rows = [[s[0], s[1], o[0], facts[s[:2]][0], o[1], facts[s[:2]][1]] for s, o in zip(chosen, ours) if o]
    report = Report("nvcc", "Our machine code against nvcc's own")
    report.say(f"CUDA sources for {ARCHITECTURE}, launches of `test`. Registers are those that nvcc 13.0 reports. Instructions are those that a launch\n"
               "issues: nvcc 13.0's PTX in the code of ptxas 11.8, against level machine of the source. Errors in %.")
    table = [[group, len(part), *summary(part)] for group in ("test/kernels", "test/unseen", "all")
             if (part := [r for r in rows if group in (r[0], "all")])]
    report.table(["set", "kernels", "registers: median", "90th percentile", "instructions: median", "90th percentile"], table)
    if not options.no_write:
        report.csv(["set", "kernel", "registers", "nvcc registers", "instructions", "nvcc instructions"], rows)
        report.write()
    if options.limits and any(v > float(limit) for v, limit in zip(table[-1][2:], options.limits.split(","))):
        sys.exit(f"nvcc: errors exceed {options.limits} %")


if __name__ == "__main__":
    main()
