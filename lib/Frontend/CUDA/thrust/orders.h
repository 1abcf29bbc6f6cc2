// Thrust's sorts, algorithms that leave something out, and operations on sets,
// in programs.

#ifndef HEDDLE_CUDA_THRUST_ORDERS_H
#define HEDDLE_CUDA_THRUST_ORDERS_H

#include "scans.h"

namespace heddle_thrust {

// --- sorts -------------------------------------------------------------------
/// Elements in memory that a sort can work in: their own, or a copy.
template <typename W, typename I> class Packed {
  typedef Value<I> T;
  W where;
  I f;
  long long n;
  Temporary<T, W> copied;

public:
  T *at;
  Packed(W where, I f, long long n)
      : where(where), f(f), n(n), copied(where, Memory<I>::is ? 0 : n) {
    if constexpr (Memory<I>::is) {
      at = Memory<I>::of(f);
    } else {
      at = copied;
      copy(where, f, f + n, at);
    }
  }
  void store() const {
    if constexpr (!Memory<I>::is)
      copy(where, at, at + n, f);
  }
};
template <typename W, typename I, typename C>
void stable_sort(W where, I f, I l, C less) {
  Packed<W, I> keys(where, f, l - f);
  where.sort(l - f, keys.at, (None *)nullptr, less);
  keys.store();
}
template <typename W, typename I> void stable_sort(W where, I f, I l) {
  stable_sort(where, f, l, thrust::less<>());
}
template <typename W, typename I, typename V, typename C>
void stable_sort_by_key(W where, I f, I l, V values, C less) {
  Packed<W, I> keys(where, f, l - f);
  Packed<W, V> along(where, values, l - f);
  where.sort(l - f, keys.at, along.at, less);
  keys.store();
  along.store();
}
template <typename W, typename I, typename V>
void stable_sort_by_key(W where, I f, I l, V values) {
  stable_sort_by_key(where, f, l, values, thrust::less<>());
}
template <typename W, typename I, typename... C>
void sort(W where, I f, I l, C... less) {
  stable_sort(where, f, l, less...);
}
template <typename W, typename I, typename V, typename... C>
void sort_by_key(W where, I f, I l, V values, C... less) {
  stable_sort_by_key(where, f, l, values, less...);
}

// --- what is left ------------------------------------------------------------
/// Calls \p move with each index that is kept and its place among those, \p
/// drop with each other one and its place among those, and \p put with how many
/// are kept.
template <typename W, typename K, typename M, typename D, typename P>
void separateTo(W where, long long n, K keep, M move, D drop, P put) {
  if (n <= 0) {
    where.run(1, __HEDDLE_EACH { put(i); });
    return;
  }
  Temporary<long long, W> places(where, n);
  long long *at = places;
  where.scan(
      n, __HEDDLE_EACH { return (long long)(keep(i) ? 1 : 0); },
      [=] __HEDDLE_HD(long long i, long long v) { at[i] = v; },
      thrust::plus<long long>(), Start<long long>{false, false, 0});
  where.run(
      n, __HEDDLE_EACH {
        if (at[i] != (i ? at[i - 1] : 0))
          move(i, at[i] - 1);
        else
          drop(i, i - at[i]);
        if (i == n - 1)
          put(at[i]);
      });
}
/// Nothing is done with what is dropped.
struct Forget {
  __HEDDLE_HD void operator()(long long, long long) const {}
};
template <typename W, typename K, typename M, typename D>
long long separate(W where, long long n, K keep, M move, D drop) {
  Temporary<long long, W> count(where, 1);
  long long *to = count;
  separateTo(where, n, keep, move, drop,
             [=] __HEDDLE_HD(long long v) { *to = v; });
  return where.get(to);
}
template <typename W, typename K, typename M>
long long select(W where, long long n, K keep, M move) {
  return separate(where, n, keep, move, Forget());
}
#define __HEDDLE_MOVE [=] __HEDDLE_HD(long long i, long long to) mutable

template <typename W, typename I, typename S, typename O, typename P>
O copy_if(W where, I f, I l, S stencil, O out, P holds) {
  return out + select(
                   where, l - f,
                   __HEDDLE_EACH { return bool(holds(stencil[i])); },
                   __HEDDLE_MOVE { out[to] = f[i]; });
}
template <typename W, typename I, typename O, typename P>
O copy_if(W where, I f, I l, O out, P holds) {
  return copy_if(where, f, l, f, out, holds);
}
template <typename W, typename I, typename S, typename O, typename P>
O remove_copy_if(W where, I f, I l, S stencil, O out, P holds) {
  return out + select(
                   where, l - f, __HEDDLE_EACH { return !holds(stencil[i]); },
                   __HEDDLE_MOVE { out[to] = f[i]; });
}
template <typename W, typename I, typename O, typename P>
O remove_copy_if(W where, I f, I l, O out, P holds) {
  return remove_copy_if(where, f, l, f, out, holds);
}
/// In place: through memory that threads do not read meanwhile.
template <typename W, typename I, typename K>
I keepOnly(W where, I f, I l, K keep) {
  typedef Value<I> T;
  Temporary<T, W> kept(where, l - f);
  T *made = kept;
  const long long n =
      select(where, l - f, keep, __HEDDLE_MOVE { made[to] = f[i]; });
  return copy(where, made, made + n, f);
}
template <typename W, typename I, typename S, typename P>
I remove_if(W where, I f, I l, S stencil, P holds) {
  return keepOnly(where, f, l, __HEDDLE_EACH { return !holds(stencil[i]); });
}
template <typename W, typename I, typename P>
I remove_if(W where, I f, I l, P holds) {
  return remove_if(where, f, l, f, holds);
}
template <typename W, typename I, typename T> I remove(W where, I f, I l, T v) {
  return keepOnly(where, f, l, __HEDDLE_EACH { return !(f[i] == v); });
}
template <typename W, typename I, typename E>
I unique(W where, I f, I l, E same) {
  return keepOnly(
      where, f, l, __HEDDLE_EACH { return i == 0 || !same(f[i - 1], f[i]); });
}
template <typename W, typename I> I unique(W where, I f, I l) {
  return unique(where, f, l, thrust::equal_to<>());
}
template <typename W, typename I, typename O, typename E>
O unique_copy(W where, I f, I l, O out, E same) {
  return out + select(
                   where, l - f,
                   __HEDDLE_EACH { return i == 0 || !same(f[i - 1], f[i]); },
                   __HEDDLE_MOVE { out[to] = f[i]; });
}
template <typename W, typename I, typename O>
O unique_copy(W where, I f, I l, O out) {
  return unique_copy(where, f, l, out, thrust::equal_to<>());
}
template <typename W, typename I, typename V, typename E>
thrust::pair<I, V> unique_by_key(W where, I f, I l, V values, E same) {
  typedef Value<I> K;
  typedef Value<V> T;
  Temporary<K, W> keys(where, l - f);
  Temporary<T, W> along(where, l - f);
  K *toKeys = keys;
  T *toValues = along;
  const long long n = select(
      where, l - f, __HEDDLE_EACH { return i == 0 || !same(f[i - 1], f[i]); },
      __HEDDLE_MOVE {
        toKeys[to] = f[i];
        toValues[to] = values[i];
      });
  return {copy(where, toKeys, toKeys + n, f),
          copy(where, toValues, toValues + n, values)};
}
template <typename W, typename I, typename V>
thrust::pair<I, V> unique_by_key(W where, I f, I l, V values) {
  return unique_by_key(where, f, l, values, thrust::equal_to<>());
}
template <typename W, typename I, typename S, typename P>
I stable_partition(W where, I f, I l, S stencil, P holds) {
  typedef Value<I> T;
  const long long n = l - f;
  Temporary<T, W> first(where, n), second(where, n);
  T *yes = first, *no = second;
  const long long kept = separate(
      where, n, __HEDDLE_EACH { return bool(holds(stencil[i])); },
      __HEDDLE_MOVE { yes[to] = f[i]; }, __HEDDLE_MOVE { no[to] = f[i]; });
  copy(where, yes, yes + kept, f);
  copy(where, no, no + (n - kept), f + kept);
  return f + kept;
}
template <typename W, typename I, typename P>
I stable_partition(W where, I f, I l, P holds) {
  return stable_partition(where, f, l, f, holds);
}
template <typename W, typename I, typename... P>
I partition(W where, I f, I l, P... holds) {
  return stable_partition(where, f, l, holds...);
}
template <typename W, typename I, typename O, typename Q, typename P>
thrust::pair<O, Q> partition_copy(W where, I f, I l, O yes, Q no, P holds) {
  const long long kept = separate(
      where, l - f, __HEDDLE_EACH { return bool(holds(f[i])); },
      __HEDDLE_MOVE { yes[to] = f[i]; }, __HEDDLE_MOVE { no[to] = f[i]; });
  return {yes + kept, no + ((l - f) - kept)};
}

/// One key and one sum for each run of equal keys, and how many to \p put.
template <typename W, typename I, typename V, typename O, typename Q,
          typename E, typename P, typename R>
void reduceRuns(W where, I f, long long n, V values, O outKeys, Q outValues,
                E same, P op, R put) {
  typedef Value<V> T;
  Temporary<T, W> all(where, n);
  T *sums = all;
  scanRuns(
      where, f, n,
      [=] __HEDDLE_HD(long long i, bool) mutable { return values[i]; }, sums,
      same, op);
  separateTo(
      where, n, __HEDDLE_EACH { return i == n - 1 || !same(f[i], f[i + 1]); },
      __HEDDLE_MOVE {
        outKeys[to] = f[i];
        outValues[to] = sums[i];
      },
      Forget(), put);
}
template <typename W, typename I, typename V, typename O, typename Q,
          typename E, typename P>
thrust::pair<O, Q> reduce_by_key(W where, I f, I l, V values, O outKeys,
                                 Q outValues, E same, P op) {
  Temporary<long long, W> count(where, 1);
  long long *to = count;
  reduceRuns(where, f, l - f, values, outKeys, outValues, same, op,
             [=] __HEDDLE_HD(long long v) { *to = v; });
  const long long runs = where.get(to);
  return {outKeys + runs, outValues + runs};
}
template <typename W, typename I, typename V, typename O, typename Q,
          typename E>
thrust::pair<O, Q> reduce_by_key(W where, I f, I l, V values, O outKeys,
                                 Q outValues, E same) {
  return reduce_by_key(where, f, l, values, outKeys, outValues, same,
                       thrust::plus<>());
}
template <typename W, typename I, typename V, typename O, typename Q>
thrust::pair<O, Q> reduce_by_key(W where, I f, I l, V values, O outKeys,
                                 Q outValues) {
  return reduce_by_key(where, f, l, values, outKeys, outValues,
                       thrust::equal_to<>());
}

// --- of two sorted ranges ----------------------------------------------------
template <typename W, typename I, typename J, typename O, typename C>
O merge(W where, I f, I l, J g, J m, O out, C less) {
  typedef Value<I> A;
  typedef Value<J> B;
  const long long n = l - f, k = m - g;
  where.run(
      n, __HEDDLE_EACH {
        const A v = f[i];
        out[i + rankOf(v, g, k, false, less)] = v;
      });
  where.run(
      k, __HEDDLE_EACH {
        const B v = g[i];
        out[i + rankOf(v, f, n, true, less)] = v;
      });
  return out + (n + k);
}
template <typename W, typename I, typename J, typename O>
O merge(W where, I f, I l, J g, J m, O out) {
  return merge(where, f, l, g, m, out, thrust::less<>());
}
/// Of equal elements the sets have as many as the larger, the smaller, or the
/// difference of both counts.
template <typename W, typename I, typename J, typename O, typename C>
O keepByCount(W where, I f, I l, J g, J m, O out, bool common, C less) {
  typedef Value<I> T;
  const long long n = l - f, k = m - g;
  return out + select(
                   where, n,
                   __HEDDLE_EACH {
                     const T v = f[i];
                     const long long before = i - rankOf(v, f, n, false, less);
                     const long long there = rankOf(v, g, k, true, less) -
                                             rankOf(v, g, k, false, less);
                     return (before < there) == common;
                   },
                   __HEDDLE_MOVE { out[to] = f[i]; });
}
template <typename W, typename I, typename J, typename O, typename C>
O set_intersection(W where, I f, I l, J g, J m, O out, C less) {
  return keepByCount(where, f, l, g, m, out, true, less);
}
template <typename W, typename I, typename J, typename O, typename C>
O set_difference(W where, I f, I l, J g, J m, O out, C less) {
  return keepByCount(where, f, l, g, m, out, false, less);
}
template <typename W, typename I, typename J, typename O, typename C>
O set_union(W where, I f, I l, J g, J m, O out, C less) {
  typedef Value<J> T;
  Temporary<T, W> rest(where, m - g);
  T *more = rest;
  return merge(where, f, l, more, set_difference(where, g, m, f, l, more, less),
               out, less);
}
template <typename W, typename I, typename J, typename O, typename C>
O set_symmetric_difference(W where, I f, I l, J g, J m, O out, C less) {
  Temporary<Value<I>, W> first(where, l - f);
  Temporary<Value<J>, W> second(where, m - g);
  Value<I> *a = first;
  Value<J> *b = second;
  return merge(where, a, set_difference(where, f, l, g, m, a, less), b,
               set_difference(where, g, m, f, l, b, less), out, less);
}
#define __HEDDLE_SETS(name)                                                    \
  template <typename W, typename I, typename J, typename O>                    \
  O name(W where, I f, I l, J g, J m, O out) {                                 \
    return name(where, f, l, g, m, out, thrust::less<>());                     \
  }
__HEDDLE_SETS(set_union)
__HEDDLE_SETS(set_intersection)
__HEDDLE_SETS(set_difference)
__HEDDLE_SETS(set_symmetric_difference)
#undef __HEDDLE_SETS
#undef __HEDDLE_MOVE

} // namespace heddle_thrust

#endif
