// RUN: %frontends --test %s
// FEATURE: sm_90: launches that overlap, sums of vectors in memory
// TOOLKIT: its headers have assembly that the JIT does not execute
// LAUNCH: --arch sm_90 --grid 2 --block 32 --arg sums:f32[6]=zero --arg o:f32[2]=zero --dump sums --dump o
// EXPECT: sums (f32[6]): 64 2016 64 128 192 -64
__global__ void k(float *sums, float *o) {
  cudaGridDependencySynchronize();
  const float one = 1, i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 before = atomicAdd(reinterpret_cast<float2 *>(sums), make_float2(one, i));
  atomicAdd(reinterpret_cast<float4 *>(sums + 2), make_float4(one, 2, 3, -1));
  cudaTriggerProgrammaticLaunchCompletion();
  atomicMax(reinterpret_cast<int *>(o), __float_as_int(before.x));
}
