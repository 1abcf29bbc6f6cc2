"""The fast models where L2 has two halves: halves.py HEDDLE FOLDER.

alone: each SM chases lines that no other one reads; they come from DRAM.
swap: atomics on lines that DRAM has.
Each is printed with the error of the models beside `simulate`, in percent.
"""

import json
import os
import subprocess
import sys

HEDDLE, FOLDER = sys.argv[1:]
SOURCE = """
// Lines of one block alone, so far apart that they lie in both halves.
__device__ int mine(int i) { return (i * 112 + blockIdx.x) * 64; }
extern "C" __global__ void alone(const int *next, int *out) {
  int at = mine(0);
  for (int i = 1; i < 64; ++i) at = next[at] + mine(i);
  if (threadIdx.x == 0) out[blockIdx.x] = at;
}
extern "C" __global__ void swap(int *next, int *out) {
  int at = mine(0);
  for (int i = 1; i < 64; ++i) at = atomicExch(next + at, 0) + mine(i);
  if (threadIdx.x == 0) out[blockIdx.x] = at;
}
"""
os.makedirs(FOLDER, exist_ok=True)
source = os.path.join(FOLDER, "halves.cu")
with open(source, "w") as file:
    file.write(SOURCE)


def cycles(command, kernel, *more):
    words = [HEDDLE, command, source, "--kernel", kernel, "--grid", "108", "--block", "1",
             "--gpu", "a100", "--arg", "i32[458752]=zero", "--arg", "i32[108]=zero", "-q", "--json", "-", *more]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)["cycles"]


for kernel in ("alone", "swap"):
    truth, near = cycles("simulate", kernel), cycles("simulate", kernel, "--set", "l2.far_latency=0")
    print(f"{kernel}: far half {100 * (truth / near - 1):.0f} %", end="")
    for model in ("interval", "pipeline"):
        error = 100 * (cycles("estimate", kernel, "--model", model) / truth - 1)
        print(f", {model} {error:.1f}", end="")
    print()
