// PTX's texture and surface instructions, as texture_functions.h reads
// textures. Inline assembly becomes calls of these
// (lib/PTX/StatementTexture.cpp).

#ifndef HEDDLE_CUDA_TEXTURE_INSTRUCTIONS_H
#define HEDDLE_CUDA_TEXTURE_INSTRUCTIONS_H

#include "cuda_runtime.h"

#define __HEDDLE_PTX extern "C" __attribute__((device)) void
#define __HEDDLE_RESULTS(name, parameters, ...)                                \
  __HEDDLE_PTX __heddle_ptx_##name##_f32(float4 *out, unsigned long long h,    \
                                         __HEDDLE_LIST parameters) {           \
    using T = float4;                                                          \
    *out = __VA_ARGS__;                                                        \
  }                                                                            \
  __HEDDLE_PTX __heddle_ptx_##name##_s32(int4 *out, unsigned long long h,      \
                                         __HEDDLE_LIST parameters) {           \
    using T = int4;                                                            \
    *out = __VA_ARGS__;                                                        \
  }                                                                            \
  __HEDDLE_PTX __heddle_ptx_##name##_u32(uint4 *out, unsigned long long h,     \
                                         __HEDDLE_LIST parameters) {           \
    using T = uint4;                                                           \
    *out = __VA_ARGS__;                                                        \
  }
#define __HEDDLE_LIST(...) __VA_ARGS__

#define __HEDDLE_TEX(geometry, ...)                                            \
  __HEDDLE_RESULTS(tex_##geometry, (float x, float y, float z, int layer),     \
                   __VA_ARGS__)
__HEDDLE_TEX(1d, __heddle_sample<T, 1>(h, x, 0, 0))
__HEDDLE_TEX(2d, __heddle_sample<T, 2>(h, x, y, 0))
__HEDDLE_TEX(3d, __heddle_sample<T, 3>(h, x, y, z))
__HEDDLE_TEX(a1d, __heddle_sample<T, 1>(h, x, 0, 0, layer))
__HEDDLE_TEX(a2d, __heddle_sample<T, 2>(h, x, y, 0, layer))
__HEDDLE_TEX(cube, __heddle_cube<T>(h, x, y, z, 0))
__HEDDLE_TEX(acube, __heddle_cube<T>(h, x, y, z, layer))
__HEDDLE_RESULTS(tld4_2d, (float x, float y, int channel),
                 __heddle_gather<T>(h, x, y, channel))

/// The texel itself; zero outside.
template <typename T>
__HEDDLE_DEVICE T __heddle_unfiltered(unsigned long long h, int x, int y,
                                      int z) {
  __heddle_image_pointer m = __heddle_open(h);
  bool outside = x < 0 || x >= (int)m->width || y < 0 || y >= (int)m->height ||
                 z < 0 || z >= (int)m->depth;
  return __heddle_texel_at<T>(m, outside ? -1 : x, y, z);
}
#define __HEDDLE_FETCH(geometry, ...)                                          \
  __HEDDLE_RESULTS(fetch_##geometry, (int x, int y, int z, int layer),         \
                   __heddle_unfiltered<T>(h, __VA_ARGS__))
__HEDDLE_FETCH(1d, x, 0, 0)
__HEDDLE_FETCH(2d, x, y, 0)
__HEDDLE_FETCH(3d, x, y, z)
__HEDDLE_FETCH(a1d, x, 0, layer)
__HEDDLE_FETCH(a2d, x, y, layer)

#define __HEDDLE_SURFACE(count, bits, type)                                    \
  __HEDDLE_PTX __heddle_ptx_suld_v##count##_b##bits(                           \
      type *out, unsigned long long h, int x, int y, int z, int mode) {        \
    const type *p = (const type *)__heddle_surface_at<type>(                   \
        h, x, y, z, (cudaSurfaceBoundaryMode)mode);                            \
    for (int i = 0; i < count; ++i)                                            \
      out[i] = p ? p[i] : (type)0;                                             \
  }                                                                            \
  __HEDDLE_PTX __heddle_ptx_sust_v##count##_b##bits(                           \
      const type *in, unsigned long long h, int x, int y, int z, int mode) {   \
    if (type *p = (type *)__heddle_surface_at<type>(                           \
            h, x, y, z, (cudaSurfaceBoundaryMode)mode))                        \
      for (int i = 0; i < count; ++i)                                          \
        p[i] = in[i];                                                          \
  }
#define __HEDDLE_SURFACES(bits, type)                                          \
  __HEDDLE_SURFACE(1, bits, type)                                              \
  __HEDDLE_SURFACE(2, bits, type) __HEDDLE_SURFACE(4, bits, type)
__HEDDLE_SURFACES(8, unsigned char)
__HEDDLE_SURFACES(16, unsigned short)
__HEDDLE_SURFACES(32, unsigned)
__HEDDLE_SURFACES(64, unsigned long long)

#define __HEDDLE_QUERY(name)                                                   \
  __HEDDLE_PTX __heddle_ptx_txq_##name(unsigned *out, unsigned long long h) {  \
    *out = __heddle_open(h)->name;                                             \
  }
__HEDDLE_QUERY(width)
__HEDDLE_QUERY(height)
__HEDDLE_QUERY(depth)

#endif
