// Element types of tensors, and the accessors that kernels get by value: a
// pointer with sizes and strides in elements.

#ifndef HEDDLE_CUDA_TORCH_ACCESSOR_H
#define HEDDLE_CUDA_TORCH_ACCESSOR_H

#include "half.h"

#include <cstddef>
#include <cstdint>

namespace c10 {
enum class ScalarType : int8_t {
  Byte,
  Char,
  Short,
  Int,
  Long,
  Half,
  Float,
  Double,
  Bool,
  BFloat16
};
constexpr ScalarType kByte = ScalarType::Byte, kUInt8 = ScalarType::Byte,
                     kChar = ScalarType::Char, kInt8 = ScalarType::Char,
                     kShort = ScalarType::Short, kInt16 = ScalarType::Short,
                     kInt = ScalarType::Int, kInt32 = ScalarType::Int,
                     kLong = ScalarType::Long, kInt64 = ScalarType::Long,
                     kHalf = ScalarType::Half, kFloat16 = ScalarType::Half,
                     kFloat = ScalarType::Float, kFloat32 = ScalarType::Float,
                     kDouble = ScalarType::Double,
                     kFloat64 = ScalarType::Double, kBool = ScalarType::Bool,
                     kBFloat16 = ScalarType::BFloat16;
template <ScalarType> struct __heddle_type;
#define __HEDDLE_ELEMENT(name, element)                                        \
  template <> struct __heddle_type<ScalarType::name> {                         \
    typedef element type;                                                      \
  };
__HEDDLE_ELEMENT(Byte, uint8_t)
__HEDDLE_ELEMENT(Char, int8_t)
__HEDDLE_ELEMENT(Short, int16_t)
__HEDDLE_ELEMENT(Int, int)
__HEDDLE_ELEMENT(Long, int64_t)
__HEDDLE_ELEMENT(Half, Half)
__HEDDLE_ELEMENT(Float, float)
__HEDDLE_ELEMENT(Double, double)
__HEDDLE_ELEMENT(Bool, bool)
__HEDDLE_ELEMENT(BFloat16, BFloat16)
#undef __HEDDLE_ELEMENT
namespace impl {
template <ScalarType N>
using ScalarTypeToCPPTypeT = typename __heddle_type<N>::type;
} // namespace impl
} // namespace c10

namespace at {
using namespace c10;
template <typename T> struct DefaultPtrTraits {
  typedef T *PtrType;
};
template <typename T> struct RestrictPtrTraits {
  typedef T *__restrict__ PtrType;
};

#define __HEDDLE_ACCESSOR                                                      \
  __attribute__((host, device, always_inline, nodebug)) inline
template <typename T, size_t N,
          template <typename> class Traits = DefaultPtrTraits,
          typename Index = int64_t>
class TensorAccessor {
public:
  __HEDDLE_ACCESSOR TensorAccessor(T *data, const Index *sizes,
                                   const Index *strides)
      : Data(data), Sizes(sizes), Strides(strides) {}
  __HEDDLE_ACCESSOR decltype(auto) operator[](Index i) const {
    if constexpr (N == 1)
      return (Data[i * Strides[0]]);
    else
      return TensorAccessor<T, N - 1, Traits, Index>(Data + i * Strides[0],
                                                     Sizes + 1, Strides + 1);
  }
  __HEDDLE_ACCESSOR Index size(Index i) const { return Sizes[i]; }
  __HEDDLE_ACCESSOR Index stride(Index i) const { return Strides[i]; }
  __HEDDLE_ACCESSOR T *data() const { return Data; }

private:
  T *Data;
  const Index *Sizes, *Strides;
};

template <typename T, size_t N,
          template <typename> class Traits = DefaultPtrTraits,
          typename Index = int64_t>
class GenericPackedTensorAccessor {
public:
  __HEDDLE_ACCESSOR decltype(auto) operator[](Index i) const {
    return TensorAccessor<T, N, Traits, Index>(Data, Sizes, Strides)[i];
  }
  __HEDDLE_ACCESSOR Index size(Index i) const { return Sizes[i]; }
  __HEDDLE_ACCESSOR Index stride(Index i) const { return Strides[i]; }
  __HEDDLE_ACCESSOR T *data() const { return Data; }

private:
  typename Traits<T>::PtrType Data;
  Index Sizes[N], Strides[N];
};
#undef __HEDDLE_ACCESSOR
template <typename T, size_t N,
          template <typename> class Traits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, Traits, int>;
template <typename T, size_t N,
          template <typename> class Traits = DefaultPtrTraits>
using PackedTensorAccessor64 =
    GenericPackedTensorAccessor<T, N, Traits, int64_t>;
template <typename T, size_t N,
          template <typename> class Traits = DefaultPtrTraits,
          typename Index = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, Traits, Index>;
} // namespace at

#endif
