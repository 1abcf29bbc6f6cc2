// Thrust's algorithms in device code that look for something or take it out;
// device_algorithms.h has the rest.

#ifndef HEDDLE_CUDA_THRUST_DEVICE_SEARCHES_H
#define HEDDLE_CUDA_THRUST_DEVICE_SEARCHES_H

#include "device_sequences.h"

namespace __HEDDLE_IN_ORDER {

template <typename I, typename P> __HEDDLE_SEQ long count_if(I f, I l, P p) {
  long n = 0;
  for (; f != l; ++f)
    n += p(*f) ? 1 : 0;
  return n;
}
template <typename I, typename T>
__HEDDLE_SEQ long count(I f, I l, const T &v) {
  long n = 0;
  for (; f != l; ++f)
    n += *f == v;
  return n;
}
template <typename I, typename P> __HEDDLE_SEQ I find_if(I f, I l, P p) {
  while (f != l && !p(*f))
    ++f;
  return f;
}
template <typename I, typename T> __HEDDLE_SEQ I find(I f, I l, const T &v) {
  while (f != l && !(*f == v))
    ++f;
  return f;
}
template <typename I, typename P> __HEDDLE_SEQ bool any_of(I f, I l, P p) {
  return find_if(f, l, p) != l;
}
template <typename I, typename P> __HEDDLE_SEQ bool all_of(I f, I l, P p) {
  for (; f != l; ++f)
    if (!p(*f))
      return false;
  return true;
}
template <typename I, typename P> __HEDDLE_SEQ bool none_of(I f, I l, P p) {
  return !any_of(f, l, p);
}
template <typename I, typename J> __HEDDLE_SEQ bool equal(I f, I l, J g) {
  for (; f != l; ++f, ++g)
    if (!(*f == *g))
      return false;
  return true;
}
template <typename I, typename T, typename C>
__HEDDLE_SEQ I lower_bound(I f, I l, const T &v, C less) {
  for (long n = l - f; n > 0;) {
    long half = n / 2;
    if (less(f[half], v)) {
      f = f + (half + 1);
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return f;
}
template <typename I, typename T>
__HEDDLE_SEQ I lower_bound(I f, I l, const T &v) {
  return lower_bound(f, l, v, __heddle_seq::less());
}
template <typename I, typename T, typename C>
__HEDDLE_SEQ I upper_bound(I f, I l, const T &v, C less) {
  for (long n = l - f; n > 0;) {
    long half = n / 2;
    if (!less(v, f[half])) {
      f = f + (half + 1);
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return f;
}
template <typename I, typename T>
__HEDDLE_SEQ I upper_bound(I f, I l, const T &v) {
  return upper_bound(f, l, v, __heddle_seq::less());
}
template <typename I, typename T>
__HEDDLE_SEQ bool binary_search(I f, I l, const T &v) {
  f = lower_bound(f, l, v);
  return f != l && !(v < *f);
}
template <typename I, typename C> __HEDDLE_SEQ I max_element(I f, I l, C less) {
  I best = f;
  for (; f != l; ++f)
    if (less(*best, *f))
      best = f;
  return best;
}
template <typename I> __HEDDLE_SEQ I max_element(I f, I l) {
  return max_element(f, l, __heddle_seq::less());
}
template <typename I, typename C> __HEDDLE_SEQ I min_element(I f, I l, C less) {
  I best = f;
  for (; f != l; ++f)
    if (less(*f, *best))
      best = f;
  return best;
}
template <typename I> __HEDDLE_SEQ I min_element(I f, I l) {
  return min_element(f, l, __heddle_seq::less());
}
template <typename I> __HEDDLE_SEQ void reverse(I f, I l) {
  for (long i = 0, n = l - f; i < n / 2; ++i) {
    __HEDDLE_VALUE(I) v = f[i];
    f[i] = f[n - 1 - i];
    f[n - 1 - i] = v;
  }
}
template <typename I, typename P> __HEDDLE_SEQ I remove_if(I f, I l, P p) {
  I to = f;
  for (; f != l; ++f)
    if (!p(*f)) {
      *to = *f;
      ++to;
    }
  return to;
}
template <typename I, typename T> __HEDDLE_SEQ I remove(I f, I l, const T &v) {
  I to = f;
  for (; f != l; ++f)
    if (!(*f == v)) {
      *to = *f;
      ++to;
    }
  return to;
}
template <typename I, typename T>
__HEDDLE_SEQ void replace(I f, I l, const T &from, const T &to) {
  for (; f != l; ++f)
    if (*f == from)
      *f = to;
}
template <typename I> __HEDDLE_SEQ I unique(I f, I l) {
  if (f == l)
    return l;
  I to = f;
  for (++f; f != l; ++f)
    if (!(*to == *f)) {
      ++to;
      *to = *f;
    }
  ++to;
  return to;
}
template <typename M, typename I, typename O>
__HEDDLE_SEQ O gather(M f, M l, I from, O to) {
  for (; f != l; ++f, ++to)
    *to = from[*f];
  return to;
}
template <typename I, typename M, typename O>
__HEDDLE_SEQ void scatter(I f, I l, M at, O to) {
  for (; f != l; ++f, ++at)
    to[*at] = *f;
}
template <typename I, typename J, typename O>
__HEDDLE_SEQ O merge(I f, I l, J g, J m, O to) {
  for (; f != l || g != m; ++to)
    if (g == m || (f != l && !(*g < *f))) {
      *to = *f;
      ++f;
    } else {
      *to = *g;
      ++g;
    }
  return to;
}
#ifndef __HEDDLE_PROGRAM
template <typename I> __HEDDLE_SEQ long distance(I f, I l) { return l - f; }
template <typename I, typename N> __HEDDLE_SEQ void advance(I &f, N n) {
  f = f + n;
}
#endif

} // namespace __HEDDLE_IN_ORDER

#endif
