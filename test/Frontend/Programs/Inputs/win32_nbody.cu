#include "stdafx.h"
#include <tchar.h>
#ifdef WIN32
#include <windows.h>
#include <crtdbg.h>
#endif
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <sm_20_atomic_functions.h>
#include <math_functions.h>
#pragma warning(disable : 4996)
#pragma comment(lib, "cudart.lib")
#define DLLEXPORT extern "C" __declspec(dllexport)
#define FORCEINLINE __forceinline
typedef unsigned __int64 u64;
typedef __int32 i32;
__device__ __forceinline float3 pull(float4 a, float4 b, float3 acc) {
  float3 r = {b.x - a.x, b.y - a.y, b.z - a.z};
  float d = r.x * r.x + r.y * r.y + r.z * r.z + 1e-9f, inv = rsqrtf(d), s = b.w * inv * inv * inv;
  acc.x += r.x * s; acc.y += r.y * s; acc.z += r.z * s;
  return acc;
}
__global__ void step(float4 *__restrict newp, const float4 *__restrict p, i32 n, float dt, u64 *clocks) {
  extern __shared__ float4 tile[];
  u64 t0 = clock64();
  i32 i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = p[min(i, n - 1)];
  float3 acc = {0, 0, 0};
  for (i32 t = 0; t < (i32)gridDim.x; t++) {
    tile[threadIdx.x] = p[t * blockDim.x + threadIdx.x];
    __syncthreads();
#pragma unroll 32
    for (unsigned k = 0; k < blockDim.x; k++) acc = pull(me, tile[k], acc);
    __syncthreads();
  }
  me.x += acc.x * dt;
  newp[i] = me;
  if (!threadIdx.x) clocks[blockIdx.x] = clock64() - t0;
}
DLLEXPORT int run_step(float4 *a, float4 *b, int n) {
  step<<<n / 128, 128, 128 * sizeof(float4)>>>(a, b, n, .01f, NULL);
  return cudaGetLastError() == cudaSuccess;
}
int _tmain(int argc, _TCHAR *argv[]) {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  printf("%s %d.%d %I64u\n", prop.name, prop.major, prop.minor, (u64)prop.totalGlobalMem);
  system("pause");
  return cudaDeviceReset();
}
