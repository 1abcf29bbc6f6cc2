#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
#define CAT(a, b) a##b
#define XCAT(a, b) CAT(a, b)
#ifndef WIDTH
#define WIDTH 4
#endif
#define VT XCAT(float, WIDTH)
#define CONV XCAT(convert_, VT)
__kernel void bw(__global VT *a, __global XCAT(char, WIDTH) * b,
                 __global half *h) {
  a[get_global_id(0)] =
      CONV(b[get_global_id(0)]) + XCAT(vload_half, WIDTH)(0, h);
  h[0] = (half)1.5f * h[1];
}
#define DEF(T)                                                                 \
  __kernel void k_##T(__global T *p, T v) {                                    \
    p[get_global_id(0)] = v + (T)get_local_id(0);                              \
  }
DEF(char)
DEF(uchar) DEF(short) DEF(ushort) DEF(int) DEF(uint) DEF(long) DEF(ulong)
    DEF(float) DEF(double) DEF(half) DEF(float2) DEF(int3) DEF(double16)
