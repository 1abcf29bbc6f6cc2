// The runtime API, as far as whole programs need it to be parsed: Heddle takes
// the kernels of a file and does not run its host code here, so nothing has a
// body that does anything.

#ifndef HEDDLE_CUDA_PARSED_API_H
#define HEDDLE_CUDA_PARSED_API_H

extern "C" {
// What a launch with <<<...>>> becomes.
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0,
                              cudaStream_t stream = 0);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                     void *stream = 0);
cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block,
                             void **args, size_t shared = 0,
                             cudaStream_t stream = 0);
cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid,
                                        dim3 block, void **args,
                                        size_t shared = 0,
                                        cudaStream_t stream = 0);

cudaError_t cudaFree(void *);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaFreeArray(cudaArray_t);
cudaError_t cudaHostRegister(void *, size_t, unsigned);
cudaError_t cudaHostUnregister(void *);
cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, cudaMemcpyKind,
                            cudaStream_t = 0);
cudaError_t cudaMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t,
                         cudaMemcpyKind);
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t = 0);
cudaError_t cudaMemset2D(void *, size_t, int, size_t, size_t);
cudaError_t cudaMemGetInfo(size_t *, size_t *);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0);
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int);

cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);

cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaSetDevice(int);
cudaError_t cudaGetDevice(int *);
cudaError_t cudaGetDeviceCount(int *);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *, int);
cudaError_t cudaDeviceGetAttribute(int *, cudaDeviceAttr, int);
cudaError_t cudaSetDeviceFlags(unsigned);
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig);
cudaError_t cudaRuntimeGetVersion(int *);
cudaError_t cudaDriverGetVersion(int *);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventDestroy(cudaEvent_t);
}

// Typed pointers and symbols are taken as they come.
template <typename T> cudaError_t cudaMalloc(T **, size_t);
template <typename T> cudaError_t cudaMallocHost(T **, size_t, unsigned = 0);
template <typename T> cudaError_t cudaHostAlloc(T **, size_t, unsigned);
template <typename T>
cudaError_t cudaMallocManaged(T **, size_t, unsigned = cudaMemAttachGlobal);
template <typename T>
cudaError_t cudaMallocPitch(T **, size_t *, size_t, size_t);
template <typename T> cudaError_t cudaMallocAsync(T **, size_t, cudaStream_t);
template <typename T> cudaError_t cudaFreeAsync(T *, cudaStream_t);
template <typename T>
cudaError_t cudaHostGetDevicePointer(T **, void *, unsigned);
template <typename T>
cudaError_t cudaMemcpyToSymbol(const T &, const void *, size_t, size_t = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice);
template <typename T>
cudaError_t cudaMemcpyToSymbolAsync(const T &, const void *, size_t, size_t,
                                    cudaMemcpyKind, cudaStream_t = 0);
template <typename T>
cudaError_t cudaMemcpyFromSymbol(void *, const T &, size_t, size_t = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost);
template <typename P, typename T>
cudaError_t cudaGetSymbolAddress(P **, const T &);
template <typename T> cudaError_t cudaGetSymbolSize(size_t *, const T &);
template <typename T> cudaError_t cudaFuncSetCacheConfig(T *, cudaFuncCache);
template <typename T>
cudaError_t cudaFuncSetSharedMemConfig(T *, cudaSharedMemConfig);
template <typename T>
cudaError_t cudaFuncSetAttribute(T *, cudaFuncAttribute, int);
template <typename T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *, T *);
template <typename T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, T, int,
                                                          size_t);
template <typename T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *, int *, T, size_t = 0,
                                               int = 0);
template <typename... T>
cudaError_t cudaLaunchKernel(void (*)(T...), dim3, dim3, void **, size_t = 0,
                             cudaStream_t = 0);
template <typename... T>
cudaError_t cudaLaunchCooperativeKernel(void (*)(T...), dim3, dim3, void **,
                                        size_t = 0, cudaStream_t = 0);

#endif
