"""The instructions that ptxas makes of single operations of PTX, by opcode and architecture.

Writes test/MachineCode/Inputs/sequences.csv: counts, as facts to check lib/MachineCode/Patterns.def against without a
toolkit. Needs ptxas and nvdisasm of one toolkit that knows all architectures (CUDA 11.8): $HEDDLE_PTXAS."""

import collections
import csv
import os
import re
import subprocess
import sys
import tempfile

import common

ARCHITECTURES = [70, 75, 80, 86, 89, 90]
OUTPUT = os.path.join(common.ROOT, "test", "MachineCode", "Inputs", "sequences.csv")


def operations(arch):
    """(opcode, type of the result, types of the operands)"""
    yield from ((f"{b}.rn.{t}", t, t, t) for t in ("f32", "f64") for b in ("add", "sub", "mul", "div"))
    yield from ((f"fma.rn.{t}", t, t, t, t) for t in ("f32", "f64"))
    yield from ((f"{b}.{t}", t, t, t) for t in ("f32", "f64") for b in ("min", "max", "copysign"))
    yield from ((f"{b}.rn.{t}", t, t) for t in ("f32", "f64") for b in ("rcp", "sqrt"))
    for ftz in (".ftz", ""):
        yield from ((f"{b}.approx{ftz}.f32", "f32", "f32") for b in ("ex2", "lg2", "rsqrt", "sqrt", "rcp", "sin", "cos"))
        yield from ((f"div.{b}{ftz}.f32", "f32", "f32", "f32") for b in ("approx", "full"))
    yield "rsqrt.approx.f64", "f64", "f64"
    yield from ((f"{b}.{t}", t, t, t) for t in ("s32", "u32") for b in ("div", "rem"))
    yield from ((f"{b}.{t}", t, t, t) for t in ("s32", "u32", "s64", "u64") for b in ("min", "max", "mul.hi", "mul.lo"))
    yield from ((f"shr.{t}", t, t, "u32") for t in ("s32", "u32", "s64", "u64"))
    yield from ((f"{b}.{t}", t, t) for t in ("s32", "s64") for b in ("abs", "neg"))
    yield from ((f"shl.{t}", t, t, "u32") for t in ("b32", "b64"))
    yield from ((f"{b}.{t}", t, t) for t in ("b32", "b64") for b in ("not", "brev"))
    yield from ((f"{b}.{t}", "b32", t) for t in ("b32", "b64") for b in ("clz", "popc"))
    yield from (("bfind." + t, "u32", t) for t in ("u32", "s32"))
    yield "prmt.b32", "b32", "b32", "b32", "b32"
    yield "shf.l.wrap.b32", "b32", "b32", "b32", "b32"
    yield "sad.s32", "s32", "s32", "s32", "s32"
    yield "dp4a.s32.s32", "s32", "s32", "s32", "s32"
    yield "mad.lo.s32", "s32", "s32", "s32", "s32"
    yield "mul.wide.s32", "s64", "s32", "s32"
    yield "mad.lo.s64", "s64", "s64", "s64", "s64"
    for d, s, rounding in (("f32", "s32", ".rn"), ("f32", "u32", ".rn"), ("f64", "s32", ".rn"), ("f64", "f32", ""),
                           ("f32", "f64", ".rn"), ("s32", "f32", ".rzi"), ("u32", "f32", ".rzi"),
                           ("s32", "f64", ".rzi"), ("f32", "f32", ".rni"), ("f64", "f64", ".rni"),
                           ("f32", "s64", ".rn"), ("s64", "f32", ".rzi"), ("s64", "s32", "")):
        yield f"cvt{rounding}.{d}.{s}", d, s
    yield "cvt.f32.f16", "f32", "b16"
    yield "cvt.rn.f16.f32", "b16", "f32"
    yield from ((f"{b}.rn.f16x2", "b32", "b32", "b32") for b in ("add", "mul"))
    yield "fma.rn.f16x2", "b32", "b32", "b32", "b32"
    if arch >= 75:
        yield "tanh.approx.f32", "f32", "f32"
    if arch >= 80:
        yield "cvt.rn.f16x2.f32", "b32", "f32", "f32"
        yield "min.f16x2", "b32", "b32", "b32"


def products(arch):
    """(opcode, registers of the result, of the two factors and of what is added)"""
    wmma = "wmma.mma.sync.aligned.row.row.m16n16k16"
    yield f"{wmma}.f32.f32", 8, 8, 8, 8
    yield f"{wmma}.f16.f16", 4, 8, 8, 4
    mma = "mma.sync.aligned"
    if arch >= 75:
        yield f"{mma}.m16n8k8.row.col.f32.f16.f16.f32", 4, 2, 1, 4
        yield f"{mma}.m16n8k8.row.col.f16.f16.f16.f16", 2, 2, 1, 2
    if arch >= 80:
        yield f"{mma}.m16n8k16.row.col.f32.f16.f16.f32", 4, 4, 2, 4
        yield f"{mma}.m16n8k16.row.col.f16.f16.f16.f16", 2, 4, 2, 2


def bits(kind):
    return int(re.sub(r"\D", "", kind.replace("x2", "")) or 32)


def kernel(number, operation, result, *operands):
    """A kernel of volatile loads, the operation and a store; without one it stores a product of nothing else."""
    registers = "".join(f" .reg .b{bits(t)} %x{i};" for i, t in enumerate(operands))
    loads = "".join(f" ld.volatile.global.b{bits(t)} %x{i}, [%rd1+{16 * i}];\n" for i, t in enumerate(operands))
    names = ", ".join(f"%x{i}" for i in range(len(operands)))
    # What stands for the operation takes one instruction, which is not counted.
    body = f"{operation} %d, {names}" if operation else f"mov.b{bits(result)} %d, %clock64" if bits(result) == 64 \
        else f"mov.b{bits(result)} %d, 5"
    return (f".visible .entry k{number}(.param .u64 a, .param .u64 b) {{\n .reg .b64 %rd<3>;{registers} .reg .b{bits(result)} %d;\n"
            f" ld.param.u64 %rd1, [a];\n ld.param.u64 %rd2, [b];\n{loads} {body};\n"
            f" st.volatile.global.b{bits(result)} [%rd2], %d;\n ret;\n}}\n")


def product_kernel(number, operation, *sizes):
    """A kernel of volatile loads of the fragments, the product and stores of its result."""
    kinds = ["f32" if operation.endswith(".f32") else "b32", "b32", "b32"]
    kinds.append(kinds[0])
    names = [[f"%f{f}_{i}" for i in range(size)] for f, size in enumerate(sizes)]
    registers = "".join(f" .reg .{kind} {', '.join(n)};" for kind, n in zip(kinds, names))
    loads = "".join(f" ld.volatile.global.{kind} {n}, [%rd1+{64 * f + 4 * i}];\n"
                    for f, kind in enumerate(kinds) if f for i, n in enumerate(names[f]))
    stores = "".join(f" st.volatile.global.{kinds[0]} [%rd2+{4 * i}], {n};\n" for i, n in enumerate(names[0]))
    fragments = ", ".join("{" + ", ".join(n) + "}" for n in names)
    return (f".visible .entry k{number}(.param .u64 a, .param .u64 b) {{\n .reg .b64 %rd<3>;{registers}\n"
            f" ld.param.u64 %rd1, [a];\n ld.param.u64 %rd2, [b];\n{loads} {operation} {fragments};\n{stores} ret;\n}}\n")


def disassemble(text, arch):
    """{kernel: opcodes on the path without a call}"""
    ptxas = os.environ.get("HEDDLE_PTXAS", "ptxas")
    with tempfile.TemporaryDirectory() as folder:
        source, binary = os.path.join(folder, "a.ptx"), os.path.join(folder, "a.cubin")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run([ptxas, f"-arch=sm_{arch}", "-o", binary, source], check=True)
        code = subprocess.run([os.path.join(os.path.dirname(ptxas), "nvdisasm"), "-c", binary], check=True,
                              capture_output=True, text=True).stdout
    found, blocks = {}, None
    for line in code.splitlines():
        if match := re.match(r"\.text\.k(\d+):", line):
            blocks = found.setdefault(int(match.group(1)), [[]])
        elif line.strip().startswith(".section"):
            blocks = None
        elif blocks is None:
            continue
        elif re.match(r"\S+:$", line):
            blocks.append([])
        elif match := re.match(r"\s+/\*([0-9a-f]+)\*/\s+(@\S+\s+)?(\S+?)( .*)?;", line):
            # nvdisasm 11.8 leaves out what it does not know, VIMNMX of sm_90.
            if int(match.group(1), 16) != 16 * sum(map(len, blocks)):
                blocks[-1].append(("VIMNMX", False))
            blocks[-1].append((match.group(3), bool(match.group(2))))
            if match.group(3).split(".")[0] in ("BRA", "RET", "CALL"):
                blocks.append([])
    result = {}
    for number, blocks in found.items():
        opcodes, after_call = [], False
        for block in blocks:
            call = any(o.startswith("CALL") for o, _ in block)
            # What follows a call up to the way back belongs to the slow path.
            if not call and not (after_call and block and block[-1][0].startswith("BRA")):
                opcodes += [o for o, _ in block]
            after_call = call
            if any(o == "EXIT" and not guarded for o, guarded in block):
                break
        result[number] = opcodes
    return result


# Moves of operands into place come and go with what stands around.
MOVES = ("MOV", "IMAD.MOV.U32", "NOP", "HFMA2.MMA", "CS2R")
FRAME = ("LDG", "STG", "S2R", "EXIT", "SHFL.IDX", "ULDC", "LDC", "BRA_END")


def counts(opcodes, arch, operation):
    packed = arch in (80, 90) and operation.endswith("f16x2") and operation[0] in "afm" and operation[1] != "i"
    moves = [m for m in MOVES if m != "HFMA2.MMA" or not packed]
    kept = [o for o in opcodes if o not in moves and not o.startswith(FRAME)]
    if packed:
        # One is the operation, others are moves.
        kept = [o for o in kept if o != "HFMA2.MMA"] + ["HFMA2.MMA"]
    return collections.Counter(kept)


def main():
    rows = {}
    for arch in ARCHITECTURES:
        all_of = list(operations(arch))
        text = f".version 7.8\n.target sm_{arch}\n.address_size 64\n"
        single = len(all_of)
        all_of += products(arch)
        found = disassemble(text + "".join((kernel if n < single else product_kernel)(n, *o)
                                           for n, o in enumerate(all_of)), arch)
        for number, (operation, *_) in enumerate(all_of):
            text_of = " ".join(f"{o}:{c}" for o, c in sorted(counts(found[number], arch, operation).items()))
            rows.setdefault((operation, text_of), []).append(arch)
    with open(OUTPUT, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["operation", "architectures", "instructions"])
        for (operation, text), archs in rows.items():
            out.writerow([operation, " ".join(map(str, archs)), text])
    print(f"{len(rows)} rows written to {OUTPUT}", file=sys.stderr)


main()
