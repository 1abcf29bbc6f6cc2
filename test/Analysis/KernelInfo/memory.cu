// RUN: %heddle kernels %s | FileCheck %s
__constant__ float weights[25];
__device__ unsigned long long total;

// CHECK: {{^}}stats(float const*, int)  {{.*}}memory.cu:[[#@LINE+15]]
// CHECK-NEXT: symbol _Z5statsPKfi
// CHECK-NEXT: argument in float* global 8 B at 0 read
// CHECK-NEXT: argument n int scalar 4 B at 8
// CHECK-NEXT: parameters 12 B
// CHECK-NEXT: registers {{[0-9]+}} per thread
// CHECK-NEXT: shared 256 B and what the launch asks for
// CHECK-NEXT: constant 100 B
// CHECK-NEXT: global 8 B of device variables
// CHECK-NEXT: local 64 B per thread
// CHECK-NEXT: launch bounds at most 128 threads per block, at least 4 blocks per SM
// CHECK-NEXT: barriers 1
// CHECK-NEXT: instructions {{[0-9]+}} in {{[0-9]+}} blocks of IR:
// CHECK-SAME: reduction 1
__global__ void __launch_bounds__(128, 4)
stats(const float *in, int n) {
  __shared__ int bins[64];
  extern __shared__ float dynamic[];
  float local[16];
  for (int i = 0; i < 16; ++i)
    local[i] = in[i] * weights[i];
  bins[threadIdx.x & 63] = n;
  dynamic[threadIdx.x] = in[n];
  __syncthreads();
  if (local[n & 15] > dynamic[threadIdx.x ^ 1])
    atomicAdd(&total, (unsigned long long)bins[n & 63]);
}
