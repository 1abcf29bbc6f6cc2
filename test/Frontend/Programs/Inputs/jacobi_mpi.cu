#include <mpi.h>
#include <omp.h>
#include <nccl.h>
#include <cublas_v2.h>
#include <nvToolsExt.h>
#include <cuda_profiler_api.h>
#define MPI_CALL(c)                                                                                \
  {                                                                                                \
    int s = c;                                                                                     \
    if (s != MPI_SUCCESS) {                                                                        \
      MPI_Abort(MPI_COMM_WORLD, s);                                                                \
    }                                                                                              \
  }
#define CUDA_RT_CALL(call)                                                                         \
  {                                                                                                \
    cudaError_t s = call;                                                                          \
    if (cudaSuccess != s)                                                                          \
      fprintf(stderr, "ERR %s", cudaGetErrorString(s));                                            \
  }
#ifdef USE_DOUBLE
typedef double real;
#define MPI_REAL_TYPE MPI_DOUBLE
#else
typedef float real;
#define MPI_REAL_TYPE MPI_FLOAT
#endif
#include <cub/block/block_reduce.cuh>
template <int BLOCK_DIM_X, int BLOCK_DIM_Y>
__global__ void jacobi_kernel(real *__restrict__ const a_new, const real *__restrict__ const a,
                              real *__restrict__ const l2_norm, const int iy_start,
                              const int iy_end, const int nx, const bool calculate_norm) {
  typedef cub::BlockReduce<real, BLOCK_DIM_X, cub::BLOCK_REDUCE_WARP_REDUCTIONS, BLOCK_DIM_Y>
      BlockReduce;
  __shared__ typename BlockReduce::TempStorage temp_storage;
  int iy = blockIdx.y * blockDim.y + threadIdx.y + iy_start;
  int ix = blockIdx.x * blockDim.x + threadIdx.x + 1;
  real local_l2_norm = 0.0;
  if (iy < iy_end && ix < (nx - 1)) {
    const real new_val = 0.25 * (a[iy * nx + ix + 1] + a[iy * nx + ix - 1] + a[(iy + 1) * nx + ix] +
                                 a[(iy - 1) * nx + ix]);
    a_new[iy * nx + ix] = new_val;
    if (calculate_norm) {
      real residue = new_val - a[iy * nx + ix];
      local_l2_norm += residue * residue;
    }
  }
  if (calculate_norm) {
    real block_l2_norm = BlockReduce(temp_storage).Sum(local_l2_norm);
    if (0 == threadIdx.y && 0 == threadIdx.x)
      atomicAdd(l2_norm, block_l2_norm);
  }
}
__global__ void initialize_boundaries(real *__restrict__ const a_new, real *__restrict__ const a,
                                      const real pi, const int offset, const int nx,
                                      const int my_ny, const int ny) {
  for (int iy = blockIdx.x * blockDim.x + threadIdx.x; iy < my_ny; iy += blockDim.x * gridDim.x) {
    const real y0 = sin(2.0 * pi * (offset + iy) / (ny - 1));
    a[iy * nx + 0] = y0;
    a_new[iy * nx + (nx - 1)] = y0;
  }
}
int main(int argc, char *argv[]) {
  MPI_CALL(MPI_Init(&argc, &argv));
  int rank;
  MPI_CALL(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  MPI_Comm local_comm;
  MPI_CALL(
      MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &local_comm));
  real *a, *a_new, *l2;
  cudaStream_t s;
  CUDA_RT_CALL(cudaStreamCreate(&s));
  ncclComm_t comm;
  ncclUniqueId id;
  ncclGetUniqueId(&id);
  constexpr int dx = 32, dy = 32;
  dim3 grid(1, 1, 1);
  initialize_boundaries<<<128, 128>>>(a, a_new, M_PI, 1, 2, 3, 4);
  jacobi_kernel<dx, dy><<<grid, {dx, dy, 1}, 0, s>>>(a_new, a, l2, 1, 2, 3, true);
  MPI_CALL(MPI_Sendrecv(a_new + 1, 3, MPI_REAL_TYPE, 0, 0, a_new, 3, MPI_REAL_TYPE, 0, 0,
                        MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, l2, 1, MPI_REAL_TYPE, MPI_SUM, MPI_COMM_WORLD));
  nvtxRangePushA("x");
  nvtxRangePop();
  cudaProfilerStart();
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 4; ++i) {
    int d = omp_get_thread_num();
    cudaSetDevice(d);
  }
  MPI_CALL(MPI_Finalize());
}
