// Deep learning style: a tensor library that is not there, types dispatched by
// macros and lambdas, vectorised loads, warp reductions.
#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <torch/extension.h>
#define CHECK_CUDA(x) TORCH_CHECK(x.is_cuda(), #x " must be a CUDA tensor")
#define DISPATCH(TYPE, NAME, ...)                                                        \
  switch (TYPE) {                                                                        \
  case 0: { using scalar_t = float; __VA_ARGS__(); break; }                              \
  case 1: { using scalar_t = double; __VA_ARGS__(); break; }                             \
  default: throw NAME;                                                                   \
  }
constexpr int kWarp = 32;
template <typename T> struct Acc { using type = float; };
template <> struct Acc<double> { using type = double; };
template <typename T> using acc_t = typename Acc<T>::type;
template <typename T, typename Op> __device__ __forceinline__ T warpReduce(T v, Op op) {
#pragma unroll
  for (int mask = kWarp / 2; mask > 0; mask >>= 1)
    v = op(v, __shfl_xor_sync(0xffffffff, v, mask, kWarp));
  return v;
}
template <typename scalar_t, int kRows = 4>
__global__ void softmax(const scalar_t *__restrict__ in, scalar_t *__restrict__ out, const int64_t cols, const float scale) {
  const int row = blockIdx.x * kRows + threadIdx.y;
  acc_t<scalar_t> m = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < cols; c += kWarp)
    m = max(m, static_cast<acc_t<scalar_t>>(in[row * cols + c]));
  m = warpReduce(m, [](auto a, auto b) { return a > b ? a : b; });
  for (int c = threadIdx.x; c < cols; c += kWarp)
    sum += std::exp(static_cast<acc_t<scalar_t>>(in[row * cols + c]) * scale - m);
  sum = warpReduce(sum, [](auto a, auto b) { return a + b; });
  for (int c = threadIdx.x; c < cols; c += kWarp)
    out[row * cols + c] = static_cast<scalar_t>(std::exp(in[row * cols + c] - m) / sum);
}
template <typename T> __global__ void gelu(T *x, int n) {
  if (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n)
    x[i] = T(0.5f * float(x[i]) * (1.0f + tanhf(0.79788456f * (float(x[i]) + 0.044715f * float(x[i]) * float(x[i]) * float(x[i])))));
}
template __global__ void gelu<__half>(__half *, int);
template __global__ void gelu<nv_bfloat16>(nv_bfloat16 *, int);
torch::Tensor forward(torch::Tensor input, float scale) {
  CHECK_CUDA(input);
  auto out = torch::empty_like(input);
  const dim3 block(kWarp, 4);
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "softmax", ([&] { softmax<scalar_t><<<1, block>>>(input.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), 1, scale); }));
  return out;
}
void plain(int type, void *p) {
  DISPATCH(type, "softmax", [&] { softmax<scalar_t><<<1, dim3(32, 4), 0, at::cuda::getCurrentCUDAStream()>>>((scalar_t *)p, (scalar_t *)p, 4, 1.f); });
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "softmax"); }
