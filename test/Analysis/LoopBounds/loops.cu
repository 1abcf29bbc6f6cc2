// Loops of many kinds: each is bounded or names the load that decides it.
// RUN: %heddle analyze %s | FileCheck %s

struct Params { int n; int step; float eps; };
__global__ void manyExits(const int *a, int *out, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) {
    if (a[i] < 0) break;
    if (i * i > 1000) break;
    s += a[i];
  }
  out[threadIdx.x] = s;
}
__global__ void chase(const int *next, int *out) {
  int p = threadIdx.x, c = 0;
  while (p >= 0) { p = next[p]; ++c; }
  out[threadIdx.x] = c;
}
__global__ void sharedBound(const int *a, int *out) {
  __shared__ int n;
  if (threadIdx.x == 0) n = a[0];
  __syncthreads();
  int s = 0;
  for (int i = 0; i < n; ++i) s += a[i];
  out[threadIdx.x] = s;
}
__global__ void doWhile(float *x, int n) {
  int i = n;
  do { x[i] += 1.0f; i -= 3; } while (i > 0);
}
__global__ void triangular(float *x, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j)
      for (int k = i; k <= j; k += 2) x[i * n + j] += x[k];
}
__global__ void unsignedWrap(float *x, unsigned n) {
  for (unsigned i = n; i-- > 0;) x[i] = 0;
  for (unsigned i = n; i >= 4; i -= 4) x[i] = 1;
}
__global__ void bits(int *out, unsigned v) {
  int c = 0;
  while (v) { v &= v - 1; ++c; }
  out[0] = c;
}
__global__ void floatInduction(float *out, float end) {
  float s = 0;
  for (float x = 0; x < 1.0f; x += 0.125f) s += out[(int)(x * 8)];
  for (float x = 0; x < end; x += 0.1f) s += x;
  out[threadIdx.x] = s;
}
__global__ void converge(float *a, const int n) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (int i = threadIdx.x; i < n - 1; i += blockDim.x)
      if (a[i] > a[i + 1]) { float t = a[i]; a[i] = a[i + 1]; a[i + 1] = t; changed = true; }
    changed = __syncthreads_or(changed);
  }
}
__global__ void structField(float *a, Params p) {
  for (int i = 0; i < p.n; i += p.step) a[i] += p.eps;
}
__global__ void structPtr(float *a, const Params *p) {
  for (int i = 0; i < p->n; i += p->step) a[i] += p->eps;
}
__global__ void binarySearch(const int *a, int n, int *out) {
  int lo = 0, hi = n;
  while (lo < hi) { int m = (lo + hi) / 2; if (a[m] < (int)threadIdx.x) lo = m + 1; else hi = m; }
  out[threadIdx.x] = lo;
}
__global__ void halving(int n, int *out) {
  int lo = 0, hi = n;
  while (lo < hi) { int m = (lo + hi) / 2; if (m < (int)threadIdx.x) lo = m + 1; else hi = m; }
  out[threadIdx.x] = lo;
}
__global__ void queue(int *head, int n, float *a) {
  int i;
  while ((i = atomicAdd(head, 1)) < n) a[i] *= 2;
}
__global__ void gcd(int a, int b, int *out) {
  while (b) { int t = a % b; a = b; b = t; }
  out[0] = a;
}
__global__ void collatz(unsigned long long n, int *out) {
  int c = 0;
  while (n != 1) { n = n & 1 ? 3 * n + 1 : n / 2; ++c; }
  out[0] = c;
}
__global__ void spin(volatile int *flag) { while (*flag == 0) {} }
__global__ void forever(int *a) { for (;;) { a[0]++; __syncthreads(); } }
__global__ void newton(float *a, float eps) {
  float x = a[threadIdx.x], d;
  do { d = x; x = 0.5f * (x + 2.0f / x); d -= x; } while (fabsf(d) > eps);
  a[threadIdx.x] = x;
}
__global__ void gridStride(float *a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] *= 2;
}
__global__ void geo(float *a, int n) {
  for (int s = 1; s < n; s *= 2) a[s] += 1;
  for (int s = n; s > 0; s /= 3) a[s] += 1;
  for (int s = n / 2; s > 0; s >>= 1) a[s] += 1;
  for (int s = 1; s < n; s = s * 3 + 1) a[s] += 1;
}
__global__ void twoVars(float *a, int n) {
  int i = 0, j = n;
  while (i < j) { a[i] += a[j]; ++i; --j; }
}
__global__ void hashProbe(const unsigned *t, unsigned *o, unsigned m) {
  unsigned h = (threadIdx.x * 2654435761u) & m;
  while (t[h] != 0 && t[h] != threadIdx.x) h = (h + 1) & m;
  o[threadIdx.x] = h;
}
__global__ void lcg(unsigned seed, unsigned *o) {
  unsigned s = seed + threadIdx.x; int c = 0;
  while ((s & 0xff) != 7) { s = s * 1664525u + 1013904223u; c++; }
  o[threadIdx.x] = c;
}
__global__ void stack(const int *l, const int *r, int *out) {
  int st[32]; int top = 0; st[top++] = 0; int c = 0;
  while (top > 0) { int n = st[--top]; c++; if (l[n] >= 0) st[top++] = l[n]; if (r[n] >= 0) st[top++] = r[n]; }
  out[threadIdx.x] = c;
}
__global__ void localArray(int n, int *out) {
  int st[32]; int top = 0; st[top++] = n; int c = 0;
  while (top > 0) { int m = st[--top]; c++; if (m > 1) { st[top++] = m / 2; if (m & 1) st[top++] = m / 4; } }
  out[threadIdx.x] = c;
}
__global__ void strlenk(const char *s, int *o) { int n = 0; while (s[n]) n++; *o = n; }
__global__ void flagLoop(int n, float *a) {
  bool done = false; int i = 0;
  while (!done) { a[i] += 1; i++; if (i >= n) done = true; }
}
__global__ void cont(int n, float *a, int k) {
  for (int i = 0; i < n; i++) { if (i % k == 0) continue; a[i] = 0; if (i > k * 3) return; }
}
__global__ void sw(int n, int *a, int m) {
  int state = 0, i = 0;
  while (state != 3) { switch (state) { case 0: state = m > 4 ? 1 : 2; break; case 1: i++; if (i > n) state = 2; break; case 2: state = 3; break; default: state = 0; } a[i]++; }
}
__global__ void longs(long n, double *a) { for (long i = n - 1; i >= 0; --i) a[i] = 0; }
__global__ void shfl(int *o, int x) { int v = x + threadIdx.x; while (__any_sync(~0u, v > 0)) { v -= __shfl_down_sync(~0u, v, 1); } o[threadIdx.x] = v; }
__global__ void ne(int n, int m, float *a) { for (int i = n; i != m; i++) a[i] = 1; }
__global__ void nested2(int n, const int *p, float *a) {
  for (int i = 0; i < n; i++) { int e = p[i + 1]; for (int j = p[i]; j < e; j++) for (int k = 0; k < j % 7; k++) a[k] += j; }
}
__global__ void gotoLoop(int n, float *a) { int i = 0; again: a[i] = 1; i += 2; if (i < n) goto again; }
__global__ void minmax(int n, int m, float *a) { for (int i = max(0, n - m); i < min(n + m, 1000); ++i) a[i] = i; }

// CHECK-LABEL: {{^}}manyExits
// CHECK: L0: at most min(min(max(n, 0), 32) + 1, max(n, 0)) [scalar evolution]; may end earlier by a[...]
// CHECK-LABEL: {{^}}chase
// CHECK: L0: data, decided by next[...]
// CHECK-LABEL: {{^}}sharedBound
// CHECK: L0: data, decided by {{.*}}n[...]
// CHECK-LABEL: {{^}}triangular
// CHECK: L0: max(n, 0)
// CHECK: L1: n - L0
// CHECK-LABEL: {{^}}unsignedWrap
// CHECK: L0: n [
// CHECK-LABEL: {{^}}bits
// CHECK: L0: first L0 with {{.*}} == 0 {{.*}}[recurrence]
// CHECK-LABEL: {{^}}floatInduction
// CHECK: L0: {{.*}}[{{recurrence|constant}}]
// CHECK: L1: {{.*}}>= end{{.*}}[recurrence]
// CHECK-LABEL: {{^}}converge
// CHECK: L0: data, decided by a[...]
// CHECK: L1: {{.*}} / blockDim.x [block stride, no wrap assumed]
// CHECK-LABEL: {{^}}structPtr
// CHECK: L0: data, decided by p[...]
// CHECK-LABEL: {{^}}binarySearch
// CHECK: L0: data, decided by a[...]
// CHECK-LABEL: {{^}}halving
// CHECK: L0: first L0 with
// CHECK-LABEL: {{^}}queue
// CHECK: L0: data, decided by atomic head
// CHECK-LABEL: {{^}}gcd
// CHECK: L0: {{.*}}[recurrence]
// CHECK-LABEL: {{^}}spin
// CHECK: L0: data, decided by flag[...]
// CHECK-LABEL: {{^}}forever
// CHECK: L0: endless, no way out of the loop
// CHECK-LABEL: {{^}}newton
// CHECK: L0: data, decided by a[...]
// CHECK-LABEL: {{^}}gridStride
// CHECK: L0: {{.*}} / (blockDim.x * gridDim.x) [grid stride
// CHECK-LABEL: {{^}}geo
// CHECK: L0: first L0 with 1 << L0 >= n [geometric]
// CHECK: L1: {{.*}}[recurrence]
// CHECK: L2: first L2 with n / 2 >> L2 <= 0 [geometric]
// CHECK-LABEL: {{^}}hashProbe
// CHECK: L0: data, decided by t[...]
// CHECK-LABEL: {{^}}flagLoop
// CHECK: L0: {{.*}}[scalar evolution after rotation]
// CHECK-LABEL: {{^}}ne
// CHECK: L0: m - n
// CHECK-LABEL: {{^}}minmax
// CHECK: L0: {{.*}}min(m + n, 1000)
