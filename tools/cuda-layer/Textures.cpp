//===- Textures.cpp - Texture and surface objects and references ----------===//
//
// A handle is the address of a HeddleImage in device memory, which reads of
// textures look at (include/heddle/ABI/TextureOps.h).
//
//===----------------------------------------------------------------------===//

#include "Copies.h"

#include "exec/Binding.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

using namespace heddle;
using namespace heddle::cuda;
using exec::ImageDescriptor;

namespace {
struct ImageObject {
  cudaResourceDesc Resource;
  cudaTextureDesc Sampling; ///< of a texture
};
/// Objects by their handles.
std::map<unsigned long long, ImageObject> &imageObjects() {
  static auto *All = new std::map<unsigned long long, ImageObject>;
  return *All;
}

/// The objects that references are bound to.
std::unordered_map<const void *, unsigned long long> &bindings() {
  static auto *All = new std::unordered_map<const void *, unsigned long long>;
  return *All;
}
/// References whose values are read as fractions, by their host addresses.
std::unordered_map<const void *, bool> &normalizedReferences() {
  static auto *All = new std::unordered_map<const void *, bool>;
  return *All;
}
} // namespace

static void describeTexels(ImageDescriptor &D,
                           const cudaChannelFormatDesc &Format) {
  D.Bytes = uint32_t(Format.x) / 8;
  D.Channels =
      uint32_t(Format.x + Format.y + Format.z + Format.w) / 8 / D.Bytes;
  D.Kind = uint32_t(Format.f);
}

/// The texels of \p R, and on how many axes a place in them is given; 0 for
/// what is no resource.
static unsigned describe(ImageDescriptor &D, const cudaResourceDesc &R) {
  switch (R.resType) {
  case cudaResourceTypeArray: {
    const ArrayState *A = arrayOf(R.res.array.array);
    if (!A)
      return 0;
    D.Data = reinterpret_cast<uint64_t>(A->Texels);
    D.Width = uint32_t(A->Size.width);
    D.Height = uint32_t(A->rows());
    D.Depth = uint32_t(A->slices());
    D.RowBytes = uint32_t(A->rowBytes());
    D.SliceBytes = uint32_t(A->rowBytes() * A->rows());
    describeTexels(D, A->Format);
    const bool Layers = A->Flags & (cudaArrayLayered | cudaArrayCubemap);
    return 1 + (A->Size.height > 0) + (A->Size.depth > 0 && !Layers);
  }
  case cudaResourceTypeLinear: {
    if (!isFormat(R.res.linear.desc))
      return 0;
    describeTexels(D, R.res.linear.desc);
    D.Data = reinterpret_cast<uint64_t>(R.res.linear.devPtr);
    D.Width =
        uint32_t(R.res.linear.sizeInBytes / (D.Bytes * size_t(D.Channels)));
    D.Height = D.Depth = 1;
    D.RowBytes = D.SliceBytes = uint32_t(R.res.linear.sizeInBytes);
    return 1;
  }
  case cudaResourceTypePitch2D: {
    if (!isFormat(R.res.pitch2D.desc))
      return 0;
    describeTexels(D, R.res.pitch2D.desc);
    D.Data = reinterpret_cast<uint64_t>(R.res.pitch2D.devPtr);
    D.Width = uint32_t(R.res.pitch2D.width);
    D.Height = uint32_t(R.res.pitch2D.height);
    D.Depth = 1;
    D.RowBytes = uint32_t(R.res.pitch2D.pitchInBytes);
    D.SliceBytes = D.RowBytes * D.Height;
    return 2;
  }
  default:
    return 0;
  }
}

/// Why a texture cannot be read as \p T says; null if it can. \p FloatValues:
/// the kernel gets floats.
static const char *refusal(const cudaTextureDesc &T, unsigned Axes,
                           bool FloatValues) {
  for (unsigned I = 1; I < Axes; ++I)
    if (T.addressMode[I] != T.addressMode[0] &&
        (T.normalizedCoords || T.addressMode[I] == cudaAddressModeBorder ||
         T.addressMode[0] == cudaAddressModeBorder))
      return "address modes that differ between the axes are not supported";
  if (std::ranges::any_of(T.borderColor, [](float C) { return C != 0; }) &&
      T.addressMode[0] == cudaAddressModeBorder)
    return "border colours other than zero are not supported";
  if (T.sRGB)
    return "sRGB is not supported";
  if (T.filterMode == cudaFilterModeLinear && !FloatValues)
    return "linear filtering of values that are read as integers";
  return nullptr;
}

/// Writes the descriptor of \p R, sampled as \p T says, to device memory.
static cudaError_t makeObject(const Call &Enter, unsigned long long *To,
                              const cudaResourceDesc *R,
                              const cudaTextureDesc *T) {
  if (!To || !R)
    return Enter(Status::InvalidValue);
  if (R->resType == cudaResourceTypeMipmappedArray)
    return Enter.refuse(Status::NotSupported,
                        "mipmapped arrays are not supported");
  ImageDescriptor D = {};
  const unsigned Axes = describe(D, *R);
  if (!Axes || !D.Data)
    return Enter.refuse(Status::InvalidValue,
                        "there is no such array or memory, or its texels have "
                        "no format that textures read");
  if (T) {
    const bool Fractions =
        T->readMode == cudaReadModeNormalizedFloat && D.Kind != 2;
    if (Fractions && D.Bytes == 4)
      return Enter.refuse(Status::InvalidValue,
                          "32-bit integers cannot be read as fractions");
    if (const char *Why = refusal(*T, Axes, D.Kind == 2 || Fractions))
      return Enter.refuse(Status::InvalidValue, Why);
    D.Address = uint32_t(T->addressMode[0]);
    D.Filter = T->filterMode == cudaFilterModeLinear;
    D.NormalizedCoordinates = T->normalizedCoords != 0;
    D.NormalizedValues = Fractions;
  }
  void *At = nullptr;
  Device &Dev = Enter.device();
  Status S = Dev.allocate(&At, sizeof(D), MemoryKind::Device, Enter.name());
  if (S == Status::Success)
    S = Dev.copy(At, linear(sizeof(D)), &D, linear(sizeof(D)), true, false,
                 Enter.name());
  if (S != Status::Success)
    return Enter(S);
  *To = reinterpret_cast<uint64_t>(At);
  imageObjects()[*To] = {*R, T ? *T : cudaTextureDesc{}};
  return Enter.done();
}

static cudaError_t dropObject(const Call &Enter, unsigned long long Handle) {
  if (Handle == 0)
    return Enter.done();
  if (!imageObjects().erase(Handle))
    return Enter.refuse(Status::InvalidValue,
                        "there is no such texture or surface");
  return Enter(Enter.device().release(reinterpret_cast<void *>(Handle),
                                      /*OfHost=*/false, Enter.name()));
}

static cudaError_t tell(const Call &Enter, unsigned long long Handle,
                        cudaResourceDesc *Resource, cudaTextureDesc *Sampling) {
  auto It = imageObjects().find(Handle);
  if (It == imageObjects().end() || (!Resource && !Sampling))
    return Enter(Status::InvalidValue);
  if (Resource)
    *Resource = It->second.Resource;
  if (Sampling)
    *Sampling = It->second.Sampling;
  return Enter.done();
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

EXPORTED cudaError_t cudaCreateTextureObject(cudaTextureObject_t *To,
                                             const cudaResourceDesc *R,
                                             const cudaTextureDesc *T,
                                             const cudaResourceViewDesc *View) {
  ENTER;
  if (!T)
    return Enter(Status::InvalidValue);
  if (View && View->format != cudaResViewFormatNone)
    return Enter.refuse(Status::NotSupported,
                        "views with a format of their own are not supported");
  return makeObject(Enter, To, R, T);
}
EXPORTED cudaError_t cudaDestroyTextureObject(cudaTextureObject_t Handle) {
  ENTER;
  return dropObject(Enter, Handle);
}
EXPORTED cudaError_t cudaGetTextureObjectResourceDesc(
    cudaResourceDesc *To, cudaTextureObject_t Handle) {
  ENTER;
  return tell(Enter, Handle, To, nullptr);
}
EXPORTED cudaError_t cudaGetTextureObjectTextureDesc(
    cudaTextureDesc *To, cudaTextureObject_t Handle) {
  ENTER;
  return tell(Enter, Handle, nullptr, To);
}
/// Textures here are read as their resources are.
EXPORTED cudaError_t cudaGetTextureObjectResourceViewDesc(
    cudaResourceViewDesc *, cudaTextureObject_t Handle) {
  ENTER;
  cudaResourceDesc Known;
  if (cudaError_t E = tell(Enter, Handle, &Known, nullptr))
    return E;
  return Enter.refuse(Status::InvalidValue, "the texture has no view");
}
EXPORTED cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *To,
                                             const cudaResourceDesc *R) {
  ENTER;
  if (R && R->resType != cudaResourceTypeArray)
    return Enter.refuse(Status::InvalidValue, "a surface is made of an array");
  return makeObject(Enter, To, R, nullptr);
}
EXPORTED cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t Handle) {
  ENTER;
  return dropObject(Enter, Handle);
}
EXPORTED cudaError_t cudaGetSurfaceObjectResourceDesc(
    cudaResourceDesc *To, cudaSurfaceObject_t Handle) {
  ENTER;
  return tell(Enter, Handle, To, nullptr);
}

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

EXPORTED void __cudaRegisterTexture(void **Handle, const void *Host,
                                    const void **, const char *Name, int,
                                    int Normalized, int) {
  Device &D = Device::get();
  std::lock_guard Guard(D.lock());
  D.registerVariable(reinterpret_cast<CodeModule *>(Handle), Host, Name);
  normalizedReferences()[Host] = Normalized != 0;
}
EXPORTED void __cudaRegisterSurface(void **Handle, const void *Host,
                                    const void **, const char *Name, int, int) {
  Device &D = Device::get();
  std::lock_guard Guard(D.lock());
  D.registerVariable(reinterpret_cast<CodeModule *>(Handle), Host, Name);
}

/// Releases what \p Reference was bound to.
static cudaError_t unbind(const Call &Enter, const void *Reference) {
  return dropObject(Enter, std::exchange(bindings()[Reference], 0));
}

/// Binds \p Reference to \p R: its variable in device memory begins with the
/// handle.
static cudaError_t bind(const Call &Enter, const void *Reference,
                        const cudaResourceDesc &R, const cudaTextureDesc *T) {
  const Allocation *A = nullptr;
  if (Status S = Enter.device().variable(Reference, Enter.name(), A);
      S != Status::Success)
    return Enter(S);
  if (cudaError_t E = unbind(Enter, Reference))
    return E;
  unsigned long long &Handle = bindings()[Reference];
  if (cudaError_t E = makeObject(Enter, &Handle, &R, T))
    return E;
  return copy(Enter, reinterpret_cast<void *>(A->Address),
              linear(sizeof(Handle)), &Handle, linear(sizeof(Handle)),
              cudaMemcpyHostToDevice);
}

static cudaTextureDesc samplingOf(const textureReference &T) {
  cudaTextureDesc D = {};
  std::ranges::copy(T.addressMode, D.addressMode);
  D.filterMode = T.filterMode;
  D.normalizedCoords = T.normalized;
  D.sRGB = T.sRGB;
  D.readMode = normalizedReferences()[&T] ? cudaReadModeNormalizedFloat
                                          : cudaReadModeElementType;
  return D;
}

EXPORTED cudaError_t cudaBindTexture(size_t *Offset, const textureReference *T,
                                     const void *At,
                                     const cudaChannelFormatDesc *Format,
                                     size_t Bytes) {
  ENTER;
  const Allocation *A =
      Enter.device().heap().find(reinterpret_cast<uint64_t>(At));
  if (!T || !Format || !A)
    return Enter.refuse(
        Status::InvalidValue,
        Enter.device().heap().describe(reinterpret_cast<uint64_t>(At)));
  if (Offset)
    *Offset = 0;
  cudaResourceDesc R = {};
  R.resType = cudaResourceTypeLinear;
  R.res.linear.devPtr = const_cast<void *>(At);
  R.res.linear.desc = *Format;
  R.res.linear.sizeInBytes =
      std::min(Bytes, A->Address + A->SizeBytes - reinterpret_cast<size_t>(At));
  const cudaTextureDesc Sampling = samplingOf(*T);
  return bind(Enter, T, R, &Sampling);
}
EXPORTED cudaError_t cudaBindTexture2D(size_t *Offset,
                                       const textureReference *T,
                                       const void *At,
                                       const cudaChannelFormatDesc *Format,
                                       size_t Width, size_t Height,
                                       size_t Pitch) {
  ENTER;
  if (!T || !Format || !At)
    return Enter(Status::InvalidValue);
  if (Offset)
    *Offset = 0;
  cudaResourceDesc R = {};
  R.resType = cudaResourceTypePitch2D;
  R.res.pitch2D = {const_cast<void *>(At), *Format, Width, Height, Pitch};
  const cudaTextureDesc Sampling = samplingOf(*T);
  return bind(Enter, T, R, &Sampling);
}
EXPORTED cudaError_t cudaBindTextureToArray(const textureReference *T,
                                            cudaArray_const_t Array,
                                            const cudaChannelFormatDesc *) {
  ENTER;
  if (!T)
    return Enter(Status::InvalidValue);
  cudaResourceDesc R = {};
  R.resType = cudaResourceTypeArray;
  R.res.array.array = const_cast<cudaArray_t>(Array);
  const cudaTextureDesc Sampling = samplingOf(*T);
  return bind(Enter, T, R, &Sampling);
}
EXPORTED cudaError_t cudaUnbindTexture(const textureReference *T) {
  ENTER;
  return unbind(Enter, T);
}
EXPORTED cudaError_t cudaGetTextureAlignmentOffset(size_t *Offset,
                                                   const textureReference *) {
  ENTER;
  if (!Offset)
    return Enter(Status::InvalidValue);
  *Offset = 0; // any address may be bound
  return Enter.done();
}
EXPORTED cudaError_t cudaBindSurfaceToArray(const surfaceReference *S,
                                            cudaArray_const_t Array,
                                            const cudaChannelFormatDesc *) {
  ENTER;
  if (!S)
    return Enter(Status::InvalidValue);
  cudaResourceDesc R = {};
  R.resType = cudaResourceTypeArray;
  R.res.array.array = const_cast<cudaArray_t>(Array);
  return bind(Enter, S, R, nullptr);
}
