#include <iostream>
#include <vector>
#include <chrono>
#include <string>
#include <sstream>
#include <iomanip>
#include <cassert>
#include <memory>
#include <omp.h>
#include <getopt.h>
#include <sys/time.h>
#include <unistd.h>
#include <cuda_runtime.h>
#include <cuda_profiler_api.h>
#include <nvToolsExt.h>
#define cudaCheck(err) (__cudaCheck(err, __FILE__, __LINE__))
inline void __cudaCheck(cudaError_t error, const char *file, int line) {
  if (error != cudaSuccess) {
    printf("[CUDA ERROR] at file %s:%d:\n%s\n", file, line,
           cudaGetErrorString(error));
    exit(EXIT_FAILURE);
  }
}
#define gpuErrchk(ans)                                                         \
  {                                                                            \
    gpuAssert((ans), __FILE__, __LINE__);                                      \
  }
inline void gpuAssert(cudaError_t code, const char *file, int line,
                      bool abort = true) {
  if (code != cudaSuccess) {
    fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorName(code), file,
            line);
    if (abort)
      exit(code);
  }
}
__global__ void kernel(float *a, int offset) {
  int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
  float x = (float)i;
  float s = sinf(x);
  float c = cosf(x);
  a[i] = a[i] + sqrtf(s * s + c * c);
}
template <typename F> __global__ void generic(F f, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n)
    f(i);
}
class Timer {
  cudaEvent_t a, b;

public:
  Timer() {
    cudaEventCreate(&a);
    cudaEventCreateWithFlags(&b, cudaEventDisableTiming);
  }
  ~Timer() { cudaEventDestroy(a); }
  float ms() {
    float t;
    cudaEventRecord(b, 0);
    cudaEventSynchronize(b);
    cudaEventElapsedTime(&t, a, b);
    return t;
  }
};
static void CUDART_CB callback(cudaStream_t s, cudaError_t e, void *d) {
  (void)s;
}
struct Del {
  void operator()(float *p) { cudaFree(p); }
};
int main(int argc, char **argv) {
  int opt;
  while ((opt = getopt(argc, argv, "n:b:h")) != -1)
    switch (opt) {
    case 'n':
      break;
    default:
      break;
    }
  const int nStreams = 4;
  cudaStream_t stream[nStreams];
  for (int i = 0; i < nStreams; ++i)
    cudaCheck(cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking));
  float *a, *d_a;
  cudaCheck(cudaMallocHost((void **)&a, 1024));
  cudaCheck(cudaMalloc(&d_a, 1024));
  cudaHostAlloc(&a, 10, cudaHostAllocMapped | cudaHostAllocPortable);
  cudaHostGetDevicePointer(&d_a, a, 0);
  auto t0 = std::chrono::high_resolution_clock::now();
  for (auto &s : stream) {
    cudaMemcpyAsync(d_a, a, 256, cudaMemcpyHostToDevice, s);
    kernel<<<1, 256, 0, s>>>(d_a, 0);
    cudaStreamAddCallback(s, callback, nullptr, 0);
    cudaStreamWaitEvent(s, 0, 0);
  }
  generic<<<1, 32>>>([=] __device__(int i) { d_a[i] = i; }, 32);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream[0], cudaStreamCaptureModeGlobal);
  cudaStreamEndCapture(stream[0], &graph);
  cudaGraphInstantiate(&exec, graph, NULL, NULL, 0);
  cudaGraphLaunch(exec, stream[0]);
  int lo, hi;
  cudaDeviceGetStreamPriorityRange(&lo, &hi);
  cudaStreamCreateWithPriority(&stream[0], cudaStreamNonBlocking, hi);
  cudaMallocManaged(&d_a, 1024);
  cudaMemPrefetchAsync(d_a, 1024, 0, stream[0]);
  cudaMemAdvise(d_a, 1024, cudaMemAdviseSetReadMostly, 0);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       65536);
  cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1);
  int nb;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&nb, kernel, 256, 0);
  int mg, bs;
  cudaOccupancyMaxPotentialBlockSize(&mg, &bs, kernel, 0, 0);
  void *args[] = {&d_a, &nb};
  cudaLaunchKernel((void *)kernel, dim3(1), dim3(32), args, 0, 0);
  cudaLaunchCooperativeKernel((void *)kernel, dim3(1), dim3(32), args);
  nvtxRangePushA("x");
  nvtxRangePop();
  cudaProfilerStart();
  cudaProfilerStop();
  std::unique_ptr<float, Del> owned(d_a);
  Timer t;
  std::cout << std::setw(3) << t.ms() << "\n";
#pragma omp parallel for
  for (int i = 0; i < 10; i++)
    a[i] = omp_get_thread_num();
  auto dt = std::chrono::duration_cast<std::chrono::microseconds>(
                std::chrono::high_resolution_clock::now() - t0)
                .count();
  (void)dt;
}
