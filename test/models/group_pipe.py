"""Cycles of wgmma in the timing model: group_pipe.py HEDDLE EVALUATION SCRATCH

The micro-kernels are those of utils/evaluation/tensor.py. A rate is the white paper's
2,048 multiply-adds of f16 per cycle and SM, or what 128 bytes of operands per cycle
allow: m64n8k16 reads 2,304 bytes, which takes 18 cycles."""

import json
import pathlib
import subprocess
import sys

heddle, evaluation, scratch = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
scratch.mkdir(parents=True, exist_ok=True)
sys.dont_write_bytecode = True
sys.path.insert(0, evaluation)
from tensor import Instruction, kernel  # noqa: E402


def simulate(name, text, warps, level):
    path = scratch / f"{name}.ptx"
    path.write_text(text)
    run = subprocess.run(
        [heddle, "simulate", path, "--gpu", "h100", "--arch", "sm_90a", "--grid", "1", "--block", str(32 * warps),
         "--arg", "f64[64]=zero", "--set", "icache.size=0", "--isa", level, "--json", "-", "-q"],
        capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    return json.loads(run.stdout)


CASES = [  # type, n, k, A in shared memory, products per cycle, latency
    ("f16", 256, 16, True, 2048, 128), ("f16", 8, 16, True, 8192 / 18, 24), ("tf32", 256, 8, True, 1024, 128),
    ("s8", 128, 32, False, 4096, 64),
]
bad = 0
for kind, n, k, shared, rate, latency in CASES:
    product = Instruction(kind, (64, n, k), shared=shared)
    for level in ("ptx", "machine"):
        few, many = (128, 256) if n <= 64 else (16, 48)
        times = [simulate("rate", kernel(product, "sm_90a", c, 1, False), 8, level)["cycles"] for c in (few, many)]
        got_rate = (many - few) * 8 * product.products / (times[1] - times[0])
        # Long enough to hide what the launch itself waits for.
        chains = [simulate("chain", kernel(product, "sm_90a", c, 1, True), 4, level) for c in (40, 72)]
        got_latency = (chains[1]["cycles"] - chains[0]["cycles"]) / 32
        wrong = abs(got_rate / rate - 1) > 0.02 or not latency <= got_latency <= latency + 12
        waits = chains[1]["stalls"]["barrier"] if "stalls" in chains[1] else 1
        bad += wrong or not waits
        print(f"{product.name()}, {level}: {got_rate:.0f} per cycle, latency {got_latency:.1f}{'  WRONG' if wrong else ''}")
print("wrong:", bad)
