//===- Arrays.cpp - cudaArray and copies of boxes -------------------------===//

#include "Graphs.h"

#include <fmt/format.h>

#include <memory>
#include <unordered_map>

using namespace heddle;
using namespace heddle::cuda;

namespace heddle::cuda {

launch::Region box(size_t Width, size_t Height, size_t Depth, size_t Pitch,
                   size_t SlicePitch) {
  launch::Region At;
  At.RowBytes = Width;
  At.Rows = Height;
  At.Slices = Depth;
  At.RowPitch = Pitch;
  At.SlicePitch = SlicePitch;
  return At;
}

cudaError_t copy(const Call &Enter, void *To, const launch::Region &ToAt,
                 const void *From, const launch::Region &FromAt,
                 cudaMemcpyKind Kind) {
  std::optional<bool> ToDevice, FromDevice;
  if (unsigned(Kind) > cudaMemcpyDefault)
    return Enter.refuse(Status::InvalidMemcpyDirection,
                        fmt::format("there is no direction {}", int(Kind)));
  if (Kind != cudaMemcpyDefault) {
    ToDevice =
        Kind == cudaMemcpyHostToDevice || Kind == cudaMemcpyDeviceToDevice;
    FromDevice =
        Kind == cudaMemcpyDeviceToHost || Kind == cudaMemcpyDeviceToDevice;
  }
  Device &D = Enter.device();
  const Status S =
      D.copy(To, ToAt, From, FromAt, ToDevice, FromDevice, Enter.name());
  return Enter(S);
}

static std::unordered_map<const void *, std::unique_ptr<ArrayState>> &arrays() {
  static auto *All =
      new std::unordered_map<const void *, std::unique_ptr<ArrayState>>;
  return *All;
}

ArrayState *arrayOf(const void *Handle) {
  auto It = arrays().find(Handle);
  return It == arrays().end() ? nullptr : It->second.get();
}

bool isFormat(const cudaChannelFormatDesc &F) {
  const int Bits[] = {F.x, F.y, F.z, F.w};
  int Channels = 0;
  while (Channels < 4 && Bits[Channels])
    ++Channels;
  for (int I = 0; I < 4; ++I)
    if (Bits[I] != (I < Channels ? F.x : 0))
      return false;
  const bool Floating = F.f == cudaChannelFormatKindFloat;
  return (Channels == 1 || Channels == 2 || Channels == 4) &&
         ((F.x == 8 && !Floating) || F.x == 16 || F.x == 32) &&
         unsigned(F.f) <= cudaChannelFormatKindFloat;
}

cudaError_t makeArray(const Call &Enter, cudaArray_t *To,
                      const cudaChannelFormatDesc *Format,
                      const cudaExtent &Size, unsigned Flags) {
  if (!To || !Format || Size.width == 0)
    return Enter(Status::InvalidValue);
  if (!isFormat(*Format))
    return Enter.refuse(
        Status::InvalidValue,
        fmt::format("a texel of {}, {}, {} and {} bits; arrays have 1, 2 or 4 "
                    "channels of 8, 16 or 32 bits",
                    Format->x, Format->y, Format->z, Format->w));
  if (Flags & (cudaArraySparse | cudaArrayDeferredMapping))
    return Enter.refuse(Status::NotSupported,
                        "sparse arrays, and such whose memory is mapped later, "
                        "are not supported");
  auto A =
      std::make_unique<ArrayState>(ArrayState{*Format, Size, Flags, nullptr});
  void *Texels = nullptr;
  const Status S =
      Enter.device().allocate(&Texels, A->rowBytes() * A->rows() * A->slices(),
                              MemoryKind::Device, Enter.name());
  if (S != Status::Success)
    return Enter(S);
  A->Texels = static_cast<char *>(Texels);
  *To = reinterpret_cast<cudaArray_t>(A.get());
  arrays()[A.get()] = std::move(A);
  return Enter.done();
}

/// One side of a copy: where it begins, and bytes from row to row and from
/// slice to slice.
namespace {
struct Side {
  char *At;
  size_t Pitch, SlicePitch;
  bool IsArray = false;
};
} // namespace

/// The texel of \p A at \p X bytes, row \p Y and slice \p Z.
static Side sideOf(const ArrayState &A, size_t X, size_t Y, size_t Z) {
  const size_t Slice = A.rowBytes() * A.rows();
  return {A.Texels + Z * Slice + Y * A.rowBytes() + X, A.rowBytes(), Slice,
          true};
}
static Side sideOf(const cudaPitchedPtr &P, const cudaPos &At) {
  const size_t Slice = P.pitch * P.ysize;
  return {static_cast<char *>(P.ptr) + At.x + At.y * P.pitch + At.z * Slice,
          P.pitch, Slice};
}

cudaError_t copy3D(const Call &Enter, const cudaMemcpy3DParms *P) {
  if (!P)
    return Enter(Status::InvalidValue);
  const ArrayState *From = arrayOf(P->srcArray), *To = arrayOf(P->dstArray);
  if ((P->srcArray && !From) || (P->dstArray && !To))
    return Enter.refuse(Status::InvalidHandle, "there is no such array");
  // With an array the extent and positions in it count its texels.
  size_t Width = P->extent.width;
  if (From || To)
    Width *= (From ? From : To)->texelBytes();
  auto Outside = [&](const ArrayState *A, const cudaPos &At) {
    return A && (At.x * A->texelBytes() + Width > A->rowBytes() ||
                 At.y + P->extent.height > A->rows() ||
                 At.z + P->extent.depth > A->slices());
  };
  if (Outside(From, P->srcPos) || Outside(To, P->dstPos))
    return Enter.refuse(Status::InvalidValue, "the box is not in the array");
  const Side S = From ? sideOf(*From, P->srcPos.x * From->texelBytes(),
                               P->srcPos.y, P->srcPos.z)
                      : sideOf(P->srcPtr, P->srcPos);
  const Side T =
      To ? sideOf(*To, P->dstPos.x * To->texelBytes(), P->dstPos.y, P->dstPos.z)
         : sideOf(P->dstPtr, P->dstPos);
  return copy(
      Enter, T.At,
      box(Width, P->extent.height, P->extent.depth, T.Pitch, T.SlicePitch),
      S.At,
      box(Width, P->extent.height, P->extent.depth, S.Pitch, S.SlicePitch),
      P->kind);
}

} // namespace heddle::cuda

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// For programs that nvcc has built; Heddle's own header has it inline.
namespace exported {
EXPORTED cudaChannelFormatDesc cudaCreateChannelDesc(int X, int Y, int Z, int W,
                                                     cudaChannelFormatKind F) {
  return {X, Y, Z, W, F};
}
} // namespace exported

EXPORTED cudaError_t cudaMallocArray(cudaArray_t *To,
                                     const cudaChannelFormatDesc *Format,
                                     size_t Width, size_t Height,
                                     unsigned Flags) {
  ENTER;
  return makeArray(Enter, To, Format, {Width, Height, 0}, Flags);
}
EXPORTED cudaError_t cudaMalloc3DArray(cudaArray_t *To,
                                       const cudaChannelFormatDesc *Format,
                                       cudaExtent Size, unsigned Flags) {
  ENTER;
  return makeArray(Enter, To, Format, Size, Flags);
}
EXPORTED cudaError_t cudaFreeArray(cudaArray_t Handle) {
  ENTER;
  if (!Handle)
    return Enter.done();
  ArrayState *A = arrayOf(Handle);
  if (!A)
    return Enter.refuse(Status::InvalidHandle, "there is no such array");
  const Status S =
      Enter.device().release(A->Texels, /*OfHost=*/false, Enter.name());
  arrays().erase(A);
  return Enter(S);
}
EXPORTED cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *Format,
                                      cudaExtent *Size, unsigned *Flags,
                                      cudaArray_t Handle) {
  ENTER;
  const ArrayState *A = arrayOf(Handle);
  if (!A)
    return Enter.refuse(Status::InvalidHandle, "there is no such array");
  if (Format)
    *Format = A->Format;
  if (Size)
    *Size = A->Size;
  if (Flags)
    *Flags = A->Flags;
  return Enter.done();
}
EXPORTED cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *To,
                                        cudaArray_const_t Handle) {
  ENTER;
  const ArrayState *A = arrayOf(Handle);
  if (!A || !To)
    return Enter(A ? Status::InvalidValue : Status::InvalidHandle);
  *To = A->Format;
  return Enter.done();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// A box of \p Width bytes and \p Height rows between an array and memory in
/// rows of \p Pitch.
static cudaError_t copyBox(const Call &Enter, const void *Handle, size_t X,
                           size_t Y, const void *Memory, size_t Pitch,
                           size_t Width, size_t Height, bool ToArray,
                           cudaMemcpyKind Kind) {
  const ArrayState *A = arrayOf(Handle);
  if (!A)
    return Enter.refuse(Status::InvalidHandle, "there is no such array");
  if (X + Width > A->rowBytes() || Y + Height > A->rows())
    return Enter.refuse(
        Status::InvalidValue,
        fmt::format("{} bytes at {} in {} rows at {} of an array of {} bytes "
                    "in {} rows",
                    Width, X, Height, Y, A->rowBytes(), A->rows()));
  if (Height > 1 && Width > Pitch)
    return Enter.refuse(
        Status::InvalidValue,
        fmt::format("rows of {} bytes in a pitch of {}", Width, Pitch));
  const Side In = sideOf(*A, X, Y, 0);
  const launch::Region InAt = box(Width, Height, 1, In.Pitch, 0);
  const launch::Region OutAt = box(Width, Height, 1, Pitch, 0);
  void *Other = const_cast<void *>(Memory);
  return ToArray ? copy(Enter, In.At, InAt, Other, OutAt, Kind)
                 : copy(Enter, Other, OutAt, In.At, InAt, Kind);
}

/// \p Bytes in the order of the texels, from (\p X, \p Y) on.
static cudaError_t copyFlat(const Call &Enter, const void *Handle, size_t X,
                            size_t Y, const void *Memory, size_t Bytes,
                            bool ToArray, cudaMemcpyKind Kind) {
  const ArrayState *A = arrayOf(Handle);
  if (!A)
    return Enter.refuse(Status::InvalidHandle, "there is no such array");
  const size_t Begin = Y * A->rowBytes() + X, All = A->rowBytes() * A->rows();
  if (Begin > All || Bytes > All - Begin)
    return Enter.refuse(Status::InvalidValue,
                        fmt::format("{} bytes at {} of an array of {} bytes",
                                    Bytes, Begin, All));
  void *Other = const_cast<void *>(Memory);
  char *In = A->Texels + Begin;
  return ToArray ? copy(Enter, In, linear(Bytes), Other, linear(Bytes), Kind)
                 : copy(Enter, Other, linear(Bytes), In, linear(Bytes), Kind);
}

EXPORTED cudaError_t cudaMemcpyToArray(cudaArray_t To, size_t X, size_t Y,
                                       const void *From, size_t Bytes,
                                       cudaMemcpyKind Kind) {
  ENTER;
  Enter.device().synchronise(Enter.name());
  return copyFlat(Enter, To, X, Y, From, Bytes, /*ToArray=*/true, Kind);
}
EXPORTED cudaError_t cudaMemcpyFromArray(void *To, cudaArray_const_t From,
                                         size_t X, size_t Y, size_t Bytes,
                                         cudaMemcpyKind Kind) {
  ENTER;
  Enter.device().synchronise(Enter.name());
  return copyFlat(Enter, From, X, Y, To, Bytes, /*ToArray=*/false, Kind);
}
EXPORTED cudaError_t cudaMemcpyToArrayAsync(cudaArray_t To, size_t X, size_t Y,
                                            const void *From, size_t Bytes,
                                            cudaMemcpyKind Kind,
                                            cudaStream_t S) {
  ENTER;
  IN_STREAM(S);
  return copyFlat(Enter, To, X, Y, From, Bytes, /*ToArray=*/true, Kind);
}
EXPORTED cudaError_t cudaMemcpyFromArrayAsync(void *To, cudaArray_const_t From,
                                              size_t X, size_t Y, size_t Bytes,
                                              cudaMemcpyKind Kind,
                                              cudaStream_t S) {
  ENTER;
  IN_STREAM(S);
  return copyFlat(Enter, From, X, Y, To, Bytes, /*ToArray=*/false, Kind);
}
EXPORTED cudaError_t cudaMemcpy2DToArray(cudaArray_t To, size_t X, size_t Y,
                                         const void *From, size_t Pitch,
                                         size_t Width, size_t Height,
                                         cudaMemcpyKind Kind) {
  ENTER;
  Enter.device().synchronise(Enter.name());
  return copyBox(Enter, To, X, Y, From, Pitch, Width, Height, true, Kind);
}
EXPORTED cudaError_t cudaMemcpy2DFromArray(void *To, size_t Pitch,
                                           cudaArray_const_t From, size_t X,
                                           size_t Y, size_t Width,
                                           size_t Height, cudaMemcpyKind Kind) {
  ENTER;
  Enter.device().synchronise(Enter.name());
  return copyBox(Enter, From, X, Y, To, Pitch, Width, Height, false, Kind);
}
EXPORTED cudaError_t cudaMemcpy2DToArrayAsync(
    cudaArray_t To, size_t X, size_t Y, const void *From, size_t Pitch,
    size_t Width, size_t Height, cudaMemcpyKind Kind, cudaStream_t S) {
  ENTER;
  IN_STREAM(S);
  return copyBox(Enter, To, X, Y, From, Pitch, Width, Height, true, Kind);
}
EXPORTED cudaError_t cudaMemcpy2DFromArrayAsync(
    void *To, size_t Pitch, cudaArray_const_t From, size_t X, size_t Y,
    size_t Width, size_t Height, cudaMemcpyKind Kind, cudaStream_t S) {
  ENTER;
  IN_STREAM(S);
  return copyBox(Enter, From, X, Y, To, Pitch, Width, Height, false, Kind);
}
EXPORTED cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t To, size_t X,
                                              size_t Y, cudaArray_const_t From,
                                              size_t FromX, size_t FromY,
                                              size_t Width, size_t Height,
                                              cudaMemcpyKind Kind) {
  ENTER;
  const ArrayState *Origin = arrayOf(From);
  if (!Origin || FromX + Width > Origin->rowBytes() ||
      FromY + Height > Origin->rows())
    return Enter.refuse(Origin ? Status::InvalidValue : Status::InvalidHandle,
                        "the box is not in the array that it is copied from");
  return copyBox(Enter, To, X, Y, sideOf(*Origin, FromX, FromY, 0).At,
                 Origin->rowBytes(), Width, Height, true, Kind);
}
EXPORTED cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *P) {
  ENTER;
  Enter.device().synchronise(Enter.name());
  return copy3D(Enter, P);
}
EXPORTED cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *P,
                                       cudaStream_t S) {
  ENTER;
  if (P && isCapturing(S))
    return capture(Enter, S, *P);
  IN_STREAM(S);
  return copy3D(Enter, P);
}
/// \p Bytes in the order of the texels.
EXPORTED cudaError_t cudaMemcpyArrayToArray(cudaArray_t To, size_t X, size_t Y,
                                            cudaArray_const_t From,
                                            size_t FromX, size_t FromY,
                                            size_t Bytes, cudaMemcpyKind Kind) {
  ENTER;
  const ArrayState *Origin = arrayOf(From);
  if (!Origin)
    return Enter.refuse(Status::InvalidHandle, "there is no such array");
  const size_t Begin = FromY * Origin->rowBytes() + FromX;
  if (Begin + Bytes > Origin->rowBytes() * Origin->rows())
    return Enter.refuse(Status::InvalidValue,
                        fmt::format("{} bytes at {} of an array of {} bytes",
                                    Bytes, Begin,
                                    Origin->rowBytes() * Origin->rows()));
  return copyFlat(Enter, To, X, Y, Origin->Texels + Begin, Bytes,
                  /*ToArray=*/true, Kind);
}

/// The same copy within one device.
static cudaError_t boxOf(const Call &Enter, const cudaMemcpy3DPeerParms *P,
                         cudaMemcpy3DParms &To) {
  if (!P)
    return Enter.refuseNull();
  if (P->srcDevice || P->dstDevice)
    return Enter.refuse(Status::InvalidDevice, "there is only device 0");
  To = {P->srcArray, P->srcPos, P->srcPtr, P->dstArray,
        P->dstPos,   P->dstPtr, P->extent, cudaMemcpyDeviceToDevice};
  return cudaSuccess;
}
EXPORTED cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *P) {
  ENTER;
  cudaMemcpy3DParms Box;
  if (cudaError_t E = boxOf(Enter, P, Box))
    return E;
  return copy3D(Enter, &Box);
}
EXPORTED cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *P,
                                           cudaStream_t S) {
  ENTER;
  cudaMemcpy3DParms Box;
  if (cudaError_t E = boxOf(Enter, P, Box))
    return E;
  return cudaMemcpy3DAsync(&Box, S);
}

//===----------------------------------------------------------------------===//
// What only other kinds of arrays have
//===----------------------------------------------------------------------===//

static cudaError_t lacks(const Call &Enter, cudaArray_t A,
                         const char *Message) {
  return arrayOf(A)
             ? Enter.refuse(Status::InvalidValue, Message)
             : Enter.refuse(Status::InvalidHandle, "there is no such array");
}
EXPORTED cudaError_t cudaArrayGetMemoryRequirements(
    cudaArrayMemoryRequirements *, cudaArray_t A, int) {
  ENTER;
  return lacks(Enter, A, "the array's memory is mapped from the beginning");
}
EXPORTED cudaError_t cudaArrayGetSparseProperties(cudaArraySparseProperties *,
                                                  cudaArray_t A) {
  ENTER;
  return lacks(Enter, A, "the array is not sparse");
}
EXPORTED cudaError_t cudaArrayGetPlane(cudaArray_t *, cudaArray_t A, unsigned) {
  ENTER;
  return lacks(Enter, A, "the array has no planes");
}
