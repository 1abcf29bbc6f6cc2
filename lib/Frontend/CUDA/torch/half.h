// Element types of 16 bits with PyTorch's rules: they become float and come
// from it by themselves; with a float or double the result is one, and with an
// integer it stays a half. CUDA's own types, on which they stand, are ambiguous
// there.

#ifndef HEDDLE_CUDA_TORCH_HALF_H
#define HEDDLE_CUDA_TORCH_HALF_H

#include "../cuda_bf16.h"
#include "../cuda_fp16.h"

#include <limits>
#include <type_traits>

namespace c10 {

#define __HEDDLE_NARROW_TYPE(name, base, raw)                                  \
  struct name : base {                                                         \
    typedef base __heddle_base;                                                \
    struct from_bits_t {};                                                     \
    static constexpr __HEDDLE_METHOD from_bits_t from_bits() { return {}; }    \
    name() = default;                                                          \
    constexpr __HEDDLE_MEMBER name(unsigned short bits, from_bits_t)           \
        : base(raw{bits}) {}                                                   \
    __HEDDLE_MEMBER name(float v) : base(v) {}                                 \
    __HEDDLE_MEMBER name(base v) : base(v) {}                                  \
    __HEDDLE_MEMBER unsigned short __heddle_get() const { return __x; }        \
    __HEDDLE_MEMBER void __heddle_put(unsigned short bits) { __x = bits; }     \
    __declspec(property(get = __heddle_get,                                    \
                        put = __heddle_put)) unsigned short x;                 \
  };
__HEDDLE_NARROW_TYPE(Half, __half, __half_raw)
__HEDDLE_NARROW_TYPE(BFloat16, __nv_bfloat16, __nv_bfloat16_raw)
#undef __HEDDLE_NARROW_TYPE

namespace __heddle {
/// Whether an N has an operator with a T, and what that gives.
template <typename N, typename T>
constexpr bool Mixes =
    std::is_same_v<T, N> || std::is_same_v<T, typename N::__heddle_base> ||
    std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <typename N, typename T>
using Result =
    std::enable_if_t<Mixes<N, T>,
                     std::conditional_t<std::is_floating_point_v<T>, T, N>>;
template <typename N, typename T>
using Other = std::enable_if_t<!std::is_same_v<N, T>, Result<N, T>>;
/// \p v as the operand beside an N, which is a float by then.
template <typename N, typename T> __HEDDLE_MEMBER auto operand(T v) {
  if constexpr (std::is_floating_point_v<T>)
    return v;
  else
    return (float)N((float)v);
}
/// What is compared: of a half the float, of a number itself.
template <typename T> __HEDDLE_MEMBER auto value(T v) {
  if constexpr (std::is_class_v<T>)
    return (float)v;
  else
    return v;
}
} // namespace __heddle

#define __HEDDLE_OPERATOR(N, op)                                               \
  template <typename T>                                                        \
  __HEDDLE_MEMBER __heddle::Result<N, T> operator op(N a, T b) {               \
    return (float)a op __heddle::operand<N>(b);                                \
  }                                                                            \
  template <typename T>                                                        \
  __HEDDLE_MEMBER __heddle::Other<N, T> operator op(T a, N b) {                \
    return __heddle::operand<N>(a) op(float) b;                                \
  }                                                                            \
  template <typename T> __HEDDLE_MEMBER N &operator op## = (N & a, T b) {      \
    return a = (float)a op(float) N((float)b);                                 \
  }
#define __HEDDLE_COMPARE(N, op)                                                \
  template <typename T, typename = __heddle::Result<N, T>>                     \
  __HEDDLE_MEMBER bool operator op(N a, T b) {                                 \
    return (float)a op __heddle::value(b);                                     \
  }                                                                            \
  template <typename T, typename = __heddle::Other<N, T>>                      \
  __HEDDLE_MEMBER bool operator op(T a, N b) {                                 \
    return __heddle::value(a) op(float) b;                                     \
  }
#define __HEDDLE_OPERATORS(N)                                                  \
  __HEDDLE_OPERATOR(N, +)                                                      \
  __HEDDLE_OPERATOR(N, -)                                                      \
  __HEDDLE_OPERATOR(N, *)                                                      \
  __HEDDLE_OPERATOR(N, /)                                                      \
  __HEDDLE_COMPARE(N, ==)                                                      \
  __HEDDLE_COMPARE(N, !=)                                                      \
  __HEDDLE_COMPARE(N, <)                                                       \
  __HEDDLE_COMPARE(N, <=)                                                      \
  __HEDDLE_COMPARE(N, >)                                                       \
  __HEDDLE_COMPARE(N, >=)                                                      \
  __HEDDLE_MEMBER N operator-(N a) { return -(float)a; }                       \
  __HEDDLE_MEMBER N operator+(N a) { return a; }
__HEDDLE_OPERATORS(Half)
__HEDDLE_OPERATORS(BFloat16)
#undef __HEDDLE_OPERATORS
#undef __HEDDLE_OPERATOR
#undef __HEDDLE_COMPARE

} // namespace c10

// Bits of the extremes; digits as std::numeric_limits counts them.
#define __HEDDLE_LIMIT(name, bits)                                             \
  static constexpr __HEDDLE_METHOD Type name() noexcept {                      \
    return Type(bits, Type::from_bits());                                      \
  }
#define __HEDDLE_LIMITS(type, mantissa, decimal, exponent, exponent10, least,  \
                        greatest, step, half, infinite, nan)                   \
  template <> class std::numeric_limits<type> {                                \
    typedef type Type;                                                         \
                                                                               \
  public:                                                                      \
    static constexpr bool is_specialized = true, is_signed = true,             \
                          is_integer = false, is_exact = false,                \
                          has_infinity = true, has_quiet_NaN = true,           \
                          is_bounded = true;                                   \
    static constexpr int digits = mantissa, digits10 = decimal, radix = 2,     \
                         max_exponent = exponent, max_exponent10 = exponent10; \
    __HEDDLE_LIMIT(min, least)                                                 \
    __HEDDLE_LIMIT(max, greatest)                                              \
    __HEDDLE_LIMIT(lowest, greatest | 0x8000)                                  \
    __HEDDLE_LIMIT(epsilon, step)                                              \
    __HEDDLE_LIMIT(round_error, half)                                          \
    __HEDDLE_LIMIT(infinity, infinite)                                         \
    __HEDDLE_LIMIT(quiet_NaN, nan)                                             \
    __HEDDLE_LIMIT(denorm_min, 1)                                              \
  };
__HEDDLE_LIMITS(c10::Half, 11, 3, 16, 4, 0x0400, 0x7bff, 0x1400, 0x3800, 0x7c00,
                0x7e00)
__HEDDLE_LIMITS(c10::BFloat16, 8, 2, 128, 38, 0x0080, 0x7f7f, 0x3c00, 0x3f00,
                0x7f80, 0x7fc0)
#undef __HEDDLE_LIMITS
#undef __HEDDLE_LIMIT

#endif
