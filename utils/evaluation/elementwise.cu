// Element-wise kernels over float tensors as libraries write them: a block of
// 128 threads takes 512 elements, a thread four of them as one 16-byte access;
// the last block, which is not full, goes element by element. And softmax and
// layer normalisation along rows, one warp or one block for a row.

#include <cuda_runtime.h>

struct Add { __device__ float operator()(float a, float b) const { return a + b; } };
struct Mul { __device__ float operator()(float a, float b) const { return a * b; } };
struct Div { __device__ float operator()(float a, float b) const { return a / b; } };
struct Pow { __device__ float operator()(float a, float b) const { return powf(a, b); } };

template <typename F>
__device__ void binary(const float *a, const float *b, float *out, int n, F f) {
  int base = blockIdx.x * 512;
  if (base + 512 <= n) {
    float4 x = reinterpret_cast<const float4 *>(a + base)[threadIdx.x];
    float4 y = reinterpret_cast<const float4 *>(b + base)[threadIdx.x];
    float4 z;
    z.x = f(x.x, y.x); z.y = f(x.y, y.y); z.z = f(x.z, y.z); z.w = f(x.w, y.w);
    reinterpret_cast<float4 *>(out + base)[threadIdx.x] = z;
    return;
  }
  for (int k = 0; k < 4; ++k) {
    int i = base + k * 128 + threadIdx.x;
    if (i < n) out[i] = f(a[i], b[i]);
  }
}

struct AddTo { float s; __device__ float operator()(float a) const { return a + s; } };
struct MulBy { float s; __device__ float operator()(float a) const { return a * s; } };
struct PowOf { float s; __device__ float operator()(float a) const { return powf(a, s); } };
struct Relu { __device__ float operator()(float a) const { return fmaxf(a, 0.0f); } };
struct Tanh { __device__ float operator()(float a) const { return tanhf(a); } };
struct Gelu {
  __device__ float operator()(float a) const {
    return a * 0.5f * (1.0f + erff(a * 0.70710678f));
  }
};

template <typename F>
__device__ void unary(const float *a, float *out, int n, F f) {
  int base = blockIdx.x * 512;
  if (base + 512 <= n) {
    float4 x = reinterpret_cast<const float4 *>(a + base)[threadIdx.x];
    float4 z;
    z.x = f(x.x); z.y = f(x.y); z.z = f(x.z); z.w = f(x.w);
    reinterpret_cast<float4 *>(out + base)[threadIdx.x] = z;
    return;
  }
  for (int k = 0; k < 4; ++k) {
    int i = base + k * 128 + threadIdx.x;
    if (i < n) out[i] = f(a[i]);
  }
}

#define BINARY(NAME, F)                                                        \
  __global__ void NAME(const float *a, const float *b, float *out, int n) {    \
    binary(a, b, out, n, F());                                                 \
  }
#define SCALAR(NAME, F)                                                        \
  __global__ void NAME(const float *a, float *out, int n, float s) {           \
    unary(a, out, n, F{s});                                                    \
  }
#define UNARY(NAME, F)                                                         \
  __global__ void NAME(const float *a, float *out, int n) {                    \
    unary(a, out, n, F());                                                     \
  }

BINARY(add, Add)
BINARY(mul, Mul)
BINARY(div, Div)
BINARY(pow, Pow)
SCALAR(addu, AddTo)
SCALAR(mulu, MulBy)
SCALAR(divu, MulBy) // a division by a scalar is a product with its inverse
SCALAR(powu, PowOf)
UNARY(relu, Relu)
UNARY(gelu, Gelu)
UNARY(tanh, Tanh)

__device__ float warpMax(float v) {
  for (int d = 16; d; d >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
  return v;
}
__device__ float warpSum(float v) {
  for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

// Rows of at most 1024 elements: a warp holds a row in registers. Block 32 x 4.
__global__ void softmax_warp(const float *in, float *out, int rows, int columns) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  in += (size_t)row * columns;
  out += (size_t)row * columns;
  float v[32];
#pragma unroll
  for (int k = 0; k < 32; ++k) {
    int c = k * 32 + threadIdx.x;
    v[k] = c < columns ? in[c] : -3.4e38f;
  }
  float m = v[0];
#pragma unroll
  for (int k = 1; k < 32; ++k) m = fmaxf(m, v[k]);
  m = warpMax(m);
  float s = 0;
#pragma unroll
  for (int k = 0; k < 32; ++k) {
    v[k] = expf(v[k] - m);
    s += v[k];
  }
  s = warpSum(s);
#pragma unroll
  for (int k = 0; k < 32; ++k) {
    int c = k * 32 + threadIdx.x;
    if (c < columns) out[c] = v[k] / s;
  }
}

__device__ float blockReduce(float v, bool sum, float *shared) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  v = sum ? warpSum(v) : warpMax(v);
  __syncthreads();
  if (lane == 0) shared[warp] = v;
  __syncthreads();
  int warps = blockDim.x / 32;
  v = lane < warps ? shared[lane] : (sum ? 0.0f : -3.4e38f);
  return sum ? warpSum(v) : warpMax(v);
}

// Longer rows: a block reads its row three times, four elements per access
// where they are aligned.
__global__ void softmax_block(const float *in, float *out, int columns) {
  __shared__ float shared[32];
  in += (size_t)blockIdx.x * columns;
  out += (size_t)blockIdx.x * columns;
  int shift = (int)(((size_t)in % 16) / 4), n = columns + shift;
  const float *base = in - shift;
  float m = -3.4e38f, s = 0;
  if (threadIdx.x >= shift && threadIdx.x < 4) m = base[threadIdx.x];
  for (int i = threadIdx.x + 1; i * 4 + 3 < n; i += blockDim.x) {
    float4 x = reinterpret_cast<const float4 *>(base)[i];
    m = fmaxf(fmaxf(fmaxf(m, x.x), fmaxf(x.y, x.z)), x.w);
  }
  for (int i = n / 4 * 4 + threadIdx.x; i < n; i += blockDim.x) m = fmaxf(m, base[i]);
  m = blockReduce(m, false, shared);
  if (threadIdx.x >= shift && threadIdx.x < 4) s += expf(base[threadIdx.x] - m);
  for (int i = threadIdx.x + 1; i * 4 + 3 < n; i += blockDim.x) {
    float4 x = reinterpret_cast<const float4 *>(base)[i];
    s += expf(x.x - m) + expf(x.y - m) + expf(x.z - m) + expf(x.w - m);
  }
  for (int i = n / 4 * 4 + threadIdx.x; i < n; i += blockDim.x) s += expf(base[i] - m);
  s = blockReduce(s, true, shared);
  for (int i = threadIdx.x; i < columns; i += blockDim.x) out[i] = expf(in[i] - m) / s;
}

// One block of 32 x 4 threads a row: moments in one pass, then the result.
__global__ void layer_norm(const float *in, const float *gamma, const float *beta,
                           float *mean, float *rstd, float *out, int columns) {
  __shared__ float shared[12];
  const float *row = in + (size_t)blockIdx.x * columns;
  int thread = threadIdx.y * 32 + threadIdx.x, threads = blockDim.x * blockDim.y;
  // Welford's update, four elements per access.
  float m = 0, m2 = 0, count = 0;
  for (int i = thread; i < columns / 4; i += threads) {
    float4 x = reinterpret_cast<const float4 *>(row)[i];
    float v[4] = {x.x, x.y, x.z, x.w};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      count += 1;
      float d = v[k] - m;
      m += d / count;
      m2 += d * (v[k] - m);
    }
  }
  for (int d = 16; d; d >>= 1) {
    float om = __shfl_down_sync(0xffffffffu, m, d), o2 = __shfl_down_sync(0xffffffffu, m2, d);
    float oc = __shfl_down_sync(0xffffffffu, count, d), all = count + oc, f = oc / fmaxf(all, 1);
    float delta = om - m;
    m += delta * f;
    m2 += o2 + delta * delta * count * f;
    count = all;
  }
  if (threadIdx.x == 0) {
    shared[threadIdx.y] = m;
    shared[4 + threadIdx.y] = m2;
    shared[8 + threadIdx.y] = count;
  }
  __syncthreads();
  m = 0; m2 = 0; count = 0;
  for (int w = 0; w < 4; ++w) {
    float delta = shared[w] - m, oc = shared[8 + w], all = count + oc, f = oc / fmaxf(all, 1);
    m += delta * f;
    m2 += shared[4 + w] + delta * delta * count * f;
    count = all;
  }
  float r = rsqrtf(m2 / columns + 1e-5f);
  float *result = out + (size_t)blockIdx.x * columns;
  for (int i = thread; i < columns / 4; i += threads) {
    float4 x = reinterpret_cast<const float4 *>(row)[i];
    float4 g = reinterpret_cast<const float4 *>(gamma)[i];
    float4 b = reinterpret_cast<const float4 *>(beta)[i];
    x.x = g.x * (r * (x.x - m)) + b.x;
    x.y = g.y * (r * (x.y - m)) + b.y;
    x.z = g.z * (r * (x.z - m)) + b.z;
    x.w = g.w * (r * (x.w - m)) + b.w;
    reinterpret_cast<float4 *>(result)[i] = x;
  }
  if (thread == 0) {
    mean[blockIdx.x] = m;
    rstd[blockIdx.x] = r;
  }
}
