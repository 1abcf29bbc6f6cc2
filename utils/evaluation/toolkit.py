"""Whether CUDA programs that the toolkit's nvcc built run on Heddle's library, and to the same bytes."""

import argparse
import os
import shutil
import stat
import struct
import tempfile

from applications import INPUTS, NVCC, names
from common import BUILD, HEDDLE, Report, Run

LIBRARY = os.path.join(BUILD, "lib", "heddle", "cuda")
# Takes the place of nvcc in makefiles: PTX inside instead of the architectures that they name, and the shared runtime. nvcc 13 compiles for
# sm_75 and later.
WRAPPER = """#!/bin/bash
words=()
while [ $# -gt 0 ]; do
  case $1 in -arch=*) ;; -gencode) shift ;; -gencode=*) ;; *) words+=("$1") ;; esac
  shift
done
exec {nvcc} -gencode arch=compute_75,code=compute_75 -cudart shared -L{library} "${{words[@]}}"
"""
# Thrust and CUB: their kernels come from the toolkit's headers, other code than Heddle's.
OTHER_CODE = {"algorithms", "devicewide", "poisson"}
# Seconds for a program, which takes less than ten.
LIMIT = 120


# runtime/record/Format.h: bytes before the first record and of a record's header, kind of a record with what a read got.
FILE_HEADER, RECORD_HEADER, READ_DATA = 12, 24, 12


def reads(recording):
    """What the program read from the device, in its order: records that hold the hash of the bytes."""
    with open(os.path.join(recording, "recording.log"), "rb") as file:
        log = file.read()
    found, at = [], FILE_HEADER
    while at < len(log):
        kind, size = struct.unpack_from("<IQ", log, at)
        at += RECORD_HEADER
        if kind == READ_DATA:
            found.append(log[at:at + size])
        at += size
    return sorted(found)


def environment(folder):
    return dict(os.environ, HEDDLE_GPU="t4", HEDDLE_CACHE=os.path.join(folder, "cache"), HEDDLE_THREADS="1",
                LD_LIBRARY_PATH=LIBRARY)


def recorded(name, compiler, folder):
    """The recording of the program as \\p compiler builds it, or why there is none."""
    source = os.path.join(folder, name)
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(os.path.join(INPUTS, name), source)
    env = environment(folder)
    built = Run(["make", "-s", "-C", source, f"NVCC={compiler}"], env=env)
    if built.status != 0:
        said = [line for line in built.errors.splitlines() if "error" in line or "fatal" in line] or ["?"]
        return None, "does not build: " + said[0]
    recording = os.path.join(folder, f"{name}-{os.path.basename(compiler)}")
    run = Run([HEDDLE, "record", "-q", "-o", recording, "--", os.path.join(source, name)], env=env,
              limit_s=LIMIT)
    if run.status != 0 or "PASSED" not in run.output:
        return None, "fails: " + ((run.errors or run.output).strip().splitlines() or ["?"])[0]
    return recording, "right"


def measure(name, wrapper, folder):
    theirs, verdict = recorded(name, wrapper, folder)
    ours, own = recorded(name, NVCC, folder)
    equal, count = "-", "-"
    if theirs and ours:
        theirs, ours = reads(theirs), reads(ours)
        equal, count = "equal" if theirs == ours else "different", len(ours)
    return {"program": name, "built by heddle-nvcc": own, "built by nvcc": verdict, "reads": count, "bytes": equal}


def main():
    parser = argparse.ArgumentParser(prog="utils/reproduce toolkit", description=__doc__)
    parser.add_argument("--programs", nargs="*", help="only these")
    parser.add_argument("--nvcc", default=shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc")
    options = parser.parse_args()
    if not os.path.exists(options.nvcc):
        raise SystemExit(f"{options.nvcc}: there is no nvcc; --nvcc names one")
    report = Report("toolkit", "Programs that nvcc has built")
    report.say("""The programs of `test/apps/cuda` that have a makefile, built by the toolkit's nvcc with PTX inside and linked with the shared runtime
(`-gencode arch=compute_75,code=compute_75 -cudart shared`), and by `heddle-nvcc`. Both run on Heddle's library with one host thread, as GPU `t4`, and are
recorded. `right`: the program's own check passed. `bytes` compares what both read back from the device, by hashes. Programs that take Thrust or CUB are left
out: the toolkit's headers have other kernels. What calls functions of mathematics need not read the same: nvcc's PTX has CUDA's own in it.
""")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.path.join(INPUTS, "check.h"), folder)
        # Not the empty libcudadevrt.a, for which nvcc has one that its own device linker needs.
        libraries = os.path.join(folder, "libraries")
        os.mkdir(libraries)
        for library in os.listdir(LIBRARY):
            if ".so" in library:
                os.symlink(os.path.join(LIBRARY, library), os.path.join(libraries, library))
        wrapper = os.path.join(folder, "nvcc-with-ptx")
        with open(wrapper, "w", encoding="utf-8") as file:
            file.write(WRAPPER.format(nvcc=options.nvcc, library=libraries))
        os.chmod(wrapper, stat.S_IRWXU)
        for name in options.programs or [n for n in names() if n not in OTHER_CODE]:
            if os.path.exists(os.path.join(INPUTS, name, "Makefile")):
                rows.append(measure(name, wrapper, folder))
                print("  " + ": ".join(map(str, rows[-1].values())), flush=True)
    report.table(list(rows[0]), [list(r.values()) for r in rows])
    right = sum(r["built by nvcc"] == "right" for r in rows)
    report.say(f"{right} of {len(rows)} programs that nvcc built are right; {sum(r['bytes'] == 'equal' for r in rows)} read the same bytes.\n")
    report.csv(list(rows[0]), [list(r.values()) for r in rows])
    report.write()


if __name__ == "__main__":
    main()
