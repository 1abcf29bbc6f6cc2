"""Cycles of matrix products in the timing model, against the latencies and rates of the machine files:
tensor-pipe.py HEDDLE SCRATCH

A chain of dependent products gives the latency, many warps with independent ones
the rate, both from the slope between two numbers of products. The machine files say where
the values come from: some are quoted from memory."""

import json
import pathlib
import subprocess
import sys

heddle, scratch = sys.argv[1], pathlib.Path(sys.argv[2])
scratch.mkdir(parents=True, exist_ok=True)

# Instruction, registers of A, B and C, their kinds, multiply-adds of the warp.
V100 = ("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", 2, 2, 8, "f", 1024)
K8 = ("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 2, 1, 4, "f", 1024)
K16 = ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 4, "f", 2048)
S8 = ("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 4, 2, 4, "r", 4096)
TF32 = ("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, 4, "f", 1024)
# Machine, architecture, instruction, measured latency, multiply-adds per cycle and SM.
CASES = [
    ("v100", "sm_70", V100, 18, 512),
    ("t4", "sm_75", K8, 17.3, 512),
    ("a100", "sm_80", K8, 17.7, 1024),
    ("a100", "sm_80", K16, 24.7, 1024),
    ("a100", "sm_80", TF32, 24.7, 512),
    ("a100", "sm_80", S8, 24.7, 2048),
    ("h100", "sm_90", K8, 16.0, 1288),
    ("h100", "sm_90", K16, 24.1, 1288),
]


def ptx(name, instruction, arch, products, chains):
    opcode, a, b, c, kind, _ = instruction
    lines = [".version 8.8", f".target {arch}", ".address_size 64",
             f".visible .entry {name}(.param .u64 out)", "{",
             ".reg .b32 %r<16>;", ".reg .b64 %rd<2>;", f".reg .{'f32' if kind == 'f' else 'b32'} %s<{c * chains}>;",
             "mov.u32 %r8, %tid.x;"]
    lines += [f"mov.u32 %r{i}, %r8;" for i in range(8)]
    zero = "0f00000000" if kind == "f" else "0"
    lines += [f"mov.{'f32' if kind == 'f' else 'u32'} %s{i}, {zero};" for i in range(c * chains)]
    for n in range(products):
        at = n % chains * c
        sums = ", ".join(f"%s{at + i}" for i in range(c))
        lines.append("%s {%s}, {%s}, {%s}, {%s};" % (
            opcode, sums, ", ".join(f"%r{i}" for i in range(a)),
            ", ".join(f"%r{4 + i}" for i in range(b)), sums))
    lines.append("ld.param.u64 %rd1, [out];")
    lines += [f"st.global.b32 [%rd1+{4 * i}], %s{i};" for i in range(c * chains)]
    lines += ["ret;", "}"]
    path = scratch / f"{name}.ptx"
    path.write_text("\n".join(lines) + "\n")
    return path


def simulate(path, gpu, warps):
    run = subprocess.run(
        [heddle, "simulate", path, "--gpu", gpu, "--grid", "1", "--block", str(32 * warps),
         "--arg", "i32[64]=zero", "--set", "icache.size=0", "--json", "-", "-q"],
        capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{path.name} on {gpu}: {run.stderr}")
    return json.loads(run.stdout)


def off(value, measured):
    return 100 * (value / measured - 1)


bad = 0
for gpu, arch, instruction, latency, rate in CASES:
    shape = instruction[0].split(".")[3] + "." + instruction[0].split(".")[7]
    times = [simulate(ptx("chain", instruction, arch, n, 1), gpu, 1)["cycles"] for n in (64, 128)]
    got_latency = (times[1] - times[0]) / 64
    # Long enough to hide what the launch itself waits for.
    results = [simulate(ptx("rate", instruction, arch, n, 4), gpu, 16) for n in (128, 256)]
    cycles = results[1]["cycles"] - results[0]["cycles"]
    got_rate = 128 * 16 * instruction[5] / cycles
    busy = results[1]["pipes"]["tensor"]["instructions"]
    good = abs(off(got_latency, latency)) <= 4 and abs(off(got_rate, rate)) <= 8 and busy == 256 * 16
    bad += not good
    print(f"{gpu} {shape}: {got_latency:.1f} cycles ({latency} wanted), "
          f"{got_rate:.0f} multiply-adds per cycle ({rate}){'' if good else ' WRONG'}")
print("wrong:", bad)
