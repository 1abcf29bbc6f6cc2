"""Whether CUDA programs that the toolkit's nvcc built run on Heddle's library, and to the same bytes."""

import argparse
import os
import pathlib
import re
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
  case $1 in
    -arch=*|-gencode=*|--generate-code=*|--cudart=*|-cudart=*) ;;
    -gencode|-cudart) shift ;;
    *) words+=("$1") ;;
  esac
  shift
done
exec {nvcc} -gencode arch=compute_75,code=compute_75 -cudart shared -L{library} "${{words[@]}}"
"""
# The same for either compiler, with functions of mathematics that both make the same of: no product is fused with a sum, and what
# PLAIN_MATH has takes the place of CUDA's. -use_fast_math would fuse.
PLAIN_MATH = pathlib.Path(__file__).with_name("plain_math.h")
PLAIN = """#!/bin/bash
exec {compiler} -fmad=false -include {header} {defines} "${{@/-use_fast_math/-w}}"
"""
DEVICE_READS = pathlib.Path(__file__).with_name("device_reads.c")
FUNCTIONS = pathlib.Path(__file__).with_name("single_precision.cu")
# Thrust and CUB: for heddle-nvcc, too, their kernels come from the toolkit's headers, so that both compile the same source.
OF_CCCL = {"algorithms", "devicewide", "poisson"}
WITH_CCCL = """#!/bin/bash
exec {compiler} -I{headers} "$@"
"""
# Seconds for a program: most take less than ten, those with hundreds of kernels of Thrust and CUB minutes.
LIMIT = 900


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
    program, commands = os.path.join(source, name), [["make", "-s", "-C", source, f"NVCC={compiler}"]]
    if os.path.exists(os.path.join(source, "CMakeLists.txt")):
        out = os.path.join(source, "build")
        program, commands = os.path.join(out, name), [
            ["cmake", "-S", source, "-B", out, f"-DCMAKE_CUDA_COMPILER={compiler}", "-DCMAKE_CUDA_ARCHITECTURES=75",
             "-DCMAKE_CUDA_RUNTIME_LIBRARY=Shared"],
            ["cmake", "--build", out]]
    for command in commands:
        built = Run(command, env=env)
        if built.status != 0:
            break
    if built.status != 0:
        said = [line for line in built.errors.splitlines() if "error" in line or "fatal" in line] or ["?"]
        return None, "does not build: " + said[0]
    recording = os.path.join(folder, f"{name}-{os.path.basename(compiler)}")
    shutil.copy(program, recording + ".built")
    run = Run([HEDDLE, "record", "-q", "-o", recording, "--", program], env=env,
              limit_s=LIMIT)
    if run.status != 0 or "PASSED" not in run.output:
        return None, "fails: " + ((run.errors or run.output).strip().splitlines() or ["?"])[0]
    return recording, "right"


def cccl_headers(nvcc):
    """The toolkit's folder of Thrust and CUB: since CUDA 13 one of their own."""
    include = pathlib.Path(nvcc).resolve().parent.parent / "include"
    return next((f for f in (include / "cccl", include) if (f / "thrust").is_dir()), include)


def script(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, stat.S_IRWXU)
    return path


def equal_with(functions, name, wrapper, folder):
    """Whether both builds read the same with plain functions in the place of these."""
    defines = " ".join(f"-DPLAIN_{f}" for f in functions)
    read = []
    for number, compiler in enumerate((wrapper, NVCC)):
        plain = script(os.path.join(folder, f"plain-{number}"),
                       PLAIN.format(compiler=compiler, header=PLAIN_MATH, defines=defines))
        recording, _ = recorded(name, plain, folder)
        read.append(recording and reads(recording))
    return read[0] is not None and read[0] == read[1]


def functions_that_differ(name, wrapper, folder):
    """The functions of mathematics in which the two builds of a program differ: with plain ones in the place of all they read the
    same, and with one of these as it is they do not."""
    known = set(re.findall(r"PLAIN_(\w+)\n", PLAIN_MATH.read_text()))
    text = "".join(file.read_text() for file in pathlib.Path(INPUTS, name).rglob("*.cu"))
    used = sorted(known & set(re.findall(r"\w+", text)))
    if not used or not equal_with(used, name, wrapper, folder):
        return "not found"
    return ", ".join(f for f in used if not equal_with([o for o in used if o != f], name, wrapper, folder)) or "fused products"


def bytes_read(program, fill, folder):
    """The bytes of each read of the program, with new memory full of \\p fill."""
    shim, kept = (os.path.join(folder, file) for file in ("reads.so", "reads.bin"))
    if not os.path.exists(shim):
        Run(["cc", "-shared", "-fPIC", DEVICE_READS, "-o", shim, "-ldl"])
    Run([program], env=dict(environment(folder), LD_PRELOAD=shim, DEVICE_READS=kept, DEVICE_FILL=str(fill)), limit_s=LIMIT)
    data, found, at = pathlib.Path(kept).read_bytes(), [], 0
    while at < len(data):
        size, = struct.unpack_from("<Q", data, at)
        found.append(data[at + 8:at + 8 + size])
        at += 8 + size
    return found


def places(some, others):
    """Where reads of the same sizes differ: number of the read, its size, and the byte in it."""
    return {(number, len(a), at) for number, (a, b) in enumerate(zip(some, others)) if a != b for at in range(len(a)) if a[at] != b[at]}


def said(found):
    """Bytes of reads, by the sizes of the reads."""
    by_size = {}
    for _, size, at in found:
        by_size.setdefault(size, set()).add(at)
    return "; ".join(f"bytes {min(at)} to {max(at)} of reads of {size}" for size, at in sorted(by_size.items()))


def without_unwritten(name, folder):
    """The verdict on two builds of a program with Thrust or CUB whose reads differ, and what differs. Bytes that one of the builds
    has not written are not compared: it reads them as what new memory was full of."""
    built = [[bytes_read(path, fill, folder) for fill in (0, 255)] for path in sorted(pathlib.Path(folder).glob(f"{name}-*.built"))]
    sizes = {tuple(map(len, reads)) for runs in built for reads in runs}
    if len(built) != 2 or len(sizes) != 1:
        return "different", "not found"
    differ = places(built[0][0], built[1][0])
    unwritten = set.union(*(places(*runs) for runs in built))
    if differ - unwritten or not unwritten:
        return "different", said(differ - unwritten) or "not found"
    return "equal", f"unwritten {said(unwritten)}"


def measure(name, wrapper, cccl, folder):
    theirs, verdict = recorded(name, wrapper, folder)
    ours, own = recorded(name, cccl if name in OF_CCCL else NVCC, folder)
    equal, count, cause = "-", "-", "-"
    if theirs and ours:
        theirs, ours = reads(theirs), reads(ours)
        equal, count, cause = "equal", len(ours), ""
        if theirs != ours and name in OF_CCCL:
            equal, cause = without_unwritten(name, folder)
        elif theirs != ours:
            equal, cause = "different", functions_that_differ(name, wrapper, folder)
    return {"program": name, "built by heddle-nvcc": own, "built by nvcc": verdict, "reads": count, "bytes": equal,
            "differ in": cause}


def functions(wrapper, folder):
    """Of each function of single_precision.cu: the arguments, and how many of them give other bits when nvcc has compiled it."""
    said = []
    for compiler in (NVCC, wrapper):
        program = os.path.join(folder, "functions-" + os.path.basename(compiler))
        built = Run([compiler, FUNCTIONS, "-o", program], env=environment(folder))
        run = Run([program], env=environment(folder)) if built.status == 0 else built
        if run.status != 0:
            raise SystemExit(f"{FUNCTIONS}: {run.errors}")
        said.append({line.split()[0]: line.split()[1:] for line in run.output.splitlines()})
    ours, theirs = said
    return {name: (len(bits), sum(a != b for a, b in zip(bits, theirs[name]))) for name, bits in ours.items()}


def say_functions(report, wrapper, folder):
    found = functions(wrapper, folder)
    report.say("""Functions of mathematics in single precision, one kernel each (`utils/evaluation/single_precision.cu`): half of the arguments are any bits,
half lie between -16 and 16. nvcc's PTX of a kernel and `heddle-nvcc`'s build of it run on the same engine. What is approximate in PTX, as `ex2.approx`,
is rounded well there, so neither has a GPU's last bits.
""")
    report.say("The same bits for every argument: " + ", ".join(f"`{n}`" for n, (_, differ) in found.items() if not differ) + ".\n")
    rows = [[name, count, differ] for name, (count, differ) in found.items() if differ]
    if rows:
        report.table(["function", "arguments", "other bits"], rows)


def main():
    parser = argparse.ArgumentParser(prog="utils/reproduce toolkit", description=__doc__)
    parser.add_argument("--programs", nargs="*", help="only these")
    parser.add_argument("--nvcc", default=shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc")
    options = parser.parse_args()
    if not os.path.exists(options.nvcc):
        raise SystemExit(f"{options.nvcc}: there is no nvcc; --nvcc names one")
    report = Report("toolkit", "Programs that nvcc has built")
    report.say("""The programs of `test/apps/cuda` with a makefile or CMake files of their own, built by the toolkit's nvcc with PTX inside and linked with the shared runtime
(`-gencode arch=compute_75,code=compute_75 -cudart shared`), and by `heddle-nvcc`. Both run on Heddle's library with one host thread, as GPU `t4`, and are
recorded. `right`: the program's own check passed. `bytes` compares what both read back from the device, by hashes. Programs that take Thrust or CUB
(`algorithms`, `devicewide`, `poisson`) are built by both with the toolkit's headers (`-I .../include/cccl`). What calls functions of mathematics need not read the same: nvcc's PTX has CUDA's own in it. Where bytes differ,
both are built again without fused products and with plain functions (`utils/evaluation/plain_math.h`) instead. *Differ in* names the functions
that must be replaced until both read the same. Memory that nothing wrote is not compared, as in recordings: Thrust reads an answer with an index as one
struct of 16 bytes, and whether a store of its members writes what lies between them is up to the compiler. Such bytes are found by running both builds
twice more, with new memory full of zeros and full of ones: what is read as either, nothing wrote, and *differ in* names it.
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
        wrapper = script(os.path.join(folder, "nvcc-with-ptx"), WRAPPER.format(nvcc=options.nvcc, library=libraries))
        cccl = script(os.path.join(folder, "with-cccl"), WITH_CCCL.format(compiler=NVCC, headers=cccl_headers(options.nvcc)))
        for name in options.programs or names():
            rows.append(measure(name, wrapper, cccl, folder))
            print("  " + ": ".join(map(str, rows[-1].values())), flush=True)
        report.table(list(rows[0]), [list(r.values()) for r in rows])
        right = sum(r["built by nvcc"] == "right" for r in rows)
        report.say(f"{right} of {len(rows)} programs that nvcc built are right; "
                   f"{sum(r['bytes'] == 'equal' for r in rows)} read the same bytes.\n")
        say_functions(report, wrapper, folder)
    report.csv(list(rows[0]), [list(r.values()) for r in rows])
    report.write()


if __name__ == "__main__":
    main()
