// An ambient-occlusion kernel: random numbers that a data-dependent loop
// rejects, inlined many times. Its formulas once took minutes.
// RUN: %within 20 %heddle analyze %s | FileCheck %s
// CHECK-LABEL: occlusion
// CHECK: L2: data, decided by
// CHECK-NOT: given up
//
// Numbers of a launch that stand for 100,000 rounds of a loop are given up.
// RUN: %within 20 %heddle analyze %s --kernel rounds --grid 1000 --block 256 --arg 'i32[1000]=zero' --arg i32=100000 | FileCheck --check-prefix=ROUNDS %s
// RUN: %heddle analyze %s --kernel rounds --grid 2 --block 64 --arg 'i32[1000]=zero' --arg i32=100 | FileCheck --check-prefix=FEW --implicit-check-not='given up' %s
// ROUNDS: L0: max(n, 0) [scalar evolution] = 100000
// ROUNDS: given up: {{[0-9]+}} numbers of this launch: they take too many steps to evaluate (--max-steps allows more)
// FEW: L1: {{.*}} = 0 to {{[0-9]+}}

struct Vec {
  float x, y, z;
};
struct Sphere {
  Vec center;
  float radius;
};
struct Random {
  unsigned x, y, z, w, v, d;
  __device__ float next() {
    unsigned t = x ^ (x >> 2);
    x = y, y = z, z = w, w = v;
    v = (v ^ (v << 4)) ^ (t ^ (t << 1));
    d += 362437;
    return (v + d) * (1.f / 4294967296.f);
  }
};

__device__ float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__device__ bool hits(Vec from, Vec to, const Sphere &s) {
  Vec r = {from.x - s.center.x, from.y - s.center.y, from.z - s.center.z};
  float b = dot(r, to), d = b * b - dot(r, r) + s.radius * s.radius;
  if (d <= 0)
    return false;
  return -b - sqrtf(d) > 0;
}

__global__ void occlusion(float *out, const Sphere *spheres, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Random r = {unsigned(i), 1, 2, 3, 4, 5};
  Vec p = {spheres[0].center.x, spheres[0].center.y, i * 0.5f};
  float open = 0;
  for (int j = 0; j < 8; ++j)
    for (int k = 0; k < 8; ++k) {
      float a, b;
      do {
        a = r.next() + p.x, b = r.next() + p.y;
      } while (a * a + b * b > 1);
      Vec to = {cosf(a) * b, sinf(a) * b, sqrtf(1 - b * b)};
      bool hit = false;
      for (int s = 0; s < n; ++s)
        hit |= hits(p, to, spheres[s]);
      if (!hit && r.next() < 0.9f)
        open += 1;
    }
  out[i] = open / 64;
}

__global__ void rounds(int *p, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = t;
  for (int i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    s ^= s >> 13;
  }
  if (s & 1)
    p[t & 511] = s;
  for (unsigned j = 0; j < (s & 1023); ++j)
    p[j] = 3;
}
