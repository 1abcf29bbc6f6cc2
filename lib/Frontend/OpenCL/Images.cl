// Images: an image is a pointer to a descriptor that the launch fills in
// (docs/LaunchFile.md), a sampler is its bits. Functions get the names that
// Clang gives the built-in ones through asm labels, since OpenCL C cannot look
// inside an image. Reads are one texture instruction each; writes are the
// stores and the arithmetic that they stand for.

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef ulong size_t;
typedef int int2 __attribute__((ext_vector_type(2)));
typedef int int4 __attribute__((ext_vector_type(4)));
typedef uint uint4 __attribute__((ext_vector_type(4)));
typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float4 __attribute__((ext_vector_type(4)));
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef half half4 __attribute__((ext_vector_type(4)));

struct image { // HeddleImage
  __global char *data;
  uint width, height, depth, row_bytes, slice_bytes, channels;
  uint kind;  // 0 signed, 1 unsigned, 2 float
  uint bytes; // per channel
  uint address, filter, normalized_coordinates, normalized_values;
};
typedef const __global struct image *image;
typedef __constant char *sampler;
#define INLINE __attribute__((always_inline)) static inline
#define BUILTIN __attribute__((always_inline))

BUILTIN sampler translate(uint bits) __asm__("__translate_sampler_initializer");
BUILTIN sampler translate(uint bits) { return (sampler)(ulong)bits; }

INLINE __global char *address(image m, int x, int y, int z) {
  return m->data + (ulong)z * m->slice_bytes + (ulong)y * m->row_bytes +
         (ulong)x * (m->channels * m->bytes);
}
// By geometry, kind of coordinates and of results: %0 to %3 are results, %4 the
// image, %5 the sampler.
#define TEX_AS(name, result, scalar, constraint, begin, end, place, ci, cc)    \
  INLINE result name(image m, sampler s, int layer, ci x, ci y, ci z) {         \
    scalar a, b, c, d;                                                         \
    __asm__(begin end " {%0, %1, %2, %3}, [%4, %5, " place "];"                \
            : "=" constraint(a), "=" constraint(b), "=" constraint(c),         \
              "=" constraint(d)                                                \
            : "l"(m), "l"(s), "r"(layer), cc(x), cc(y), cc(z));                \
    return (result)(a, b, c, d);                                               \
  }
#define TEX(geometry, place)                                                   \
  TEX_AS(f_##geometry##_f, float4, float, "f", "tex." #geometry, ".v4.f32.f32", \
         place, float, "f")                                                    \
  TEX_AS(i_##geometry##_f, int4, int, "r", "tex." #geometry, ".v4.s32.f32",     \
         place, float, "f")                                                    \
  TEX_AS(u_##geometry##_f, int4, int, "r", "tex." #geometry, ".v4.u32.f32",     \
         place, float, "f")                                                    \
  TEX_AS(f_##geometry##_i, float4, float, "f", "tex." #geometry, ".v4.f32.s32", \
         place, int, "r")                                                      \
  TEX_AS(i_##geometry##_i, int4, int, "r", "tex." #geometry, ".v4.s32.s32",     \
         place, int, "r")                                                      \
  TEX_AS(u_##geometry##_i, int4, int, "r", "tex." #geometry, ".v4.u32.s32",     \
         place, int, "r")
TEX(1d, "{%7}")
TEX(2d, "{%7, %8}")
TEX(3d, "{%7, %8, %9, %9}")
TEX(a1d, "{%6, %7}")
TEX(a2d, "{%6, %7, %8, %8}")

// Reads without a sampler: what is outside is zero.
#define NO_SAMPLER ((sampler)4ul)
INLINE int nearest_layer(float layer) { return (int)__builtin_rintf(layer); }

INLINE void store(image m, int x, int y, int z, int4 v) {
  if (x < 0 || y < 0 || z < 0 || x >= (int)m->width || y >= (int)m->height ||
      z >= (int)m->depth)
    return;
  __global char *p = address(m, x, y, z);
  for (uint c = 0; c < m->channels; ++c) {
    int e = c == 0 ? v.x : c == 1 ? v.y : c == 2 ? v.z : v.w;
    if (m->bytes == 4)
      ((__global int *)p)[c] = e;
    else if (m->bytes == 2)
      ((__global short *)p)[c] = (short)e;
    else
      p[c] = (char)e;
  }
}
INLINE int scaled(image m, float f) {
  if (m->kind == 2)
    return m->bytes == 4
               ? __builtin_bit_cast(int, f)
               : (int)__builtin_bit_cast(ushort, (half)f);
  float scale = m->bytes == 1 ? (m->kind ? 255.0f : 127.0f)
                              : (m->kind ? 65535.0f : 32767.0f);
  float low = m->kind ? 0.0f : -1.0f;
  return (int)__builtin_rintf(
      __builtin_fminf(__builtin_fmaxf(f, low), 1.0f) * scale);
}
INLINE float4 singles(half4 v) {
  return (float4)((float)v.x, (float)v.y, (float)v.z, (float)v.w);
}
INLINE half4 halves(float4 v) {
  return (half4)((half)v.x, (half)v.y, (half)v.z, (half)v.w);
}
INLINE void store_floats(image m, int x, int y, int z, float4 v) {
  store(m, x, y, z,
        (int4)(scaled(m, v.x), scaled(m, v.y), scaled(m, v.z),
               scaled(m, v.w)));
}

// Every function once for each way of access: ro, wo, rw.
#define NAME(function, img, rest) __asm__("_Z" #function #img rest)
#define SIZES(img)                                                            \
  BUILTIN int f##img##_width(image m) NAME(15get_image_width, img, "");         \
  BUILTIN int f##img##_width(image m) { return (int)m->width; }                  \
  BUILTIN int f##img##_height(image m) NAME(16get_image_height, img, "");       \
  BUILTIN int f##img##_height(image m) { return (int)m->height; }                \
  BUILTIN int f##img##_depth(image m) NAME(15get_image_depth, img, "");         \
  BUILTIN int f##img##_depth(image m) { return (int)m->depth; }                  \
  BUILTIN ulong f##img##_layers(image m) NAME(20get_image_array_size, img, ""); \
  BUILTIN ulong f##img##_layers(image m) { return m->depth; }                    \
  BUILTIN int f##img##_type(image m)                                             \
      NAME(27get_image_channel_data_type, img, "");                           \
  BUILTIN int f##img##_type(image m) {                                           \
    return m->kind == 2 ? (m->bytes == 2 ? 0x10DD : 0x10DE)                    \
           : m->normalized_values                                              \
               ? (m->kind ? 0x10D2 : 0x10D0) + (m->bytes == 2)                 \
               : (m->kind ? 0x10DA : 0x10D7) +                                 \
                     (m->bytes == 4 ? 2 : m->bytes - 1);                       \
  }                                                                            \
  BUILTIN int f##img##_order(image m)                                            \
      NAME(23get_image_channel_order, img, "");                               \
  BUILTIN int f##img##_order(image m) {                                          \
    return m->channels == 1 ? 0x10B0 : m->channels == 2 ? 0x10B2 : 0x10B5;     \
  }
#define DIM2(img)                                                             \
  BUILTIN int2 f##img##_dim(image m) NAME(13get_image_dim, img, "");            \
  BUILTIN int2 f##img##_dim(image m) {                                           \
    return (int2)((int)m->width, (int)m->height);                              \
  }
#define DIM3(img)                                                             \
  BUILTIN int4 f##img##_dim(image m) NAME(13get_image_dim, img, "");            \
  BUILTIN int4 f##img##_dim(image m) {                                           \
    return (int4)((int)m->width, (int)m->height, (int)m->depth, 0);            \
  }
#define READ(img, coord, ci, geometry, ...)                                    \
  BUILTIN float4 f##img##_rf(image m, coord p) NAME(11read_imagef, img, ci);    \
  BUILTIN float4 f##img##_rf(image m, coord p) {                                 \
    return f_##geometry##_i(m, NO_SAMPLER, __VA_ARGS__);                       \
  }                                                                            \
  BUILTIN half4 f##img##_rh(image m, coord p) NAME(11read_imageh, img, ci);     \
  BUILTIN half4 f##img##_rh(image m, coord p) {                                  \
    return halves(f_##geometry##_i(m, NO_SAMPLER, __VA_ARGS__));               \
  }                                                                            \
  BUILTIN int4 f##img##_ri(image m, coord p) NAME(11read_imagei, img, ci);      \
  BUILTIN int4 f##img##_ri(image m, coord p) {                                   \
    return i_##geometry##_i(m, NO_SAMPLER, __VA_ARGS__);                       \
  }                                                                            \
  BUILTIN int4 f##img##_ru(image m, coord p) NAME(12read_imageui, img, ci);     \
  BUILTIN int4 f##img##_ru(image m, coord p) {                                   \
    return u_##geometry##_i(m, NO_SAMPLER, __VA_ARGS__);                       \
  }
// tag: the kind of coordinates.
#define SAMPLED(img, coord, ci, geometry, tag, ...)                            \
  BUILTIN float4 f##img##_sf##tag(image m, sampler s, coord p)                   \
      NAME(11read_imagef, img, "11ocl_sampler" ci);                           \
  BUILTIN float4 f##img##_sf##tag(image m, sampler s, coord p) {                 \
    return f_##geometry##_##tag(m, s, __VA_ARGS__);                            \
  }                                                                            \
  BUILTIN half4 f##img##_sh##tag(image m, sampler s, coord p)                    \
      NAME(11read_imageh, img, "11ocl_sampler" ci);                           \
  BUILTIN half4 f##img##_sh##tag(image m, sampler s, coord p) {                  \
    return halves(f_##geometry##_##tag(m, s, __VA_ARGS__));                    \
  }                                                                            \
  BUILTIN int4 f##img##_si##tag(image m, sampler s, coord p)                     \
      NAME(11read_imagei, img, "11ocl_sampler" ci);                           \
  BUILTIN int4 f##img##_si##tag(image m, sampler s, coord p) {                   \
    return i_##geometry##_##tag(m, s, __VA_ARGS__);                            \
  }                                                                            \
  BUILTIN int4 f##img##_su##tag(image m, sampler s, coord p)                     \
      NAME(12read_imageui, img, "11ocl_sampler" ci);                          \
  BUILTIN int4 f##img##_su##tag(image m, sampler s, coord p) {                   \
    return u_##geometry##_##tag(m, s, __VA_ARGS__);                            \
  }
#define WRITE(img, coord, cf, ci, x, y, z)                                    \
  BUILTIN void f##img##_wf(image m, coord p, float4 v)                           \
      NAME(12write_imagef, img, cf "Dv4_f");                                  \
  BUILTIN void f##img##_wf(image m, coord p, float4 v) {                         \
    store_floats(m, x, y, z, v);                                               \
  }                                                                            \
  BUILTIN void f##img##_wh(image m, coord p, half4 v)                            \
      NAME(12write_imageh, img, cf "Dv4_Dh");                                 \
  BUILTIN void f##img##_wh(image m, coord p, half4 v) {                          \
    store_floats(m, x, y, z, singles(v));                                      \
  }                                                                            \
  BUILTIN void f##img##_wi(image m, coord p, int4 v)                             \
      NAME(12write_imagei, img, ci);                                          \
  BUILTIN void f##img##_wi(image m, coord p, int4 v) { store(m, x, y, z, v); }   \
  BUILTIN void f##img##_wu(image m, coord p, int4 v)                             \
      NAME(13write_imageui, img, cf "Dv4_j");                                 \
  BUILTIN void f##img##_wu(image m, coord p, int4 v) { store(m, x, y, z, v); }

// The layer comes first in what is read.
#define IMAGE1D(img)                                                          \
  SIZES(img) READ(img, int, "i", 1d, 0, p, 0, 0)                              \
  SAMPLED(img, int, "i", 1d, i, 0, p, 0, 0)                                   \
  SAMPLED(img, float, "f", 1d, f, 0, p, 0, 0)                                 \
  WRITE(img, int, "i", "iDv4_i", p, 0, 0)
#define IMAGE1D_ARRAY(img)                                                    \
  SIZES(img) READ(img, int2, "Dv2_i", a1d, p.y, p.x, 0, 0)                    \
  SAMPLED(img, int2, "Dv2_i", a1d, i, p.y, p.x, 0, 0)                         \
  SAMPLED(img, float2, "Dv2_f", a1d, f, nearest_layer(p.y), p.x, 0, 0)        \
  WRITE(img, int2, "Dv2_i", "Dv2_iDv4_i", p.x, 0, p.y)
#define IMAGE2D(img)                                                          \
  SIZES(img) DIM2(img) READ(img, int2, "Dv2_i", 2d, 0, p.x, p.y, 0)           \
  SAMPLED(img, int2, "Dv2_i", 2d, i, 0, p.x, p.y, 0)                          \
  SAMPLED(img, float2, "Dv2_f", 2d, f, 0, p.x, p.y, 0)                        \
  WRITE(img, int2, "Dv2_i", "Dv2_iDv4_i", p.x, p.y, 0)
#define IMAGE2D_ARRAY(img)                                                    \
  SIZES(img) DIM2(img) READ(img, int4, "Dv4_i", a2d, p.z, p.x, p.y, 0)        \
  SAMPLED(img, int4, "Dv4_i", a2d, i, p.z, p.x, p.y, 0)                       \
  SAMPLED(img, float4, "Dv4_f", a2d, f, nearest_layer(p.z), p.x, p.y, 0)      \
  WRITE(img, int4, "Dv4_i", "Dv4_iS0_", p.x, p.y, p.z)
#define IMAGE3D(img)                                                          \
  SIZES(img) DIM3(img) READ(img, int4, "Dv4_i", 3d, 0, p.x, p.y, p.z)         \
  SAMPLED(img, int4, "Dv4_i", 3d, i, 0, p.x, p.y, p.z)                        \
  SAMPLED(img, float4, "Dv4_f", 3d, f, 0, p.x, p.y, p.z)                      \
  WRITE(img, int4, "Dv4_i", "Dv4_iS0_", p.x, p.y, p.z)

IMAGE1D(14ocl_image1d_ro)
IMAGE1D(14ocl_image1d_wo)
IMAGE1D(14ocl_image1d_rw)
IMAGE1D(21ocl_image1d_buffer_ro)
IMAGE1D(21ocl_image1d_buffer_wo)
IMAGE1D(21ocl_image1d_buffer_rw)
IMAGE1D_ARRAY(20ocl_image1d_array_ro)
IMAGE1D_ARRAY(20ocl_image1d_array_wo)
IMAGE1D_ARRAY(20ocl_image1d_array_rw)
IMAGE2D(14ocl_image2d_ro)
IMAGE2D(14ocl_image2d_wo)
IMAGE2D(14ocl_image2d_rw)
IMAGE2D_ARRAY(20ocl_image2d_array_ro)
IMAGE2D_ARRAY(20ocl_image2d_array_wo)
IMAGE2D_ARRAY(20ocl_image2d_array_rw)
IMAGE3D(14ocl_image3d_ro)
IMAGE3D(14ocl_image3d_wo)
IMAGE3D(14ocl_image3d_rw)
