// Reads of textures and accesses of surfaces, as the loads and the arithmetic
// that they stand for. A handle is the address of a __heddle_image, which the
// launch fills in (docs/LaunchFile.md). Filtering follows the CUDA C++
// Programming Guide, "Texture Fetching": weights have 8 bits of fraction.

#ifndef HEDDLE_CUDA_TEXTURE_FUNCTIONS_H
#define HEDDLE_CUDA_TEXTURE_FUNCTIONS_H

#include "math_functions.h"
#include "texture_types.h"

struct __heddle_image {
  char *data;
  unsigned width, height, depth, row_bytes, slice_bytes, channels;
  unsigned kind;  // 0 signed, 1 unsigned, 2 float
  unsigned bytes; // per channel
  unsigned address, filter, normalized_coordinates, normalized_values;
};
typedef const __attribute__((address_space(1)))
__heddle_image *__heddle_image_pointer;
__HEDDLE_DEVICE __heddle_image_pointer __heddle_open(unsigned long long h) {
  return (__heddle_image_pointer)h;
}

/// An index on an axis of \p n texels, or -1 outside of it.
__HEDDLE_DEVICE int __heddle_texel_index(int i, int n, unsigned mode) {
  if (mode == cudaAddressModeClamp)
    return i < 0 ? 0 : i >= n ? n - 1 : i;
  if (mode == cudaAddressModeWrap) {
    int r = i % n;
    return r < 0 ? r + n : r;
  }
  if (mode == cudaAddressModeMirror) {
    int r = i % (2 * n);
    r = r < 0 ? r + 2 * n : r;
    return r < n ? r : 2 * n - 1 - r;
  }
  return i < 0 || i >= n ? -1 : i;
}
// Texels that are not normalized use clamp in place of wrap and mirror.
__HEDDLE_DEVICE unsigned __heddle_address_mode(__heddle_image_pointer m) {
  return m->normalized_coordinates || m->address == cudaAddressModeBorder
             ? m->address
             : (unsigned)cudaAddressModeClamp;
}

template <typename E>
__HEDDLE_DEVICE E __heddle_channel(__heddle_image_pointer m, const char *texel,
                                   int c) {
  unsigned n = m->bytes;
  if (m->kind == 2)
    return n == 2 ? (E)(float)((const _Float16 *)texel)[c]
                  : (E)((const float *)texel)[c];
  if (m->kind == 1) {
    unsigned v = n == 1   ? ((const unsigned char *)texel)[c]
                 : n == 2 ? ((const unsigned short *)texel)[c]
                          : ((const unsigned *)texel)[c];
    if (m->normalized_values)
      return (E)((float)v / (n == 1 ? 255.0f : 65535.0f));
    return (E)v;
  }
  int v = n == 1   ? ((const signed char *)texel)[c]
          : n == 2 ? ((const short *)texel)[c]
                   : ((const int *)texel)[c];
  if (m->normalized_values)
    return (E)fmaxf((float)v / (n == 1 ? 127.0f : 32767.0f), -1.0f);
  return (E)v;
}

template <typename T>
__HEDDLE_DEVICE T __heddle_texel_at(__heddle_image_pointer m, int x, int y,
                                    int z) {
  using E = typename __heddle_texel<T>::element;
  T result = {};
  if (x < 0 || y < 0 || z < 0)
    return result; // the border is zero
  const char *texel = m->data + (size_t)z * m->slice_bytes +
                      (size_t)y * m->row_bytes +
                      (size_t)x * (m->channels * m->bytes);
  E *out = (E *)&result;
  for (int c = 0; c < __heddle_texel<T>::count; ++c)
    if (c < (int)m->channels)
      out[c] = __heddle_channel<E>(m, texel, c);
  return result;
}

/// \p Axes of the coordinates are filtered; z is a layer beyond them. The faces
/// of a cube are layers whose coordinates are fractions and end at their edges.
template <typename T, int Axes, bool Face = false>
__HEDDLE_DEVICE T __heddle_sample(unsigned long long h, float x, float y,
                                  float z, int layer = 0) {
  using E = typename __heddle_texel<T>::element;
  __heddle_image_pointer m = __heddle_open(h);
  int w = (int)m->width, hh = (int)m->height, d = (int)m->depth;
  unsigned mode =
      Face ? (unsigned)cudaAddressModeClamp : __heddle_address_mode(m);
  if (Face || m->normalized_coordinates) {
    x *= (float)w;
    y *= (float)hh;
    z *= (float)d;
  }
  layer = layer < 0 ? 0 : layer >= d ? d - 1 : layer;
  if (!m->filter) {
    int i = __heddle_texel_index((int)floorf(x), w, mode);
    int j = Axes > 1 ? __heddle_texel_index((int)floorf(y), hh, mode) : 0;
    int k = Axes > 2 ? __heddle_texel_index((int)floorf(z), d, mode) : layer;
    return __heddle_texel_at<T>(m, i, j, k);
  }
  float fx = x - 0.5f, fy = y - 0.5f, fz = z - 0.5f;
  int i = (int)floorf(fx), j = (int)floorf(fy), k = (int)floorf(fz);
  float a = rintf((fx - (float)i) * 256.0f) / 256.0f;
  float b = Axes > 1 ? rintf((fy - (float)j) * 256.0f) / 256.0f : 0.0f;
  float c = Axes > 2 ? rintf((fz - (float)k) * 256.0f) / 256.0f : 0.0f;
  float sum[4] = {0, 0, 0, 0};
  for (int dz = 0; dz < (Axes > 2 ? 2 : 1); ++dz)
    for (int dy = 0; dy < (Axes > 1 ? 2 : 1); ++dy)
      for (int dx = 0; dx < 2; ++dx) {
        float weight = (dx ? a : 1 - a) * (Axes > 1 ? (dy ? b : 1 - b) : 1.0f) *
                       (Axes > 2 ? (dz ? c : 1 - c) : 1.0f);
        T t = __heddle_texel_at<T>(
            m, __heddle_texel_index(i + dx, w, mode),
            Axes > 1 ? __heddle_texel_index(j + dy, hh, mode) : 0,
            Axes > 2 ? __heddle_texel_index(k + dz, d, mode) : layer);
        for (int n = 0; n < __heddle_texel<T>::count; ++n)
          sum[n] += weight * (float)((const E *)&t)[n];
      }
  T result;
  for (int n = 0; n < __heddle_texel<T>::count; ++n)
    ((E *)&result)[n] = (E)sum[n];
  return result;
}
/// The face of a cube that (x, y, z) points at, and the place on it (CUDA C++
/// Programming Guide, "Cubemap Textures").
template <typename T>
__HEDDLE_DEVICE T __heddle_cube(unsigned long long h, float x, float y, float z,
                                int layer) {
  float ax = fabsf(x), ay = fabsf(y), az = fabsf(z), m, s, t;
  int face;
  if (ax >= ay && ax >= az) {
    face = x < 0;
    m = ax;
    s = x < 0 ? z : -z;
    t = -y;
  } else if (ay >= az) {
    face = 2 + (y < 0);
    m = ay;
    s = x;
    t = y < 0 ? -z : z;
  } else {
    face = 4 + (z < 0);
    m = az;
    s = z < 0 ? -x : x;
    t = -y;
  }
  return __heddle_sample<T, 2, true>(h, (s / m + 1) / 2, (t / m + 1) / 2, 0,
                                     6 * layer + face);
}
/// One channel of the four texels that a linear read would weigh.
template <typename T>
__HEDDLE_DEVICE T __heddle_gather(unsigned long long h, float x, float y,
                                  int channel) {
  using E = typename __heddle_texel<T>::element;
  __heddle_image_pointer m = __heddle_open(h);
  int w = (int)m->width, hh = (int)m->height;
  unsigned mode = __heddle_address_mode(m);
  if (m->normalized_coordinates) {
    x *= (float)w;
    y *= (float)hh;
  }
  int i = (int)floorf(x - 0.5f), j = (int)floorf(y - 0.5f);
  T result;
  for (int n = 0; n < 4; ++n) { // counterclockwise from the lower left
    T t = __heddle_texel_at<T>(
        m, __heddle_texel_index(i + (n == 1 || n == 2), w, mode),
        __heddle_texel_index(j + (n < 2), hh, mode), 0);
    ((E *)&result)[n] = ((const E *)&t)[channel];
  }
  return result;
}
template <typename T>
__HEDDLE_DEVICE T __heddle_fetch(unsigned long long h, int x) {
  __heddle_image_pointer m = __heddle_open(h);
  return __heddle_texel_at<T>(m, x < 0 || x >= (int)m->width ? -1 : x, 0, 0);
}

// What a reference returns: normalized values are floats.
template <typename T, cudaTextureReadMode Mode> struct __heddle_read {
  using type = T;
};
#define __HEDDLE_NORMALIZED(name)                                              \
  template <> struct __heddle_read<name##1, cudaReadModeNormalizedFloat> {     \
    using type = float1;                                                       \
  };                                                                           \
  template <> struct __heddle_read<name##2, cudaReadModeNormalizedFloat> {     \
    using type = float2;                                                       \
  };                                                                           \
  template <> struct __heddle_read<name##4, cudaReadModeNormalizedFloat> {     \
    using type = float4;                                                       \
  };
__HEDDLE_NORMALIZED(char)
__HEDDLE_NORMALIZED(uchar)
__HEDDLE_NORMALIZED(short)
__HEDDLE_NORMALIZED(ushort)
#undef __HEDDLE_NORMALIZED
template <> struct __heddle_read<unsigned char, cudaReadModeNormalizedFloat> {
  using type = float;
};
template <> struct __heddle_read<signed char, cudaReadModeNormalizedFloat> {
  using type = float;
};
template <> struct __heddle_read<unsigned short, cudaReadModeNormalizedFloat> {
  using type = float;
};
template <> struct __heddle_read<short, cudaReadModeNormalizedFloat> {
  using type = float;
};

// By object, by object into a pointer, and by reference.
#define __HEDDLE_TEXTURE(name, kind, parameters, call)                         \
  template <typename T>                                                        \
  __HEDDLE_DEVICE T name(unsigned long long h, __HEDDLE_LIST parameters) {     \
    return call;                                                               \
  }                                                                            \
  template <typename T>                                                        \
  __HEDDLE_DEVICE void name(T *out, unsigned long long h,                      \
                            __HEDDLE_LIST parameters) {                        \
    *out = call;                                                               \
  }                                                                            \
  template <typename Texel, cudaTextureReadMode Mode>                          \
  __HEDDLE_DEVICE typename __heddle_read<Texel, Mode>::type name(              \
      const texture<Texel, kind, Mode> &reference, __HEDDLE_LIST parameters) { \
    using T = typename __heddle_read<Texel, Mode>::type;                       \
    unsigned long long h = reference.__handle;                                 \
    return call;                                                               \
  }
#define __HEDDLE_LIST(...) __VA_ARGS__
__HEDDLE_TEXTURE(tex1Dfetch, 1, (int x), __heddle_fetch<T>(h, x))
__HEDDLE_TEXTURE(tex1D, 1, (float x), (__heddle_sample<T, 1>(h, x, 0, 0)))
__HEDDLE_TEXTURE(tex2D, 2, (float x, float y),
                 (__heddle_sample<T, 2>(h, x, y, 0)))
__HEDDLE_TEXTURE(tex3D, 3, (float x, float y, float z),
                 (__heddle_sample<T, 3>(h, x, y, z)))
__HEDDLE_TEXTURE(tex1DLayered, 0xF1, (float x, int layer),
                 (__heddle_sample<T, 1>(h, x, 0, 0, layer)))
__HEDDLE_TEXTURE(tex2DLayered, 0xF2, (float x, float y, int layer),
                 (__heddle_sample<T, 2>(h, x, y, 0, layer)))
// There is one level.
__HEDDLE_TEXTURE(tex1DLod, 1, (float x, float level),
                 (__heddle_sample<T, 1>(h, x, 0, 0)))
__HEDDLE_TEXTURE(tex2DLod, 2, (float x, float y, float level),
                 (__heddle_sample<T, 2>(h, x, y, 0)))
__HEDDLE_TEXTURE(tex3DLod, 3, (float x, float y, float z, float level),
                 (__heddle_sample<T, 3>(h, x, y, z)))
__HEDDLE_TEXTURE(tex1DLayeredLod, 0xF1, (float x, int layer, float level),
                 (__heddle_sample<T, 1>(h, x, 0, 0, layer)))
__HEDDLE_TEXTURE(tex2DLayeredLod, 0xF2,
                 (float x, float y, int layer, float level),
                 (__heddle_sample<T, 2>(h, x, y, 0, layer)))
__HEDDLE_TEXTURE(tex1DGrad, 1, (float x, float dx, float dy),
                 (__heddle_sample<T, 1>(h, x, 0, 0)))
__HEDDLE_TEXTURE(tex2DGrad, 2, (float x, float y, float2 dx, float2 dy),
                 (__heddle_sample<T, 2>(h, x, y, 0)))
__HEDDLE_TEXTURE(tex3DGrad, 3,
                 (float x, float y, float z, float4 dx, float4 dy),
                 (__heddle_sample<T, 3>(h, x, y, z)))
__HEDDLE_TEXTURE(texCubemap, 0x0C, (float x, float y, float z),
                 (__heddle_cube<T>(h, x, y, z, 0)))
__HEDDLE_TEXTURE(texCubemapLod, 0x0C, (float x, float y, float z, float level),
                 (__heddle_cube<T>(h, x, y, z, 0)))
__HEDDLE_TEXTURE(texCubemapGrad, 0x0C,
                 (float x, float y, float z, float4 dx, float4 dy),
                 (__heddle_cube<T>(h, x, y, z, 0)))
__HEDDLE_TEXTURE(texCubemapLayered, 0xFC,
                 (float x, float y, float z, int layer),
                 (__heddle_cube<T>(h, x, y, z, layer)))
__HEDDLE_TEXTURE(texCubemapLayeredLod, 0xFC,
                 (float x, float y, float z, int layer, float level),
                 (__heddle_cube<T>(h, x, y, z, layer)))
__HEDDLE_TEXTURE(tex2Dgather, 2, (float x, float y, int channel = 0),
                 (__heddle_gather<T>(h, x, y, channel)))
#undef __HEDDLE_TEXTURE

// --- surfaces: x counts bytes
template <typename T>
__HEDDLE_DEVICE char *__heddle_surface_at(unsigned long long h, int x, int y,
                                          int z, cudaSurfaceBoundaryMode mode) {
  __heddle_image_pointer m = __heddle_open(h);
  int texel = x / (int)(m->channels * m->bytes);
  int w = (int)m->width, hh = (int)m->height, d = (int)m->depth;
  bool outside = x < 0 || texel >= w || y < 0 || y >= hh || z < 0 || z >= d;
  if (outside && mode == cudaBoundaryModeZero)
    return nullptr;
  if (outside && mode == cudaBoundaryModeTrap)
    __builtin_trap();
  if (outside) {
    texel = x < 0 ? 0 : texel >= w ? w - 1 : texel;
    x = texel * (int)(m->channels * m->bytes);
    y = y < 0 ? 0 : y >= hh ? hh - 1 : y;
    z = z < 0 ? 0 : z >= d ? d - 1 : z;
  }
  return m->data + (size_t)z * m->slice_bytes + (size_t)y * m->row_bytes + x;
}
#define __HEDDLE_SURFACE(suffix, kind, parameters, position)                   \
  template <typename T>                                                        \
  __HEDDLE_DEVICE T surf##suffix##read(                                        \
      unsigned long long h, __HEDDLE_LIST parameters,                          \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    char *p = __heddle_surface_at<T>(h, __HEDDLE_LIST position, mode);         \
    return p ? *(const T *)p : T{};                                            \
  }                                                                            \
  template <typename T>                                                        \
  __HEDDLE_DEVICE void surf##suffix##read(                                     \
      T *out, unsigned long long h, __HEDDLE_LIST parameters,                  \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    char *p = __heddle_surface_at<T>(h, __HEDDLE_LIST position, mode);         \
    *out = p ? *(const T *)p : T{};                                            \
  }                                                                            \
  template <typename T>                                                        \
  __HEDDLE_DEVICE void surf##suffix##write(                                    \
      T v, unsigned long long h, __HEDDLE_LIST parameters,                     \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    if (char *p = __heddle_surface_at<T>(h, __HEDDLE_LIST position, mode))     \
      *(T *)p = v;                                                             \
  }                                                                            \
  template <typename T>                                                        \
  __HEDDLE_DEVICE T surf##suffix##read(                                        \
      const surface<void, kind> &s, __HEDDLE_LIST parameters,                  \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    unsigned long long h = s.__handle;                                         \
    char *p = __heddle_surface_at<T>(h, __HEDDLE_LIST position, mode);         \
    return p ? *(const T *)p : T{};                                            \
  }                                                                            \
  template <typename T>                                                        \
  __HEDDLE_DEVICE void surf##suffix##read(                                     \
      T *out, const surface<void, kind> &s, __HEDDLE_LIST parameters,          \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    unsigned long long h = s.__handle;                                         \
    char *p = __heddle_surface_at<T>(h, __HEDDLE_LIST position, mode);         \
    *out = p ? *(const T *)p : T{};                                            \
  }                                                                            \
  template <typename T>                                                        \
  __HEDDLE_DEVICE void surf##suffix##write(                                    \
      T v, const surface<void, kind> &s, __HEDDLE_LIST parameters,             \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    unsigned long long h = s.__handle;                                         \
    if (char *p = __heddle_surface_at<T>(h, __HEDDLE_LIST position, mode))     \
      *(T *)p = v;                                                             \
  }
__HEDDLE_SURFACE(1D, 1, (int x), (x, 0, 0))
__HEDDLE_SURFACE(2D, 2, (int x, int y), (x, y, 0))
__HEDDLE_SURFACE(3D, 3, (int x, int y, int z), (x, y, z))
__HEDDLE_SURFACE(1DLayered, 0xF1, (int x, int layer), (x, 0, layer))
__HEDDLE_SURFACE(2DLayered, 0xF2, (int x, int y, int layer), (x, y, layer))
__HEDDLE_SURFACE(Cubemap, 0x0C, (int x, int y, int face), (x, y, face))
__HEDDLE_SURFACE(CubemapLayered, 0xFC, (int x, int y, int face), (x, y, face))
#undef __HEDDLE_SURFACE
#undef __HEDDLE_LIST

#endif
