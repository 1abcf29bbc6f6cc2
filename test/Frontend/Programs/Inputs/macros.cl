#define CONCAT_(a, b) a##_##b
#define CONCAT(a, b) CONCAT_(a, b)
#define KERNEL_FQ __kernel
#define GLOBAL_MEM __global
#define LOCAL_MEM __local
#define DEVICE_FQ
#define KERN(name, T)                                                          \
  KERNEL_FQ void CONCAT(name, T)(GLOBAL_MEM T * a, const uint n) {             \
    const size_t i = get_global_id(0);                                         \
    if (i < n)                                                                 \
      a[i] = (T)(a[i] * (T)2);                                                 \
  }
KERN(scale, float)
KERN(scale, int) KERN(scale, double) KERN(scale, uchar) KERN(scale, long)
#ifdef cl_nv_pragma_unroll
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif
#define rotl(x, y) rotate((x), (uint)(y))
#define Ch(x, y, z) (z ^ (x & (y ^ z)))
#define R(a, b, c, d, x, s) a = b + rotl(a + Ch(b, c, d) + x, s)
    __constant uint K[4] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u};
__kernel void md(__global const uint *in, __global uint4 *out) {
  uint a = K[0], b = K[1], c = K[2], d = K[3];
  uint w[16];
  UNROLL for (int i = 0; i < 16; i++) w[i] = in[i];
#pragma unroll 4
  for (int i = 0; i < 16; i++) {
    R(a, b, c, d, w[i], 7);
    uint t = a;
    a = b;
    b = c;
    c = d;
    d = t;
  }
  __attribute__((opencl_unroll_hint(2))) for (int i = 0; i < 4; i++)
    a += i;
  out[get_global_id(0)] = (uint4)(a, b, c, d);
}
#if __OPENCL_VERSION__ <= CL_VERSION_1_1
__constant int one = 1;
#endif
#if defined(__NV_CL_C_VERSION) || defined(cl_amd_media_ops) ||                 \
    defined(__AMD__) || defined(__GPU__)
#endif
