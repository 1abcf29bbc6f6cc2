// The address of the store is computed early in the end, but the registers are those of the text.
extern "C" __global__ void late(const float *__restrict__ in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = in[i];
  float twice = v + v;
  float third = v + twice;
  out[i] = v * third;
}

// Four words of one load lie in registers behind each other.
extern "C" __global__ void words(const float4 *in, float *out) {
  int i = threadIdx.x;
  float4 a = in[i], b = in[i + 32];
  out[i] = (a.x + b.w) * (a.w + b.x) + (a.y + b.z) * (a.z + b.y);
}

// Both values are stored as they were loaded: they share a pair.
extern "C" __global__ void exchange(int *values, int distance) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ distance;
  if (other > i) {
    int a = values[i], b = values[other];
    if (a > b) {
      values[i] = b;
      values[other] = a;
    }
  }
}

// sm_90 has the address of the store in registers before the text computes with it.
extern "C" __global__ void ahead(const float *__restrict__ in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = in[i];
  float sum = rsqrtf(fabsf(v) + 1.0f) * 1.5f + v;
  out[i] = fminf(v, sum) + sum;
}

// The loads follow each other: none writes a register that the one before it reads.
extern "C" __global__ void neighbours(const double *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i < n - 1 && j < n - 1)
    out[j * n + i] = 0.25 * (in[j * n + i - 1] + in[j * n + i + 1] + in[(j - 1) * n + i] + in[(j + 1) * n + i]);
}

__constant__ float weights[225];

// Sums of 15 x 15 values whose rows three of them share.
extern "C" __global__ void window(const float *in, float *out) {
  __shared__ float part[23][110];
  for (int i = threadIdx.y; i < 23; i += 4)
    for (int j = threadIdx.x; j < 110; j += 32)
      part[i][j] = in[i * 110 + j];
  __syncthreads();
  float sums[3][3] = {};
#pragma unroll
  for (int i = 0; i < 15; ++i)
#pragma unroll
    for (int j = 0; j < 15; ++j)
#pragma unroll
      for (int r = 0; r < 3; ++r)
#pragma unroll
        for (int s = 0; s < 3; ++s)
          sums[r][s] += part[threadIdx.y + 4 * r + i][threadIdx.x + 32 * s + j] * weights[i * 15 + j];
  for (int r = 0; r < 3; ++r)
    for (int s = 0; s < 3; ++s)
      out[(threadIdx.y + 4 * r) * 96 + threadIdx.x + 32 * s] = sums[r][s];
}

// Two sums of 15 x 15 values whose rows they share, four rows apart: the first goes alone until it comes to those.
extern "C" __global__ void rows(const float *in, float *out) {
  __shared__ float part[22][78];
  for (int i = threadIdx.y; i < 22; i += 4)
    for (int j = threadIdx.x; j < 78; j += 64)
      part[i][j] = in[i * 78 + j];
  __syncthreads();
  float sums[2] = {};
#pragma unroll
  for (int i = 0; i < 15; ++i)
#pragma unroll
    for (int j = 0; j < 15; ++j)
#pragma unroll
      for (int r = 0; r < 2; ++r)
        sums[r] += part[threadIdx.y + 4 * r + i][threadIdx.x + j] * weights[i * 15 + j];
  for (int r = 0; r < 2; ++r)
    out[(threadIdx.y + 4 * r) * 64 + threadIdx.x] = sums[r];
}

// The dividend lives on behind the division, and the address of the store is computed there.
extern "C" __global__ void quotient(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  out[i] = fminf(v / (v * v + 1.0f), v);
}

extern "C" __global__ void copy(const float *__restrict__ in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i];
}

extern "C" __global__ void scaled(const float *__restrict__ in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = in[i];
  float root = rsqrtf(fabsf(v) + 2.0f);
  out[i] = root * v + root;
}

extern "C" __global__ void count(const int *values, int *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&bins[values[i] & 63], 1);
}
