// Libraries of kernels in programs that `heddle cc` compiles
// (tools/cuda-layer/Libraries.cpp). A kernel of one is launched by its handle.

#ifndef HEDDLE_CUDA_PROGRAM_LIBRARIES_H
#define HEDDLE_CUDA_PROGRAM_LIBRARIES_H

extern "C" {
cudaError_t cudaLibraryLoadData(cudaLibrary_t *, const void *, cudaJitOption *,
                                void **, unsigned, cudaLibraryOption *, void **,
                                unsigned);
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *, const char *,
                                    cudaJitOption *, void **, unsigned,
                                    cudaLibraryOption *, void **, unsigned);
cudaError_t cudaLibraryUnload(cudaLibrary_t);
cudaError_t cudaLibraryGetKernel(cudaKernel_t *, cudaLibrary_t, const char *);
cudaError_t cudaLibraryGetKernelCount(unsigned *, cudaLibrary_t);
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *, unsigned,
                                        cudaLibrary_t);
cudaError_t cudaLibraryGetGlobal(void **, size_t *, cudaLibrary_t,
                                 const char *);
cudaError_t cudaLibraryGetManaged(void **, size_t *, cudaLibrary_t,
                                  const char *);
cudaError_t cudaLibraryGetUnifiedFunction(void **, cudaLibrary_t, const char *);
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t, cudaFuncAttribute,
                                            int, int);
}

#ifdef __cplusplus
template <typename T>
cudaError_t cudaLibraryGetGlobal(T **to, size_t *size, cudaLibrary_t library,
                                 const char *name) {
  return cudaLibraryGetGlobal((void **)(void *)to, size, library, name);
}
template <typename T>
cudaError_t cudaLibraryGetManaged(T **to, size_t *size, cudaLibrary_t library,
                                  const char *name) {
  return cudaLibraryGetManaged((void **)(void *)to, size, library, name);
}
template <typename T>
cudaError_t cudaLibraryGetUnifiedFunction(T **to, cudaLibrary_t library,
                                          const char *name) {
  return cudaLibraryGetUnifiedFunction((void **)(void *)to, library, name);
}
#endif

#endif
