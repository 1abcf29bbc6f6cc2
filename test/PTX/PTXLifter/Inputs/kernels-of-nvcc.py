"""Whether nvcc's PTX of CUDA kernels computes what their own tests want, and --check finds nothing in it:
kernels-of-nvcc.py NVCC HEDDLE KERNEL_REFERENCE KERNELS SCRATCH"""

import pathlib
import re
import shlex
import subprocess
import sys

nvcc, heddle, reference, kernels, scratch = sys.argv[1:]
scratch = pathlib.Path(scratch)
scratch.mkdir(parents=True, exist_ok=True)
ARCHITECTURE = "sm_90a"  # takes what all of them need


def commands(test, out):
    """The first reference of test and the first launch of its source, as lists of words."""
    text = test.read_text()
    names = {"%kernel_reference": reference, "%heddle": heddle, "%S": str(test.parent), "%t": str(out)}
    names |= dict(re.findall(r"^DEFINE: (%\{[\w-]+\}) = (.*)$", text, re.M))

    def first(start):
        line = re.search(rf"^RUN: ({start} .*)$", text, re.M)[1]
        while found := [name for name in names if name in line]:
            for name in found:
                line = line.replace(name, names[name])
        return shlex.split(line)

    return first("%kernel_reference"), first(rf"%heddle run %S/{test.stem}\.cu")


def works(words):
    run = subprocess.run(words, capture_output=True, text=True)
    if run.returncode:
        print(f"WRONG: {shlex.join(words)}\n{run.stderr[-1000:]}")
    return run.returncode == 0


def is_right(test):
    source, out = test.with_suffix(".cu"), scratch / test.stem
    make, launch = commands(test, out)
    ptx = out.with_suffix(".ptx")
    compile_ = [nvcc, "-w", "-std=c++17", f"-arch={ARCHITECTURE}", "-lineinfo", "-ptx", "-o", str(ptx), str(source)]
    launch[launch.index(str(source))] = str(ptx)
    for option in ("--engine", "--threads", "--arch"):
        if option in launch:
            at = launch.index(option)
            del launch[at:at + 2]
    launch += ["--arch", ARCHITECTURE, "-q"]
    return works(compile_) and works(make) and works([*launch, "--engine", "jit"]) and works([*launch, "--check"])


tests = [test for test in sorted(pathlib.Path(kernels).glob("*/*.test")) if test.with_suffix(".cu").exists()]
right = sum(map(is_right, tests))
print(f"{right} of {len(tests)} kernels are right")
