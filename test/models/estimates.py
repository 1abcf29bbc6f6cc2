"""The fast models against `simulate`: estimates.py HEDDLE KERNELS FOLDER.

picture: the middle costs most; a function that is chosen at run time.
claim: atomics on lines that other accesses have touched before.
insert: blocks run in order, since each may read what the others wrote.
mixed: local memory lies in all slices of L2, what is read beside it in one.
matvec_int4: gathers that reach few of the lines which the interval model follows.
largest: reductions of all warps wait in one place, from when the first comes there.
"""

import json
import os
import subprocess
import sys

HEDDLE, KERNELS, FOLDER = sys.argv[1:]
WITHIN = 0.4
SOURCE = """
typedef float (*Field)(float, float);
__device__ float disc(float x, float y) { return x * x + y * y; }
__device__ float cross(float x, float y) { return fminf(x * x, y * y); }
__device__ float ridge(float x, float y) { return fabsf(x + y); }
__device__ Field fields[3] = {disc, cross, ridge};
extern "C" __global__ void picture(float *out, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  Field f = fields[(blockIdx.x + blockIdx.y) % 3];
  float u = 3.f * x / w - 1.5f, v = 3.f * y / w - 1.5f;
  int i = 0;
  for (; i < 200 && f(u, v) < 1.f; ++i)
    u = 1.01f * u + 0.001f * v, v = 1.01f * v;
  out[y * w + x] = i;
}
extern "C" __global__ void claim(int *owner, const int *wish, int *lost) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (owner[i] == 0 && atomicCAS(&owner[wish[i]], 0, i + 1) != 0)
    *lost = 1;
}
extern "C" __global__ void largest(int *most, const int *values) {
  atomicMax(most, values[blockIdx.x * blockDim.x + threadIdx.x]);
}
extern "C" __global__ void insert(unsigned long long *table, const unsigned *keys) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long mine = (unsigned long long)(keys[i] | 1) << 32 | i;
  unsigned at = keys[i] * 2654435761u >> 20;
  for (int tries = 0; mine && tries < 40; ++tries) {
    mine = atomicExch(table + at, mine);
    at = (at + 1 + (unsigned)(mine >> 32) % 61) & 4095;
  }
}
extern "C" __global__ void mixed(const int *weights, float4 *out) {
  float4 v[9];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 9; ++i)
    v[i] = make_float4(t * i & 15, i, t, weights[i & 3]);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 8 - i; ++j)
      if (float4 w = v[j]; w.x > v[j + 1].x) {
        v[j] = v[j + 1];
        v[j + 1] = w;
      }
  if (v[t & 3].y > 8)
    out[t] = v[0];
}
"""
MATVEC = os.path.join(KERNELS, "matvec_int4", "matvec_int4")
LAUNCHES = {
    "matvec_int4": ["--launch", MATVEC + "-large.yaml"],
    "mixed": ["--grid", "160", "--block", "128", "--arg", "i32[8]=iota", "--arg", "f32[81920]"],
    "picture": ["--grid", "10,20", "--block", "16,8", "--arg", "f32[25600]", "--arg", "i32=160"],
    "claim": ["--grid", "64", "--block", "256", "--arg", "i32[16384]=zero", "--arg",
              "i32[16384]=uniform:0:16384", "--arg", "i32[1]=zero"],
    "largest": ["--gpu", "a100", "--grid", "256", "--block", "256", "--arg", "i32[1]=zero",
                "--arg", "i32[65536]=uniform:0:100000"],
    "insert": ["--grid", "16", "--block", "128", "--arg", "u64[4096]=zero", "--arg",
               "u32[2048]=uniform:1:100000000"],
}


def cycles(*command):
    run = subprocess.run([HEDDLE, *command, "-q", "--json", "-"], capture_output=True, text=True,
                         check=False)
    if run.returncode:
        sys.exit(run.stderr)
    return json.loads(run.stdout)["cycles"]


os.makedirs(FOLDER, exist_ok=True)
FILE = os.path.join(FOLDER, "unequal.cu")
with open(FILE, "w", encoding="utf-8") as source:
    source.write(SOURCE)
wrong = 0
for kernel, launch in LAUNCHES.items():
    source = MATVEC + ".cu" if kernel == "matvec_int4" else FILE
    command = [source, "--kernel", kernel, *launch]
    exact = cycles("simulate", *command)
    for model in ("pipeline", "interval"):
        error = cycles("estimate", *command, "--model", model) / exact - 1
        print(f"{kernel} {model}: {100 * error:+.0f} % of {exact}")
        wrong += abs(error) > WITHIN
print("wrong:", wrong)
