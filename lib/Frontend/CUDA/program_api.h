// The runtime API of programs that `heddle cc` compiles: what Heddle's own
// libcudart has (tools/cuda-layer), and the C++ that stands around it.

#ifndef HEDDLE_CUDA_PROGRAM_API_H
#define HEDDLE_CUDA_PROGRAM_API_H

#include "program_streams.h"

#include "program_images.h"

extern "C" {
// What a launch with <<<...>>> becomes.
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                     cudaStream_t stream = 0);
cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block,
                             void **args, size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid,
                                        dim3 block, void **args, size_t shared,
                                        cudaStream_t stream);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *,
                                void **);
/// Says on stderr that the library lacks a function.
cudaError_t __heddle_refuse(const char *function);

cudaError_t cudaMemcpyArrayToArray(cudaArray_t, size_t, size_t,
                                   cudaArray_const_t, size_t, size_t, size_t,
                                   cudaMemcpyKind);
cudaError_t cudaFuncGetParamInfo(const void *, size_t, size_t *, size_t *);
cudaError_t cudaFuncGetName(const char **, const void *);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *, const void *);
cudaError_t cudaGetKernel(cudaKernel_t *, const void *);
cudaError_t cudaMemRangeGetAttribute(void *, size_t, cudaMemRangeAttribute,
                                     const void *, size_t);
cudaError_t cudaMemRangeGetAttributes(void **, size_t *,
                                      cudaMemRangeAttribute *, size_t,
                                      const void *, size_t);
cudaError_t cudaMemcpyBatchAsync(void **, void **, size_t *, size_t,
                                 cudaMemcpyAttributes *, size_t *, size_t,
                                 size_t *, cudaStream_t);
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *);
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *,
                                  cudaStream_t = 0);
cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements *,
                                           cudaArray_t, int);
cudaError_t cudaArrayGetSparseProperties(cudaArraySparseProperties *,
                                         cudaArray_t);
cudaError_t cudaArrayGetPlane(cudaArray_t *, cudaArray_t, unsigned);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *, const void *,
                                                      int, int);
cudaError_t cudaOccupancyMaxActiveClusters(int *, const void *,
                                           const cudaLaunchConfig_t *);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *, const void *,
                                                 const cudaLaunchConfig_t *);
cudaError_t cudaDeviceGetByPCIBusId(int *, const char *);
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *,
                                                 const cudaChannelFormatDesc *,
                                                 int);
cudaError_t cudaDeviceGetP2PAttribute(int *, cudaDeviceP2PAttr, int, int);
cudaError_t cudaSetValidDevices(int *, int);
cudaError_t cudaThreadGetLimit(size_t *, cudaLimit);
cudaError_t cudaThreadSetLimit(cudaLimit, size_t);
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache *);
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaSetDoubleForDevice(double *);
cudaError_t cudaSetDoubleForHost(double *);
cudaError_t cudaProfilerInitialize(const char *, const char *, int);
cudaError_t cudaStreamGetId(cudaStream_t, unsigned long long *);
cudaError_t cudaStreamGetDevice(cudaStream_t, int *);
cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID,
                                   const cudaStreamAttrValue *);
cudaError_t cudaStreamGetAttribute(cudaStream_t, cudaStreamAttrID,
                                   cudaStreamAttrValue *);
cudaError_t cudaStreamCopyAttributes(cudaStream_t, cudaStream_t);

cudaError_t cudaMalloc(void **, size_t);
cudaError_t cudaMallocHost(void **, size_t);
cudaError_t cudaHostAlloc(void **, size_t, unsigned);
cudaError_t cudaMallocManaged(void **, size_t, unsigned = cudaMemAttachGlobal);
cudaError_t cudaMallocPitch(void **, size_t *, size_t, size_t);
cudaError_t cudaMalloc3D(cudaPitchedPtr *, cudaExtent);
cudaError_t cudaMallocAsync(void **, size_t, cudaStream_t);
cudaError_t cudaFree(void *);
cudaError_t cudaFreeAsync(void *, cudaStream_t);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaHostRegister(void *, size_t, unsigned);
cudaError_t cudaHostUnregister(void *);
cudaError_t cudaHostGetDevicePointer(void **, void *, unsigned);
cudaError_t cudaHostGetFlags(unsigned *, void *);
cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, cudaMemcpyKind,
                            cudaStream_t = 0);
cudaError_t cudaMemcpyPeer(void *, int, const void *, int, size_t);
cudaError_t cudaMemcpyPeerAsync(void *, int, const void *, int, size_t,
                                cudaStream_t = 0);
cudaError_t cudaMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t,
                         cudaMemcpyKind);
cudaError_t cudaMemcpy2DAsync(void *, size_t, const void *, size_t, size_t,
                              size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *, cudaStream_t = 0);
cudaError_t cudaMemcpyToSymbol(const void *, const void *, size_t, size_t = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice);
cudaError_t cudaMemcpyToSymbolAsync(const void *, const void *, size_t, size_t,
                                    cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpyFromSymbol(void *, const void *, size_t, size_t = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost);
cudaError_t cudaMemcpyFromSymbolAsync(void *, const void *, size_t, size_t,
                                      cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaGetSymbolAddress(void **, const void *);
cudaError_t cudaGetSymbolSize(size_t *, const void *);
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t = 0);
cudaError_t cudaMemset2D(void *, size_t, int, size_t, size_t);
cudaError_t cudaMemset2DAsync(void *, size_t, int, size_t, size_t,
                              cudaStream_t = 0);
cudaError_t cudaMemset3D(cudaPitchedPtr, int, cudaExtent);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr, int, cudaExtent,
                              cudaStream_t = 0);
cudaError_t cudaMemGetInfo(size_t *, size_t *);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0);
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *, const void *);

cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);

cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaSetDevice(int);
cudaError_t cudaInitDevice(int, unsigned, unsigned);
cudaError_t cudaGetDevice(int *);
cudaError_t cudaGetDeviceCount(int *);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *, int);
cudaError_t cudaChooseDevice(int *, const cudaDeviceProp *);
cudaError_t cudaDeviceGetAttribute(int *, cudaDeviceAttr, int);
cudaError_t cudaSetDeviceFlags(unsigned);
cudaError_t cudaGetDeviceFlags(unsigned *);
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t);
cudaError_t cudaDeviceGetLimit(size_t *, cudaLimit);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *);
cudaError_t cudaDeviceGetStreamPriorityRange(int *, int *);
cudaError_t cudaDeviceGetPCIBusId(char *, int, int);
cudaError_t cudaDeviceCanAccessPeer(int *, int, int);
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned);
cudaError_t cudaDeviceDisablePeerAccess(int);
cudaError_t cudaRuntimeGetVersion(int *);
cudaError_t cudaDriverGetVersion(int *);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *, unsigned, int);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamGetFlags(cudaStream_t, unsigned *);
cudaError_t cudaStreamGetPriority(cudaStream_t, int *);
cudaError_t cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t, void *,
                                  unsigned);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, size_t = 0,
                                     unsigned = cudaMemAttachSingle);
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void *);
cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t = 0,
                                     unsigned = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventDestroy(cudaEvent_t);

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *, const void *);
cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int);
cudaError_t
cudaGetDriverEntryPoint(const char *, void **, unsigned long long,
                        cudaDriverEntryPointQueryResult * = nullptr);
cudaError_t
cudaGetDriverEntryPointByVersion(const char *, void **, unsigned,
                                 unsigned long long,
                                 cudaDriverEntryPointQueryResult * = nullptr);
cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache);
cudaError_t cudaFuncSetSharedMemConfig(const void *, cudaSharedMemConfig);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *,
                                                          int, size_t);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *,
                                                                   const void *,
                                                                   int, size_t,
                                                                   unsigned);
}

#ifdef __cplusplus
// Typed pointers, variables and kernels instead of addresses.
template <typename T> cudaError_t cudaMalloc(T **to, size_t n) {
  return cudaMalloc((void **)(void *)to, n);
}
template <typename T>
cudaError_t cudaMallocHost(T **to, size_t n, unsigned flags = 0) {
  return cudaHostAlloc((void **)(void *)to, n, flags);
}
template <typename T>
cudaError_t cudaHostAlloc(T **to, size_t n, unsigned flags) {
  return cudaHostAlloc((void **)(void *)to, n, flags);
}
template <typename T>
cudaError_t cudaMallocManaged(T **to, size_t n,
                              unsigned flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void **)(void *)to, n, flags);
}
template <typename T>
cudaError_t cudaMallocPitch(T **to, size_t *pitch, size_t w, size_t h) {
  return cudaMallocPitch((void **)(void *)to, pitch, w, h);
}
template <typename T>
cudaError_t cudaMallocAsync(T **to, size_t n, cudaStream_t stream) {
  return cudaMallocAsync((void **)(void *)to, n, stream);
}
template <typename T>
cudaError_t cudaHostGetDevicePointer(T **to, void *host, unsigned flags) {
  return cudaHostGetDevicePointer((void **)(void *)to, host, flags);
}
template <typename T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t n,
                               size_t at = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void *)&symbol, from, n, at, kind);
}
template <typename T>
cudaError_t cudaMemcpyToSymbolAsync(
    const T &symbol, const void *from, size_t n, size_t at = 0,
    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void *)&symbol, from, n, at, kind,
                                 stream);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t n,
                                 size_t at = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, (const void *)&symbol, n, at, kind);
}
template <typename T>
cudaError_t
cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t n, size_t at = 0,
                          cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                          cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, n, at, kind,
                                   stream);
}
template <typename P, typename T>
cudaError_t cudaGetSymbolAddress(P **to, const T &symbol) {
  return cudaGetSymbolAddress((void **)(void *)to, (const void *)&symbol);
}
template <typename T>
cudaError_t cudaGetSymbolSize(size_t *to, const T &symbol) {
  return cudaGetSymbolSize(to, (const void *)&symbol);
}
template <typename T>
cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **args,
                             size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void *)kernel, grid, block, args, shared,
                          stream);
}
template <typename T>
cudaError_t cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block,
                                        void **args, size_t shared = 0,
                                        cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, args,
                                     shared, stream);
}
template <typename... P, typename... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                               void (*kernel)(P...), A &&...given) {
  return [&](P... values) {
    void *args[] = {(void *)&values..., nullptr};
    return cudaLaunchKernelExC(config, (const void *)kernel, args);
  }(static_cast<A &&>(given)...);
}
template <typename T>
cudaError_t cudaFuncSetCacheConfig(T *kernel, cudaFuncCache config) {
  return cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <typename T>
cudaError_t cudaFuncSetSharedMemConfig(T *kernel, cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig((const void *)kernel, config);
}
template <typename T>
cudaError_t cudaFuncSetAttribute(T *kernel, cudaFuncAttribute which,
                                 int value) {
  return cudaFuncSetAttribute((const void *)kernel, which, value);
}
template <typename T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *to, T *kernel) {
  return cudaFuncGetAttributes(to, (const void *)kernel);
}
template <typename T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *to, T kernel,
                                                          int block,
                                                          size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(to, (const void *)kernel,
                                                       block, shared);
}
template <typename T>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *to, T kernel,
                                                      int blocks, int block) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(to, (const void *)kernel,
                                                   blocks, block);
}
template <typename T>
cudaError_t cudaOccupancyMaxActiveClusters(int *to, T kernel,
                                           const cudaLaunchConfig_t *config) {
  return cudaOccupancyMaxActiveClusters(to, (const void *)kernel, config);
}
template <typename T>
cudaError_t
cudaOccupancyMaxPotentialClusterSize(int *to, T kernel,
                                     const cudaLaunchConfig_t *config) {
  return cudaOccupancyMaxPotentialClusterSize(to, (const void *)kernel, config);
}
template <typename T> cudaError_t cudaFuncGetName(const char **to, T kernel) {
  return cudaFuncGetName(to, (const void *)kernel);
}
template <typename T>
cudaError_t cudaFuncGetParamInfo(T kernel, size_t index, size_t *at,
                                 size_t *size) {
  return cudaFuncGetParamInfo((const void *)kernel, index, at, size);
}
template <typename T>
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *to, T kernel) {
  return cudaGetFuncBySymbol(to, (const void *)kernel);
}
template <typename T> cudaError_t cudaGetKernel(cudaKernel_t *to, T kernel) {
  return cudaGetKernel(to, (const void *)kernel);
}
/// Of the block sizes with the most warps on an SM, the largest; \p shared says
/// the dynamic shared memory of a block.
template <typename T, typename F>
cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, T kernel,
                                               F shared, int limit = 0) {
  cudaFuncAttributes of;
  int device = 0, sms = 0, best = 0;
  cudaError_t e = cudaFuncGetAttributes(&of, (const void *)kernel);
  if (!e)
    e = cudaGetDevice(&device);
  if (!e)
    e = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  int most = of.maxThreadsPerBlock;
  if (limit > 0 && limit < most)
    most = limit;
  *block = *grid = 0;
  for (int size = (most + 31) / 32 * 32; !e && size > 0; size -= 32) {
    const int threads = size < most ? size : most;
    int blocks = 0;
    e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, (const void *)kernel, threads, (size_t)shared(threads));
    if (!e && blocks * threads > best) {
      best = blocks * threads;
      *block = threads;
      *grid = blocks * sms;
    }
  }
  return e;
}
template <typename T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T kernel,
                                               size_t shared = 0,
                                               int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      grid, block, kernel, [shared](int) { return shared; }, limit);
}
#endif

#include "program_graphs.h"
#include "program_libraries.h"

#endif
