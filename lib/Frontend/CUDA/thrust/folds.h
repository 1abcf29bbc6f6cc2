// Thrust's algorithms that make one value of many, or look for something, in
// programs.

#ifndef HEDDLE_CUDA_THRUST_FOLDS_H
#define HEDDLE_CUDA_THRUST_FOLDS_H

#include "copies.h"

namespace heddle_thrust {

// --- reductions --------------------------------------------------------------
template <typename W, typename I, typename T, typename O>
T reduce(W where, I f, I l, T v, O op) {
  return where.fold(l - f, v, __HEDDLE_EACH { return T(f[i]); }, op);
}
template <typename W, typename I, typename T> T reduce(W where, I f, I l, T v) {
  return reduce(where, f, l, v, thrust::plus<>());
}
template <typename W, typename I> Value<I> reduce(W where, I f, I l) {
  return reduce(where, f, l, Value<I>());
}
template <typename W, typename I, typename F, typename T, typename O>
T transform_reduce(W where, I f, I l, F map, T v, O op) {
  return where.fold(l - f, v, __HEDDLE_EACH { return T(map(f[i])); }, op);
}
template <typename W, typename I, typename J, typename T, typename P,
          typename M>
T inner_product(W where, I f, I l, J g, T v, P plus, M times) {
  return where.fold(
      l - f, v, __HEDDLE_EACH { return T(times(f[i], g[i])); }, plus);
}
template <typename W, typename I, typename J, typename T>
T inner_product(W where, I f, I l, J g, T v) {
  return inner_product(where, f, l, g, v, thrust::plus<>(),
                       thrust::multiplies<>());
}
template <typename W, typename I, typename P>
::std::ptrdiff_t count_if(W where, I f, I l, P holds) {
  return where.fold(
      l - f, ::std::ptrdiff_t(0),
      __HEDDLE_EACH { return ::std::ptrdiff_t(holds(f[i]) ? 1 : 0); },
      thrust::plus<>());
}
template <typename W, typename I, typename T>
::std::ptrdiff_t count(W where, I f, I l, T v) {
  return where.fold(
      l - f, ::std::ptrdiff_t(0),
      __HEDDLE_EACH { return ::std::ptrdiff_t(f[i] == v ? 1 : 0); },
      thrust::plus<>());
}

// --- the first that ... ------------------------------------------------------
/// Of \p n the first for which \p holds, else n.
template <typename W, typename P>
long long firstOf(W where, long long n, P holds) {
  return where.fold(
      n, n, __HEDDLE_EACH { return holds(i) ? i : n; },
      thrust::minimum<long long>());
}
template <typename W, typename I, typename P>
I find_if(W where, I f, I l, P holds) {
  return f + firstOf(where, l - f, __HEDDLE_EACH { return bool(holds(f[i])); });
}
template <typename W, typename I, typename P>
I find_if_not(W where, I f, I l, P holds) {
  return f + firstOf(where, l - f, __HEDDLE_EACH { return !holds(f[i]); });
}
template <typename W, typename I, typename T> I find(W where, I f, I l, T v) {
  return f + firstOf(where, l - f, __HEDDLE_EACH { return f[i] == v; });
}
template <typename W, typename I, typename P>
bool any_of(W where, I f, I l, P holds) {
  return find_if(where, f, l, holds) != l;
}
template <typename W, typename I, typename P>
bool all_of(W where, I f, I l, P holds) {
  return find_if_not(where, f, l, holds) == l;
}
template <typename W, typename I, typename P>
bool none_of(W where, I f, I l, P holds) {
  return !any_of(where, f, l, holds);
}
template <typename W, typename I, typename J, typename E>
thrust::pair<I, J> mismatch(W where, I f, I l, J g, E same) {
  const long long n =
      firstOf(where, l - f, __HEDDLE_EACH { return !same(f[i], g[i]); });
  return {f + n, g + n};
}
template <typename W, typename I, typename J>
thrust::pair<I, J> mismatch(W where, I f, I l, J g) {
  return mismatch(where, f, l, g, thrust::equal_to<>());
}
template <typename W, typename I, typename J, typename... E>
bool equal(W where, I f, I l, J g, E... same) {
  return mismatch(where, f, l, g, same...).first == l;
}
template <typename W, typename I, typename C>
I is_sorted_until(W where, I f, I l, C less) {
  const long long n = l - f;
  if (n < 2)
    return l;
  return f + 1 +
         firstOf(where, n - 1, __HEDDLE_EACH { return less(f[i + 1], f[i]); });
}
template <typename W, typename I> I is_sorted_until(W where, I f, I l) {
  return is_sorted_until(where, f, l, thrust::less<>());
}
template <typename W, typename I, typename... C>
bool is_sorted(W where, I f, I l, C... less) {
  return is_sorted_until(where, f, l, less...) == l;
}

/// Of two places the one whose element is less, else the first.
template <typename I, typename C, bool Greatest> struct Extreme {
  I in;
  C less;
  __HEDDLE_HD long long operator()(long long a, long long b) {
    const Value<I> x = in[a], y = in[b];
    if (Greatest ? less(y, x) : less(x, y))
      return a;
    if (Greatest ? less(x, y) : less(y, x))
      return b;
    return a < b ? a : b;
  }
};
template <typename W, typename I, typename C>
I min_element(W where, I f, I l, C less) {
  return f + where.fold(
                 l - f, 0LL, __HEDDLE_EACH { return i; },
                 Extreme<I, C, false>{f, less});
}
template <typename W, typename I> I min_element(W where, I f, I l) {
  return min_element(where, f, l, thrust::less<>());
}
template <typename W, typename I, typename C>
I max_element(W where, I f, I l, C less) {
  return f + where.fold(
                 l - f, 0LL, __HEDDLE_EACH { return i; },
                 Extreme<I, C, true>{f, less});
}
template <typename W, typename I> I max_element(W where, I f, I l) {
  return max_element(where, f, l, thrust::less<>());
}
template <typename W, typename I, typename... C>
thrust::pair<I, I> minmax_element(W where, I f, I l, C... less) {
  return {min_element(where, f, l, less...), max_element(where, f, l, less...)};
}

// --- searches in what is sorted ----------------------------------------------
/// Of one value, by one thread.
template <typename W, typename I, typename T, typename C>
I bound(W where, I f, I l, T v, bool behind, C less) {
  const long long n = l - f;
  Temporary<long long, W> at(where, 1);
  long long *to = at;
  where.run(1, __HEDDLE_EACH { to[i] = rankOf(v, f, n, behind, less); });
  return f + where.get(to);
}
/// Of many values.
template <typename W, typename I, typename J, typename O, typename C>
O bounds(W where, I f, I l, J g, J m, O out, bool behind, C less) {
  typedef Value<J> T;
  const long long n = l - f;
  where.run(
      m - g, __HEDDLE_EACH { out[i] = rankOf(T(g[i]), f, n, behind, less); });
  return out + (m - g);
}
#define __HEDDLE_BOUND(name, behind)                                           \
  template <typename W, typename I, typename T>                                \
  I name(W where, I f, I l, T v) {                                             \
    return bound(where, f, l, v, behind, thrust::less<>());                    \
  }                                                                            \
  template <typename W, typename I, typename T, typename C>                    \
  I name(W where, I f, I l, T v, C less) {                                     \
    return bound(where, f, l, v, behind, less);                                \
  }                                                                            \
  template <typename W, typename I, typename J, typename O>                    \
  O name(W where, I f, I l, J g, J m, O out) {                                 \
    return bounds(where, f, l, g, m, out, behind, thrust::less<>());           \
  }                                                                            \
  template <typename W, typename I, typename J, typename O, typename C>        \
  O name(W where, I f, I l, J g, J m, O out, C less) {                         \
    return bounds(where, f, l, g, m, out, behind, less);                       \
  }
__HEDDLE_BOUND(lower_bound, false)
__HEDDLE_BOUND(upper_bound, true)
#undef __HEDDLE_BOUND
template <typename W, typename I, typename T, typename... C>
thrust::pair<I, I> equal_range(W where, I f, I l, T v, C... less) {
  return {lower_bound(where, f, l, v, less...),
          upper_bound(where, f, l, v, less...)};
}
template <typename W, typename I, typename T>
bool binary_search(W where, I f, I l, T v) {
  return lower_bound(where, f, l, v) != upper_bound(where, f, l, v);
}
template <typename W, typename I, typename T, typename C>
bool binary_search(W where, I f, I l, T v, C less) {
  return lower_bound(where, f, l, v, less) != upper_bound(where, f, l, v, less);
}
template <typename W, typename I, typename J, typename O, typename C>
O binary_search(W where, I f, I l, J g, J m, O out, C less) {
  typedef Value<J> T;
  const long long n = l - f;
  where.run(
      m - g, __HEDDLE_EACH {
        const T v = g[i];
        out[i] = rankOf(v, f, n, true, less) != rankOf(v, f, n, false, less);
      });
  return out + (m - g);
}
template <typename W, typename I, typename J, typename O>
O binary_search(W where, I f, I l, J g, J m, O out) {
  return binary_search(where, f, l, g, m, out, thrust::less<>());
}

} // namespace heddle_thrust

#endif
