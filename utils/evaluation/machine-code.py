"""Level machine beside level sass: what our lowering makes of a kernel's PTX and what ptxas makes of it.

Needs ptxas and nvdisasm of one toolkit ($HEDDLE_PTXAS; CUDA 11.8 has all architectures). Both levels give a code
table; its blocks are weighted by how often a launch executes them."""

import concurrent.futures
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import common

ARCHITECTURES = ["sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90"]
NUM_GENERATED = 40
PIPES = ["ALU", "FMA", "XU", "FP64", "FP16", "LSU", "CBU", "UDP", "TENSOR"]
ROW = re.compile(r'HEDDLE_MACHINE_OPCODE\("([^"]+)", \w+, \w+, (\w+), (\d+)\)')
INSTRUCTION = re.compile(r"  (\S+)\s+\S+\s+\S+\s+x\d+\s*(.*)")
REGISTERS = re.compile(r"([r\d,]*)\s*(?:<-\s*([r\d,]*))?")
MACHINES = {"sm_70": "v100", "sm_75": "t4", "sm_80": "a100", "sm_86": "a6000", "sm_89": "l40", "sm_90": "h100"}
THREADS_PER_SM = {"sm_75": 1024, "sm_86": 1536, "sm_89": 1536}


def opcode_pipes():
    path = os.path.join(common.ROOT, "lib", "MachineCode", "Opcodes.def")
    with open(path, encoding="utf-8") as file:
        return {name: pipe for name, pipe, _ in ROW.findall(file.read())}


OPCODES = opcode_pipes()


def pipe_of(opcode):
    words = opcode.split(".")
    while words and ".".join(words) not in OPCODES:
        words.pop()
    if not words:
        raise KeyError(f"{opcode} is not in Opcodes.def")
    return OPCODES[".".join(words)]


def code_table(source, kernel, arch, level):
    """(blocks of instructions, registers) of a kernel, or why there are none."""
    run = common.Run([common.HEDDLE, "kernels", "--code-table", "--isa", level, "--arch", arch, "--kernel", kernel,
                      source])
    if run.status != 0:
        return None, run.errors.strip().splitlines()[-1] if run.errors.strip() else "no output"
    blocks, registers = [], 0
    for line in run.output.splitlines():
        if line.startswith("kernel "):
            registers = int(re.search(r"(\d+) registers per thread", line).group(1))
        elif line.startswith("block "):
            blocks.append([])
        elif line.startswith("  "):
            opcode, rest = INSTRUCTION.match(line).groups()
            defs, uses = REGISTERS.match(rest).groups()
            access = re.search(r"(global|shared|local|const|generic) (\d+) B", rest)
            blocks[-1].append({"opcode": opcode, "defs": set(filter(None, (defs or "").split(","))),
                               "uses": set(filter(None, (uses or "").split(","))),
                               "space": access.group(1) if access else None,
                               "bytes": int(access.group(2)) if access else 0})
    return blocks, registers


def simulate(source, launch, arch, level, blocks):
    """(cycles of a launch without its own cost, how often each of the level's blocks runs), or None if it is refused."""
    run = common.Run([common.HEDDLE, "simulate", source, "--launch", launch, "--gpu", MACHINES[arch],
                      "--arch", arch, "--isa", level, "--instructions", "--json", "-", "-q"])
    if run.status != 0:
        return None
    result = json.loads(run.output)
    counts = [0] * len(blocks)
    for inst in result["instructions"]:
        counts[inst["block"]] = inst["warp_instructions"]
    return result["cycles"], counts


def measure(blocks, counts):
    """Instructions, by pipe, accesses and their bytes, distance of loads to their first use."""
    total, pipes = 0, dict.fromkeys(PIPES, 0)
    accesses = moved = distance = loads = 0
    for insts, count in zip(blocks, counts):
        total += count * len(insts)
        for number, inst in enumerate(insts):
            pipes[pipe_of(inst["opcode"])] += count
            if inst["space"] in ("global", "shared", "local", "generic"):
                accesses += count
                moved += count * inst["bytes"]
            if inst["opcode"].startswith(("LDG", "LDS", "LD.")) and inst["defs"]:
                found = next((k for k, other in enumerate(insts[number + 1:], 1)
                              if other["uses"] & inst["defs"]), len(insts) - number)
                distance += count * found
                loads += count
    return {"instructions": total, "pipes": pipes, "accesses": accesses,
            "bytes": moved / accesses if accesses else 0, "distance": distance / loads if loads else 0}


def blocks_per_sm(registers, threads, arch):
    per_warp = -(-registers * 32 // 256) * 256
    warps = -(-threads // 32)
    return min(65536 // per_warp // 4 * 4 // warps, THREADS_PER_SM.get(arch, 2048) // (32 * warps), 32)


def launch_threads(launch):
    with open(launch, encoding="utf-8") as file:
        block = re.search(r"^block: \[([^\]]*)\]", file.read(), re.M).group(1)
    threads = 1
    for part in block.split(","):
        threads *= int(part)
    return threads


def error(ours, theirs):
    return abs(ours - theirs) / theirs if theirs else float(ours != 0)


def compare(kernel, name, arch):
    ours, why = code_table(kernel.source, name, arch, "machine")
    if ours is None:
        return {"refused": why}
    theirs, reason = code_table(kernel.source, name, arch, "sass")
    if theirs is None:
        return None
    runs = [simulate(kernel.source, kernel.launch, arch, level, blocks)
            for level, blocks in (("machine", ours), ("sass", theirs))]
    if None in runs:
        return None
    try:
        a, b = (measure(blocks, counts) for blocks, (_, counts) in zip((ours, theirs), runs))
    except KeyError as unknown:  # the table is of level ptx, for want of a row or a pattern
        return {"refused": unknown.args[0]}
    times = {level: run[0] for level, run in zip(("machine", "sass"), runs)}
    threads = launch_threads(kernel.launch)
    moved = sum(abs(a["pipes"][p] - b["pipes"][p]) for p in PIPES) / 2
    return {"ours": a, "theirs": b, "registers": (why, reason), "cycles": times,
            "cycle error": error(times["machine"], times["sass"]),
            "instructions": error(a["instructions"], b["instructions"]),
            "pipes": moved / b["instructions"] if b["instructions"] else 0,
            "accesses": abs(a["accesses"] - b["accesses"]) < 0.005 * max(1, b["accesses"]) and
                        abs(a["bytes"] - b["bytes"]) < 0.005 * max(1, b["bytes"]),
            "distance": a["distance"] / b["distance"] if b["distance"] else 1,
            "register_error": error(why, reason),
            "same_blocks": blocks_per_sm(why, threads, arch) == blocks_per_sm(reason, threads, arch)}


class Generator:
    """A kernel of a random shape: elementwise, a loop over memory, a tile in shared memory, branches on data."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.values, self.count = [], ["v"], 0

    def new(self, expression):
        self.count += 1
        self.lines.append(f"  float t{self.count} = {expression};")
        self.values.append(f"t{self.count}")

    def expression(self):
        pick, r = lambda: self.random.choice(self.values), self.random
        return r.choice([
            lambda: f"{pick()} * {r.uniform(0.5, 2):.3f}f + {pick()}", lambda: f"{pick()} + {pick()}",
            lambda: f"{pick()} * {pick()}", lambda: f"fminf({pick()}, {pick()})",
            lambda: f"{pick()} / ({pick()} * {pick()} + 1.0f)", lambda: f"sqrtf({pick()} * {pick()} + 1.0f)",
            lambda: f"__expf({pick()})", lambda: f"(float)((int)({pick()}) & {r.randint(3, 255)})",
            lambda: f"({pick()} > {r.uniform(0, 1):.2f}f ? {pick()} : {pick()})", lambda: f"rsqrtf(fabsf({pick()}) + 1.0f)"])()

    def source(self):
        for _ in range(self.random.randint(1, 6)):
            self.new(self.expression())
        shape = self.random.choice(["plain", "loop", "tile", "branch", "gather"])
        if shape == "loop":
            stride = self.random.choice(["1", "n", "blockDim.x"])
            self.lines.append(f"  float s = 0.0f;\n  for (int k = 0; k < m; ++k)\n    s += a[(i + k * {stride}) % n] * b[k];")
            self.values.append("s")
        elif shape == "tile":
            size = self.random.choice([8, 16, 32])
            self.lines.append(f"  __shared__ float tile[256];\n  tile[threadIdx.x] = {self.values[-1]};\n  __syncthreads();\n"
                              f"  float s = 0.0f;\n  for (int k = 0; k < {size}; ++k)\n"
                              f"    s += tile[(threadIdx.x & ~{size - 1}) + k] * b[k];")
            self.values.append("s")
        elif shape == "branch":
            self.lines.append(f"  if ({self.values[-1]} > 0.5f) {{\n    v = v * 2.0f + {self.expression()};\n  }} else {{\n"
                              f"    v = {self.expression()};\n  }}")
        elif shape == "gather":
            self.lines.append(f"  float g = b[(int)(v * {self.random.randint(10, 200)}.0f) & 255];")
            self.values.append("g")
        for _ in range(self.random.randint(1, 4)):
            self.new(self.expression())
        body = "\n".join(self.lines)
        return ("extern \"C\" __global__ void generated(const float *__restrict__ a, const float *__restrict__ b, float *c, "
                "int n, int m) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n)\n    return;\n"
                f"  float v = a[i];\n{body}\n  c[i] = {self.values[-1]} + {self.values[-2]};\n}}\n")


LAUNCH = """kernel: generated
grid: [16]
block: [256]
args:
  - buffer: {type: f32, count: 4096, init: {uniform: [0.0, 1.0], seed: 1}}
  - buffer: {type: f32, count: 4096, init: {uniform: [0.0, 1.0], seed: 2}}
  - buffer: {type: f32, count: 4096, init: zero}
  - i32: 4000
  - i32: 24
"""


def generated(folder, seed):
    launch = os.path.join(folder, "generated.yaml")
    with open(launch, "w", encoding="utf-8") as file:
        file.write(LAUNCH)
    for number in range(NUM_GENERATED):
        path = os.path.join(folder, f"generated-{number}.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write(Generator(f"{seed}/{number}").source())
        yield common.Kernel(f"generated-{number}", path, launch)


def kernel_of(launch):
    with open(launch, encoding="utf-8") as file:
        return re.search(r"^kernel: (.+)$", file.read(), re.M).group(1).strip().strip("'\"")


def percentile(values, share):
    values = sorted(values)
    return values[min(int(share * len(values)), len(values) - 1)]


def summary(rows):
    pick = lambda key: [r[key] for r in rows if key in r]
    return [len(rows), 100 * common.median(pick("instructions")), 100 * percentile(pick("instructions"), 0.9),
            100 * common.median(pick("pipes")), 100 * sum(pick("accesses")) / len(rows),
            common.median(pick("distance")), 100 * common.median(pick("register_error")),
            100 * sum(pick("same_blocks")) / len(rows),
            100 * common.median(pick("cycle error")), 100 * max(pick("cycle error"))]


def main():
    architectures = sys.argv[1:] or ARCHITECTURES
    seed = subprocess.run(["git", "rev-parse", "HEAD"], cwd=common.ROOT, capture_output=True, text=True).stdout.strip()
    rows, refused = [], set()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        sets = [("test/kernels", k) for k in common.kernels("test")]
        sets += [("generated", k) for k in generated(folder, seed)]
        jobs = [(group, k, arch) for arch in architectures for group, k in sets]
        results = pool.map(lambda job: compare(job[1], kernel_of(job[1].launch), job[2]), jobs)
        for number, ((group, k, arch), row) in enumerate(zip(jobs, results), 1):
            if sys.stderr.isatty() or number % 24 == 0:
                print(f"\rmachine-code: {number} of {len(jobs)}", end="", file=sys.stderr, flush=True)
            if row and "refused" in row:
                refused.add((repr(k), arch, row["refused"]))
            elif row:
                rows.append({"set": group, "kernel": repr(k), "arch": arch, **row})
    if not rows:
        sys.exit("machine-code: no ptxas with its nvdisasm takes any kernel; $HEDDLE_PTXAS names one")
    report = common.Report("machine-code", "Our machine code against ptxas")
    report.say("`--isa machine` beside `--isa sass` of the same PTX ([how](../MachineCode.md)), blocks weighted by their\n"
               f"executions in the launches of `test/kernels`; {NUM_GENERATED} more kernels are generated from the seed\n"
               f"`{seed[:12]}` and were not looked at. Pipes: instructions on another pipe than ptxas', in % of all.\n"
               "Accesses: kernels whose number of memory instructions and bytes are equal. Distance: instructions\n"
               "between a load and its first use, ours by theirs. Cycles: `simulate` on a machine of that architecture,\n"
               "level machine against level sass, without what a launch costs.")
    table = []
    for group in ("test/kernels", "generated"):
        for arch in architectures:
            chosen = [r for r in rows if r["set"] == group and r["arch"] == arch]
            if chosen:
                table.append([group, arch, *summary(chosen)])
        chosen = [r for r in rows if r["set"] == group]
        if chosen:
            table.append([group, "all", *summary(chosen)])
    report.table(["set", "architecture", "kernels", "instructions: median error %", "90th percentile %",
                  "pipes: median %", "accesses equal %", "distance: median ratio", "registers: median error %",
                  "same blocks per SM %", "cycles: median error %", "worst %"], table)
    if refused:
        report.say("Refused: " + "; ".join(sorted(f"{k}, {a}: {w}" for k, a, w in refused)))
    report.csv(["set", "kernel", "architecture", "instructions", "ptxas", "accesses", "ptxas accesses",
                "bytes per access", "ptxas bytes", "distance", "ptxas distance", "registers", "ptxas registers", "cycles", "ptxas cycles"] +
               [p + s for p in PIPES for s in ("", " ptxas")],
               [[r["set"], r["kernel"], r["arch"], round(r["ours"]["instructions"]),
                 round(r["theirs"]["instructions"]), round(r["ours"]["accesses"]), round(r["theirs"]["accesses"]),
                 round(r["ours"]["bytes"], 2), round(r["theirs"]["bytes"], 2), round(r["ours"]["distance"], 2),
                 round(r["theirs"]["distance"], 2), *r["registers"],
                 *(r["cycles"].get(level, "") for level in ("machine", "sass"))] +
                [round(r[w]["pipes"][p]) for p in PIPES for w in ("ours", "theirs")] for r in rows])
    report.write()


main()
