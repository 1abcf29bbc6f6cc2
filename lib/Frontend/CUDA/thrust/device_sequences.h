// Thrust's algorithms in device code: one thread does them in order, which is
// what thrust::seq says, and what thrust::device does inside a kernel. Those
// that look for something are in device_searches.h.

#ifndef HEDDLE_CUDA_THRUST_DEVICE_SEQUENCES_H
#define HEDDLE_CUDA_THRUST_DEVICE_SEQUENCES_H

#include "containers.h"

#include <type_traits>

namespace thrust {

#define __HEDDLE_SEQ __attribute__((device)) inline
#define __HEDDLE_VALUE(I)                                                      \
  ::std::remove_cv_t<                                                          \
      ::std::remove_reference_t<decltype(*__heddle_seq::make<I>())>>

namespace __heddle_seq {
template <typename T> __attribute__((host, device)) T make();
struct less {
  template <typename A, typename B>
  __HEDDLE_SEQ bool operator()(const A &a, const B &b) const {
    return a < b;
  }
};
struct equal {
  template <typename A, typename B>
  __HEDDLE_SEQ bool operator()(const A &a, const B &b) const {
    return a == b;
  }
};
struct add {
  template <typename A, typename B>
  __HEDDLE_SEQ auto operator()(const A &a, const B &b) const {
    return a + b;
  }
};
/// Insertion keeps the order of equal elements.
template <typename I, typename C> __HEDDLE_SEQ void insert(I f, I l, C less) {
  for (long i = 1; i < l - f; ++i) {
    __HEDDLE_VALUE(I) v = f[i];
    long j = i;
    for (; j > 0 && less(v, f[j - 1]); --j)
      f[j] = f[j - 1];
    f[j] = v;
  }
}
template <typename I, typename C>
__HEDDLE_SEQ void sift(I f, long at, long n, C less) {
  for (long child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && less(f[child], f[child + 1]))
      ++child;
    if (!less(f[at], f[child]))
      return;
    __HEDDLE_VALUE(I) v = f[at];
    f[at] = f[child];
    f[child] = v;
  }
}
template <typename I, typename C> __HEDDLE_SEQ void heap(I f, I l, C less) {
  long n = l - f;
  for (long i = n / 2 - 1; i >= 0; --i)
    sift(f, i, n, less);
  for (long i = n - 1; i > 0; --i) {
    __HEDDLE_VALUE(I) v = f[0];
    f[0] = f[i];
    f[i] = v;
    sift(f, 0, i, less);
  }
}
} // namespace __heddle_seq
} // namespace thrust

// Programs that run call these with a policy only: lambdas of the host may run
// on either side for Clang, which would take these instead of launches.
#ifdef __HEDDLE_PROGRAM
#define __HEDDLE_IN_ORDER thrust::in_order
#else
#define __HEDDLE_IN_ORDER thrust
#endif
namespace __HEDDLE_IN_ORDER {

template <typename I, typename C> __HEDDLE_SEQ void sort(I f, I l, C less) {
  __heddle_seq::heap(f, l, less);
}
template <typename I> __HEDDLE_SEQ void sort(I f, I l) {
  __heddle_seq::heap(f, l, __heddle_seq::less());
}
template <typename I, typename C>
__HEDDLE_SEQ void stable_sort(I f, I l, C less) {
  __heddle_seq::insert(f, l, less);
}
template <typename I> __HEDDLE_SEQ void stable_sort(I f, I l) {
  __heddle_seq::insert(f, l, __heddle_seq::less());
}
template <typename I, typename V, typename C>
__HEDDLE_SEQ void sort_by_key(I f, I l, V values, C less) {
  for (long i = 1; i < l - f; ++i) {
    __HEDDLE_VALUE(I) k = f[i];
    __HEDDLE_VALUE(V) v = values[i];
    long j = i;
    for (; j > 0 && less(k, f[j - 1]); --j) {
      f[j] = f[j - 1];
      values[j] = values[j - 1];
    }
    f[j] = k;
    values[j] = v;
  }
}
template <typename I, typename V>
__HEDDLE_SEQ void sort_by_key(I f, I l, V values) {
  sort_by_key(f, l, values, __heddle_seq::less());
}
template <typename I, typename V, typename... C>
__HEDDLE_SEQ void stable_sort_by_key(I f, I l, V values, C... less) {
  sort_by_key(f, l, values, less...);
}

template <typename I, typename T, typename O>
__HEDDLE_SEQ T reduce(I f, I l, T v, O op) {
  for (; f != l; ++f)
    v = op(v, *f);
  return v;
}
template <typename I, typename T> __HEDDLE_SEQ T reduce(I f, I l, T v) {
  return reduce(f, l, v, __heddle_seq::add());
}
template <typename I> __HEDDLE_SEQ auto reduce(I f, I l) {
  return reduce(f, l, __HEDDLE_VALUE(I)());
}
template <typename I, typename F, typename T, typename O>
__HEDDLE_SEQ T transform_reduce(I f, I l, F map, T v, O op) {
  for (; f != l; ++f)
    v = op(v, map(*f));
  return v;
}
template <typename I, typename J, typename T>
__HEDDLE_SEQ T inner_product(I f, I l, J g, T v) {
  for (; f != l; ++f, ++g)
    v = v + *f * *g;
  return v;
}
template <typename I, typename F> __HEDDLE_SEQ I for_each(I f, I l, F call) {
  for (; f != l; ++f)
    call(*f);
  return f;
}
template <typename I, typename N, typename F>
__HEDDLE_SEQ I for_each_n(I f, N n, F call) {
  for (; n > 0; --n, ++f)
    call(*f);
  return f;
}
template <typename I, typename O, typename F>
__HEDDLE_SEQ O transform(I f, I l, O to, F map) {
  for (; f != l; ++f, ++to)
    *to = map(*f);
  return to;
}
template <typename I, typename J, typename O, typename F>
__HEDDLE_SEQ O transform(I f, I l, J g, O to, F map) {
  for (; f != l; ++f, ++g, ++to)
    *to = map(*f, *g);
  return to;
}
template <typename I, typename O, typename P>
__HEDDLE_SEQ O inclusive_scan(I f, I l, O to, P op) {
  if (f == l)
    return to;
  __HEDDLE_VALUE(I) v = *f;
  *to = v;
  for (++f, ++to; f != l; ++f, ++to)
    *to = v = op(v, *f);
  return to;
}
template <typename I, typename O>
__HEDDLE_SEQ O inclusive_scan(I f, I l, O to) {
  return inclusive_scan(f, l, to, __heddle_seq::add());
}
template <typename I, typename O, typename T, typename P>
__HEDDLE_SEQ O exclusive_scan(I f, I l, O to, T v, P op) {
  for (; f != l; ++f, ++to) {
    T next = op(v, *f); // the output may be the input
    *to = v;
    v = next;
  }
  return to;
}
template <typename I, typename O, typename T>
__HEDDLE_SEQ O exclusive_scan(I f, I l, O to, T v) {
  return exclusive_scan(f, l, to, v, __heddle_seq::add());
}
template <typename I, typename O>
__HEDDLE_SEQ O exclusive_scan(I f, I l, O to) {
  return exclusive_scan(f, l, to, __HEDDLE_VALUE(I)());
}
template <typename I, typename O> __HEDDLE_SEQ O copy(I f, I l, O to) {
  for (; f != l; ++f, ++to)
    *to = *f;
  return to;
}
template <typename I, typename N, typename O>
__HEDDLE_SEQ O copy_n(I f, N n, O to) {
  for (; n > 0; --n, ++f, ++to)
    *to = *f;
  return to;
}
template <typename I, typename O, typename P>
__HEDDLE_SEQ O copy_if(I f, I l, O to, P holds) {
  for (; f != l; ++f)
    if (holds(*f)) {
      *to = *f;
      ++to;
    }
  return to;
}
template <typename I, typename T> __HEDDLE_SEQ void fill(I f, I l, const T &v) {
  for (; f != l; ++f)
    *f = v;
}
template <typename I, typename N, typename T>
__HEDDLE_SEQ I fill_n(I f, N n, const T &v) {
  for (; n > 0; --n, ++f)
    *f = v;
  return f;
}
template <typename I, typename T>
__HEDDLE_SEQ void sequence(I f, I l, T v, T step) {
  for (; f != l; ++f, v = v + step)
    *f = v;
}
template <typename I, typename T> __HEDDLE_SEQ void sequence(I f, I l, T v) {
  sequence(f, l, v, T(1));
}
template <typename I> __HEDDLE_SEQ void sequence(I f, I l) {
  sequence(f, l, __HEDDLE_VALUE(I)());
}

} // namespace __HEDDLE_IN_ORDER

#endif
