// An unsigned difference that wraps in the lanes that do not use it is no even step from lane to lane.
// RUN: %heddle run %s --arg f32[256]=iota --arg f32[256] --arg i32=256 --grid 1 --block 256 --engine jit --dump 1=%t.jit -q
// RUN: %heddle run %s --arg f32[256]=iota --arg f32[256] --arg i32=256 --grid 1 --block 256 --engine interpreter --dump 1=%t.interpreter -q
// RUN: cmp %t.jit %t.interpreter
// RUN: %heddle run %s --arg f32[256]=iota --arg f32[256] --arg i32=256 --grid 1 --block 256 --check -q
extern "C" __global__ void __launch_bounds__(256) scan(const float *in, float *out, unsigned most) {
  __shared__ float all[256];
  const unsigned t = threadIdx.x;
  float v = in[t];
  all[t] = v;
  __syncthreads();
  for (unsigned step = 1; step < most; step *= 2) {
    const bool has = t >= step && t < most;
    if (has)
      v = all[t - step] + v;
    __syncthreads();
    if (has)
      all[t] = v;
    __syncthreads();
  }
  out[t] = v;
}
