//===- handles.cu - Handles, and copies between host and device -----------===//

#include "Blas.h"

#include <cstdio>

using namespace heddle_blas;

EXPORTED cublasStatus_t cublasCreate_v2(cublasHandle_t *To) {
  __heddle_count(__func__);
  REQUIRE(To);
  *To = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
EXPORTED cublasStatus_t cublasDestroy_v2(cublasHandle_t H) {
  ENTER(H);
  cudaError_t Freed = H->Workspace ? cudaFree(H->Workspace) : cudaSuccess;
  for (void *Memory : H->Scratch)
    if (const cudaError_t E = cudaFree(Memory); E != cudaSuccess)
      Freed = E;
  delete H;
  return status(Freed);
}
EXPORTED cublasStatus_t cublasGetVersion_v2(cublasHandle_t H, int *To) {
  ENTER(H);
  REQUIRE(To);
  *To = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}
EXPORTED cublasStatus_t cublasGetProperty(libraryPropertyType Which, int *To) {
  __heddle_count(__func__);
  REQUIRE(To && Which >= MAJOR_VERSION && Which <= PATCH_LEVEL);
  *To = Which == MAJOR_VERSION ? CUBLAS_VER_MAJOR : 0;
  return CUBLAS_STATUS_SUCCESS;
}
EXPORTED size_t cublasGetCudartVersion() {
  __heddle_count(__func__);
  return CUDART_VERSION;
}
/// The workspace of the program is not used: the library has its own.
EXPORTED cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t H, void *,
                                              size_t) {
  ENTER(H);
  return CUBLAS_STATUS_SUCCESS;
}
EXPORTED cublasStatus_t cublasSetStream_v2(cublasHandle_t H,
                                           cudaStream_t Stream) {
  ENTER(H);
  H->Stream = Stream;
  return CUBLAS_STATUS_SUCCESS;
}

/// A field of the handle, set and read.
#define FIELD(Set, Get, Type, Field)                                           \
  EXPORTED cublasStatus_t Set(cublasHandle_t H, Type Value) {                  \
    ENTER(H);                                                                  \
    H->Field = Value;                                                          \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  EXPORTED cublasStatus_t Get(cublasHandle_t H, Type *To) {                    \
    ENTER(H);                                                                  \
    REQUIRE(To);                                                               \
    *To = H->Field;                                                            \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }
FIELD(cublasSetPointerMode_v2, cublasGetPointerMode_v2, cublasPointerMode_t,
      Mode)
FIELD(cublasSetMathMode, cublasGetMathMode, cublasMath_t, Math)
FIELD(cublasSetAtomicsMode, cublasGetAtomicsMode, cublasAtomicsMode_t, Atomics)
FIELD(cublasSetSmCountTarget, cublasGetSmCountTarget, int, Multiprocessors)

EXPORTED cublasStatus_t cublasGetStream_v2(cublasHandle_t H, cudaStream_t *To) {
  ENTER(H);
  REQUIRE(To);
  *To = H->Stream;
  return CUBLAS_STATUS_SUCCESS;
}

EXPORTED const char *cublasGetStatusName(cublasStatus_t S) {
  switch (S) {
#define NAME(Status)                                                           \
  case Status:                                                                 \
    return #Status;
    NAME(CUBLAS_STATUS_SUCCESS)
    NAME(CUBLAS_STATUS_NOT_INITIALIZED)
    NAME(CUBLAS_STATUS_ALLOC_FAILED)
    NAME(CUBLAS_STATUS_INVALID_VALUE)
    NAME(CUBLAS_STATUS_ARCH_MISMATCH)
    NAME(CUBLAS_STATUS_MAPPING_ERROR)
    NAME(CUBLAS_STATUS_EXECUTION_FAILED)
    NAME(CUBLAS_STATUS_INTERNAL_ERROR)
    NAME(CUBLAS_STATUS_NOT_SUPPORTED)
    NAME(CUBLAS_STATUS_LICENSE_ERROR)
#undef NAME
  }
  return "CUBLAS_STATUS_UNKNOWN";
}
EXPORTED const char *cublasGetStatusString(cublasStatus_t S) {
  switch (S) {
  case CUBLAS_STATUS_SUCCESS:
    return "success";
  case CUBLAS_STATUS_NOT_INITIALIZED:
    return "the library was not initialized";
  case CUBLAS_STATUS_ALLOC_FAILED:
    return "the resource allocation failed";
  case CUBLAS_STATUS_INVALID_VALUE:
    return "an unsupported value or parameter was passed to the function";
  case CUBLAS_STATUS_EXECUTION_FAILED:
    return "the function failed to launch on the GPU";
  case CUBLAS_STATUS_NOT_SUPPORTED:
    return "the functionality requested is not supported";
  default:
    return cublasGetStatusName(S);
  }
}

cublasStatus_t heddle_blas::scratch(cublasHandle_t H, size_t Bytes, void **To) {
  if (Bytes > H->ScratchBytes) {
    // Sizes double, so that all that are kept are not much more than the last.
    const size_t Size =
        Bytes > 2 * H->ScratchBytes ? Bytes : 2 * H->ScratchBytes;
    void *Memory = nullptr;
    if (cudaMalloc(&Memory, Size) != cudaSuccess)
      return CUBLAS_STATUS_ALLOC_FAILED;
    H->Scratch.push_back(Memory);
    H->ScratchBytes = Size;
  }
  *To = H->Scratch.empty() ? nullptr : H->Scratch.back();
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t heddle_blas::refuseTypes(const char *Function, int X, int Y,
                                        int Of) {
  std::fprintf(stderr,
               "heddle: %s: types %d, %d and %d are not supported; "
               "docs/CUDARuntime.md lists those that are (error %d)\n",
               Function, X, Y, Of, int(CUBLAS_STATUS_NOT_SUPPORTED));
  return CUBLAS_STATUS_NOT_SUPPORTED;
}
EXPORTED cublasStatus_t __heddle_refuse_blas(const char *Function) {
  return heddle_library::refuse(Function, CUBLAS_STATUS_NOT_SUPPORTED);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// \p Columns of \p Rows elements of \p Size bytes, with their leading
/// dimensions.
static cublasStatus_t copy(int Rows, int Columns, int Size, const void *From,
                           int FromLD, void *To, int ToLD, cudaMemcpyKind Kind,
                           const cudaStream_t *Stream) {
  REQUIRE(Rows >= 0 && Columns >= 0 && Size > 0);
  REQUIRE(FromLD >= Rows && ToLD >= Rows && FromLD > 0 && ToLD > 0);
  if (Rows == 0 || Columns == 0)
    return CUBLAS_STATUS_SUCCESS;
  const size_t S = size_t(Size);
  const cudaError_t E =
      Stream
          ? cudaMemcpy2DAsync(To, size_t(ToLD) * S, From, size_t(FromLD) * S,
                              size_t(Rows) * S, size_t(Columns), Kind, *Stream)
          : cudaMemcpy2D(To, size_t(ToLD) * S, From, size_t(FromLD) * S,
                         size_t(Rows) * S, size_t(Columns), Kind);
  return E == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}
/// A vector is a matrix of one row, or of one column where it has no gaps.
static cublasStatus_t copyVector(int N, int Size, const void *From, int FromInc,
                                 void *To, int ToInc, cudaMemcpyKind Kind,
                                 const cudaStream_t *Stream) {
  REQUIRE(N >= 0 && FromInc > 0 && ToInc > 0);
  if (FromInc == 1 && ToInc == 1)
    return copy(N, N != 0, Size, From, N ? N : 1, To, N ? N : 1, Kind, Stream);
  return copy(1, N, Size, From, FromInc, To, ToInc, Kind, Stream);
}

#define COPIES(Way, Kind)                                                      \
  EXPORTED cublasStatus_t cublas##Way##Vector(int N, int Size, const void *X,  \
                                              int IncX, void *Y, int IncY) {   \
    __heddle_count(__func__);                                                  \
    return copyVector(N, Size, X, IncX, Y, IncY, Kind, nullptr);               \
  }                                                                            \
  EXPORTED cublasStatus_t cublas##Way##VectorAsync(                            \
      int N, int Size, const void *X, int IncX, void *Y, int IncY,             \
      cudaStream_t Stream) {                                                   \
    __heddle_count(__func__);                                                  \
    return copyVector(N, Size, X, IncX, Y, IncY, Kind, &Stream);               \
  }                                                                            \
  EXPORTED cublasStatus_t cublas##Way##Matrix(int Rows, int Columns, int Size, \
                                              const void *A, int LDA, void *B, \
                                              int LDB) {                       \
    __heddle_count(__func__);                                                  \
    return copy(Rows, Columns, Size, A, LDA, B, LDB, Kind, nullptr);           \
  }                                                                            \
  EXPORTED cublasStatus_t cublas##Way##MatrixAsync(                            \
      int Rows, int Columns, int Size, const void *A, int LDA, void *B,        \
      int LDB, cudaStream_t Stream) {                                          \
    __heddle_count(__func__);                                                  \
    return copy(Rows, Columns, Size, A, LDA, B, LDB, Kind, &Stream);           \
  }
COPIES(Set, cudaMemcpyHostToDevice)
COPIES(Get, cudaMemcpyDeviceToHost)
