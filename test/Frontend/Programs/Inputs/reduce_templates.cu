#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
template <class T> struct SharedMemory {
  __device__ inline operator T *() {
    extern __shared__ int __smem[];
    return (T *)__smem;
  }
  __device__ inline operator const T *() const {
    extern __shared__ int __smem[];
    return (T *)__smem;
  }
};
template <> struct SharedMemory<double> {
  __device__ inline operator double *() {
    extern __shared__ double __smem_d[];
    return (double *)__smem_d;
  }
};
bool isPow2(unsigned int x) { return ((x & (x - 1)) == 0); }
template <class T, unsigned int blockSize, bool nIsPow2>
__global__ void reduce6(T *g_idata, T *g_odata, unsigned int n) {
  T *sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x, i = blockIdx.x * blockSize * 2 + threadIdx.x,
               gridSize = blockSize * 2 * gridDim.x;
  T mySum = 0;
  while (i < n) {
    mySum += g_idata[i];
    if (nIsPow2 || i + blockSize < n)
      mySum += g_idata[i + blockSize];
    i += gridSize;
  }
  sdata[tid] = mySum;
  __syncthreads();
  if ((blockSize >= 512) && (tid < 256))
    sdata[tid] = mySum = mySum + sdata[tid + 256];
  __syncthreads();
  cg::thread_block cta = cg::this_thread_block();
  cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
  if (cta.thread_rank() < 32) {
    if (blockSize >= 64)
      mySum += sdata[tid + 32];
    for (int offset = tile32.size() / 2; offset > 0; offset /= 2)
      mySum += tile32.shfl_down(mySum, offset);
  }
  if (cta.thread_rank() == 0)
    g_odata[blockIdx.x] = mySum;
}
template <typename T> __global__ void cgReduce(T *in, T *out, unsigned n) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  auto grid = cg::this_grid();
  T v = 0;
  for (auto i = grid.thread_rank(); i < n; i += grid.size())
    v += in[i];
  v = cg::reduce(tile, v, cg::plus<T>());
  if (tile.thread_rank() == 0)
    atomicAdd(out, v);
}
template <unsigned int blockSize>
__device__ void warpReduce(volatile int *sdata, unsigned int tid) {
  if (blockSize >= 64)
    sdata[tid] += sdata[tid + 32];
  if (blockSize >= 32)
    sdata[tid] += sdata[tid + 16];
  if (blockSize >= 16)
    sdata[tid] += sdata[tid + 8];
  sdata[tid] += sdata[tid + 4];
  sdata[tid] += sdata[tid + 2];
  sdata[tid] += sdata[tid + 1];
}
__global__ void old(int *in, int *out) {
  extern __shared__ int sm[];
  sm[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32)
    warpReduce<64>(sm, threadIdx.x);
  if (threadIdx.x == 0)
    *out = sm[0];
}
template <class T>
void reduce(int size, int threads, int blocks, T *d_idata, T *d_odata) {
  dim3 dimBlock(threads, 1, 1);
  dim3 dimGrid(blocks, 1, 1);
  int smemSize =
      (threads <= 32) ? 2 * threads * sizeof(T) : threads * sizeof(T);
  if (isPow2(size)) {
    switch (threads) {
    case 512:
      reduce6<T, 512, true>
          <<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
      break;
    case 64:
      reduce6<T, 64, true>
          <<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
      break;
    }
  }
  cgReduce<T><<<dimGrid, dimBlock>>>(d_idata, d_odata, size);
}
template void reduce<int>(int, int, int, int *, int *);
template void reduce<float>(int, int, int, float *, float *);
template void reduce<double>(int, int, int, double *, double *);
int main(int argc, char **argv) {
  cudaDeviceProp deviceProp;
  deviceProp.major = 0;
  int dev;
  dev = findCudaDevice(argc, (const char **)argv);
  checkCudaErrors(cudaGetDeviceProperties(&deviceProp, dev));
  int size = 1 << 24;
  if (checkCmdLineFlag(argc, (const char **)argv, "n"))
    size = getCmdLineArgumentInt(argc, (const char **)argv, "n");
  char *t = 0;
  getCmdLineArgumentString(argc, (const char **)argv, "type", &t);
  StopWatchInterface *timer = 0;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);
  sdkStopTimer(&timer);
  sdkGetTimerValue(&timer);
  sdkDeleteTimer(&timer);
  getLastCudaError("x");
  old<<<1, 64, 512>>>(0, 0);
  exit(EXIT_SUCCESS);
}
