// Tuples, pairs and functors of Thrust.

#ifndef HEDDLE_CUDA_THRUST_VALUES_H
#define HEDDLE_CUDA_THRUST_VALUES_H

#include "../cuComplex.h"
#include "../cuda_runtime.h"

#include <cmath>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <vector>

#define THRUST_VERSION 200000
#define __HEDDLE_THRUST                                                        \
  __attribute__((host, device, always_inline, nodebug)) inline

namespace thrust {

template <typename T> __HEDDLE_THRUST T min(const T &a, const T &b) {
  return b < a ? b : a;
}
template <typename T> __HEDDLE_THRUST T max(const T &a, const T &b) {
  return a < b ? b : a;
}
template <typename T> __HEDDLE_THRUST void swap(T &a, T &b) {
  T t = a;
  a = b;
  b = t;
}

// --- tuples and pairs --------------------------------------------------------
struct null_type {};
template <typename... Ts> struct tuple;
template <> struct tuple<> {};
template <typename First, typename... Rest> struct tuple<First, Rest...> {
  First head;
  tuple<Rest...> tail;
  tuple() = default;
  __HEDDLE_THRUST tuple(First first, Rest... rest)
      : head(first), tail(rest...) {}
  template <typename F, typename... R,
            typename = ::std::enable_if_t<sizeof...(R) == sizeof...(Rest)>>
  __HEDDLE_THRUST tuple(const tuple<F, R...> &o) : head(o.head), tail(o.tail) {}
  // Of references: what they refer to is assigned.
  tuple(const tuple &) = default;
  __HEDDLE_THRUST tuple &operator=(const tuple &o) {
    head = o.head;
    tail = o.tail;
    return *this;
  }
  template <typename F, typename... R>
  __HEDDLE_THRUST tuple &operator=(const tuple<F, R...> &o) {
    head = o.head;
    tail = o.tail;
    return *this;
  }
  template <int I> __HEDDLE_THRUST auto &get() {
    if constexpr (I == 0)
      return head;
    else
      return tail.template get<I - 1>();
  }
  /// What a reference refers to need not be const.
  template <int I> __HEDDLE_THRUST auto &get() const {
    if constexpr (I == 0)
      return head;
    else
      return tail.template get<I - 1>();
  }
};
template <typename... Ts> tuple(Ts...) -> tuple<Ts...>;
template <int I, typename... Ts> __HEDDLE_THRUST auto &get(tuple<Ts...> &t) {
  return t.template get<I>();
}
template <int I, typename... Ts>
__HEDDLE_THRUST auto &get(const tuple<Ts...> &t) {
  return t.template get<I>();
}
template <typename... Ts> __HEDDLE_THRUST tuple<Ts...> make_tuple(Ts... v) {
  return tuple<Ts...>(v...);
}
template <typename... Ts> __HEDDLE_THRUST tuple<Ts &...> tie(Ts &...v) {
  return tuple<Ts &...>(v...);
}
template <typename... Ts, typename... Us>
__HEDDLE_THRUST bool operator==(const tuple<Ts...> &a, const tuple<Us...> &b) {
  if constexpr (sizeof...(Ts) == 0)
    return true;
  else
    return a.head == b.head && a.tail == b.tail;
}
template <typename... Ts, typename... Us>
__HEDDLE_THRUST bool operator!=(const tuple<Ts...> &a, const tuple<Us...> &b) {
  return !(a == b);
}
template <typename... Ts, typename... Us>
__HEDDLE_THRUST bool operator<(const tuple<Ts...> &a, const tuple<Us...> &b) {
  if constexpr (sizeof...(Ts) == 0)
    return false;
  else
    return a.head < b.head || (!(b.head < a.head) && a.tail < b.tail);
}
template <int I, typename T> struct tuple_element;
template <int I, typename F, typename... R>
struct tuple_element<I, tuple<F, R...>> : tuple_element<I - 1, tuple<R...>> {};
template <typename F, typename... R> struct tuple_element<0, tuple<F, R...>> {
  typedef F type;
};
template <typename T> struct tuple_size;
template <typename... Ts> struct tuple_size<tuple<Ts...>> {
  static const int value = sizeof...(Ts);
};
template <typename A, typename B> struct pair {
  typedef A first_type;
  typedef B second_type;
  A first;
  B second;
  pair() = default;
  __HEDDLE_THRUST pair(const A &a, const B &b) : first(a), second(b) {}
  template <typename C, typename D>
  __HEDDLE_THRUST pair(const pair<C, D> &o)
      : first(o.first), second(o.second) {}
};
template <typename A, typename B>
__HEDDLE_THRUST pair<A, B> make_pair(A a, B b) {
  return pair<A, B>(a, b);
}
template <typename A, typename B>
__HEDDLE_THRUST bool operator<(const pair<A, B> &a, const pair<A, B> &b) {
  return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
}
template <typename A, typename B>
__HEDDLE_THRUST bool operator==(const pair<A, B> &a, const pair<A, B> &b) {
  return a.first == b.first && a.second == b.second;
}

// --- functors ----------------------------------------------------------------
template <typename A, typename R> struct unary_function {
  typedef A argument_type;
  typedef R result_type;
};
template <typename A, typename B, typename R> struct binary_function {
  typedef A first_argument_type;
  typedef B second_argument_type;
  typedef R result_type;
};
#define __HEDDLE_FUNCTOR2(name, result, expression)                            \
  template <typename T = void> struct name {                                   \
    typedef T first_argument_type;                                             \
    typedef T second_argument_type;                                            \
    typedef result result_type;                                                \
    __HEDDLE_THRUST result operator()(const T &a, const T &b) const {          \
      return expression;                                                       \
    }                                                                          \
  };                                                                           \
  template <> struct name<void> {                                              \
    template <typename A, typename B>                                          \
    __HEDDLE_THRUST auto operator()(const A &a, const B &b) const {            \
      return expression;                                                       \
    }                                                                          \
  };
__HEDDLE_FUNCTOR2(plus, T, a + b)
__HEDDLE_FUNCTOR2(minus, T, a - b)
__HEDDLE_FUNCTOR2(multiplies, T, a *b)
__HEDDLE_FUNCTOR2(divides, T, a / b)
__HEDDLE_FUNCTOR2(modulus, T, a % b)
__HEDDLE_FUNCTOR2(bit_and, T, a &b)
__HEDDLE_FUNCTOR2(bit_or, T, a | b)
__HEDDLE_FUNCTOR2(bit_xor, T, a ^ b)
__HEDDLE_FUNCTOR2(maximum, T, a < b ? b : a)
__HEDDLE_FUNCTOR2(minimum, T, b < a ? b : a)
__HEDDLE_FUNCTOR2(less, bool, a < b)
__HEDDLE_FUNCTOR2(greater, bool, a > b)
__HEDDLE_FUNCTOR2(less_equal, bool, a <= b)
__HEDDLE_FUNCTOR2(greater_equal, bool, a >= b)
__HEDDLE_FUNCTOR2(equal_to, bool, a == b)
__HEDDLE_FUNCTOR2(not_equal_to, bool, a != b)
__HEDDLE_FUNCTOR2(logical_and, bool, a &&b)
__HEDDLE_FUNCTOR2(logical_or, bool, a || b)
#undef __HEDDLE_FUNCTOR2
#define __HEDDLE_FUNCTOR1(name, expression)                                    \
  template <typename T = void> struct name {                                   \
    typedef T argument_type;                                                   \
    typedef T result_type;                                                     \
    __HEDDLE_THRUST T operator()(const T &a) const { return expression; }      \
  };                                                                           \
  template <> struct name<void> {                                              \
    template <typename A> __HEDDLE_THRUST A operator()(const A &a) const {     \
      return expression;                                                       \
    }                                                                          \
  };
__HEDDLE_FUNCTOR1(negate, -a)
__HEDDLE_FUNCTOR1(square, a *a)
__HEDDLE_FUNCTOR1(identity, a)
__HEDDLE_FUNCTOR1(logical_not, !a)
#undef __HEDDLE_FUNCTOR1

} // namespace thrust

#endif
