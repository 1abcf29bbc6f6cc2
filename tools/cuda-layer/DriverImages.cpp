//===- DriverImages.cpp - Arrays and textures of the driver API ---------===//

#include "DriverCalls.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::cuda;

//===----------------------------------------------------------------------===//
// Copies of boxes
//===----------------------------------------------------------------------===//

/// One side of a copy of the driver API.
static void side(cudaArray_t &Array, cudaPos &At, cudaPitchedPtr &Memory,
                 CUmemorytype Type, CUarray Given, const void *Host,
                 CUdeviceptr Device, size_t Pitch, size_t Height, size_t X,
                 size_t Y, size_t Z, const CUDA_MEMCPY3D &C) {
  At = {X, Y, Z};
  if (Type == CU_MEMORYTYPE_ARRAY) {
    Array = runtimeArray(Given);
    if (const ArrayState *A = arrayOf(Array))
      At.x = X / A->texelBytes();
    return;
  }
  Memory.ptr =
      Type == CU_MEMORYTYPE_HOST ? const_cast<void *>(Host) : pointer(Device);
  Memory.pitch = Pitch ? Pitch : C.WidthInBytes;
  Memory.xsize = C.WidthInBytes;
  Memory.ysize = Height ? Height : Y + C.Height;
}
cudaMemcpy3DParms heddle::cuda::boxOf(const CUDA_MEMCPY3D &C) {
  cudaMemcpy3DParms P = {};
  side(P.srcArray, P.srcPos, P.srcPtr, C.srcMemoryType, C.srcArray, C.srcHost,
       C.srcDevice, C.srcPitch, C.srcHeight, C.srcXInBytes, C.srcY, C.srcZ, C);
  side(P.dstArray, P.dstPos, P.dstPtr, C.dstMemoryType, C.dstArray, C.dstHost,
       C.dstDevice, C.dstPitch, C.dstHeight, C.dstXInBytes, C.dstY, C.dstZ, C);
  const ArrayState *A = arrayOf(P.srcArray ? P.srcArray : P.dstArray);
  P.extent = {C.WidthInBytes / (A ? A->texelBytes() : 1), C.Height, C.Depth};
  P.kind = cudaMemcpyDefault;
  return P;
}
/// Whose memory one side of a copy is.
static CUmemorytype typeOf(cudaArray_t Array, const cudaPitchedPtr &P) {
  const Allocation *A =
      Device::get().heap().find(reinterpret_cast<uint64_t>(P.ptr));
  return Array                                ? CU_MEMORYTYPE_ARRAY
         : A && A->Kind != MemoryKind::Pinned ? CU_MEMORYTYPE_DEVICE
                                              : CU_MEMORYTYPE_HOST;
}
CUDA_MEMCPY3D heddle::cuda::copyOf(const cudaMemcpy3DParms &P) {
  CUDA_MEMCPY3D C = {};
  const ArrayState *From = arrayOf(P.srcArray), *To = arrayOf(P.dstArray);
  const auto Texel = [](const ArrayState *A) {
    return A ? A->texelBytes() : size_t(1);
  };
  C.srcXInBytes = P.srcPos.x * Texel(From);
  C.srcY = P.srcPos.y;
  C.srcZ = P.srcPos.z;
  C.srcMemoryType = typeOf(P.srcArray, P.srcPtr);
  C.srcArray = reinterpret_cast<CUarray>(P.srcArray);
  C.srcPitch = P.srcPtr.pitch;
  C.srcHeight = P.srcPtr.ysize;
  if (C.srcMemoryType == CU_MEMORYTYPE_HOST)
    C.srcHost = P.srcPtr.ptr;
  else
    C.srcDevice = reinterpret_cast<CUdeviceptr>(P.srcPtr.ptr);
  C.dstXInBytes = P.dstPos.x * Texel(To);
  C.dstY = P.dstPos.y;
  C.dstZ = P.dstPos.z;
  C.dstMemoryType = typeOf(P.dstArray, P.dstPtr);
  C.dstArray = reinterpret_cast<CUarray>(P.dstArray);
  C.dstPitch = P.dstPtr.pitch;
  C.dstHeight = P.dstPtr.ysize;
  if (C.dstMemoryType == CU_MEMORYTYPE_HOST)
    C.dstHost = P.dstPtr.ptr;
  else
    C.dstDevice = reinterpret_cast<CUdeviceptr>(P.dstPtr.ptr);
  C.WidthInBytes = P.extent.width * Texel(From ? From : To);
  C.Height = P.extent.height;
  C.Depth = P.extent.depth;
  return C;
}
static CUresult copy3D(const CUDA_MEMCPY3D &C, CUstream S, bool Async) {
  const cudaMemcpy3DParms P = boxOf(C);
  return result(Async ? cudaMemcpy3DAsync(&P, S) : cudaMemcpy3D(&P));
}
static CUresult copy2D(const CUDA_MEMCPY2D *C, CUstream S, bool Async) {
  if (!C)
    return CUDA_ERROR_INVALID_VALUE;
  CUDA_MEMCPY3D Box = {};
  Box.srcXInBytes = C->srcXInBytes;
  Box.srcY = C->srcY;
  Box.srcMemoryType = C->srcMemoryType;
  Box.srcHost = C->srcHost;
  Box.srcDevice = C->srcDevice;
  Box.srcArray = C->srcArray;
  Box.srcPitch = C->srcPitch;
  Box.dstXInBytes = C->dstXInBytes;
  Box.dstY = C->dstY;
  Box.dstMemoryType = C->dstMemoryType;
  Box.dstHost = C->dstHost;
  Box.dstDevice = C->dstDevice;
  Box.dstArray = C->dstArray;
  Box.dstPitch = C->dstPitch;
  Box.WidthInBytes = C->WidthInBytes;
  Box.Height = C->Height;
  Box.Depth = 1;
  return copy3D(Box, S, Async);
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

EXPORTED CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *C) {
  ENTER;
  return C ? copy3D(*C, nullptr, /*Async=*/false) : CUDA_ERROR_INVALID_VALUE;
}
EXPORTED CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *C, CUstream S) {
  ENTER;
  return C ? copy3D(*C, S, /*Async=*/true) : CUDA_ERROR_INVALID_VALUE;
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
/// The other way round.
static CUarray_format formatOf(const cudaChannelFormatDesc &F) {
  const int Size = F.x == 8 ? 0 : F.x == 16 ? 1 : 2;
  switch (F.f) {
  case cudaChannelFormatKindFloat:
    return F.x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
  case cudaChannelFormatKindSigned:
    return CUarray_format(CU_AD_FORMAT_SIGNED_INT8 + Size);
  default:
    return CUarray_format(CU_AD_FORMAT_UNSIGNED_INT8 + Size);
  }
}
static unsigned channelsOf(const cudaChannelFormatDesc &F) {
  return unsigned((F.x > 0) + (F.y > 0) + (F.z > 0) + (F.w > 0));
}

EXPORTED CUresult cuArray3DCreate_v2(CUarray *To,
                                     const CUDA_ARRAY3D_DESCRIPTOR *D) {
  ENTER;
  const auto Format = D ? formatOf(D->Format, D->NumChannels) : std::nullopt;
  if (!Format)
    return result(
        Enter.refuse(Status::InvalidValue, "arrays do not have such a format"));
  return result(makeArray(Enter, reinterpret_cast<cudaArray_t *>(To), &*Format,
                          {D->Width, D->Height, D->Depth}, D->Flags));
}
EXPORTED CUresult cuArrayCreate_v2(CUarray *To,
                                   const CUDA_ARRAY_DESCRIPTOR *D) {
  ENTER;
  if (!D)
    return result(Enter.refuseNull());
  const CUDA_ARRAY3D_DESCRIPTOR Flat = {D->Width,  D->Height,      0,
                                        D->Format, D->NumChannels, 0};
  return cuArray3DCreate_v2(To, &Flat);
}
EXPORTED CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *To,
                                            CUarray Handle) {
  ENTER;
  const ArrayState *A = arrayOf(Handle);
  if (!A || !To)
    return result(
        Enter.refuse(A ? Status::InvalidValue : Status::InvalidHandle,
                     A ? "a null pointer" : "there is no such array"));
  *To = {A->Size.width,       A->Size.height,        A->Size.depth,
         formatOf(A->Format), channelsOf(A->Format), A->Flags};
  return result(Enter.done());
}
EXPORTED CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *To,
                                          CUarray Handle) {
  ENTER;
  CUDA_ARRAY3D_DESCRIPTOR Box;
  const CUresult R = cuArray3DGetDescriptor_v2(To ? &Box : nullptr, Handle);
  if (R == CUDA_SUCCESS)
    *To = {Box.Width, Box.Height, Box.Format, Box.NumChannels};
  return R;
}
EXPORTED CUresult cuArrayDestroy(CUarray A) {
  ENTER;
  return result(cudaFreeArray(runtimeArray(A)));
}
EXPORTED CUresult cuMemcpyHtoA_v2(CUarray To, size_t At, const void *From,
                                  size_t Bytes) {
  ENTER;
  return result(cudaMemcpyToArray(runtimeArray(To), At, 0, From, Bytes,
                                  cudaMemcpyHostToDevice));
}
EXPORTED CUresult cuMemcpyAtoH_v2(void *To, CUarray From, size_t At,
                                  size_t Bytes) {
  ENTER;
  return result(cudaMemcpyFromArray(To, runtimeArray(From), At, 0, Bytes,
                                    cudaMemcpyDeviceToHost));
}
EXPORTED CUresult cuMemcpyDtoA_v2(CUarray To, size_t At, CUdeviceptr From,
                                  size_t Bytes) {
  ENTER;
  return result(cudaMemcpyToArray(runtimeArray(To), At, 0, pointer(From), Bytes,
                                  cudaMemcpyDeviceToDevice));
}
EXPORTED CUresult cuMemcpyAtoD_v2(CUdeviceptr To, CUarray From, size_t At,
                                  size_t Bytes) {
  ENTER;
  return result(cudaMemcpyFromArray(pointer(To), runtimeArray(From), At, 0,
                                    Bytes, cudaMemcpyDeviceToDevice));
}
EXPORTED CUresult cuMemcpyHtoAAsync_v2(CUarray To, size_t At, const void *From,
                                       size_t Bytes, CUstream S) {
  ENTER;
  return result(cudaMemcpyToArrayAsync(runtimeArray(To), At, 0, From, Bytes,
                                       cudaMemcpyHostToDevice, S));
}
EXPORTED CUresult cuMemcpyAtoHAsync_v2(void *To, CUarray From, size_t At,
                                       size_t Bytes, CUstream S) {
  ENTER;
  return result(cudaMemcpyFromArrayAsync(To, runtimeArray(From), At, 0, Bytes,
                                         cudaMemcpyDeviceToHost, S));
}
EXPORTED CUresult cuMemcpyAtoA_v2(CUarray To, size_t ToAt, CUarray From,
                                  size_t FromAt, size_t Bytes) {
  ENTER;
  return result(cudaMemcpyArrayToArray(runtimeArray(To), ToAt, 0,
                                       runtimeArray(From), FromAt, 0, Bytes,
                                       cudaMemcpyDeviceToDevice));
}

//===----------------------------------------------------------------------===//
// Textures and surfaces
//===----------------------------------------------------------------------===//

/// The same for the runtime; nothing if the format is none.
static std::optional<cudaResourceDesc>
resourceOf(const CUDA_RESOURCE_DESC &From) {
  cudaResourceDesc To = {};
  To.resType = cudaResourceType(From.resType);
  switch (From.resType) {
  case CU_RESOURCE_TYPE_LINEAR: {
    const auto &L = From.res.linear;
    const auto Format = formatOf(L.format, L.numChannels);
    if (!Format)
      return std::nullopt;
    To.res.linear = {pointer(L.devPtr), *Format, L.sizeInBytes};
    return To;
  }
  case CU_RESOURCE_TYPE_PITCH2D: {
    const auto &P = From.res.pitch2D;
    const auto Format = formatOf(P.format, P.numChannels);
    if (!Format)
      return std::nullopt;
    To.res.pitch2D = {pointer(P.devPtr), *Format, P.width, P.height,
                      P.pitchInBytes};
    return To;
  }
  case CU_RESOURCE_TYPE_ARRAY:
    To.res.array.array = runtimeArray(From.res.array.hArray);
    return To;
  default:
    To.res.mipmap.mipmap =
        reinterpret_cast<cudaMipmappedArray_t>(From.res.mipmap.hMipmappedArray);
    return To;
  }
}
static CUDA_RESOURCE_DESC resourceOf(const cudaResourceDesc &From) {
  CUDA_RESOURCE_DESC To = {};
  To.resType = CUresourcetype(From.resType);
  switch (From.resType) {
  case cudaResourceTypeLinear: {
    const auto &L = From.res.linear;
    To.res.linear = {CUdeviceptr(L.devPtr), formatOf(L.desc),
                     channelsOf(L.desc), L.sizeInBytes};
    return To;
  }
  case cudaResourceTypePitch2D: {
    const auto &P = From.res.pitch2D;
    To.res.pitch2D = {CUdeviceptr(P.devPtr),
                      formatOf(P.desc),
                      channelsOf(P.desc),
                      P.width,
                      P.height,
                      P.pitchInBytes};
    return To;
  }
  default:
    To.res.array.hArray = reinterpret_cast<CUarray>(From.res.array.array);
    return To;
  }
}

/// The driver reads integers as fractions unless told otherwise.
static cudaTextureDesc samplingOf(const CUDA_TEXTURE_DESC &From) {
  cudaTextureDesc To = {};
  for (int I = 0; I < 3; ++I)
    To.addressMode[I] = cudaTextureAddressMode(From.addressMode[I]);
  To.filterMode = cudaTextureFilterMode(From.filterMode);
  To.readMode = From.flags & CU_TRSF_READ_AS_INTEGER
                    ? cudaReadModeElementType
                    : cudaReadModeNormalizedFloat;
  To.normalizedCoords = (From.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  To.sRGB = (From.flags & CU_TRSF_SRGB) != 0;
  std::ranges::copy(From.borderColor, To.borderColor);
  To.maxAnisotropy = From.maxAnisotropy;
  To.mipmapFilterMode = cudaTextureFilterMode(From.mipmapFilterMode);
  To.mipmapLevelBias = From.mipmapLevelBias;
  To.minMipmapLevelClamp = From.minMipmapLevelClamp;
  To.maxMipmapLevelClamp = From.maxMipmapLevelClamp;
  return To;
}
/// The same the other way round.
static CUDA_TEXTURE_DESC samplingOf(const cudaTextureDesc &From) {
  CUDA_TEXTURE_DESC To = {};
  for (int I = 0; I < 3; ++I)
    To.addressMode[I] = CUaddress_mode(From.addressMode[I]);
  To.filterMode = CUfilter_mode(From.filterMode);
  To.flags =
      (From.readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0) |
      (From.normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0) |
      (From.sRGB ? CU_TRSF_SRGB : 0);
  std::ranges::copy(From.borderColor, To.borderColor);
  To.maxAnisotropy = From.maxAnisotropy;
  To.mipmapFilterMode = CUfilter_mode(From.mipmapFilterMode);
  To.mipmapLevelBias = From.mipmapLevelBias;
  To.minMipmapLevelClamp = From.minMipmapLevelClamp;
  To.maxMipmapLevelClamp = From.maxMipmapLevelClamp;
  return To;
}
/// A format of 32-bit integers has no fractions: it is read as it is.
static void readWhole(cudaTextureDesc &T, const cudaResourceDesc &R) {
  const cudaChannelFormatDesc *F =
      R.resType == cudaResourceTypeLinear    ? &R.res.linear.desc
      : R.resType == cudaResourceTypePitch2D ? &R.res.pitch2D.desc
                                             : nullptr;
  if (R.resType == cudaResourceTypeArray)
    if (const ArrayState *A = arrayOf(R.res.array.array))
      F = &A->Format;
  if (F && F->x == 32)
    T.readMode = cudaReadModeElementType;
}

EXPORTED CUresult cuTexObjectCreate(CUtexObject *To,
                                    const CUDA_RESOURCE_DESC *R,
                                    const CUDA_TEXTURE_DESC *T,
                                    const CUDA_RESOURCE_VIEW_DESC *View) {
  ENTER;
  const auto Resource = R ? resourceOf(*R) : std::nullopt;
  if (!Resource || !T)
    return result(Enter.refuse(Status::InvalidValue,
                               "there is no such format, or a null pointer"));
  cudaTextureDesc Sampling = samplingOf(*T);
  readWhole(Sampling, *Resource);
  return result(cudaCreateTextureObject(
      To, &*Resource, &Sampling,
      reinterpret_cast<const cudaResourceViewDesc *>(View)));
}
EXPORTED CUresult cuTexObjectDestroy(CUtexObject Handle) {
  ENTER;
  return result(cudaDestroyTextureObject(Handle));
}
EXPORTED CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *To,
                                             CUtexObject Handle) {
  ENTER;
  cudaResourceDesc R;
  const cudaError_t E =
      cudaGetTextureObjectResourceDesc(To ? &R : nullptr, Handle);
  if (!E)
    *To = resourceOf(R);
  return result(E);
}
EXPORTED CUresult cuSurfObjectCreate(CUsurfObject *To,
                                     const CUDA_RESOURCE_DESC *R) {
  ENTER;
  const auto Resource = R ? resourceOf(*R) : std::nullopt;
  return result(Resource ? cudaCreateSurfaceObject(To, &*Resource)
                         : Enter(Status::InvalidValue));
}
EXPORTED CUresult cuSurfObjectDestroy(CUsurfObject Handle) {
  ENTER;
  return result(cudaDestroySurfaceObject(Handle));
}
EXPORTED CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *To,
                                              CUsurfObject Handle) {
  ENTER;
  return cuTexObjectGetResourceDesc(To, Handle);
}
EXPORTED CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *To,
                                            CUtexObject Handle) {
  ENTER;
  cudaTextureDesc T;
  const cudaError_t E =
      cudaGetTextureObjectTextureDesc(To ? &T : nullptr, Handle);
  if (!E)
    *To = samplingOf(T);
  return result(E);
}
EXPORTED CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *,
                                                 CUtexObject Handle) {
  ENTER;
  return result(cudaGetTextureObjectResourceViewDesc(nullptr, Handle));
}

//===----------------------------------------------------------------------===//
// Between devices, of which there is one
//===----------------------------------------------------------------------===//

/// A copy within a device has reserved fields where this has contexts.
static const CUDA_MEMCPY3D *withinDevice(const CUDA_MEMCPY3D_PEER *P) {
  static_assert(sizeof(CUDA_MEMCPY3D_PEER) == sizeof(CUDA_MEMCPY3D));
  return reinterpret_cast<const CUDA_MEMCPY3D *>(P);
}
EXPORTED CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *P) {
  ENTER;
  return cuMemcpy3D_v2(withinDevice(P));
}
EXPORTED CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *P, CUstream S) {
  ENTER;
  return cuMemcpy3DAsync_v2(withinDevice(P), S);
}

//===----------------------------------------------------------------------===//
// What only other kinds of arrays have
//===----------------------------------------------------------------------===//

EXPORTED CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *,
                                               CUarray A, CUdevice Index) {
  ENTER;
  return result(
      cudaArrayGetMemoryRequirements(nullptr, runtimeArray(A), Index));
}
EXPORTED CUresult cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *,
                                             CUarray A) {
  ENTER;
  return result(cudaArrayGetSparseProperties(nullptr, runtimeArray(A)));
}
EXPORTED CUresult cuArrayGetPlane(CUarray *, CUarray A, unsigned Plane) {
  ENTER;
  return result(cudaArrayGetPlane(nullptr, runtimeArray(A), Plane));
}
