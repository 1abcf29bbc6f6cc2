// Functions that programs write as expressions of _1, _2 and _3.

#ifndef HEDDLE_CUDA_THRUST_PLACEHOLDERS_H
#define HEDDLE_CUDA_THRUST_PLACEHOLDERS_H

#include "pointers.h"

namespace heddle_thrust {

/// A part of an expression: `at` gives its value for the arguments.
struct Part {};
template <typename T>
constexpr bool isPart = ::std::is_base_of_v<Part, ::std::decay_t<T>>;

template <int N> struct Argument : Part {
  template <typename A, typename... R>
  __HEDDLE_HD auto operator()(const A &a, const R &...rest) const {
    if constexpr (N == 1)
      return a;
    else
      return Argument<N - 1>()(rest...);
  }
};
template <typename T> struct Constant : Part {
  T v;
  __HEDDLE_HD Constant(T v) : v(v) {}
  template <typename... A> __HEDDLE_HD T operator()(const A &...) const {
    return v;
  }
};
template <typename F, typename L, typename R> struct Combined : Part {
  L l;
  R r;
  __HEDDLE_HD Combined(L l, R r) : l(l), r(r) {}
  template <typename... A> __HEDDLE_HD auto operator()(const A &...a) const {
    return F()(l(a...), r(a...));
  }
};
template <typename F, typename L> struct Changed : Part {
  L l;
  __HEDDLE_HD Changed(L l) : l(l) {}
  template <typename... A> __HEDDLE_HD auto operator()(const A &...a) const {
    return F()(l(a...));
  }
};
template <typename T>
using AsPart = ::std::conditional_t<isPart<T>, T, Constant<T>>;

#define __HEDDLE_COMBINE(op, functor)                                          \
  template <typename L, typename R,                                            \
            typename = ::std::enable_if_t<isPart<L> || isPart<R>>>             \
  __HEDDLE_HD Combined<thrust::functor<>, AsPart<L>, AsPart<R>> operator op(   \
      L l, R r) {                                                              \
    return {l, r};                                                             \
  }
__HEDDLE_COMBINE(+, plus)
__HEDDLE_COMBINE(-, minus)
__HEDDLE_COMBINE(*, multiplies)
__HEDDLE_COMBINE(/, divides)
__HEDDLE_COMBINE(%, modulus)
__HEDDLE_COMBINE(&, bit_and)
__HEDDLE_COMBINE(|, bit_or)
__HEDDLE_COMBINE(^, bit_xor)
__HEDDLE_COMBINE(<, less)
__HEDDLE_COMBINE(>, greater)
__HEDDLE_COMBINE(<=, less_equal)
__HEDDLE_COMBINE(>=, greater_equal)
__HEDDLE_COMBINE(==, equal_to)
__HEDDLE_COMBINE(!=, not_equal_to)
__HEDDLE_COMBINE(&&, logical_and)
__HEDDLE_COMBINE(||, logical_or)
#undef __HEDDLE_COMBINE
template <typename L, typename = ::std::enable_if_t<isPart<L>>>
__HEDDLE_HD Changed<thrust::negate<>, L> operator-(L l) {
  return {l};
}
template <typename L, typename = ::std::enable_if_t<isPart<L>>>
__HEDDLE_HD Changed<thrust::logical_not<>, L> operator!(L l) {
  return {l};
}

} // namespace heddle_thrust

namespace thrust {
namespace placeholders {
static const heddle_thrust::Argument<1> _1;
static const heddle_thrust::Argument<2> _2;
static const heddle_thrust::Argument<3> _3;
} // namespace placeholders
} // namespace thrust

#endif
