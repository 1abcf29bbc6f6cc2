// RUN: %frontends --test %s
// FEATURE: PyTorch's halves among floats and integers: what the result is, comparisons
// TOOLKIT: no toolkit has PyTorch's headers
// LAUNCH: --kernel k --grid 1 --block 4 --arg f16[4]=iota --arg o:f32[16]=zero --arg f32=2.5 --dump o
// EXPECT: o (f32[16]): 7.504883 7.5 2.25 2048 1.25 63 -6 18 7.5 7.5 2.25 256 1.25 63 -6 18
#include <torch/extension.h>
template <typename T, typename A> constexpr bool is = std::is_same_v<T, A>;

template <typename T> __device__ void results(T h, T large, float *o, float s) {
  static_assert(is<decltype(h * s), float> && is<decltype(s - h), float>);
  static_assert(is<decltype(h / 3.0), double> && is<decltype(1.0 + h), double>);
  static_assert(is<decltype(h + 1), T> && is<decltype(1 - h), T>);
  static_assert(is<decltype(h * threadIdx.x), T> && is<decltype(2ll * h), T> && is<decltype(h * h), T> && is<decltype(-h), T>);
  // 3.001953125 is a half, and 3 in bfloat16.
  o[0] = s * static_cast<T>(3.001953125f);
  o[1] = h * 2.5;
  o[2] = h / 4.0f + s - 1;
  // 2048 and 256 are the first whose successors are none of the type.
  o[3] = large + 1;
  o[4] = s / 2 * (1 - h) + h * s * 0.5;
  o[5] = (h > 0) + 2 * (h == 3.0f) + 4 * (2.5 < h) + 8 * (h >= 3u) + 16 * (h != 2) + 32 * (h <= h);
  float f = 1 - h;
  f *= h;
  o[6] = std::max(1 - h, static_cast<T>(0)) + f;
  T sum = h;
  sum += 1;
  sum *= s;
  sum -= h;
  sum += h;
  sum /= T(0.5f) + 0;
  o[7] = sum - 2;
}
__global__ void k(const at::Half *x, float *o, float s) {
  if (threadIdx.x != 3)
    return;
  results<at::Half>(x[threadIdx.x], 2048, o, s);
  results<c10::BFloat16>(static_cast<c10::BFloat16>(x[threadIdx.x]), 256, o + 8, s);
}

// As extensions have them: every body is compiled for all types.
template <typename scalar_t> __global__ void axpy(const scalar_t *x, scalar_t *y, float a, double d, int n) {
  __shared__ scalar_t line[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const scalar_t v = x[i];
  line[threadIdx.x] = v > 6 ? scalar_t(6) : v;
  y[i] = a * x[i] + y[i] / (1.0f + expf(-v));
  y[i] *= d;
  y[n] = std::numeric_limits<scalar_t>::lowest();
  y[1] = scalar_t(1) + tanh(line[0]) * threadIdx.x;
  y[2] += __shfl_down_sync(0xffffffffu, v, 1);
  gpuAtomicAdd(y + 3, __ldg(x));
}
__global__ void bits(at::Half *y) {
  __half h = y[0] * static_cast<__half>(y[1]) + __float2half(1);
  y[0] = h;
  y[2].x = y[1].x + 1;
  constexpr auto low = std::numeric_limits<at::Half>::lowest();
  y[3] = low;
  reinterpret_cast<__half2 *>(y)[2] = __hadd2(__halves2half2(y[1], y[1]), __half2half2(h));
}
void launch(torch::Tensor x, torch::Tensor y, float a) {
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, x.scalar_type(), "axpy", [&] {
    axpy<scalar_t><<<1, 32>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), a, 2.0, 32);
  });
}
