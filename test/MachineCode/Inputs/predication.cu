#define THREAD int t = threadIdx.x, i = blockIdx.x * 256 + t
#define TWICE(X) X X

__global__ void withOthers(const float *__restrict__ a, float *b, float *c,
                           int n) {
  THREAD;
  if (i < n)
    b[i] = a[i];
  c[i] = 2.0f;
}

__global__ void alone(const float *__restrict__ a, float *b, float *c, int n) {
  __shared__ float s[256];
  THREAD;
  __syncthreads();
  if (i < n)
    b[i] = a[i];
  __syncthreads();
  c[i] = s[t ^ 3];
}

__global__ void inARow(const float *__restrict__ a, float *b, float *c, int n,
                       int m) {
  __shared__ float s[256];
  THREAD;
  __syncthreads();
  if (i < n)
    b[i] = a[i];
  if (i * 3 < m)
    b[i + m] = a[i + m];
  __syncthreads();
  c[i] = s[t ^ 3];
}

__global__ void fits(const float *__restrict__ a, float *b, float *c, int n) {
  THREAD;
  if (i < n) {
    float x = a[i];
    TWICE(TWICE(TWICE(x = x * 2.5f + 1.5f;)))
    b[i] = x;
  }
  c[i] = 2.0f;
}

__global__ void tooLong(const float *__restrict__ a, float *b, float *c,
                        int n) {
  THREAD;
  if (i < n) {
    float x = a[i];
    TWICE(TWICE(TWICE(TWICE(x = x * 2.5f + 1.5f;))))
    b[i] = x;
  }
  c[i] = 2.0f;
}

__global__ void nested(const float *__restrict__ a, float *b, float *c, int n,
                       int m) {
  THREAD;
  c[i] = 2.0f;
  if (i < n) {
    c[i + n] = a[i];
    if (i * 3 < m)
      b[i] = a[i + m];
  }
  c[i + m] = 2.0f;
}

__global__ void readAhead(const float *__restrict__ a, float *b, int n) {
  __shared__ float s[256];
  THREAD;
  s[t] = t;
  __syncthreads();
  b[i] = s[t ^ 1] + a[i];
}

__global__ void updated(const int *__restrict__ a, int *b, const float *c,
                        int n) {
  THREAD;
  int x = a[i], y = a[i + n];
  b[i] = c[i] > 0.0f ? x + 1 : y;
}

__global__ void neededAgain(const int *__restrict__ a, int *b, const float *c,
                            int n) {
  THREAD;
  int x = a[i], y = a[i + n];
  b[i] = c[i] > 0.0f ? x + 1 : y;
  b[i + n] = y;
}

__global__ void masked(const int *__restrict__ a, int *b, int n) {
  THREAD;
  b[i] = (a[i] & 12) ? 1 : n;
}
// The store of what an arm loads is the only other access: a branch.
__global__ void storedAlone(const float *a, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0.0f;
  if (i < n)
    v = a[i];
  out[i] = v;
}
// The same with arithmetic in between: predicates.
__global__ void scaledAlone(const float *a, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0.0f;
  if (i < n)
    v = a[i];
  out[i] = v * 2.0f + 1.0f;
}
