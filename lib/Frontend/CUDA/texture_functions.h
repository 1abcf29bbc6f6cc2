// Reads of textures and accesses of surfaces, each the PTX instruction that it
// is. A handle is the address of a HeddleImage, which the launch fills in
// (docs/LaunchFile.md).

#ifndef HEDDLE_CUDA_TEXTURE_FUNCTIONS_H
#define HEDDLE_CUDA_TEXTURE_FUNCTIONS_H

#include "math_functions.h"
#include "texture_types.h"

#define __HEDDLE_LIST(...) __VA_ARGS__

/// What an instruction writes, four registers, for texels of \p E.
template <typename E> struct __heddle_registers {
  using type = uint4;
};
template <> struct __heddle_registers<float> {
  using type = float4;
};
template <> struct __heddle_registers<int> {
  using type = int4;
};
template <> struct __heddle_registers<short> {
  using type = int4;
};
template <> struct __heddle_registers<signed char> {
  using type = int4;
};
template <typename T, typename R> __HEDDLE_DEVICE T __heddle_texel_of(R v) {
  using E = typename __heddle_texel<T>::element;
  T result = {};
  E *out = (E *)&result;
  out[0] = (E)v.x;
  if (__heddle_texel<T>::count > 1)
    out[1] = (E)v.y;
  if (__heddle_texel<T>::count > 2) {
    out[2] = (E)v.z;
    out[3] = (E)v.w;
  }
  return result;
}

// One function for each kind of registers.
#define __HEDDLE_TEX_AS(name, registers, constraint, text, place, parameters,  \
                        ...)                                                   \
  __HEDDLE_DEVICE void __heddle_##name(registers &v, unsigned long long h,     \
                                       __HEDDLE_LIST parameters) {             \
    asm(text " {%0, %1, %2, %3}, [%4, " place "];"                             \
        : "=" constraint(v.x), "=" constraint(v.y), "=" constraint(v.z),       \
          "=" constraint(v.w)                                                  \
        : "l"(h), __VA_ARGS__);                                                \
  }
#define __HEDDLE_TEX(name, begin, end, place, parameters, ...)                 \
  __HEDDLE_TEX_AS(name, float4, "f", begin ".v4.f32." end, place, parameters,  \
                  __VA_ARGS__)                                                 \
  __HEDDLE_TEX_AS(name, int4, "r", begin ".v4.s32." end, place, parameters,    \
                  __VA_ARGS__)                                                 \
  __HEDDLE_TEX_AS(name, uint4, "r", begin ".v4.u32." end, place, parameters,   \
                  __VA_ARGS__)
__HEDDLE_TEX(fetch, "tex.1d", "s32", "{%5}", (int x), "r"(x))
__HEDDLE_TEX(sample1, "tex.1d", "f32", "{%5}", (float x), "f"(x))
__HEDDLE_TEX(sample2, "tex.2d", "f32", "{%5, %6}", (float x, float y), "f"(x),
             "f"(y))
__HEDDLE_TEX(sample3, "tex.3d", "f32", "{%5, %6, %7, %7}",
             (float x, float y, float z), "f"(x), "f"(y), "f"(z))
__HEDDLE_TEX(layered1, "tex.a1d", "f32", "{%5, %6}", (int layer, float x),
             "r"(layer), "f"(x))
__HEDDLE_TEX(layered2, "tex.a2d", "f32", "{%5, %6, %7, %7}",
             (int layer, float x, float y), "r"(layer), "f"(x), "f"(y))
__HEDDLE_TEX(cube, "tex.cube", "f32", "{%5, %6, %7, %7}",
             (float x, float y, float z), "f"(x), "f"(y), "f"(z))
__HEDDLE_TEX(cubes, "tex.acube", "f32", "{%5, %6, %7, %8}",
             (int layer, float x, float y, float z), "r"(layer), "f"(x), "f"(y),
             "f"(z))
__HEDDLE_TEX(gather0, "tld4.r.2d", "f32", "{%5, %6}", (float x, float y),
             "f"(x), "f"(y))
__HEDDLE_TEX(gather1, "tld4.g.2d", "f32", "{%5, %6}", (float x, float y),
             "f"(x), "f"(y))
__HEDDLE_TEX(gather2, "tld4.b.2d", "f32", "{%5, %6}", (float x, float y),
             "f"(x), "f"(y))
__HEDDLE_TEX(gather3, "tld4.a.2d", "f32", "{%5, %6}", (float x, float y),
             "f"(x), "f"(y))
#undef __HEDDLE_TEX
#undef __HEDDLE_TEX_AS
template <typename R>
__HEDDLE_DEVICE void __heddle_gather(R &v, unsigned long long h, float x,
                                     float y, int channel) {
  if (channel == 0)
    __heddle_gather0(v, h, x, y);
  else if (channel == 1)
    __heddle_gather1(v, h, x, y);
  else if (channel == 2)
    __heddle_gather2(v, h, x, y);
  else
    __heddle_gather3(v, h, x, y);
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

// By object, by object into a pointer, and by reference. Instructions get what
// they write, v, and the handle.
#define __HEDDLE_TEXTURE(name, kind, parameters, read, arguments)              \
  template <typename T>                                                        \
  __HEDDLE_DEVICE T name(unsigned long long h, __HEDDLE_LIST parameters) {     \
    typename __heddle_registers<typename __heddle_texel<T>::element>::type v;  \
    __heddle_##read(v, h, __HEDDLE_LIST arguments);                            \
    return __heddle_texel_of<T>(v);                                            \
  }                                                                            \
  template <typename T>                                                        \
  __HEDDLE_DEVICE void name(T *out, unsigned long long h,                      \
                            __HEDDLE_LIST parameters) {                        \
    typename __heddle_registers<typename __heddle_texel<T>::element>::type v;  \
    __heddle_##read(v, h, __HEDDLE_LIST arguments);                            \
    *out = __heddle_texel_of<T>(v);                                            \
  }                                                                            \
  template <typename Texel, cudaTextureReadMode Mode>                          \
  __HEDDLE_DEVICE typename __heddle_read<Texel, Mode>::type name(              \
      const texture<Texel, kind, Mode> &reference, __HEDDLE_LIST parameters) { \
    using T = typename __heddle_read<Texel, Mode>::type;                       \
    typename __heddle_registers<typename __heddle_texel<T>::element>::type v;  \
    __heddle_##read(v, reference.__handle, __HEDDLE_LIST arguments);           \
    return __heddle_texel_of<T>(v);                                            \
  }
__HEDDLE_TEXTURE(tex1Dfetch, 1, (int x), fetch, (x))
__HEDDLE_TEXTURE(tex1D, 1, (float x), sample1, (x))
__HEDDLE_TEXTURE(tex2D, 2, (float x, float y), sample2, (x, y))
__HEDDLE_TEXTURE(tex3D, 3, (float x, float y, float z), sample3, (x, y, z))
__HEDDLE_TEXTURE(tex1DLayered, 0xF1, (float x, int layer), layered1, (layer, x))
__HEDDLE_TEXTURE(tex2DLayered, 0xF2, (float x, float y, int layer), layered2,
                 (layer, x, y))
// There is one level.
__HEDDLE_TEXTURE(tex1DLod, 1, (float x, float level), sample1, (x))
__HEDDLE_TEXTURE(tex2DLod, 2, (float x, float y, float level), sample2, (x, y))
__HEDDLE_TEXTURE(tex3DLod, 3, (float x, float y, float z, float level), sample3,
                 (x, y, z))
__HEDDLE_TEXTURE(tex1DLayeredLod, 0xF1, (float x, int layer, float level),
                 layered1, (layer, x))
__HEDDLE_TEXTURE(tex2DLayeredLod, 0xF2,
                 (float x, float y, int layer, float level), layered2,
                 (layer, x, y))
__HEDDLE_TEXTURE(tex1DGrad, 1, (float x, float dx, float dy), sample1, (x))
__HEDDLE_TEXTURE(tex2DGrad, 2, (float x, float y, float2 dx, float2 dy),
                 sample2, (x, y))
__HEDDLE_TEXTURE(tex3DGrad, 3,
                 (float x, float y, float z, float4 dx, float4 dy), sample3,
                 (x, y, z))
__HEDDLE_TEXTURE(texCubemap, 0x0C, (float x, float y, float z), cube, (x, y, z))
__HEDDLE_TEXTURE(texCubemapLod, 0x0C, (float x, float y, float z, float level),
                 cube, (x, y, z))
__HEDDLE_TEXTURE(texCubemapGrad, 0x0C,
                 (float x, float y, float z, float4 dx, float4 dy), cube,
                 (x, y, z))
__HEDDLE_TEXTURE(texCubemapLayered, 0xFC,
                 (float x, float y, float z, int layer), cubes,
                 (layer, x, y, z))
__HEDDLE_TEXTURE(texCubemapLayeredLod, 0xFC,
                 (float x, float y, float z, int layer, float level), cubes,
                 (layer, x, y, z))
__HEDDLE_TEXTURE(tex2Dgather, 2, (float x, float y, int channel = 0), gather,
                 (x, y, channel))
#undef __HEDDLE_TEXTURE

// --- surfaces: x counts bytes
/// The registers of a texel of \p Bytes; one byte is in one of 16 bits.
template <size_t Bytes> struct __heddle_words {
  unsigned w[Bytes / 4];
};
template <> struct __heddle_words<1> {
  unsigned short w[1];
};
template <> struct __heddle_words<2> {
  unsigned short w[1];
};

// By geometry, mode and size of a texel. Stores name their operands as loads
// do their results.
#define __HEDDLE_SURFACE_OF(bytes, type, registers, geometry, place, mode,     \
                            results, ...)                                      \
  __HEDDLE_DEVICE void __heddle_suld_##geometry##_##mode(                      \
      __heddle_words<bytes> &t, unsigned long long h, int layer, int x, int y, \
      int z) {                                                                 \
    asm volatile(                                                              \
        "suld.b." #geometry type "." #mode " " registers ", [%[h], " place     \
        "];"                                                                   \
        : results                                                              \
        : [h] "l"(h), [layer] "r"(layer), [x] "r"(x), [y] "r"(y), [z] "r"(z)); \
  }                                                                            \
  __HEDDLE_DEVICE void __heddle_sust_##geometry##_##mode(                      \
      __heddle_words<bytes> &t, unsigned long long h, int layer, int x, int y, \
      int z) {                                                                 \
    asm volatile("sust.b." #geometry type "." #mode " [%[h], " place           \
                 "], " registers ";" ::[h] "l"(h),                             \
                 [layer] "r"(layer), [x] "r"(x), [y] "r"(y), [z] "r"(z),       \
                 __VA_ARGS__);                                                 \
  }
#define __HEDDLE_SURFACE_SIZES(geometry, place, mode)                          \
  __HEDDLE_SURFACE_OF(1, ".b8", "{%[a]}", geometry, place,                     \
                      mode, [a] "=h"(t.w[0]), [a] "h"(t.w[0]))                 \
  __HEDDLE_SURFACE_OF(2, ".b16", "{%[a]}", geometry, place,                    \
                      mode, [a] "=h"(t.w[0]), [a] "h"(t.w[0]))                 \
  __HEDDLE_SURFACE_OF(4, ".b32", "{%[a]}", geometry, place,                    \
                      mode, [a] "=r"(t.w[0]), [a] "r"(t.w[0]))                 \
  __HEDDLE_SURFACE_OF(8, ".v2.b32", "{%[a], %[b]}", geometry, place, mode,     \
                      __HEDDLE_LIST([a] "=r"(t.w[0]), [b] "=r"(t.w[1])),       \
                      [a] "r"(t.w[0]), [b] "r"(t.w[1]))                        \
  __HEDDLE_SURFACE_OF(                                                         \
      16, ".v4.b32", "{%[a], %[b], %[c], %[d]}", geometry, place, mode,        \
      __HEDDLE_LIST([a] "=r"(t.w[0]), [b] "=r"(t.w[1]), [c] "=r"(t.w[2]),      \
                    [d] "=r"(t.w[3])),                                         \
      [a] "r"(t.w[0]), [b] "r"(t.w[1]), [c] "r"(t.w[2]), [d] "r"(t.w[3]))
#define __HEDDLE_SURFACE_ACCESS(access, geometry)                              \
  template <size_t Bytes>                                                      \
  __HEDDLE_DEVICE void __heddle_##access##_##geometry(                         \
      __heddle_words<Bytes> &t, unsigned long long h, int layer, int x, int y, \
      int z, cudaSurfaceBoundaryMode mode) {                                   \
    if (mode == cudaBoundaryModeZero)                                          \
      __heddle_##access##_##geometry##_zero(t, h, layer, x, y, z);             \
    else if (mode == cudaBoundaryModeClamp)                                    \
      __heddle_##access##_##geometry##_clamp(t, h, layer, x, y, z);            \
    else                                                                       \
      __heddle_##access##_##geometry##_trap(t, h, layer, x, y, z);             \
  }
#define __HEDDLE_SURFACE_GEOMETRY(geometry, place)                             \
  __HEDDLE_SURFACE_SIZES(geometry, place, zero)                                \
  __HEDDLE_SURFACE_SIZES(geometry, place, clamp)                               \
  __HEDDLE_SURFACE_SIZES(geometry, place, trap)                                \
  __HEDDLE_SURFACE_ACCESS(suld, geometry)                                      \
  __HEDDLE_SURFACE_ACCESS(sust, geometry)
__HEDDLE_SURFACE_GEOMETRY(1d, "{%[x]}")
__HEDDLE_SURFACE_GEOMETRY(2d, "{%[x], %[y]}")
__HEDDLE_SURFACE_GEOMETRY(3d, "{%[x], %[y], %[z], %[z]}")
__HEDDLE_SURFACE_GEOMETRY(a1d, "{%[layer], %[x]}")
__HEDDLE_SURFACE_GEOMETRY(a2d, "{%[layer], %[x], %[y], %[y]}")
#undef __HEDDLE_SURFACE_GEOMETRY
#undef __HEDDLE_SURFACE_ACCESS
#undef __HEDDLE_SURFACE_SIZES
#undef __HEDDLE_SURFACE_OF

#define __HEDDLE_SURFACE(suffix, kind, parameters, geometry, position)         \
  template <typename T>                                                        \
  __HEDDLE_DEVICE T surf##suffix##read(                                        \
      unsigned long long h, __HEDDLE_LIST parameters,                          \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    __heddle_words<sizeof(T)> t;                                               \
    __heddle_suld_##geometry(t, h, __HEDDLE_LIST position, mode);              \
    T v;                                                                       \
    __builtin_memcpy(&v, t.w, sizeof(T));                                      \
    return v;                                                                  \
  }                                                                            \
  template <typename T>                                                        \
  __HEDDLE_DEVICE void surf##suffix##write(                                    \
      T v, unsigned long long h, __HEDDLE_LIST parameters,                     \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    __heddle_words<sizeof(T)> t = {};                                          \
    __builtin_memcpy(t.w, &v, sizeof(T));                                      \
    __heddle_sust_##geometry(t, h, __HEDDLE_LIST position, mode);              \
  }                                                                            \
  template <typename T>                                                        \
  __HEDDLE_DEVICE void surf##suffix##read(                                     \
      T *out, unsigned long long h, __HEDDLE_LIST parameters,                  \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    __heddle_words<sizeof(T)> t;                                               \
    __heddle_suld_##geometry(t, h, __HEDDLE_LIST position, mode);              \
    __builtin_memcpy(out, t.w, sizeof(T));                                     \
  }                                                                            \
  template <typename T>                                                        \
  __HEDDLE_DEVICE T surf##suffix##read(                                        \
      const surface<void, kind> &s, __HEDDLE_LIST parameters,                  \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    __heddle_words<sizeof(T)> t;                                               \
    __heddle_suld_##geometry(t, s.__handle, __HEDDLE_LIST position, mode);     \
    T v;                                                                       \
    __builtin_memcpy(&v, t.w, sizeof(T));                                      \
    return v;                                                                  \
  }                                                                            \
  template <typename T>                                                        \
  __HEDDLE_DEVICE void surf##suffix##read(                                     \
      T *out, const surface<void, kind> &s, __HEDDLE_LIST parameters,          \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    __heddle_words<sizeof(T)> t;                                               \
    __heddle_suld_##geometry(t, s.__handle, __HEDDLE_LIST position, mode);     \
    __builtin_memcpy(out, t.w, sizeof(T));                                     \
  }                                                                            \
  template <typename T>                                                        \
  __HEDDLE_DEVICE void surf##suffix##write(                                    \
      T v, const surface<void, kind> &s, __HEDDLE_LIST parameters,             \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    __heddle_words<sizeof(T)> t = {};                                          \
    __builtin_memcpy(t.w, &v, sizeof(T));                                      \
    __heddle_sust_##geometry(t, s.__handle, __HEDDLE_LIST position, mode);     \
  }
__HEDDLE_SURFACE(1D, 1, (int x), 1d, (0, x, 0, 0))
__HEDDLE_SURFACE(2D, 2, (int x, int y), 2d, (0, x, y, 0))
__HEDDLE_SURFACE(3D, 3, (int x, int y, int z), 3d, (0, x, y, z))
__HEDDLE_SURFACE(1DLayered, 0xF1, (int x, int layer), a1d, (layer, x, 0, 0))
__HEDDLE_SURFACE(2DLayered, 0xF2, (int x, int y, int layer), a2d,
                 (layer, x, y, 0))
__HEDDLE_SURFACE(Cubemap, 0x0C, (int x, int y, int face), a2d, (face, x, y, 0))
__HEDDLE_SURFACE(CubemapLayered, 0xFC, (int x, int y, int face), a2d,
                 (face, x, y, 0))
#undef __HEDDLE_SURFACE
#undef __HEDDLE_LIST

#endif
