"""Reads of textures through the texture pipe: texture_pipe.py HEDDLE FOLDER.

One block of 1,024 threads reads 64 texels a thread that all lie in L1. A warp
has 8 quads, so that the pipe needs 32 * 64 * 8 cycles for a kind of read that
it does at full rate.
"""

import json
import os
import subprocess
import sys

HEDDLE, FOLDER = sys.argv[1:]
SOURCE = """
extern "C" __global__ void fetch(cudaTextureObject_t t, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += tex1Dfetch<float>(t, threadIdx.x + i & 255);
  out[threadIdx.x] = sum;
}
extern "C" __global__ void ldg(const float *t, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += __ldg(t + (threadIdx.x + i & 255));
  out[threadIdx.x] = sum;
}
extern "C" __global__ void filter(cudaTextureObject_t t, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += tex2D<float>(t, (threadIdx.x & 7) + 0.25f, (i & 7) + 0.25f);
  out[threadIdx.x] = sum;
}
extern "C" __global__ void filter4(cudaTextureObject_t t, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += tex2D<float4>(t, (threadIdx.x & 7) + 0.25f, (i & 7) + 0.25f).y;
  out[threadIdx.x] = sum;
}
extern "C" __global__ void filter3(cudaTextureObject_t t, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += tex3D<float>(t, (threadIdx.x & 7) + 0.25f, (i & 7) + 0.25f, 1.25f);
  out[threadIdx.x] = sum;
}
"""
TEXELS = {
    "fetch": "texture: {type: f32, size: [256], init: iota}",
    "ldg": "buffer: {type: f32, count: 256, init: iota}",
    "filter": "texture: {type: f32, size: [16, 16], init: iota, filter: linear}",
    "filter4": "texture: {type: f32, channels: 4, size: [16, 16], init: iota, filter: linear}",
    "filter3": "texture: {type: f32, size: [16, 16, 4], init: iota, filter: linear}",
}
READS = 64
WARPS = 32


def simulate(kernel, *options):
    name = os.path.join(FOLDER, kernel)
    with open(name + ".yaml", "w") as f:
        f.write(
            f"kernel: {kernel}\ngrid: 1\nblock: {32 * WARPS}\nargs:\n"
            f"  - {TEXELS[kernel]}\n"
            "  - buffer: {type: f32, count: 1024}\n"
            f"  - i32: {READS}\n"
        )
    text = subprocess.run(
        [HEDDLE, "simulate", os.path.join(FOLDER, "k.cu"), "--launch", name + ".yaml"]
        + ["--gpu", "v100", "-q", "--json", "-", *options],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return json.loads(text)


os.makedirs(FOLDER, exist_ok=True)
with open(os.path.join(FOLDER, "k.cu"), "w") as f:
    f.write(SOURCE)
wrong = 0


def expect(what, ok, seen):
    global wrong
    wrong += not ok
    print(f"{what}: {seen}{'' if ok else ' WRONG'}")


for level in ("ptx", "machine"):
    count = [simulate(k, "--isa", level)["warp_instructions"] for k in ("fetch", "ldg")]
    expect(f"instructions at level {level}, at most as with __ldg", count[0] <= count[1], count)

full = WARPS * READS * 8
for kernel, times in (("fetch", 1), ("filter", 1), ("filter4", 4), ("filter3", 2)):
    result = simulate(kernel)
    least = full * times
    cycles = result["cycles"]
    expect(f"{kernel}: cycles of {least} and a start", least <= cycles < least + 3000, cycles)
    fast = simulate(kernel, "--set", "texture.quads_per_cycle=32")["cycles"]
    expect(f"{kernel}: fewer where the pipe does not limit", fast < 0.7 * cycles, fast)

stalls = simulate("filter")["cpi_stack"]
most = max(stalls, key=lambda n: stalls[n])
expect("filter: mostly", most == "tex_throttle", most)
for kernel in ("fetch", "filter"):
    latency = [
        simulate(kernel, "--set", f"texture.filter_latency={n}")["cycles"] for n in (0, 4000)
    ]
    expect(f"{kernel}: the filter's latency counts", latency[1] > latency[0] + 4000, latency)
print("wrong:", wrong)
