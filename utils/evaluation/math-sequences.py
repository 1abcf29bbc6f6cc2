"""The instructions that nvcc's functions of the device library take, in order: lib/MachineCode/MathPatterns.def.

Each function stands in a kernel of its own, which nvcc ($NVCC, else on PATH) compiles to PTX. `heddle trace --isa machine`
runs it for several operands; what the kernel does around the function is taken off, and the path of median length is the
row. Instructions on the longest chain of results read the one before; the others, marked "+", stand beside it. What reads
tables is left out, and a row says so."""

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import common

OUTPUT = os.path.join(common.ROOT, "lib", "MachineCode", "MathPatterns.def")
ARCHITECTURES = {70: (0, 74), 80: (75, 999)}

UNARY = ("sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p logb cbrt "
         "rcbrt erf erfc erfcx erfinv erfcinv normcdf normcdfinv tgamma lgamma sinpi cospi j0 j1 y0 y1 round").split()
BINARY = "pow atan2 fmod remainder hypot rhypot fdim nextafter".split()
CALLS = {"sincos": "{f}(x, out + 32 + threadIdx.x, out + 64 + threadIdx.x)", "ldexp": "{f}(x, n)", "powi": "pow(x, n)",
         "ilogb": "{f}(x)"}
FIRST = [0.1, 0.3, 0.6, 0.9, 1.5, 2.5, 5, 20]
DOMAINS = {"acosh": [1.2, 1.5, 2.5, 5, 20], **dict.fromkeys(
    ["asin", "acos", "atanh", "erfinv", "erfcinv", "normcdfinv"], [0.1, 0.3, 0.6, 0.9])}
SECOND = [0.7, 2.3]

# Rough cycles from one instruction to the next on a chain; they only choose the longest.
LATENCY = {"MUFU": 18, "DADD": 8, "DMUL": 8, "DFMA": 8, "DSETP": 10, "F2I": 14, "I2F": 14, "F2F": 14, "FSETP": 12, "ISETP": 12,
           "FRND": 14}
CONTROL = ("BSSY", "BSYNC", "BMOV", "WARPSYNC", "NOP", "SHFL", "YIELD")


HEADER = """//===- MathPatterns.def - Functions of the device library ----------------===//
//
// Rows of Patterns.def, made by utils/evaluation/math-sequences.py.
//
//===----------------------------------------------------------------------===//

// clang-format off
"""


def source(name, single):
    call, kind = name + ("f" if single else ""), "float" if single else "double"
    if name in CALLS:
        use = CALLS[name].format(f=call)
        use = f"{use}; return" if name == "sincos" else f"out[threadIdx.x] = {use}"
    else:
        use = f"out[threadIdx.x] = {call}(x{', y' if name in BINARY else ''})"
    return (f'extern "C" __global__ void k({kind} *out, const {kind} *a, const {kind} *b, const int *c) {{\n'
            f"  {kind} x = a[threadIdx.x], y = b[threadIdx.x]; int n = c[threadIdx.x]; {use};\n}}\n")


def code(path, arch):
    """The instructions of each block at level machine: (opcode, what it writes, what it reads)."""
    table = subprocess.run([common.HEDDLE, "kernels", path, "--kernel", "k", "--code-table", "--isa", "machine", "--arch",
                            f"sm_{arch}", "-q"], check=True, capture_output=True, text=True).stdout
    if "(machine)" not in table:
        sys.exit(f"{path}: level machine does not take it")
    blocks = []
    for line in table.splitlines():
        if line.startswith("block "):
            blocks.append([])
        elif match := re.match(r"  ([A-Z]\S*) +\w+ +\S+ +x1 +((?:r\d+,?)*)(?: *<- (\S+))?", line):
            opcode, writes, reads = match.groups()
            blocks[-1].append(Step(opcode, re.findall(r"r\d+", writes or ""), re.findall(r"r\d+", reads or "")))
    return blocks


class Step:
    """An executed instruction with the registers that it writes and reads."""

    def __init__(self, opcode, writes, reads):
        self.opcode, self.writes, self.reads, self.guarded = opcode, writes, reads, False


def body(steps, operands):
    """The places of the function's own steps, what each reads, the steps that write the result, and whether it read a table:
    what leads to the addresses of the kernel goes."""
    sources, last, predicates = [], {}, set()
    for n, s in enumerate(steps):
        is_test = re.match(r"[FDI]SETP|PLOP3|FCHK|R2P", s.opcode)
        # A guarded instruction leaves what was there before.
        s.guarded = not is_test and not re.match(r"F?SEL|BRA|.*\.X$", s.opcode) and any(r in predicates for r in s.reads)
        sources.append([last[r] for r in s.reads + (s.writes if s.guarded else []) if r in last])
        for w in s.writes:
            last[w] = n
        (predicates.update if is_test else predicates.difference_update)(s.writes)
    loads = [n for n, s in enumerate(steps) if s.opcode.startswith("LDG")]
    stores = [n for n, s in enumerate(steps) if s.opcode.startswith("STG")]
    arguments = loads[:operands]
    frame = {n for n, s in enumerate(steps)
             if s.opcode.startswith(("EXIT", "S2R", "LDG", "STG", "ULDC", "LDC") + CONTROL)}
    work = [p for n in arguments for p in sources[n]]
    # The address stands first.
    work += [p for n in stores for p in sources[n][:1]]
    while work:
        n = work.pop()
        if n not in frame:
            frame.add(n)
            work += sources[n]
    results = {p for n in stores for p in sources[n][1:] if p not in frame}
    tables = any(n not in arguments for n in loads)
    # A constant that nothing reads, like the stack pointer, is not of the function.
    frame |= {n for n, s in enumerate(steps) if s.writes and not s.reads and not any(n in other for other in sources)}
    return [n for n in range(len(steps)) if n not in frame], sources, results, tables


def sequence(steps, operands):
    """The row's text, and whether tables are left out of it."""
    kept, sources, results, tables = body(steps, operands)
    # What writes the result stands last.
    kept = [n for n in kept if n not in results] + [n for n in kept if n in results]
    cost, before = {}, {}
    for n in sorted(kept):
        cost[n] = LATENCY.get(steps[n].opcode.split(".")[0], 4)
        reads = [p for p in sources[n] if p in cost]
        if reads:
            before[n] = max(reads, key=lambda p: cost[p])
            cost[n] += cost[before[n]]
    chain, n = results & set(kept[-1:]), max(kept, key=cost.get)
    while n is not None:
        chain.add(n)
        n = before.get(n)
    words = []
    for n in kept:
        s = steps[n]
        mark = "" if n in chain else "+"
        if len(results) > 1 and n in results:
            mark = "=" + mark
        words.append(("@" if s.guarded else "") + mark + s.opcode)
    words[0] = re.sub(r"[@+]", "", words[0])
    return " ".join(words), tables


def measure(name, single, folder):
    stem = os.path.join(folder, name + ("f" if single else "d"))
    with open(stem + ".cu", "w", encoding="utf-8") as file:
        file.write(source(name, single))
    nvcc = os.environ.get("NVCC", "nvcc")
    subprocess.run([nvcc, "-w", "-arch=sm_80", "-ptx", "-o", stem + ".ptx", stem + ".cu"], check=True)
    with open(stem + ".ptx", encoding="utf-8") as file:
        text = re.sub(r"\.version \S+", ".version 7.8", file.read())
    kind = "f32" if single else "f64"
    rows = {}
    for arch in ARCHITECTURES:
        path = f"{stem}{arch}"
        with open(path + ".ptx", "w", encoding="utf-8") as file:
            file.write(text.replace(".target sm_80", f".target sm_{arch}"))
        blocks = code(path + ".ptx", arch)
        paths = []
        for x in DOMAINS.get(name, FIRST):
            for y in SECOND if name in BINARY else SECOND[:1]:
                subprocess.run([common.HEDDLE, "trace", path + ".ptx", "--kernel", "k", "--arch", f"sm_{arch}", "--isa", "machine",
                                "--grid", "1", "--block", "32", "--arg", f"{kind}[96]=zero", "--arg", f"{kind}[32]=value:{x}",
                                "--arg", f"{kind}[32]=value:{y}", "--arg", "i32[32]=value:3", "-q", "-o", path + ".trace"],
                               check=True)
                dump = subprocess.run([common.HEDDLE, "trace", "dump", path + ".trace"], check=True, capture_output=True,
                                      text=True).stdout
                steps = [s for n in re.findall(r"^    bb(\d+) ", dump, re.M) for s in blocks[int(n)]]
                paths.append(sequence(steps, 2 if name in BINARY or name in ("ldexp", "powi") else 1))
        paths.sort(key=lambda p: len(p[0].split()))
        text, tables = paths[len(paths) // 2]
        # Sine and cosine of one angle reduce it once.
        if single and name in ("sin", "cos"):
            text = text.replace(" +BRA", " | +BRA", 1)
        rows[arch] = text, tables
    return name, kind, rows


def main():
    names = [n for n in UNARY + BINARY + list(CALLS) if not sys.argv[1:] or n in sys.argv[1:]]
    lines = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        for name, kind, rows in pool.map(lambda j: measure(*j, folder), [(n, s) for n in names for s in (True, False)]):
            bounds = {arch: ARCHITECTURES[arch] for arch in rows}
            if rows[70] == rows[80]:
                del rows[70]
                bounds[80] = (0, 999)
            for arch, (text, tables) in rows.items():
                first, last = bounds[arch]
                note = " // without its tables" if tables else ""
                lines.append(f'HEDDLE_PATTERN("math", "{name}", "{kind}", {first}, {last}, "{text}", Traced){note}')
                print(len(text.split()), lines[-1], file=sys.stderr)
    with open(OUTPUT if not sys.argv[1:] else "/dev/stdout", "w", encoding="utf-8") as file:
        file.write(HEADER + "\n".join(lines) + "\n\n// clang-format on\n")


main()
