"""Computes every intrinsic on both engines and compares with what functions.py says.

execute.py HEDDLE FOLDER"""

import os
import random
import struct
import subprocess
import sys

import functions

LANES = 256
EDGES = [0, 1, 2, 31, 32, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
         0x80808080, 0x7F7F7F7F, 0x80008000, 0x7FFF7FFF, 0x01010101, 0x00FF00FF, 0xFF00FF00]
C_TYPES = {"cu": {"s32": "int", "u32": "unsigned", "s64": "long long", "u64": "unsigned long long"},
           "cl": {"s32": "int", "u32": "uint", "s64": "long", "u64": "ulong"}}


def values(seed):
    """64 bits each; words and parts of them at their limits meet each other."""
    r = random.Random(seed)
    word = lambda: r.choice(EDGES) if r.random() < 0.6 else r.getrandbits(32)
    return [word() << 32 | word() for _ in range(LANES)]


def source(language, rows):
    types = C_TYPES[language]
    wide = types["u64"]
    lines = []
    for n, row in enumerate(rows):
        inputs = "".join(f" {types[t]} {v} = ({types[t]}){v}s[i];" for v, t in zip("abc", row.operands))
        unsigned = types["u" + row.result[1:]]
        lines.append(f"  {{{inputs} out[{n} * {LANES} + i] = ({wide})({unsigned})({row.expression.split(' //')[0]}); }}")
    if language == "cu":
        head = f'extern "C" __global__ void all({wide} *out, const {wide} *as, const {wide} *bs, const {wide} *cs) {{\n'
        head += f"  unsigned i = threadIdx.x;\n"
    else:
        head = f"kernel void all(global {wide} *out, global const {wide} *as, global const {wide} *bs, global const {wide} *cs) {{\n"
        head += "  uint i = get_local_id(0);\n"
    return head + "\n".join(lines) + "\n}\n"


def check(heddle, folder, language, rows, arch):
    path = os.path.join(folder, "all." + language)
    with open(path, "w") as file:
        file.write(source(language, rows))
    operands = [values(seed) for seed in (1, 2, 3)]
    args = ["--arg", f"out:u64[{len(rows) * LANES}]=zero"]
    for name, data in zip("abc", operands):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(struct.pack(f"<{LANES}Q", *data))
        args += ["--arg", f"u64[{LANES}]=file:{os.path.join(folder, name)}"]
    wrong = 0
    for engine in ("jit", "interpreter"):
        dump = os.path.join(folder, f"{language}.{engine}")
        subprocess.run([heddle, "run", path, "--grid", "1", "--block", str(LANES), "-q", "--engine", engine, "--arch", arch,
                        "--dump", f"out={dump}", *args], check=True)
        results = struct.unpack(f"<{len(rows) * LANES}Q", open(dump, "rb").read())
        for n, row in enumerate(rows):
            size = int(row.result[1:])
            for i in range(LANES):
                given = []
                for data, t in zip(operands, row.operands):
                    width = int(t[1:])
                    v = data[i] & ((1 << width) - 1)
                    given.append(functions.signed(v, width) if t[0] == "s" else v)
                wanted = row.reference(*given) & ((1 << size) - 1)
                if results[n * LANES + i] != wanted:
                    print(f"{engine}: {row.expression} of {[hex(v) for v in given]}: "
                          f"{results[n * LANES + i]:#x}, not {wanted:#x}")
                    wrong += 1
                    break
    print(f"{language} for {arch}: {len(rows)} functions, {wrong} wrong")
    return wrong


def main():
    heddle, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    # From sm_90 on, words of two halves have instructions of their own.
    wrong = sum(check(heddle, folder, language, [r for r in rows if r.reference], arch)
                for language, rows, arch in (("cu", functions.cuda(), "sm_70"), ("cu", functions.cuda(), "sm_90"),
                                             ("cl", functions.opencl(), "sm_70")))
    sys.exit(bool(wrong))


main()
