// A program's macros of one capital letter do not reach into Heddle's headers, which the headers of a toolkit leave alone too,
// and are there behind them.
// RUN: %heddle run %s --grid 1 --block 2 --arg p:i32[2] --dump p -q -- -DM=3 -DE=2 -DP=5 -DR=7 -DT=float | FileCheck %s
// RUN: rm -rf %t && mkdir %t
// RUN: %heddle cc %s -o %t/short -DM=3 -DE=2 -DP=5 -DR=7 -DT=float && %t/short | FileCheck %s --check-prefix=PROGRAM
// CHECK: p (i32[2]): 74 76
// PROGRAM: 74 76
#define N 64
#define K 16
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/cub.cuh>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/mdspan>
#include <cuda/std/span>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>
#include <mma.h>
#include <thrust/device_vector.h>
#include <thrust/sort.h>

#include <cstdio>

using Tile = nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, K, K, K, half, nvcuda::wmma::row_major>;
static_assert(sizeof(T) == 4 && sizeof(Tile) > 0);
__global__ void k(int *p) { p[threadIdx.x] = N + M + R + threadIdx.x * E; }

int main() {
  thrust::device_vector<int> p(2);
  k<<<1, 2>>>(thrust::raw_pointer_cast(p.data()));
  std::printf("%d %d\n", int(p[0]), int(p[1]));
}
