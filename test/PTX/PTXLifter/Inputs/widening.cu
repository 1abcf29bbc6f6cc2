extern "C" __global__ void widening(long long *out, int *work) {
  int *p = work + threadIdx.x, v = threadIdx.x - 2, q = 7;
  *p = v;
  long long a, b, c, d;
  asm volatile("ld.global.s32 %0, [%1];" : "=l"(a) : "l"(p) : "memory");
  asm volatile("ld.global.v2.s8 {%0, %1}, [%2];" : "=l"(b), "=l"(c) : "l"(p) : "memory");
  asm("cvt.s8.s32 %0, %1;" : "=l"(d) : "r"(v));
  asm("{ .reg .pred p; setp.ne.s32 p, %1, 0; @p\tdiv.s32 %0, 12, %1; }"
      : "+r"(q) : "r"(v));
  out += threadIdx.x;
  out[0] = a;
  out[4] = b;
  out[8] = c;
  out[12] = d;
  out[16] = q;
}
