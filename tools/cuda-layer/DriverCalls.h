//===- DriverCalls.h - What functions of the driver API share ---*- C++ -*-===//
//
// Most functions of the driver API are those of the runtime with other names
// and types. The two number their errors, flags and attributes alike.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CUDA_LAYER_DRIVERCALLS_H
#define HEDDLE_CUDA_LAYER_DRIVERCALLS_H

#include "Graphs.h"

#include <cuda.h>

namespace heddle::cuda {

inline CUresult result(cudaError_t E) { return CUresult(E); }

inline void *pointer(CUdeviceptr At) { return reinterpret_cast<void *>(At); }
inline void **pointer(CUdeviceptr *To) { return reinterpret_cast<void **>(To); }
inline cudaArray_t runtimeArray(CUarray A) {
  return reinterpret_cast<cudaArray_t>(A);
}
/// A function of the driver API is the kernel itself; null for null.
inline KernelHandle *kernelOf(CUfunction F) {
  return reinterpret_cast<KernelHandle *>(F);
}
/// The copy that \p C describes (DriverImages.cpp).
cudaMemcpy3DParms boxOf(const CUDA_MEMCPY3D &C);
/// The same the other way round.
CUDA_MEMCPY3D copyOf(const cudaMemcpy3DParms &P);
/// The node of a launch that \p P describes (DriverGraphs.cpp).
Status kernelNode(const Call &Enter, const CUDA_KERNEL_NODE_PARAMS *P,
                  KernelNode &To);

/// Loads an image into a module: PTX, what `heddle cc -fatbin` writes, or
/// nvcc's fat binary; of a file it has \p Bytes and a zero (Driver.cpp).
cudaError_t load(const Call &Enter, CodeModule *&To, const void *Image,
                 size_t Bytes = PTRDIFF_MAX);
cudaError_t loadFile(const Call &Enter, CodeModule *&To, const char *Path);

/// There is one context, which always exists.
inline CUcontext context() {
  return reinterpret_cast<CUcontext>(&Device::get());
}

} // namespace heddle::cuda

#endif // HEDDLE_CUDA_LAYER_DRIVERCALLS_H
