#include <chrono>
#include <cuda_runtime.h>
#include <functional>
#include <iostream>
#include <memory>
#include <thread>
#include <vector>
#define CUDA_CHECK(call)                                                       \
  do {                                                                         \
    cudaError_t e = (call);                                                    \
    if (e != cudaSuccess) {                                                    \
      std::cerr << cudaGetErrorName(e) << ' ' << cudaGetErrorString(e)         \
                << std::endl;                                                  \
      std::exit(EXIT_FAILURE);                                                 \
    }                                                                          \
  } while (0)
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += 1.f;
}
void CUDART_CB cb(cudaStream_t s, cudaError_t e, void *d) {}
void hostfn(void *) {}
struct Deleter {
  void operator()(void *p) const { cudaFree(p); }
};
template <typename T> using dptr = std::unique_ptr<T[], Deleter>;
int main() {
  cudaStream_t s, s2;
  CUDA_CHECK(cudaStreamCreate(&s));
  CUDA_CHECK(cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking));
  int lo, hi;
  cudaDeviceGetStreamPriorityRange(&lo, &hi);
  cudaStreamCreateWithPriority(&s2, cudaStreamDefault, hi);
  cudaEvent_t a, b;
  cudaEventCreate(&a);
  cudaEventCreateWithFlags(&b, cudaEventDisableTiming | cudaEventBlockingSync);
  float *h, *d;
  CUDA_CHECK(cudaMallocHost((void **)&h, 100));
  CUDA_CHECK(
      cudaHostAlloc(&h, 100, cudaHostAllocMapped | cudaHostAllocPortable));
  cudaHostGetDevicePointer((void **)&d, h, 0);
  cudaHostRegister(h, 100, cudaHostRegisterDefault);
  CUDA_CHECK(cudaMallocAsync(&d, 100, s));
  CUDA_CHECK(cudaFreeAsync(d, s));
  cudaMemPool_t pool;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  uint64_t th = 0;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &th);
  cudaMemcpyAsync(d, h, 100, cudaMemcpyHostToDevice, s);
  cudaMemsetAsync(d, 0, 100, s);
  cudaEventRecord(a, s);
  cudaStreamWaitEvent(s2, a, 0);
  cudaStreamAddCallback(s, cb, nullptr, 0);
  cudaLaunchHostFunc(s, hostfn, nullptr);
  cudaGraph_t g;
  cudaGraphExec_t ge;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  k<<<1, 32, 0, s>>>(d, 32);
  cudaStreamEndCapture(s, &g);
  cudaGraphInstantiate(&ge, g, NULL, NULL, 0);
  cudaGraphLaunch(ge, s);
  cudaGraphExecDestroy(ge);
  cudaGraphDestroy(g);
  cudaGraphNode_t n, n2;
  cudaGraphCreate(&g, 0);
  cudaKernelNodeParams kp = {0};
  void *args[] = {&d, &lo};
  kp.func = (void *)k;
  kp.gridDim = dim3(1);
  kp.blockDim = dim3(32);
  kp.sharedMemBytes = 0;
  kp.kernelParams = args;
  kp.extra = NULL;
  cudaGraphAddKernelNode(&n, g, NULL, 0, &kp);
  cudaMemcpy3DParms mp = {0};
  cudaMemsetParams ms = {0};
  ms.dst = d;
  ms.elementSize = 4;
  ms.width = 1;
  ms.height = 1;
  cudaHostNodeParams hn = {0};
  hn.fn = hostfn;
  cudaGraphAddMemcpyNode(&n2, g, &n, 1, &mp);
  cudaGraphAddMemsetNode(&n2, g, 0, 0, &ms);
  cudaGraphAddHostNode(&n2, g, &n, 1, &hn);
  cudaGraphAddDependencies(g, &n, &n2, 1);
  cudaGraphAddMemcpyNode1D(&n2, g, 0, 0, d, d, 1, cudaMemcpyDefault);
  cudaGraphExecKernelNodeSetParams(ge, n, &kp);
  size_t nn;
  cudaGraphGetNodes(g, NULL, &nn);
  cudaGraphExecUpdateResult ur;
  cudaGraphExecUpdate(ge, g, NULL, &ur);
  cudaGraphUpload(ge, s);
  cudaLaunchKernel((void *)k, dim3(1), dim3(32), args, 0, s);
  cudaLaunchCooperativeKernel((void *)k, dim3(1), dim3(32), args, 0, s);
  cudaLaunchConfig_t cfg = {0};
  cfg.gridDim = 1;
  cfg.blockDim = 32;
  cudaLaunchAttribute at[1];
  at[0].id = cudaLaunchAttributeCooperative;
  at[0].val.cooperative = 1;
  cfg.attrs = at;
  cfg.numAttrs = 1;
  cudaLaunchKernelEx(&cfg, k, d, 32);
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  cudaFuncSetCacheConfig(k, cudaFuncCachePreferL1);
  cudaFuncAttributes fa;
  cudaFuncGetAttributes(&fa, k);
  printf("%d %zu\n", fa.numRegs, fa.sharedSizeBytes);
  cudaFuncSetSharedMemConfig(k, cudaSharedMemBankSizeEightByte);
  cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeFourByte);
  cudaDeviceSetCacheConfig(cudaFuncCachePreferShared);
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1);
  size_t v;
  cudaDeviceGetLimit(&v, cudaLimitPrintfFifoSize);
  cudaDeviceGetAttribute(&lo, cudaDevAttrMultiProcessorCount, 0);
  cudaDeviceGetAttribute(&lo, cudaDevAttrCooperativeLaunch, 0);
  cudaOccupancyMaxPotentialBlockSize(&lo, &hi, k, 0, 0);
  cudaOccupancyMaxPotentialBlockSize(&lo, &hi, (void *)k);
  int can;
  cudaDeviceCanAccessPeer(&can, 0, 1);
  cudaDeviceEnablePeerAccess(1, 0);
  cudaMemcpyPeerAsync(d, 0, d, 1, 4, s);
  cudaMemPrefetchAsync(d, 100, 0, s);
  cudaMemAdvise(d, 100, cudaMemAdviseSetReadMostly, 0);
  cudaPointerAttributes pa;
  cudaPointerGetAttributes(&pa, d);
  cudaIpcMemHandle_t ih;
  cudaIpcGetMemHandle(&ih, d);
  cudaStreamAttachMemAsync(s, d);
  cudaStreamQuery(s) == cudaErrorNotReady;
  float ms2;
  cudaEventElapsedTime(&ms2, a, b);
  cudaStreamAttrValue sav;
  sav.accessPolicyWindow.base_ptr = d;
  cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &sav);
  cudaCtxResetPersistingL2Cache();
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  std::cout << p.name << p.totalGlobalMem << p.warpSize << p.clockRate
            << p.memoryClockRate << p.memoryBusWidth << p.concurrentKernels
            << p.asyncEngineCount << p.l2CacheSize
            << p.maxThreadsPerMultiProcessor << p.sharedMemPerBlockOptin
            << p.canMapHostMemory << p.integrated << p.ECCEnabled
            << p.unifiedAddressing << p.pciBusID << p.deviceOverlap
            << p.computeMode << p.regsPerBlock << p.maxGridSize[0]
            << p.maxThreadsDim[1] << p.totalConstMem << p.textureAlignment
            << p.multiProcessorCount << p.cooperativeLaunch
            << p.persistingL2CacheMaxSize << p.major;
  int rv, dv;
  cudaRuntimeGetVersion(&rv);
  cudaDriverGetVersion(&dv);
  cudaSetDeviceFlags(cudaDeviceMapHost | cudaDeviceScheduleBlockingSync);
  cudaMemGetInfo(&v, &v);
  cudaDeviceSynchronize();
  cudaPeekAtLastError();
  cudaDeviceReset();
  cudaThreadSynchronize();
  auto t0 = std::chrono::high_resolution_clock::now();
  (void)t0;
  std::vector<std::thread> ths;
  ths.emplace_back([&] { k<<<1, 1>>>(d, 1); });
  dptr<float> up;
  return 0;
}
