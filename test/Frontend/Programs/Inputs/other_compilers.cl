kernel void sz(global int *p, size_t n) { p[n] = 1; }
kernel void bo(global int *p, bool n) { p[n] = 1; }
kernel void pd(global int *p, ptrdiff_t n, uintptr_t m) { p[n] = m; }
typedef struct {
  global float *p;
  int n;
} S;
kernel void st(S s) { s.p[0] = s.n; }
kernel void stp(global S *s) { s->p[0] = s->n; }
kernel void pp(global int *global *p) { p[0][0] = 1; }
kernel void nolocal(global int *p) {
  for (int i = 0; i < 2; i++) {
    __local int t[4];
    t[get_local_id(0)] = i;
    barrier(1);
    p[i] = t[0];
  }
}
float fc(int i) {
  __constant float w[3] = {1, 2, 3};
  return w[i];
}
kernel void callsfc(global float *p) { p[0] = fc(1); }
float fc2(int i) {
  const float w[3] = {1, 2, 3};
  return w[i];
}
kernel void callsfc2(global float *p) { p[0] = fc2(1); }
kernel void ll(global int *p) {
  unsigned long long x = 1ULL << 40;
  long long y = 3;
  p[0] = x >> 38;
  p[1] = y;
}
kernel void nul(global int *p) {
  if (p != NULL)
    p[0] = 0;
  if (p == 0)
    return;
}
kernel void a2(global float *p, constant float *c) {
  float *q = (float *)p;
  q[0] = 1;
  float4 v = *(float4 *)p;
  p[1] = v.x;
}
kernel void img(read_only image2d_t i, global float *o) {
  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
  o[0] = read_imagef(i, s, (int2)(1, 2)).x + get_image_width(i) + get_image_dim(i).y;
}
kernel void img2(image2d_t i, global float *o) { o[0] = get_image_height(i); }
kernel void un(global float *p) {
  __attribute__((opencl_unroll_hint(4))) for (int i = 0; i < 4; i++)
    p[i]++;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    p[i] *= 2;
#pragma unroll 4
  for (int i = 0; i < 4; ++i)
    p[i] *= 2;
}
kernel void sh(global float4 *p, global uint4 *m) {
  p[0] = shuffle(p[1], m[0]);
  p[1] = shuffle2(p[0], p[1], m[1]);
  p[2].x = vec_step(p[0]);
}
kernel void conv(global float4 *p, global short4 *s, global int *o) {
  s[0] = convert_short4_sat(p[0]);
  o[0] = convert_int_rtz(p[0].x);
  p[1] = (float4)(s[0].x, s[0].y, 1, 2);
  o[2] = (p[0].x > 1 && p[0].y < 2) || !o[3];
  int4 i4 = convert_int4(p[0]) & 3;
  o[3] = i4.x ? 1 : 2;
  p[2] = i4 ? p[0] : p[1];
  o[1] += as_int4(p[0]).x;
  o[5] = ((global int *)p)[3];
  p[3] += 1;
  p[3] = fmin(p[3], 1.0f) + max(p[2], 2.0f) + clamp(p[1], 0, 1);
}
kernel void atomf(volatile global float *p, local int *l, global int *g) {
  atomic_xchg(p, 1.f);
  atomic_max(g, 3);
  atomic_or(l, 1);
  atom_xchg(g, 1);
  atomic_add((volatile __global int *)p, 1);
  atomic_sub(g, 1);
  union {
    uint u;
    float f;
  } o, n;
  do {
    o.f = *p;
    n.f = o.f + 1;
  } while (atomic_cmpxchg((volatile global uint *)p, o.u, n.u) != o.u);
}
kernel void b0(global int *p) {
  barrier(0);
  mem_fence(1);
  read_mem_fence(CLK_LOCAL_MEM_FENCE);
  write_mem_fence(2);
  p[0] = 1;
}
kernel void ex(global float *p) {
  p[0] = (p[0] > 0) ? 1.0 : 0;
  p[1] = 1.0 / p[0];
  p[2] = sqrt(2.0) * M_PI_F;
  p[3] = pow(p[2], 2);
  p[5] = fabs(p[2]);
  p[6] = exp(-p[2] * 0.5);
  p[7] = abs((int)p[1]);
  p[8] = floor(p[1] + 0.5);
  p[9] = min(1, (int)p[2]);
  p[10] = log((float)3);
  p[11] = sqrt((float)get_global_id(0));
  p[14] = half_exp(p[1]);
  p[15] = fma(p[1], 2, 3);
  p[16] = sin(p[0]);
  p[17] = pow(2, p[3]);
}
global int gcount = 3;
kernel void pg(global int *p) { p[0] = gcount++; }
kernel void uchar_bool(global uchar *p, global bool *q) { p[0] = q[1]; }
kernel void deref(global uchar *restrict const p, const global uint *const restrict q,
                  __global unsigned char const *r, global volatile int *v) {
  p[0] = q[0] + r[1];
  *v = 3;
}
inline int __attribute__((always_inline)) ai(int a) { return a; }
extern int undefd(int);
int decl(int);
kernel void usesdecl(global int *p) { p[0] = decl(ai(1)); }
int decl(int a) { return a; }
static inline void swapf(float *a, float *b) {
  float t = *a;
  *a = *b;
  *b = t;
}
kernel void sw(global float *p, local float *l) {
  float x = 1, y = 2;
  swapf(&x, &y);
  swapf(&p[0], &p[1]);
  swapf(&l[0], &l[1]);
  p[0] += x;
}
