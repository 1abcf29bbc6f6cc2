"""Latencies of arithmetic as ptxas has them: the least distance between dependent instructions, by stall counts.

Hardware does not check when an operation of fixed latency ends; ptxas writes into each instruction how many cycles
the next one waits. The least sum of these from an instruction to one that needs its result is the latency for such a
pair. Needs ptxas and nvdisasm of one toolkit ($HEDDLE_PTXAS, else on PATH)."""

import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

import common

ARCHITECTURES = {"sm_70": "v100", "sm_75": "t4", "sm_80": "a100", "sm_86": "a6000", "sm_89": "l40", "sm_90": "h100"}
PTXAS = os.environ.get("HEDDLE_PTXAS") or shutil.which("ptxas") or ""
FMA = {"FADD", "FMUL", "FFMA", "IMAD"}
INTEGER = {"IADD3", "LOP3", "SHF", "LEA", "IMNMX", "SEL", "FSEL", "FMNMX", "ISETP", "FSETP", "PLOP3", "PRMT", "MOV", "IABS"}
HALVES = {"HFMA2", "HADD2", "HMUL2"}
ACCESS = {"LDG", "STG", "LDS", "STS", "LDL", "STL", "SHFL"}
# Kind of pair, and our number of cycles for it by the machine's fields.
PAIRS = {
    "FMA to FMA": lambda m: m["fma"],
    "integer to integer": lambda m: m["integer"],
    "FMA to integer": lambda m: m["fma"] + m["front.other_pipe_delay"],
    "integer to FMA": lambda m: m["integer"] + m["front.other_pipe_delay"],
    "halves to halves": lambda m: m["halves"],
    "FMA to access": lambda m: m["fma"] + m["front.access_delay"],
    "integer to access": lambda m: m["integer"] + m["front.access_delay"],
    "predicate to operand": lambda m: m["integer"],
    "predicate to guard": lambda m: m["integer"] + m["front.guard_delay"],
}
# An instruction and its control word: bits 105 to 108 of 128 are the stall count, 110 to 112 the barrier of its result.
FIRST_WORD = re.compile(r"\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?(U?P\w+)\s+)?(\S+)\s*(.*?)\s*;\s*/\* 0x[0-9a-f]{16} \*/")
SECOND_WORD = re.compile(r"\s*/\* 0x([0-9a-f]{16}) \*/")
REGISTER = re.compile(r"(?<![\w.])(R\d+|P\d)\b")


def instructions(text):
    """(guard, opcode, operands, stall count, whether its latency is fixed), or None where other code can come in."""
    pending = None
    for line in text.splitlines():
        first, second = FIRST_WORD.match(line), SECOND_WORD.match(line)
        if first:
            pending = first.groups()
        elif second and pending:
            control = int(second.group(1), 16) >> 41
            guard, opcode, operands = pending
            yield guard, opcode, [o.strip() for o in operands.split(",")], control & 15, control >> 5 & 7 == 7
            pending = None
        elif re.match(r"\s*\.\w+:", line):
            yield None


def unit(opcode):
    base = opcode.split(".")[0]
    if base in HALVES and ".MMA" not in opcode and ".F32" not in opcode:
        return "halves"
    if opcode.startswith(("IMAD.WIDE", "IMAD.HI")) or ".X" in opcode:
        return None  # words and carries have times of their own
    return next((name for name, all_of in (("FMA", FMA), ("integer", INTEGER), ("access", ACCESS)) if base in all_of), None)


def least_distances(text):
    """Least distance and number of pairs, by kind."""
    found = collections.defaultdict(collections.Counter)
    made, now = {}, 0
    for each in instructions(text):
        if each is None or each[1].split(".")[0] in ("BRA", "EXIT", "RET", "CALL", "BSYNC", "BAR", "WARPSYNC"):
            if each and each[0] in made:
                found["predicate to guard"][now - made[each[0]][0]] += 1
            made.clear()
            continue
        guard, opcode, operands, stall, fixed = each
        to = unit(opcode)
        results = 0 if opcode.startswith(("ST", "RED")) else 2 if len(operands) > 1 and re.fullmatch(r"P[T\d]", operands[1]) else 1
        for register in {r for o in operands[results:] for r in REGISTER.findall(o)}:
            when, source = made.get(register, (0, None))
            if source and register[0] == "P" and to == "integer":
                found["predicate to operand"][now - when] += 1
            elif source and to and register[0] == "R":
                found[f"{source} to {to}"][now - when] += 1
        if guard in made:
            found["predicate to guard"][now - made[guard][0]] += 1
        for result in operands[:results]:
            made.pop(result, None)
            if fixed and not guard and unit(opcode) in ("FMA", "integer", "halves"):
                made[result] = now, unit(opcode)
        now += stall
    return found


def machine_numbers(gpu):
    """What the pairs above read of a machine file."""
    text = common.heddle("gpus", gpu).output
    numbers = {name: int(re.search(rf"^\s*{re.escape(name)}\s+(\d+)", text, re.M).group(1))
               for name in ("front.other_pipe_delay", "front.access_delay", "front.guard_delay")}
    rows = re.findall(r"^\s*(add|mad)\s+\w+\s+(\d+)\s+\d+\s+(\S+)", text, re.M)
    of = {(operation, t): int(latency) for operation, latency, types in rows for t in types.split("|")}
    return {**numbers, "integer": of["add", "i32"], "fma": of["mad", "f32"], "halves": of["mad", "f16"]}


def disassembled(ptx, arch, folder):
    """Code that ptxas makes of a file for an architecture; nothing if it does not take it."""
    name = os.path.join(folder, os.path.basename(ptx) + "." + arch)
    with open(ptx, encoding="utf-8") as file:
        text = re.sub(r"^\.target sm_\w+", ".target " + arch, re.sub(r"^\.version .*", ".version 7.8", file.read(), flags=re.M), flags=re.M)
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    made = subprocess.run([PTXAS, "-arch=" + arch, "-o", name + ".cubin", name], capture_output=True, check=False)
    nvdisasm = os.path.join(os.path.dirname(PTXAS), "nvdisasm")
    run = subprocess.run([nvdisasm, "-hex", "-c", name + ".cubin"], capture_output=True, text=True, check=False) if not made.returncode else None
    return run.stdout if run and run.returncode == 0 else ""


def main():
    if not PTXAS or not os.path.exists(os.path.join(os.path.dirname(PTXAS), "nvdisasm")):
        sys.exit("latencies: no ptxas with its nvdisasm ($HEDDLE_PTXAS, else on PATH)")
    report = common.Report("latencies", "Latencies in code of ptxas")
    rows = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        files = []
        for kernel in common.kernels("test", "CUDA"):
            path = os.path.join(folder, kernel.name + ".ptx")
            if common.heddle("kernels", "--ptx", "--arch", "sm_70", kernel.source, "-o", path, check=False).status == 0:
                files.append(path)
        for arch, gpu in ARCHITECTURES.items():
            found = collections.defaultdict(collections.Counter)
            for text in pool.map(lambda f, a=arch: disassembled(f, a, folder), files):
                for kind, distances in least_distances(text).items():
                    found[kind].update(distances)
            ours = machine_numbers(gpu)
            for kind, number in PAIRS.items():
                if sum(found[kind].values()) >= 10:
                    least = min(found[kind])
                    rows.append([arch, gpu, kind, sum(found[kind].values()), found[kind][least], least, number(ours), number(ours) - least])
    report.say(f"The {len(files)} CUDA kernels of `test/kernels` that are code for sm_70, as ptxas compiles their PTX for each architecture. A\n"
               "pair is an instruction of fixed latency and one behind it in the same block that needs its result, and `cycles` is the least\n"
               "distance of all. Not counted are wide products, upper words of sums with a carry, and HFMA2.MMA; where the first of two halves\n"
               "is on another pipe (sm_80, sm_90), 10 cycles pass. A guard is that of an instruction or a branch. Ours are the numbers of the\n"
               "machine file, which were taken from such a table: it shows where they are from, and is no measure of the model.")
    report.table(["architecture", "machine", "pair", "pairs", "at the least", "cycles", "ours", "difference"], rows)
    report.csv(["architecture", "machine", "pair", "pairs", "at_least", "cycles", "ours", "difference"], rows)
    report.write()


if __name__ == "__main__":
    main()
