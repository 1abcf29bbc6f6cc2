// RUN: %frontends --test %s
// FEATURE: PyTorch extensions: kernels that host code launches for tensors, by element type
// TOOLKIT: no toolkit has PyTorch's headers
// LAUNCH: --kernel scale<float> --grid 1 --block 4 --arg o:f32[4]=zero --arg f32[4]=iota --arg i64=3 --dump o
// EXPECT: o (f32[4]): 0 2 4 0
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <pybind11/pybind11.h>
#include <torch/extension.h>
#include <vector>

#define CHECK_INPUT(x) TORCH_CHECK(x.is_cuda() && x.is_contiguous(), #x " must be a contiguous CUDA tensor")

template <typename scalar_t>
__global__ void scale(scalar_t *__restrict__ out, const scalar_t *__restrict__ in, int64_t n) {
  using acc_t = at::acc_type<scalar_t, true>;
  CUDA_KERNEL_LOOP(i, n)
    out[i] = static_cast<scalar_t>(static_cast<acc_t>(in[i]) * 2);
}

template <typename scalar_t>
__global__ void rows(const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> in,
                     torch::PackedTensorAccessor32<scalar_t, 1> out) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= in.size(0))
    return;
  scalar_t sum = 0;
  for (int i = 0; i < in.size(1); ++i)
    sum += in[row][i];
  out[row] = sum;
}

std::vector<torch::Tensor> forward(torch::Tensor in, c10::optional<at::Tensor> mask) {
  CHECK_INPUT(in);
  const at::cuda::OptionalCUDAGuard guard(device_of(in));
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  auto out = torch::empty_like(in);
  auto sums = torch::zeros({in.size(0)}, in.options().dtype(torch::kFloat));
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(in.scalar_type(), "scale", ([&] {
    scale<scalar_t><<<(in.numel() + 255) / 256, 256, 0, stream>>>(
        out.data_ptr<scalar_t>(), in.data_ptr<scalar_t>(), in.numel());
  }));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "rows", [&] {
    rows<scalar_t><<<1, in.size(0), 0, stream>>>(
        in.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
        sums.packed_accessor32<scalar_t, 1>());
  });
  return {out, sums};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "twice the input", py::arg("in"), py::arg("mask"));
}
