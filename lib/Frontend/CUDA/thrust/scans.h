// Thrust's scans in programs.

#ifndef HEDDLE_CUDA_THRUST_SCANS_H
#define HEDDLE_CUDA_THRUST_SCANS_H

#include "folds.h"

namespace heddle_thrust {

template <typename T, typename W, typename I, typename O, typename F,
          typename P>
O scanOf(W where, I f, long long n, O out, F map, P op, Start<T> start) {
  where.scan(
      n, __HEDDLE_EACH { return T(map(f[i])); },
      [=] __HEDDLE_HD(long long i, T v) mutable { out[i] = v; }, op, start);
  return out + n;
}
template <typename W, typename I, typename O, typename P>
O inclusive_scan(W where, I f, I l, O out, P op) {
  typedef Value<I> T;
  return scanOf(where, f, l - f, out, thrust::identity<>(), op,
                Start<T>{false, false, T()});
}
template <typename W, typename I, typename O>
O inclusive_scan(W where, I f, I l, O out) {
  return inclusive_scan(where, f, l, out, thrust::plus<>());
}
template <typename W, typename I, typename O, typename T, typename P>
O inclusive_scan(W where, I f, I l, O out, T v, P op) {
  return scanOf(where, f, l - f, out, thrust::identity<>(), op,
                Start<T>{false, true, v});
}
template <typename W, typename I, typename O, typename T, typename P>
O exclusive_scan(W where, I f, I l, O out, T v, P op) {
  return scanOf(where, f, l - f, out, thrust::identity<>(), op,
                Start<T>{true, true, v});
}
template <typename W, typename I, typename O, typename T>
O exclusive_scan(W where, I f, I l, O out, T v) {
  return exclusive_scan(where, f, l, out, v, thrust::plus<>());
}
template <typename W, typename I, typename O>
O exclusive_scan(W where, I f, I l, O out) {
  return exclusive_scan(where, f, l, out, Value<I>());
}
template <typename W, typename I, typename O, typename F, typename P>
O transform_inclusive_scan(W where, I f, I l, O out, F map, P op) {
  typedef typename Result<F, Value<I>>::type T;
  return scanOf(where, f, l - f, out, map, op, Start<T>{false, false, T()});
}
template <typename W, typename I, typename O, typename F, typename T,
          typename P>
O transform_exclusive_scan(W where, I f, I l, O out, F map, T v, P op) {
  return scanOf(where, f, l - f, out, map, op, Start<T>{true, true, v});
}

/// A value, and whether a run of equal keys begins with it.
template <typename T> struct Marked {
  T v;
  bool head;
};
template <typename P> struct WithinRun {
  P op;
  template <typename T>
  __HEDDLE_HD Marked<T> operator()(const Marked<T> &a, const Marked<T> &b) {
    return {b.head ? b.v : T(op(a.v, b.v)), a.head || b.head};
  }
};
/// Scans \p load within runs of keys, into memory that holds no input.
template <typename T, typename W, typename I, typename L, typename E,
          typename P>
void scanRuns(W where, I keys, long long n, L load, T *to, E same, P op) {
  where.scan(
      n,
      __HEDDLE_EACH {
        const bool head = i == 0 || !same(keys[i - 1], keys[i]);
        return Marked<T>{T(load(i, head)), head};
      },
      [=] __HEDDLE_HD(long long i, Marked<T> v) { to[i] = v.v; },
      WithinRun<P>{op}, Start<Marked<T>>{false, false, Marked<T>()});
}
template <typename W, typename I, typename J, typename O, typename E,
          typename P>
O inclusive_scan_by_key(W where, I f, I l, J values, O out, E same, P op) {
  typedef Value<J> T;
  Temporary<T, W> sums(where, l - f);
  T *to = sums;
  scanRuns(
      where, f, l - f,
      [=] __HEDDLE_HD(long long i, bool) mutable { return values[i]; }, to,
      same, op);
  return copy(where, to, to + (l - f), out);
}
template <typename W, typename I, typename J, typename O>
O inclusive_scan_by_key(W where, I f, I l, J values, O out) {
  return inclusive_scan_by_key(where, f, l, values, out, thrust::equal_to<>(),
                               thrust::plus<>());
}
template <typename W, typename I, typename J, typename O, typename E>
O inclusive_scan_by_key(W where, I f, I l, J values, O out, E same) {
  return inclusive_scan_by_key(where, f, l, values, out, same,
                               thrust::plus<>());
}
template <typename W, typename I, typename J, typename O, typename T,
          typename E, typename P>
O exclusive_scan_by_key(W where, I f, I l, J values, O out, T v, E same, P op) {
  Temporary<T, W> sums(where, l - f);
  T *to = sums;
  scanRuns(
      where, f, l - f,
      [=] __HEDDLE_HD(long long i, bool head) mutable {
        return head ? v : T(values[i - 1]);
      },
      to, same, op);
  return copy(where, to, to + (l - f), out);
}
template <typename W, typename I, typename J, typename O, typename T>
O exclusive_scan_by_key(W where, I f, I l, J values, O out, T v) {
  return exclusive_scan_by_key(where, f, l, values, out, v,
                               thrust::equal_to<>(), thrust::plus<>());
}
template <typename W, typename I, typename J, typename O>
O exclusive_scan_by_key(W where, I f, I l, J values, O out) {
  return exclusive_scan_by_key(where, f, l, values, out, Value<J>(0));
}

} // namespace heddle_thrust

#endif
