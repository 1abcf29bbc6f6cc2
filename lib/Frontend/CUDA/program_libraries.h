// Libraries of kernels in programs that `heddle cc` compiles
// (tools/cuda-layer/Libraries.cpp), whose kernels are launched by their
// handles; occupancy with flags.

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
// Caches of texels do not change what an SM holds (cudaOccupancyDefault and
// cudaOccupancyDisableCachingOverride).
template <typename T, typename F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *grid, int *block, T kernel, F shared, int limit = 0, unsigned = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel,
                                                        shared, limit);
}
template <typename T>
cudaError_t
cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, T kernel,
                                            size_t shared = 0, int limit = 0,
                                            unsigned = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, shared, limit);
}
#endif

#endif
