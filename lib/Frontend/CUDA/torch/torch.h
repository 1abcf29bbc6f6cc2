// What files of PyTorch extensions name: tensors, dispatch over element types,
// streams and guards. Host code is only parsed for its launches, so host
// functions are declarations; what kernels use (accessors, element types,
// atomics) is complete. Written from PyTorch's documentation of C++ extensions.

#ifndef HEDDLE_CUDA_TORCH_TORCH_H
#define HEDDLE_CUDA_TORCH_TORCH_H

#include "../own_names.def"

// Extensions define some of its macros again.
#pragma GCC system_header

#include "../cuda_bf16.h"
#include "../cuda_fp16.h"
#include "../cuda_runtime.h"
#include "accessor.h"
#include "dispatch.h"
#include "python.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#define TORCH_VERSION_MAJOR 2
#define TORCH_VERSION_MINOR 4
#ifndef TORCH_EXTENSION_NAME
#define TORCH_EXTENSION_NAME extension
#endif
#define TORCH_API
#define C10_HOST __attribute__((host))
#define C10_DEVICE __attribute__((device))
#define C10_HOST_DEVICE __attribute__((host, device))
#define C10_RESTRICT __restrict__
#define C10_ALWAYS_INLINE inline __attribute__((always_inline))
#define C10_UNUSED __attribute__((unused))
#define C10_LAUNCH_BOUNDS_0 __attribute__((launch_bounds(1024)))
#define C10_LAUNCH_BOUNDS_1(threads) __attribute__((launch_bounds(threads)))
#define C10_LAUNCH_BOUNDS_2(threads, blocks)                                   \
  __attribute__((launch_bounds(threads, blocks)))
#define C10_WARP_SIZE 32

// Conditions are looked at, messages are not.
#define TORCH_CHECK(condition, ...) ((void)(condition))
#define TORCH_CHECK_EQ(a, b) ((void)((a) == (b)))
#define TORCH_CHECK_GE(a, b) ((void)((a) >= (b)))
#define TORCH_CHECK_LE(a, b) ((void)((a) <= (b)))
#define TORCH_CHECK_GT(a, b) ((void)((a) > (b)))
#define TORCH_CHECK_LT(a, b) ((void)((a) < (b)))
#define TORCH_INTERNAL_ASSERT TORCH_CHECK
#define TORCH_WARN(...) ((void)0)
#define AT_ASSERT TORCH_CHECK
#define AT_ASSERTM TORCH_CHECK
#define AT_ERROR(...) ((void)0)
#define CUDA_KERNEL_ASSERT(condition) ((void)(condition))
#define C10_CUDA_CHECK(call) ((void)(call))
#define AT_CUDA_CHECK(call) ((void)(call))
#define C10_CUDA_KERNEL_LAUNCH_CHECK() ((void)cudaGetLastError())
#define CUDA_KERNEL_LOOP_TYPE(i, n, type)                                      \
  for (type i = (type)blockIdx.x * blockDim.x + threadIdx.x; i < (n);          \
       i += (type)blockDim.x * gridDim.x)
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)
#define CUDA_1D_KERNEL_LOOP CUDA_KERNEL_LOOP

namespace c10 {

enum class DeviceType : int8_t { CPU, CUDA };
constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA;
struct Device {
  Device(DeviceType type, int index = -1);
  Device(const std::string &);
  bool is_cuda() const;
  bool is_cpu() const;
  DeviceType type() const;
  int index() const;
  bool has_index() const;
  bool operator==(const Device &) const;
  bool operator!=(const Device &) const;
};
template <typename T> using ArrayRef = std::vector<T>;
typedef ArrayRef<int64_t> IntArrayRef;
template <typename T> using optional = std::optional<T>;
constexpr auto nullopt = std::nullopt;
struct Scalar {
  template <typename T> Scalar(T);
  template <typename T> T to() const;
};
struct TensorOptions {
  TensorOptions();
  TensorOptions(ScalarType);
  TensorOptions(Device);
  TensorOptions dtype(ScalarType) const;
  TensorOptions device(Device) const;
  TensorOptions device(DeviceType, int = 0) const;
  TensorOptions layout(int) const;
  TensorOptions requires_grad(bool) const;
};
constexpr int kStrided = 0, kSparse = 1;

} // namespace c10

namespace at {
using namespace c10;

class Tensor {
public:
  Tensor();
  int64_t size(int64_t) const;
  int64_t stride(int64_t) const;
  int64_t numel() const;
  int64_t dim() const;
  int64_t ndimension() const;
  int64_t element_size() const;
  int64_t nbytes() const;
  int64_t get_device() const;
  int64_t storage_offset() const;
  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  ScalarType scalar_type() const;
  ScalarType dtype() const;
  ScalarType type() const;
  Device device() const;
  TensorOptions options() const;
  bool is_cuda() const;
  bool is_contiguous() const;
  bool defined() const;
  bool requires_grad() const;
  void *data_ptr() const;
  template <typename T> T *data_ptr() const;
  template <typename T> T *data() const;
  template <typename T> T *mutable_data_ptr() const;
  template <typename T> const T *const_data_ptr() const;
  template <typename T> T item() const;
  Scalar item() const;
  template <typename T, size_t N,
            template <typename> class Traits = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, Traits> packed_accessor32() const;
  template <typename T, size_t N,
            template <typename> class Traits = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, Traits> packed_accessor64() const;
  template <typename T, size_t N,
            template <typename> class Traits = DefaultPtrTraits,
            typename Index = int64_t>
  GenericPackedTensorAccessor<T, N, Traits, Index> packed_accessor() const;
  template <typename T, size_t N> TensorAccessor<T, N> accessor() const;
  Tensor operator[](int64_t) const;

#define __HEDDLE_TENSOR(name) template <typename... A> Tensor name(A...) const;
  __HEDDLE_TENSOR(to)
  __HEDDLE_TENSOR(contiguous)
  __HEDDLE_TENSOR(view)
  __HEDDLE_TENSOR(reshape)
  __HEDDLE_TENSOR(flatten)
  __HEDDLE_TENSOR(transpose)
  __HEDDLE_TENSOR(t)
  __HEDDLE_TENSOR(permute)
  __HEDDLE_TENSOR(expand)
  __HEDDLE_TENSOR(slice)
  __HEDDLE_TENSOR(select)
  __HEDDLE_TENSOR(index)
  __HEDDLE_TENSOR(narrow)
  __HEDDLE_TENSOR(squeeze)
  __HEDDLE_TENSOR(unsqueeze)
  __HEDDLE_TENSOR(clone)
  __HEDDLE_TENSOR(detach)
  __HEDDLE_TENSOR(cuda)
  __HEDDLE_TENSOR(cpu)
  __HEDDLE_TENSOR(copy_)
  __HEDDLE_TENSOR(zero_)
  __HEDDLE_TENSOR(fill_)
  __HEDDLE_TENSOR(resize_)
  __HEDDLE_TENSOR(add_)
  __HEDDLE_TENSOR(mul_)
  __HEDDLE_TENSOR(sum)
  __HEDDLE_TENSOR(mean)
  __HEDDLE_TENSOR(max)
  __HEDDLE_TENSOR(min)
  __HEDDLE_TENSOR(abs)
  __HEDDLE_TENSOR(matmul)
  __HEDDLE_TENSOR(toType)
#undef __HEDDLE_TENSOR
};
Tensor operator+(const Tensor &, const Scalar &);
Tensor operator+(const Tensor &, const Tensor &);
Tensor operator-(const Tensor &, const Tensor &);
Tensor operator*(const Tensor &, const Scalar &);
Tensor operator*(const Tensor &, const Tensor &);
Tensor operator/(const Tensor &, const Scalar &);

#define __HEDDLE_TENSORS(name) template <typename... A> Tensor name(A &&...);
__HEDDLE_TENSORS(empty)
__HEDDLE_TENSORS(empty_like)
__HEDDLE_TENSORS(empty_strided)
__HEDDLE_TENSORS(zeros)
__HEDDLE_TENSORS(zeros_like)
__HEDDLE_TENSORS(ones)
__HEDDLE_TENSORS(ones_like)
__HEDDLE_TENSORS(full)
__HEDDLE_TENSORS(full_like)
__HEDDLE_TENSORS(arange)
__HEDDLE_TENSORS(rand)
__HEDDLE_TENSORS(randn)
__HEDDLE_TENSORS(from_blob)
__HEDDLE_TENSORS(tensor)
__HEDDLE_TENSORS(cat)
__HEDDLE_TENSORS(stack)
__HEDDLE_TENSORS(sum)
__HEDDLE_TENSORS(matmul)
__HEDDLE_TENSORS(mm)
__HEDDLE_TENSORS(addmm)
__HEDDLE_TENSORS(sigmoid)
__HEDDLE_TENSORS(tanh)
#undef __HEDDLE_TENSORS
// Sizes are written as braces.
#define __HEDDLE_TENSORS(name)                                                 \
  template <typename... A> Tensor name(std::initializer_list<int64_t>, A &&...);
__HEDDLE_TENSORS(empty)
__HEDDLE_TENSORS(zeros)
__HEDDLE_TENSORS(ones)
__HEDDLE_TENSORS(full)
#undef __HEDDLE_TENSORS
TensorOptions dtype(ScalarType);
TensorOptions device(Device);
std::optional<Device> device_of(const Tensor &);
void manual_seed(uint64_t);

template <typename T, bool OnGPU> struct AccumulateType {
  typedef T type;
};
template <> struct AccumulateType<Half, true> {
  typedef float type;
};
template <> struct AccumulateType<BFloat16, true> {
  typedef float type;
};
template <typename T, bool OnGPU>
using acc_type = typename AccumulateType<T, OnGPU>::type;
template <typename T> using opmath_type = acc_type<T, true>;
template <typename T>
__attribute__((host, device)) inline T ceil_div(T a, T b) {
  return (a + b - 1) / b;
}

namespace cuda {
struct CUDAStream {
  operator cudaStream_t() const;
  cudaStream_t stream() const;
  int device_index() const;
  void synchronize() const;
};
CUDAStream getCurrentCUDAStream(int = -1);
CUDAStream getDefaultCUDAStream(int = -1);
CUDAStream getStreamFromPool(bool = false, int = -1);
cudaDeviceProp *getCurrentDeviceProperties();
cudaDeviceProp *getDeviceProperties(int);
int warp_size();
struct CUDAGuard {
  template <typename T> explicit CUDAGuard(T);
  void set_index(int);
};
typedef CUDAGuard OptionalCUDAGuard, CUDAStreamGuard;
template <typename T> T ATenCeilDiv(T a, T b) { return (a + b - 1) / b; }
} // namespace cuda
} // namespace at

namespace c10 {
using at::device_of;
namespace cuda {
using namespace at::cuda;
} // namespace cuda
} // namespace c10
using at::device_of;

namespace torch {
using namespace at;
using at::dtype;
namespace cuda {
using namespace at::cuda;
}
namespace indexing {
struct Slice {
  template <typename... A> Slice(A...);
};
} // namespace indexing
struct Library {
  template <typename... A> Library &def(A &&...);
  template <typename... A> Library &impl(A &&...);
};
struct NoGradGuard {};
namespace autograd {
typedef std::vector<Tensor> variable_list, tensor_list;
typedef Tensor Variable;
struct AutogradContext;
template <typename T> struct Function {};
} // namespace autograd
} // namespace torch
#define TORCH_LIBRARY(name, m)                                                 \
  static void __heddle_library_##name(torch::Library &m)
#define TORCH_LIBRARY_FRAGMENT TORCH_LIBRARY
#define TORCH_LIBRARY_IMPL(name, key, m)                                       \
  static void __heddle_library_##name##_##key(torch::Library &m)

// Atomics on every element type.
template <typename T>
__attribute__((device, always_inline, nodebug)) inline T gpuAtomicAdd(T *at,
                                                                      T v) {
  return atomicAdd(at, v);
}
template <typename T>
__attribute__((device, always_inline, nodebug)) inline T
gpuAtomicAddNoReturn(T *at, T v) {
  return atomicAdd(at, v);
}

#include "../user_names.def"

#endif
