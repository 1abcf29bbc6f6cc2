// OpenCL C with sloppy C
#define uint8 foo8
typedef unsigned char uchar_t;
struct node {
  int l, r;
  float w[4];
};
typedef struct tag_body {
  float3 p;
  float m;
} body;
enum { A, B = 5 };
int implicit(int *p) { return *p; }
__kernel void k(__global struct node *n, __global body *b, __global int *o,
                global int *restrict x) {
  int tmp[4];
  int i;
  for (i = 0; i < 4; i++)
    tmp[i] = implicit(&i);
  struct node nn = n[0];
  body bb = {(float3)(1, 2, 3), 1.f};
  o[0] = nn.l + tmp[A] + bb.p.x;
  __global int *q = o + 1;
  *q++ = (n->w[0] > 1) ? B : A;
  float4 f = (float4)(1.0), g = 2;
  f += g * 3.0f;
  f.xyz = cross(f, g).xyz;
  f = -f;
  o[2] = f.x == g.x;
  int4 cmp = f < g;
  o[3] = all(cmp) ? 1 : 0;
  o[4] = isless(f.x, g.y);
  union {
    float f;
    uint u;
  } un;
  un.f = 1.f;
  o[5] = un.u;
  goto end;
end:
  o[6] = 1;
  do {
    i--;
  } while (i > 0);
  while (1) {
    if (i++ > 3)
      break;
    continue;
  }
  long L = (long)o[1] * o[2];
  ulong UL = mul_hi((ulong)L, (ulong)L);
  o[7] = UL >> 32;
  o[8] = sizeof(float3);
  half h;
  ptrdiff_t pd = q - o;
  o[9] = pd;
  char c = 'a';
  o[10] = c;
  uchar uc = 255;
  o[11] = (char)uc;
  float2 f2 = vload2(0, (__global float *)o);
  o[12] = f2.x;
  o[13] = (int)f.w;
  bool bo = true;
  o[14] = bo;
  o[15] = max(1, 2) + min(3u, 4u) + max(f, 0.f).x + fmax(f.x, 1) + pown(f.x, 2) + pow(f.x, 2.f) +
          powr(f.x, 2.f) + step(1.f, f.x) + smoothstep(0.f, 1.f, f.y) + mix(f.x, f.y, 0.5f) +
          sign(f.z) + length(f) + distance(f, g) + normalize(f).x + fast_length(f) +
          half_sqrt(f.x) + native_recip(f.x) + degrees(f.x) + radians(f.x) + rint(f.x) +
          trunc(f.x) + ldexp(f.x, 2) + ilogb(f.x) + logb(f.x) + nextafter(f.x, 1.f) +
          hypot(f.x, f.y) + erf(f.x) + tgamma(f.x) + cbrt(f.x) + expm1(f.x) + log1p(f.x) +
          exp10(f.x) + sinpi(f.x) + atan2pi(f.x, f.y) + copysign(f.x, f.y) + rootn(f.x, 3) +
          maxmag(f.x, f.y) + fdim(f.x, f.y) + fma(f.x, f.y, f.z) + fmod(f.x, f.y) +
          remainder(f.x, f.y);
}
void __kernel odd_order(__global int *a) { a[get_global_id(0)]++; }
__kernel void noargs(void) {}
__kernel void noargs2() {}
kernel void arr(global float a[], local int b[4],
                constant float *c __attribute__((max_constant_size(16384)))) {
  a[0] = b[0] + c[1];
}
static __constant uint K[] = {0x428a2f98, 0x71374491UL};
#define ROTL(x, n) (((x) << (n)) | ((x) >> (32 - (n))))
#define Ch(x, y, z) bitselect(z, y, x)
uint SWAP(uint v) { return as_uint(as_uchar4(v).wzyx); }
__kernel void sha(__global uint *in, __global uint4 *out, __constant char *t) {
  uint a = in[0], w[16];
  for (int i = 0; i < 16; ++i)
    w[i] = SWAP(in[i]);
#pragma unroll 16
  for (int i = 0; i < 16; i++) {
    a = ROTL(a, 5) + Ch(a, w[i], K[i & 1]);
  }
  out[0] = (uint4)(a, a, a, a);
}
