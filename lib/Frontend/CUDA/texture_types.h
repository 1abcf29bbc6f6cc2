// Textures and surfaces: the types that host and device code share.

#ifndef HEDDLE_CUDA_TEXTURE_TYPES_H
#define HEDDLE_CUDA_TEXTURE_TYPES_H

#include "host_defines.h"
#include "vector_types.h"

#include <stddef.h>

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceTypeCubemapLayered 0xFC

enum cudaTextureAddressMode {
  cudaAddressModeWrap,
  cudaAddressModeClamp,
  cudaAddressModeMirror,
  cudaAddressModeBorder
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode {
  cudaReadModeElementType,
  cudaReadModeNormalizedFloat
};
enum cudaSurfaceBoundaryMode {
  cudaBoundaryModeZero,
  cudaBoundaryModeClamp,
  cudaBoundaryModeTrap
};
enum cudaSurfaceFormatMode { cudaFormatModeForced, cudaFormatModeAuto };
enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned,
  cudaChannelFormatKindUnsigned,
  cudaChannelFormatKindFloat,
  cudaChannelFormatKindNone
};
struct cudaChannelFormatDesc {
  int x, y, z, w;
  cudaChannelFormatKind f;
};
enum cudaResourceType {
  cudaResourceTypeArray,
  cudaResourceTypeMipmappedArray,
  cudaResourceTypeLinear,
  cudaResourceTypePitch2D
};
enum cudaResourceViewFormat { cudaResViewFormatNone };
struct cudaResourceDesc {
  cudaResourceType resType;
  union {
    struct {
      struct cudaArray *array;
    } array;
    struct {
      struct cudaMipmappedArray *mipmap;
    } mipmap;
    struct {
      void *devPtr;
      cudaChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void *devPtr;
      cudaChannelFormatDesc desc;
      size_t width, height, pitchInBytes;
    } pitch2D;
  } res;
  unsigned flags;
};
struct cudaResourceViewDesc {
  cudaResourceViewFormat format;
  size_t width, height, depth;
  unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};
struct cudaTextureDesc {
  cudaTextureAddressMode addressMode[3];
  cudaTextureFilterMode filterMode;
  cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization, seamlessCubemap;
};
// The handle comes first: device code reads nothing else.
struct textureReference {
  unsigned long long __handle;
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
};
struct surfaceReference {
  unsigned long long __handle;
  cudaChannelFormatDesc channelDesc;
};
// On the host they are registered, so that programs can bind them.
#if defined(__HEDDLE_CC__) && !defined(__CUDA_ARCH__)
#define __HEDDLE_REFERENCE(kind) __attribute__((device_builtin_##kind##_type))
#else
#define __HEDDLE_REFERENCE(kind)
#endif
template <typename T, int Type = cudaTextureType1D,
          cudaTextureReadMode Mode = cudaReadModeElementType>
struct __HEDDLE_REFERENCE(texture) texture : textureReference {};
template <typename T, int Type = cudaSurfaceType1D>
struct __HEDDLE_REFERENCE(surface) surface : surfaceReference {};
#undef __HEDDLE_REFERENCE

__HEDDLE_BOTH cudaChannelFormatDesc
cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}
template <typename T> cudaChannelFormatDesc cudaCreateChannelDesc();
template <typename T> struct __heddle_texel;
#define __HEDDLE_TEXEL(type, base, number)                                     \
  template <> struct __heddle_texel<type> {                                    \
    using element = base;                                                      \
    static constexpr int count = number;                                       \
  };
#define __HEDDLE_TEXELS(name, base)                                            \
  __HEDDLE_TEXEL(base, base, 1)                                                \
  __HEDDLE_TEXEL(name##1, base, 1)                                             \
  __HEDDLE_TEXEL(name##2, base, 2)                                             \
  __HEDDLE_TEXEL(name##4, base, 4)
__HEDDLE_TEXELS(char, signed char)
__HEDDLE_TEXELS(uchar, unsigned char)
__HEDDLE_TEXELS(short, short)
__HEDDLE_TEXELS(ushort, unsigned short)
__HEDDLE_TEXELS(int, int)
__HEDDLE_TEXELS(uint, unsigned int)
__HEDDLE_TEXELS(float, float)
__HEDDLE_TEXEL(char, signed char, 1)
#undef __HEDDLE_TEXELS
#undef __HEDDLE_TEXEL

#endif
