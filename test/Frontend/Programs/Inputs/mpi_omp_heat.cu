#include <mpi.h>
#include <omp.h>
#include <hdf5.h>
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <nvToolsExt.h>
#include "does_not_exist/config.h"
#include <chrono>
#include <memory>
#include <cassert>
#include <sstream>

using real = double;
struct Halo { real *send[2], *recv[2]; MPI_Request req[4]; };
__constant__ real coef[3][3][3];
__managed__ real residual;

__device__ __forceinline__ real at(cudaPitchedPtr p, int x, int y, int z) {
  return *((real *)((char *)p.ptr + (z * p.ysize + y) * p.pitch) + x);
}
__global__ void sweep(cudaPitchedPtr in, cudaPitchedPtr out, cudaExtent n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1, z = blockIdx.z + 1;
  if (x >= n.width - 1 || y >= n.height - 1) return;
  real s = 0;
#pragma unroll 3
  for (int k = -1; k <= 1; ++k)
#pragma unroll
    for (int j = -1; j <= 1; ++j)
#pragma unroll
      for (int i = -1; i <= 1; ++i)
        s += coef[k + 1][j + 1][i + 1] * at(in, x + i, y + j, z + k);
  real *o = (real *)((char *)out.ptr + (z * out.ysize + y) * out.pitch) + x;
  real d = fabs(s - *o);
  *o = s;
  unsigned long long *r = (unsigned long long *)&residual, old = *r;
  while (__longlong_as_double(old) < d) {
    unsigned long long seen = atomicCAS_system(r, old, __double_as_longlong(d));
    if (seen == old) break;
    old = seen;
  }
}
template <bool Unpack> __global__ void pack(real *face, cudaPitchedPtr p, int z, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= w * h) return;
  real *cell = (real *)((char *)p.ptr + (z * p.ysize + i / w) * p.pitch) + i % w;
  if constexpr (Unpack) *cell = face[i]; else face[i] = *cell;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  auto start = std::chrono::steady_clock::now();
#pragma omp parallel for schedule(dynamic) num_threads(4)
  for (int i = 0; i < 4; ++i)
    cudaSetDevice(omp_get_thread_num() % size);
  nvtxRangePushA("sweeps");
  Halo halo{};
  cudaPitchedPtr a, b;
  cudaExtent n = make_cudaExtent(256 * sizeof(real), 256, 64);
  cudaMalloc3D(&a, n);
  cudaMalloc3D(&b, n);
  for (int it = 0; it < 10; ++it) {
    sweep<<<dim3(8, 64, 62), dim3(32, 4)>>>(a, b, n);
    pack<false><<<256, 256>>>(halo.send[0], b, 1, 256, 256);
    MPI_Isend(halo.send[0], 65536, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &halo.req[0]);
    MPI_Waitall(1, halo.req, MPI_STATUSES_IGNORE);
    pack<true><<<256, 256>>>(halo.recv[0], b, 0, 256, 256);
    std::swap(a, b);
  }
  nvtxRangePop();
  MPI_Finalize();
}
