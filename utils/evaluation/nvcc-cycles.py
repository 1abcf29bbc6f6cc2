"""Simulated cycles of our machine code of a source beside those of nvcc's own code, on one machine.

nvcc ($NVCC, else on PATH) compiles the sources of `utils/reproduce nvcc`; level sass takes its PTX, with the ptxas of
$HEDDLE_PTXAS and the nvdisasm on PATH. Nothing of that is needed anywhere else."""

import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile

import nvcc
from common import Report, median
from nvcc import compile_by_nvcc, percentile, simulate, sources


def cycles_of(source, launch, folder):
    """(registers, instructions, cycles) of our code and of nvcc's, None for what is refused."""
    try:
        path = compile_by_nvcc(source, folder)[1]
    except subprocess.CalledProcessError:
        return None, None
    return simulate(source, launch, "--isa", "machine"), simulate(path + ".ptx", launch, "--isa", "sass")


def main():
    if not shutil.which(os.environ.get("NVCC") or "nvcc"):
        sys.exit("nvcc-cycles: no nvcc ($NVCC, else on PATH)")
    chosen = list(sources())
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        both = list(pool.map(lambda s: cycles_of(s[2], s[3], folder), chosen))
    rows = [[s[0], s[1], *(v for pair in zip(ours, theirs) for v in pair), 100 * (ours[2] / theirs[2] - 1)]
            for s, (ours, theirs) in zip(chosen, both) if ours and theirs]
    apart = {r[1] for r in rows if not 0.5 < r[4] / r[5] < 2}
    report = Report("nvcc-cycles", "Cycles of our machine code and of nvcc's own")
    report.say(f"CUDA sources for {nvcc.ARCHITECTURE}, launches of `test`, simulated on `{nvcc.MACHINE}` with level machine of the source and with level sass of\n"
               "nvcc's PTX: so the machine is the same, and what is compared is the code. Errors of cycles in %. Not compared, for one of both is\n"
               f"refused or nvcc does not compile it: {', '.join(s[1] for s, (a, b) in zip(chosen, both) if not (a and b)) or 'none'}. Not in the\n"
               f"first table, for one issues more than twice the instructions, as lanes part elsewhere: {', '.join(sorted(apart)) or 'none'}.")
    table = []
    for group in ("test/kernels", "test/unseen", "all"):
        errors = [abs(r[-1]) for r in rows if group in (r[0], "all") and r[1] not in apart]
        if errors:
            table.append([group, len(errors), median(errors), sum(errors) / len(errors), percentile(errors, 0.9), max(errors)])
    report.table(["set", "kernels", "median", "mean", "90th percentile", "worst"], table)
    columns = ["set", "kernel", "registers", "nvcc registers", "instructions", "nvcc instructions", "cycles", "nvcc cycles", "error %"]
    report.table(columns[1:], [r[1:] for r in sorted(rows, key=lambda r: -abs(r[-1]))])
    report.csv(columns, rows)
    report.write()


if __name__ == "__main__":
    main()
