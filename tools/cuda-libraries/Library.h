//===- Library.h - What CUDA's host libraries have in common ----*- C++ -*-===//
//
// Each library is a CUDA program: its kernels are launched through libcudart,
// so that a recording has them as it has the program's own.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CUDA_LIBRARIES_LIBRARY_H
#define HEDDLE_CUDA_LIBRARIES_LIBRARY_H

#include <cuda_runtime.h>

#include <cstdio>

#define EXPORTED extern "C" __attribute__((visibility("default")))
EXPORTED void __heddle_count(const char *Function); // in libcudart

namespace heddle_library {

template <typename T> struct As {
  using Type = T;
};
/// Launches \p Kernel with \p Shared bytes of dynamic shared memory.
template <typename... P>
cudaError_t launch(cudaStream_t Stream, void (*Kernel)(P...), dim3 Grid,
                   dim3 Block, size_t Shared,
                   typename As<P>::Type... Arguments) {
  void *At[] = {(void *)&Arguments...};
  return cudaLaunchKernel((const void *)Kernel, Grid, Block, At, Shared,
                          Stream);
}

inline unsigned blocks(long long Elements, unsigned Each) {
  return unsigned((Elements + Each - 1) / Each);
}

/// A parameter such as alpha, where the pointer mode of a handle says.
template <typename T> struct Scalar {
  T Value;
  const T *At; ///< in device memory, or null
  static Scalar of(bool OnDevice, const void *P) {
    const T *Typed = static_cast<const T *>(P);
    return OnDevice ? Scalar{T(), Typed} : Scalar{*Typed, nullptr};
  }
  __device__ T get() const { return At ? *At : Value; }
};

/// Says on stderr that \p What of \p Function is not there. \returns \p Status
template <typename S>
S refuse(const char *Function, S Status, const char *What = "this function") {
  __heddle_count(Function);
  std::fprintf(stderr,
               "heddle: %s: %s is not supported; docs/CUDARuntime.md lists "
               "those that are (error %d)\n",
               Function, What, int(Status));
  return Status;
}

} // namespace heddle_library

#endif // HEDDLE_CUDA_LIBRARIES_LIBRARY_H
