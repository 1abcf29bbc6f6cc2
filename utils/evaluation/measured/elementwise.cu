// Element-wise operations on tensors as a deep-learning library runs them: four
// neighbouring elements for each thread, 128 threads for each block. The last
// block may be partial, so it takes its elements one by one.

template <typename Op>
__device__ void two(const float *a, const float *b, float *out, int n, Op op) {
  int base = blockIdx.x * 512;
  if (base + 512 <= n) {
    int at = base / 4 + threadIdx.x;
    float4 x = reinterpret_cast<const float4 *>(a)[at];
    float4 y = reinterpret_cast<const float4 *>(b)[at];
    reinterpret_cast<float4 *>(out)[at] =
        make_float4(op(x.x, y.x), op(x.y, y.y), op(x.z, y.z), op(x.w, y.w));
    return;
  }
  for (int k = 0; k < 4; ++k) {
    int i = base + k * 128 + threadIdx.x;
    if (i < n)
      out[i] = op(a[i], b[i]);
  }
}

template <typename Op>
__device__ void one(const float *a, float *out, int n, Op op) {
  int base = blockIdx.x * 512;
  if (base + 512 <= n) {
    int at = base / 4 + threadIdx.x;
    float4 x = reinterpret_cast<const float4 *>(a)[at];
    reinterpret_cast<float4 *>(out)[at] =
        make_float4(op(x.x), op(x.y), op(x.z), op(x.w));
    return;
  }
  for (int k = 0; k < 4; ++k) {
    int i = base + k * 128 + threadIdx.x;
    if (i < n)
      out[i] = op(a[i]);
  }
}

#define TWO(NAME, EXPRESSION)                                                  \
  extern "C" __global__ void NAME(const float *a, const float *b, float *out,  \
                                  int n) {                                     \
    two(a, b, out, n, [](float x, float y) { return EXPRESSION; });            \
  }
#define SCALAR(NAME, EXPRESSION)                                               \
  extern "C" __global__ void NAME(const float *a, float *out, int n,           \
                                  float y) {                                   \
    one(a, out, n, [y](float x) { return EXPRESSION; });                       \
  }
#define ONE(NAME, EXPRESSION)                                                  \
  extern "C" __global__ void NAME(const float *a, float *out, int n) {         \
    one(a, out, n, [](float x) { return EXPRESSION; });                        \
  }

TWO(add, x + y)
TWO(mul, x *y)
TWO(div_two, x / y)
TWO(pow_two, powf(x, y))
SCALAR(addu, x + y)
SCALAR(mulu, x *y)
SCALAR(divu, x * (1.0f / y)) // a division by one number is a multiplication
SCALAR(powu, x * x * y)      // small whole powers are multiplications
ONE(relu, x < 0.0f ? 0.0f : x)
ONE(gelu, 0.5f * x * (1.0f + erff(x * 0.70710678f)))
ONE(tanh_one, tanhf(x))
