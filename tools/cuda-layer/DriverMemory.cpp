//===- DriverMemory.cpp - Memory, arrays and copies of the driver API -----===//

#include "DriverCalls.h"

#include <cstring>

using namespace heddle;
using namespace heddle::cuda;

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
  return result(cudaMallocAsync(pointer(To), Bytes, S));
}
EXPORTED CUresult cuMemFree_v2(CUdeviceptr At) {
  ENTER;
  return result(cudaFree(pointer(At)));
}
EXPORTED CUresult cuMemFreeAsync(CUdeviceptr At, CUstream S) {
  ENTER;
  return result(cudaFreeAsync(pointer(At), S));
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
  return result(
      cudaMemcpyAsync(pointer(To), From, Bytes, cudaMemcpyHostToDevice, S));
}
EXPORTED CUresult cuMemcpyDtoHAsync_v2(void *To, CUdeviceptr From, size_t Bytes,
                                       CUstream S) {
  ENTER;
  return result(
      cudaMemcpyAsync(To, pointer(From), Bytes, cudaMemcpyDeviceToHost, S));
}
EXPORTED CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr To, CUdeviceptr From,
                                       size_t Bytes, CUstream S) {
  ENTER;
  return result(cudaMemcpyAsync(pointer(To), pointer(From), Bytes,
                                cudaMemcpyDeviceToDevice, S));
}
EXPORTED CUresult cuMemcpyAsync(CUdeviceptr To, CUdeviceptr From, size_t Bytes,
                                CUstream S) {
  ENTER;
  return result(
      cudaMemcpyAsync(pointer(To), pointer(From), Bytes, cudaMemcpyDefault, S));
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
EXPORTED CUresult cuMemsetD2D8Async(CUdeviceptr To, size_t Pitch,
                                    unsigned char V, size_t Width,
                                    size_t Height, CUstream S) {
  ENTER;
  return fill(Enter, To, Pitch, V, Width, Height, S);
}
EXPORTED CUresult cuMemsetD2D16Async(CUdeviceptr To, size_t Pitch,
                                     unsigned short V, size_t Width,
                                     size_t Height, CUstream S) {
  ENTER;
  return fill(Enter, To, Pitch, V, Width, Height, S);
}
EXPORTED CUresult cuMemsetD2D32Async(CUdeviceptr To, size_t Pitch, unsigned V,
                                     size_t Width, size_t Height, CUstream S) {
  ENTER;
  return fill(Enter, To, Pitch, V, Width, Height, S);
}

//===----------------------------------------------------------------------===//
// What a pointer points to
//===----------------------------------------------------------------------===//

/// Writes attribute \p Which of \p At to where \p To points.
static Status tell(Device &D, void *To, int Which, CUdeviceptr At) {
  const Allocation *A = D.heap().find(At);
  auto Give = [To](auto Value) {
    std::memcpy(To, &Value, sizeof(decltype(Value)));
    return Status::Success;
  };
  if (!A)
    return Status::InvalidValue;
  const bool OfDevice =
      A->Kind == MemoryKind::Device || A->Kind == MemoryKind::Variable;
  switch (Which) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    return Give(context());
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    return Give(unsigned(OfDevice || A->Kind == MemoryKind::Managed
                             ? CU_MEMORYTYPE_DEVICE
                             : CU_MEMORYTYPE_HOST));
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    return Give(At);
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    return OfDevice ? Status::InvalidValue : Give(pointer(At));
  case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    return Give(static_cast<unsigned long long>(A->Address));
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    return Give(A->Kind == MemoryKind::Managed);
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
  case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    return Give(0);
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
  case CU_POINTER_ATTRIBUTE_MAPPED:
    return Give(true);
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    return Give(false);
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    return Give(CUdeviceptr(A->Address));
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    return Give(size_t(A->SizeBytes));
  case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    return Give(int(cudaMemAccessFlagsProtReadWrite));
  default:
    return Status::NotSupported;
  }
}
EXPORTED CUresult cuPointerGetAttribute(void *To, CUpointer_attribute Which,
                                        CUdeviceptr At) {
  ENTER;
  if (!To)
    return result(Enter.refuseNull());
  return result(Enter(tell(Enter.device(), To, Which, At)));
}
/// What is unknown of a pointer is zero.
EXPORTED CUresult cuPointerGetAttributes(unsigned Count,
                                         CUpointer_attribute *Which, void **To,
                                         CUdeviceptr At) {
  ENTER;
  if (!Which || !To)
    return result(Enter.refuseNull());
  for (unsigned I = 0; I < Count; ++I)
    if (tell(Enter.device(), To[I], Which[I], At) != Status::Success)
      std::memset(To[I], 0,
                  Which[I] == CU_POINTER_ATTRIBUTE_IS_MANAGED ? 1 : 4);
  return result(Enter.done());
}
EXPORTED CUresult cuPointerSetAttribute(const void *, CUpointer_attribute Which,
                                        CUdeviceptr At) {
  ENTER;
  // Copies are synchronous anyway.
  return result(Which == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS &&
                        Enter.device().heap().find(At)
                    ? Enter.done()
                    : Enter(Status::InvalidValue));
}
EXPORTED CUresult cuMemAdvise(CUdeviceptr, size_t, CUmem_advise, CUdevice) {
  ENTER;
  return result(Enter.done());
}
EXPORTED CUresult cuMemPrefetchAsync(CUdeviceptr, size_t, CUdevice, CUstream) {
  ENTER;
  return result(Enter.done());
}
// As CUDA 13 links them.
EXPORTED CUresult cuMemAdvise_v2(CUdeviceptr, size_t, CUmem_advise,
                                 CUmemLocation) {
  ENTER;
  return result(Enter.done());
}
EXPORTED CUresult cuMemPrefetchAsync_v2(CUdeviceptr, size_t, CUmemLocation,
                                        unsigned, CUstream) {
  ENTER;
  return result(Enter.done());
}
EXPORTED CUresult cuMemRangeGetAttribute(void *To, size_t Bytes,
                                         CUmem_range_attribute Which,
                                         CUdeviceptr At, size_t Size) {
  ENTER;
  return result(cudaMemRangeGetAttribute(
      To, Bytes, cudaMemRangeAttribute(Which), pointer(At), Size));
}

//===----------------------------------------------------------------------===//
// Between contexts, and pools
//===----------------------------------------------------------------------===//

EXPORTED CUresult cuMemcpyPeer(CUdeviceptr To, CUcontext, CUdeviceptr From,
                               CUcontext, size_t Bytes) {
  ENTER;
  return result(cudaMemcpyPeer(pointer(To), 0, pointer(From), 0, Bytes));
}
EXPORTED CUresult cuMemcpyPeerAsync(CUdeviceptr To, CUcontext, CUdeviceptr From,
                                    CUcontext, size_t Bytes, CUstream S) {
  ENTER;
  return result(
      cudaMemcpyPeerAsync(pointer(To), 0, pointer(From), 0, Bytes, S));
}
EXPORTED CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *To, CUdevice Index) {
  ENTER;
  return result(cudaDeviceGetDefaultMemPool(To, Index));
}
EXPORTED CUresult cuDeviceGetMemPool(CUmemoryPool *To, CUdevice Index) {
  ENTER;
  return result(cudaDeviceGetMemPool(To, Index));
}
EXPORTED CUresult cuDeviceSetMemPool(CUdevice Index, CUmemoryPool P) {
  ENTER;
  return result(cudaDeviceSetMemPool(Index, P));
}
EXPORTED CUresult cuMemPoolCreate(CUmemoryPool *To, const CUmemPoolProps *P) {
  ENTER;
  return result(
      cudaMemPoolCreate(To, reinterpret_cast<const cudaMemPoolProps *>(P)));
}
EXPORTED CUresult cuMemPoolDestroy(CUmemoryPool P) {
  ENTER;
  return result(cudaMemPoolDestroy(P));
}
EXPORTED CUresult cuMemPoolTrimTo(CUmemoryPool P, size_t Bytes) {
  ENTER;
  return result(cudaMemPoolTrimTo(P, Bytes));
}
EXPORTED CUresult cuMemPoolSetAttribute(CUmemoryPool P,
                                        CUmemPool_attribute Which,
                                        void *Value) {
  ENTER;
  return result(cudaMemPoolSetAttribute(P, cudaMemPoolAttr(Which), Value));
}
EXPORTED CUresult cuMemPoolGetAttribute(CUmemoryPool P,
                                        CUmemPool_attribute Which,
                                        void *Value) {
  ENTER;
  return result(cudaMemPoolGetAttribute(P, cudaMemPoolAttr(Which), Value));
}
EXPORTED CUresult cuMemPoolSetAccess(CUmemoryPool P,
                                     const CUmemAccessDesc *Access,
                                     size_t Count) {
  ENTER;
  return result(cudaMemPoolSetAccess(
      P, reinterpret_cast<const cudaMemAccessDesc *>(Access), Count));
}
EXPORTED CUresult cuMemPoolGetAccess(CUmemAccess_flags *To, CUmemoryPool P,
                                     CUmemLocation *Location) {
  ENTER;
  return result(
      cudaMemPoolGetAccess(reinterpret_cast<cudaMemAccessFlags *>(To), P,
                           reinterpret_cast<cudaMemLocation *>(Location)));
}
EXPORTED CUresult cuMemAllocFromPoolAsync(CUdeviceptr *To, size_t Bytes,
                                          CUmemoryPool P, CUstream S) {
  ENTER;
  return result(cudaMallocFromPoolAsync(pointer(To), Bytes, P, S));
}
EXPORTED CUresult cuMemRangeGetAttributes(void **To, size_t *Bytes,
                                          CUmem_range_attribute *Which,
                                          size_t Count, CUdeviceptr At,
                                          size_t Size) {
  ENTER;
  return result(cudaMemRangeGetAttributes(
      To, Bytes, reinterpret_cast<cudaMemRangeAttribute *>(Which), Count,
      pointer(At), Size));
}
EXPORTED CUresult cuMemGetDefaultMemPool(CUmemoryPool *To, CUmemLocation *At,
                                         CUmemAllocationType Type) {
  ENTER;
  return result(
      cudaMemGetDefaultMemPool(To, reinterpret_cast<cudaMemLocation *>(At),
                               cudaMemAllocationType(Type)));
}
EXPORTED CUresult cuMemGetMemPool(CUmemoryPool *To, CUmemLocation *At,
                                  CUmemAllocationType Type) {
  ENTER;
  return result(cudaMemGetMemPool(To, reinterpret_cast<cudaMemLocation *>(At),
                                  cudaMemAllocationType(Type)));
}
EXPORTED CUresult cuMemSetMemPool(CUmemLocation *At, CUmemAllocationType Type,
                                  CUmemoryPool P) {
  ENTER;
  return result(cudaMemSetMemPool(reinterpret_cast<cudaMemLocation *>(At),
                                  cudaMemAllocationType(Type), P));
}

// Attributes of copies of batches are the runtime's.
EXPORTED CUresult cuMemcpyBatchAsync(CUdeviceptr *To, CUdeviceptr *From,
                                     size_t *Bytes, size_t Count,
                                     CUmemcpyAttributes *Attributes,
                                     size_t *First, size_t NumAttributes,
                                     size_t *Failed, CUstream S) {
  ENTER;
  return result(
      copyAll(Enter, reinterpret_cast<void **>(To),
              reinterpret_cast<const void **>(From), Bytes, Count,
              reinterpret_cast<const cudaMemcpyAttributes *>(Attributes), First,
              NumAttributes, Failed, S));
}
EXPORTED CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *To, CUdeviceptr *From,
                                        size_t *Bytes, size_t Count,
                                        CUmemcpyAttributes *Attributes,
                                        size_t *First, size_t NumAttributes,
                                        CUstream S) {
  ENTER;
  return result(
      copyAll(Enter, reinterpret_cast<void **>(To),
              reinterpret_cast<const void **>(From), Bytes, Count,
              reinterpret_cast<const cudaMemcpyAttributes *>(Attributes), First,
              NumAttributes, nullptr, S));
}
