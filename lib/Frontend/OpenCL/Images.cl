// Images: an image is a pointer to a descriptor that the launch fills in
// (docs/LaunchFile.md), a sampler is its bits. Functions get the names that
// Clang gives the built-in ones through asm labels, since OpenCL C cannot look
// inside an image. Filtering follows section 8.2 of the OpenCL C
// specification.

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

struct image {
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

// Bits of a sampler.
#define NORMALIZED 1u
#define MODES 14u
#define TO_EDGE 2u
#define TO_BORDER 4u
#define REPEAT 6u
#define MIRROR 8u
#define LINEAR 0x20u

BUILTIN sampler translate(uint bits) __asm__("__translate_sampler_initializer");
BUILTIN sampler translate(uint bits) { return (sampler)(ulong)bits; }

INLINE int place(int i, int n, uint mode) {
  if (mode == REPEAT) {
    int r = i % n;
    return r < 0 ? r + n : r;
  }
  if (mode == MIRROR) {
    int r = i % (2 * n);
    r = r < 0 ? r + 2 * n : r;
    return r < n ? r : 2 * n - 1 - r;
  }
  if (mode == TO_BORDER)
    return i < 0 || i >= n ? -1 : i;
  return i < 0 ? 0 : i >= n ? n - 1 : i;
}
INLINE __global char *address(image m, int x, int y, int z) {
  return m->data + (ulong)z * m->slice_bytes + (ulong)y * m->row_bytes +
         (ulong)x * (m->channels * m->bytes);
}
INLINE int4 integers(image m, int x, int y, int z) {
  int4 v = (int4)(0, 0, 0, m->channels == 4 ? 0 : 1);
  if (x < 0 || y < 0 || z < 0)
    return v;
  const __global char *p = address(m, x, y, z);
  for (uint c = 0; c < m->channels; ++c) {
    int e = m->bytes == 4   ? ((const __global int *)p)[c]
            : m->bytes == 2 ? (m->kind ? (int)((const __global ushort *)p)[c]
                                       : (int)((const __global short *)p)[c])
                            : (m->kind ? (int)((const __global uchar *)p)[c]
                                       : (int)((const __global char *)p)[c]);
    if (c == 0)
      v.x = e;
    else if (c == 1)
      v.y = e;
    else if (c == 2)
      v.z = e;
    else
      v.w = e;
  }
  return v;
}
INLINE float4 floats(image m, int x, int y, int z) {
  float4 v = (float4)(0, 0, 0, m->channels == 4 ? 0 : 1);
  if (x < 0 || y < 0 || z < 0)
    return v;
  if (m->kind == 2) {
    const __global char *p = address(m, x, y, z);
    for (uint c = 0; c < m->channels; ++c) {
      float e = m->bytes == 4 ? ((const __global float *)p)[c]
                              : (float)((const __global half *)p)[c];
      if (c == 0)
        v.x = e;
      else if (c == 1)
        v.y = e;
      else if (c == 2)
        v.z = e;
      else
        v.w = e;
    }
    return v;
  }
  int4 i = integers(m, x, y, z);
  float scale = m->bytes == 1 ? (m->kind ? 255.0f : 127.0f)
                              : (m->kind ? 65535.0f : 32767.0f);
  v.x = __builtin_fmaxf((float)i.x / scale, -1.0f);
  if (m->channels > 1)
    v.y = __builtin_fmaxf((float)i.y / scale, -1.0f);
  if (m->channels > 2)
    v.z = __builtin_fmaxf((float)i.z / scale, -1.0f);
  if (m->channels > 3)
    v.w = __builtin_fmaxf((float)i.w / scale, -1.0f);
  return v;
}
/// Coordinates of the texels around a point: axes are the first of x, y, z that
/// are filtered; a layer stands in the next one.
#define SAMPLE(type, name, fetch)                                              \
  INLINE type name##_at(image m, uint s, float4 p, int axes) {                 \
    uint mode = s & MODES;                                                     \
    int w = (int)m->width, h = (int)m->height, d = (int)m->depth;              \
    if (s & NORMALIZED) {                                                      \
      p.x *= (float)w;                                                         \
      if (axes > 1)                                                            \
        p.y *= (float)h;                                                       \
      if (axes > 2)                                                            \
        p.z *= (float)d;                                                       \
    }                                                                          \
    int i = place((int)__builtin_floorf(p.x), w, mode);                        \
    int j = axes > 1 ? place((int)__builtin_floorf(p.y), h, mode) : 0;         \
    int k = axes > 2 ? place((int)__builtin_floorf(p.z), d, mode)              \
                     : place((int)__builtin_rintf(axes == 1 ? p.y : p.z),      \
                             d, TO_EDGE);                                      \
    return fetch(m, i, j, k);                                                  \
  }
SAMPLE(int4, integers, integers)
SAMPLE(float4, floats, floats)

INLINE float4 sample(image m, uint s, float4 p, int axes) {
  if (!(s & LINEAR))
    return floats_at(m, s, p, axes);
  uint mode = s & MODES;
  int w = (int)m->width, h = (int)m->height, d = (int)m->depth;
  int layer = place((int)__builtin_rintf(axes == 1 ? p.y : p.z), d, TO_EDGE);
  if (s & NORMALIZED)
    p *= (float4)((float)w, (float)h, (float)d, 1.0f);
  p -= 0.5f;
  int i = (int)__builtin_floorf(p.x), j = (int)__builtin_floorf(p.y),
      k = (int)__builtin_floorf(p.z);
  float a = p.x - (float)i, b = p.y - (float)j, c = p.z - (float)k;
  float4 sum = (float4)(0, 0, 0, 0);
  for (int dz = 0; dz < (axes > 2 ? 2 : 1); ++dz)
    for (int dy = 0; dy < (axes > 1 ? 2 : 1); ++dy)
      for (int dx = 0; dx < 2; ++dx) {
        float weight = (dx ? a : 1 - a) * (axes > 1 ? (dy ? b : 1 - b) : 1.0f) *
                       (axes > 2 ? (dz ? c : 1 - c) : 1.0f);
        sum += weight *
               floats(m, place(i + dx, w, mode),
                      axes > 1 ? place(j + dy, h, mode) : 0,
                      axes > 2 ? place(k + dz, d, mode) : layer);
      }
  return sum;
}
INLINE uint bits(sampler s) { return (uint)(ulong)s; }

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
#define READ(img, coord, ci, where, x, y, z)                                  \
  BUILTIN float4 f##img##_rf(image m, coord p) NAME(11read_imagef, img, ci);    \
  BUILTIN float4 f##img##_rf(image m, coord p) { return floats(m, x, y, z); }    \
  BUILTIN half4 f##img##_rh(image m, coord p) NAME(11read_imageh, img, ci);     \
  BUILTIN half4 f##img##_rh(image m, coord p) {                                  \
    return halves(floats(m, x, y, z));                                         \
  }                                                                            \
  BUILTIN int4 f##img##_ri(image m, coord p) NAME(11read_imagei, img, ci);      \
  BUILTIN int4 f##img##_ri(image m, coord p) { return integers(m, x, y, z); }    \
  BUILTIN int4 f##img##_ru(image m, coord p) NAME(12read_imageui, img, ci);     \
  BUILTIN int4 f##img##_ru(image m, coord p) { return integers(m, x, y, z); }
#define SAMPLED(img, coord, ci, axes, where, tag)                             \
  BUILTIN float4 f##img##_sf##tag(image m, sampler s, coord p)                   \
      NAME(11read_imagef, img, "11ocl_sampler" ci);                           \
  BUILTIN float4 f##img##_sf##tag(image m, sampler s, coord p) {                 \
    return sample(m, bits(s), where, axes);                                    \
  }                                                                            \
  BUILTIN half4 f##img##_sh##tag(image m, sampler s, coord p)                    \
      NAME(11read_imageh, img, "11ocl_sampler" ci);                           \
  BUILTIN half4 f##img##_sh##tag(image m, sampler s, coord p) {                  \
    return halves(sample(m, bits(s), where, axes));                            \
  }                                                                            \
  BUILTIN int4 f##img##_si##tag(image m, sampler s, coord p)                     \
      NAME(11read_imagei, img, "11ocl_sampler" ci);                           \
  BUILTIN int4 f##img##_si##tag(image m, sampler s, coord p) {                   \
    return integers_at(m, bits(s), where, axes);                               \
  }                                                                            \
  BUILTIN int4 f##img##_su##tag(image m, sampler s, coord p)                     \
      NAME(12read_imageui, img, "11ocl_sampler" ci);                          \
  BUILTIN int4 f##img##_su##tag(image m, sampler s, coord p) {                   \
    return integers_at(m, bits(s), where, axes);                               \
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

#define IMAGE1D(img)                                                          \
  SIZES(img) READ(img, int, "i", p, p, 0, 0)                                 \
  SAMPLED(img, int, "i", 1, ((float4)((float)p, 0, 0, 0)), i)                 \
  SAMPLED(img, float, "f", 1, ((float4)(p, 0, 0, 0)), f)                      \
  WRITE(img, int, "i", "iDv4_i", p, 0, 0)
#define IMAGE1D_ARRAY(img)                                                    \
  SIZES(img) READ(img, int2, "Dv2_i", p, p.x, 0, p.y)                        \
  SAMPLED(img, int2, "Dv2_i", 1, ((float4)((float)p.x, (float)p.y, 0, 0)), i) \
  SAMPLED(img, float2, "Dv2_f", 1, ((float4)(p.x, p.y, 0, 0)), f)             \
  WRITE(img, int2, "Dv2_i", "Dv2_iDv4_i", p.x, 0, p.y)
#define IMAGE2D(img)                                                          \
  SIZES(img) DIM2(img) READ(img, int2, "Dv2_i", p, p.x, p.y, 0)             \
  SAMPLED(img, int2, "Dv2_i", 2, ((float4)((float)p.x, (float)p.y, 0, 0)), i) \
  SAMPLED(img, float2, "Dv2_f", 2, ((float4)(p.x, p.y, 0, 0)), f)             \
  WRITE(img, int2, "Dv2_i", "Dv2_iDv4_i", p.x, p.y, 0)
#define IMAGE3D(img, axes, dim)                                               \
  SIZES(img) dim(img) READ(img, int4, "Dv4_i", p, p.x, p.y, p.z)            \
  SAMPLED(img, int4, "Dv4_i", axes,                                           \
          ((float4)((float)p.x, (float)p.y, (float)p.z, 0)), i)                \
  SAMPLED(img, float4, "Dv4_f", axes, p, f)                                   \
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
IMAGE3D(20ocl_image2d_array_ro, 2, DIM2)
IMAGE3D(20ocl_image2d_array_wo, 2, DIM2)
IMAGE3D(20ocl_image2d_array_rw, 2, DIM2)
IMAGE3D(14ocl_image3d_ro, 3, DIM3)
IMAGE3D(14ocl_image3d_wo, 3, DIM3)
IMAGE3D(14ocl_image3d_rw, 3, DIM3)
