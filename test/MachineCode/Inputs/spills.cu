// 120 values live across a barrier where two blocks of 1024 threads leave 32 registers.
extern "C" __global__ void __launch_bounds__(1024, 2) spills(const float *in, float *out) {
  float v[120];
#pragma unroll
  for (int k = 0; k < 120; ++k)
    v[k] = in[threadIdx.x + k * 1024];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 120; ++k)
    out[(blockIdx.x * 120 + k) * 1024 + threadIdx.x] = v[k] * v[119 - k];
}
