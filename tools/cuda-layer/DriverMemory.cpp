//===- DriverMemory.cpp - Memory, arrays and copies of the driver API -----===//

#include "Graphs.h"

#include <cuda.h>

#include <cstring>

using namespace heddle;
using namespace heddle::cuda;

/// The two APIs number their errors alike.
static CUresult result(cudaError_t E) { return CUresult(E); }

static void *pointer(CUdeviceptr At) { return reinterpret_cast<void *>(At); }
static void **pointer(CUdeviceptr *To) { return reinterpret_cast<void **>(To); }
static cudaStream_t streamOf(CUstream S) {
  return reinterpret_cast<cudaStream_t>(S);
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

EXPORTED CUresult cuMemAlloc_v2(CUdeviceptr *To, size_t Bytes) {
  ENTER;
  return Bytes == 0 ? result(Enter(Status::InvalidValue))
                    : result(cudaMalloc(pointer(To), Bytes));
}
EXPORTED CUresult cuMemAllocManaged(CUdeviceptr *To, size_t Bytes,
                                    unsigned Flags) {
  ENTER;
  return result(cudaMallocManaged(pointer(To), Bytes, Flags));
}
EXPORTED CUresult cuMemAllocPitch_v2(CUdeviceptr *To, size_t *Pitch,
                                     size_t Width, size_t Height, unsigned) {
  ENTER;
  return result(cudaMallocPitch(pointer(To), Pitch, Width, Height));
}
EXPORTED CUresult cuMemAllocHost_v2(void **To, size_t Bytes) {
  ENTER;
  return result(cudaMallocHost(To, Bytes));
}
EXPORTED CUresult cuMemHostAlloc(void **To, size_t Bytes, unsigned Flags) {
  ENTER;
  return result(cudaHostAlloc(To, Bytes, Flags));
}
EXPORTED CUresult cuMemAllocAsync(CUdeviceptr *To, size_t Bytes, CUstream S) {
  ENTER;
  return result(cudaMallocAsync(pointer(To), Bytes, streamOf(S)));
}
EXPORTED CUresult cuMemFree_v2(CUdeviceptr At) {
  ENTER;
  return result(cudaFree(pointer(At)));
}
EXPORTED CUresult cuMemFreeAsync(CUdeviceptr At, CUstream S) {
  ENTER;
  return result(cudaFreeAsync(pointer(At), streamOf(S)));
}
EXPORTED CUresult cuMemFreeHost(void *At) {
  ENTER;
  return result(cudaFreeHost(At));
}
EXPORTED CUresult cuMemHostRegister_v2(void *At, size_t Bytes, unsigned Flags) {
  ENTER;
  return result(cudaHostRegister(At, Bytes, Flags));
}
EXPORTED CUresult cuMemHostUnregister(void *At) {
  ENTER;
  return result(cudaHostUnregister(At));
}
EXPORTED CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *To, void *Host,
                                               unsigned Flags) {
  ENTER;
  return result(cudaHostGetDevicePointer(pointer(To), Host, Flags));
}
EXPORTED CUresult cuMemHostGetFlags(unsigned *To, void *Host) {
  ENTER;
  return result(cudaHostGetFlags(To, Host));
}
EXPORTED CUresult cuMemGetInfo_v2(size_t *Free, size_t *Total) {
  ENTER;
  return result(cudaMemGetInfo(Free, Total));
}
EXPORTED CUresult cuMemGetAddressRange_v2(CUdeviceptr *To, size_t *Bytes,
                                          CUdeviceptr At) {
  ENTER;
  const Allocation *A = Enter.device().heap().find(At);
  if (!A)
    return result(
        Enter.refuse(Status::NotFound, Enter.device().heap().describe(At)));
  if (To)
    *To = A->Address;
  if (Bytes)
    *Bytes = A->SizeBytes;
  return result(Enter.done());
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

EXPORTED CUresult cuMemcpyHtoD_v2(CUdeviceptr To, const void *From,
                                  size_t Bytes) {
  ENTER;
  return result(cudaMemcpy(pointer(To), From, Bytes, cudaMemcpyHostToDevice));
}
EXPORTED CUresult cuMemcpyDtoH_v2(void *To, CUdeviceptr From, size_t Bytes) {
  ENTER;
  return result(cudaMemcpy(To, pointer(From), Bytes, cudaMemcpyDeviceToHost));
}
EXPORTED CUresult cuMemcpyDtoD_v2(CUdeviceptr To, CUdeviceptr From,
                                  size_t Bytes) {
  ENTER;
  return result(
      cudaMemcpy(pointer(To), pointer(From), Bytes, cudaMemcpyDeviceToDevice));
}
EXPORTED CUresult cuMemcpy(CUdeviceptr To, CUdeviceptr From, size_t Bytes) {
  ENTER;
  return result(
      cudaMemcpy(pointer(To), pointer(From), Bytes, cudaMemcpyDefault));
}
EXPORTED CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr To, const void *From,
                                       size_t Bytes, CUstream S) {
  ENTER;
  return result(cudaMemcpyAsync(pointer(To), From, Bytes,
                                cudaMemcpyHostToDevice, streamOf(S)));
}
EXPORTED CUresult cuMemcpyDtoHAsync_v2(void *To, CUdeviceptr From, size_t Bytes,
                                       CUstream S) {
  ENTER;
  return result(cudaMemcpyAsync(To, pointer(From), Bytes,
                                cudaMemcpyDeviceToHost, streamOf(S)));
}
EXPORTED CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr To, CUdeviceptr From,
                                       size_t Bytes, CUstream S) {
  ENTER;
  return result(cudaMemcpyAsync(pointer(To), pointer(From), Bytes,
                                cudaMemcpyDeviceToDevice, streamOf(S)));
}
EXPORTED CUresult cuMemcpyAsync(CUdeviceptr To, CUdeviceptr From, size_t Bytes,
                                CUstream S) {
  ENTER;
  return result(cudaMemcpyAsync(pointer(To), pointer(From), Bytes,
                                cudaMemcpyDefault, streamOf(S)));
}

/// One side of a copy of the driver API.
static void side(cudaArray_t &Array, cudaPos &At, cudaPitchedPtr &Memory,
                 CUmemorytype Type, CUarray Given, const void *Host,
                 CUdeviceptr Device, size_t Pitch, size_t X, size_t Y,
                 const CUDA_MEMCPY2D &C) {
  At = {X, Y, 0};
  if (Type == CU_MEMORYTYPE_ARRAY) {
    Array = reinterpret_cast<cudaArray_t>(Given);
    if (const ArrayState *A = arrayOf(Array))
      At.x = X / A->texelBytes();
    return;
  }
  Memory.ptr =
      Type == CU_MEMORYTYPE_HOST ? const_cast<void *>(Host) : pointer(Device);
  Memory.pitch = Pitch ? Pitch : C.WidthInBytes;
  Memory.xsize = C.WidthInBytes;
  Memory.ysize = Y + C.Height;
}
static CUresult copy2D(const CUDA_MEMCPY2D *C, CUstream S, bool Async) {
  if (!C)
    return CUDA_ERROR_INVALID_VALUE;
  cudaMemcpy3DParms P = {};
  side(P.srcArray, P.srcPos, P.srcPtr, C->srcMemoryType, C->srcArray,
       C->srcHost, C->srcDevice, C->srcPitch, C->srcXInBytes, C->srcY, *C);
  side(P.dstArray, P.dstPos, P.dstPtr, C->dstMemoryType, C->dstArray,
       C->dstHost, C->dstDevice, C->dstPitch, C->dstXInBytes, C->dstY, *C);
  const ArrayState *A = arrayOf(P.srcArray ? P.srcArray : P.dstArray);
  P.extent = {C->WidthInBytes / (A ? A->texelBytes() : 1), C->Height, 1};
  P.kind = cudaMemcpyDefault;
  return result(Async ? cudaMemcpy3DAsync(&P, streamOf(S)) : cudaMemcpy3D(&P));
}
EXPORTED CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *C) {
  ENTER;
  return copy2D(C, nullptr, /*Async=*/false);
}
EXPORTED CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *C) {
  ENTER;
  return copy2D(C, nullptr, /*Async=*/false);
}
EXPORTED CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *C, CUstream S) {
  ENTER;
  return copy2D(C, S, /*Async=*/true);
}

//===----------------------------------------------------------------------===//
// Fills
//===----------------------------------------------------------------------===//

/// Rows of \p Width values; a stream that captures gets a node.
template <typename T>
static CUresult fill(const Call &Enter, CUdeviceptr To, size_t Pitch, T Value,
                     size_t Width, size_t Height, CUstream S = nullptr) {
  if (isCapturing(S))
    return result(capture(
        Enter, S,
        cudaMemsetParams{pointer(To), Pitch, Value, sizeof(T), Width, Height}));
  if (cudaError_t E = checkStream(Enter, S))
    return result(E);
  const InStream Here(Enter.device(), S);
  std::vector<uint8_t> Pattern(sizeof(T));
  std::memcpy(Pattern.data(), &Value, sizeof(T));
  return result(Enter(Enter.device().fill(
      pointer(To), box(Width * sizeof(T), Height, 1, Pitch, 0), Pattern,
      Enter.name())));
}
EXPORTED CUresult cuMemsetD8_v2(CUdeviceptr To, unsigned char V, size_t N) {
  ENTER;
  return fill(Enter, To, 0, V, N, 1);
}
EXPORTED CUresult cuMemsetD16_v2(CUdeviceptr To, unsigned short V, size_t N) {
  ENTER;
  return fill(Enter, To, 0, V, N, 1);
}
EXPORTED CUresult cuMemsetD32_v2(CUdeviceptr To, unsigned V, size_t N) {
  ENTER;
  return fill(Enter, To, 0, V, N, 1);
}
EXPORTED CUresult cuMemsetD8Async(CUdeviceptr To, unsigned char V, size_t N,
                                  CUstream S) {
  ENTER;
  return fill(Enter, To, 0, V, N, 1, S);
}
EXPORTED CUresult cuMemsetD16Async(CUdeviceptr To, unsigned short V, size_t N,
                                   CUstream S) {
  ENTER;
  return fill(Enter, To, 0, V, N, 1, S);
}
EXPORTED CUresult cuMemsetD32Async(CUdeviceptr To, unsigned V, size_t N,
                                   CUstream S) {
  ENTER;
  return fill(Enter, To, 0, V, N, 1, S);
}
EXPORTED CUresult cuMemsetD2D8_v2(CUdeviceptr To, size_t Pitch, unsigned char V,
                                  size_t Width, size_t Height) {
  ENTER;
  return fill(Enter, To, Pitch, V, Width, Height);
}
EXPORTED CUresult cuMemsetD2D16_v2(CUdeviceptr To, size_t Pitch,
                                   unsigned short V, size_t Width,
                                   size_t Height) {
  ENTER;
  return fill(Enter, To, Pitch, V, Width, Height);
}
EXPORTED CUresult cuMemsetD2D32_v2(CUdeviceptr To, size_t Pitch, unsigned V,
                                   size_t Width, size_t Height) {
  ENTER;
  return fill(Enter, To, Pitch, V, Width, Height);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

static std::optional<cudaChannelFormatDesc> formatOf(CUarray_format Format,
                                                     unsigned Channels) {
  int Bits = 0;
  cudaChannelFormatKind Kind = cudaChannelFormatKindUnsigned;
  switch (int(Format)) {
  case CU_AD_FORMAT_UNSIGNED_INT8:
  case CU_AD_FORMAT_UNSIGNED_INT16:
  case CU_AD_FORMAT_UNSIGNED_INT32:
    Bits = 8 << (int(Format) - CU_AD_FORMAT_UNSIGNED_INT8);
    break;
  case CU_AD_FORMAT_SIGNED_INT8:
  case CU_AD_FORMAT_SIGNED_INT16:
  case CU_AD_FORMAT_SIGNED_INT32:
    Bits = 8 << (int(Format) - CU_AD_FORMAT_SIGNED_INT8);
    Kind = cudaChannelFormatKindSigned;
    break;
  case CU_AD_FORMAT_HALF:
  case CU_AD_FORMAT_FLOAT:
    Bits = Format == CU_AD_FORMAT_HALF ? 16 : 32;
    Kind = cudaChannelFormatKindFloat;
    break;
  default:
    return std::nullopt;
  }
  auto Of = [&](unsigned I) { return I < Channels ? Bits : 0; };
  return cudaChannelFormatDesc{Of(0), Of(1), Of(2), Of(3), Kind};
}
EXPORTED CUresult cuArrayCreate_v2(CUarray *To,
                                   const CUDA_ARRAY_DESCRIPTOR *D) {
  ENTER;
  const auto Format = D ? formatOf(D->Format, D->NumChannels) : std::nullopt;
  if (!Format)
    return result(
        Enter.refuse(Status::InvalidValue, "arrays do not have such a format"));
  return result(makeArray(Enter, reinterpret_cast<cudaArray_t *>(To), &*Format,
                          {D->Width, D->Height, 0}, 0));
}
EXPORTED CUresult cuArrayDestroy(CUarray A) {
  ENTER;
  return result(cudaFreeArray(reinterpret_cast<cudaArray_t>(A)));
}
EXPORTED CUresult cuMemcpyHtoA_v2(CUarray To, size_t At, const void *From,
                                  size_t Bytes) {
  ENTER;
  return result(cudaMemcpyToArray(reinterpret_cast<cudaArray_t>(To), At, 0,
                                  From, Bytes, cudaMemcpyHostToDevice));
}
EXPORTED CUresult cuMemcpyAtoH_v2(void *To, CUarray From, size_t At,
                                  size_t Bytes) {
  ENTER;
  return result(cudaMemcpyFromArray(To, reinterpret_cast<cudaArray_t>(From), At,
                                    0, Bytes, cudaMemcpyDeviceToHost));
}
EXPORTED CUresult cuMemcpyDtoA_v2(CUarray To, size_t At, CUdeviceptr From,
                                  size_t Bytes) {
  ENTER;
  return result(cudaMemcpyToArray(reinterpret_cast<cudaArray_t>(To), At, 0,
                                  pointer(From), Bytes,
                                  cudaMemcpyDeviceToDevice));
}
EXPORTED CUresult cuMemcpyAtoD_v2(CUdeviceptr To, CUarray From, size_t At,
                                  size_t Bytes) {
  ENTER;
  return result(cudaMemcpyFromArray(pointer(To),
                                    reinterpret_cast<cudaArray_t>(From), At, 0,
                                    Bytes, cudaMemcpyDeviceToDevice));
}
