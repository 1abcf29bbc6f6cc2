// The kernels that Thrust's algorithms launch in programs: a call for each
// index, a fold, a scan and the first step of a sort.

#ifndef HEDDLE_CUDA_THRUST_KERNELS_H
#define HEDDLE_CUDA_THRUST_KERNELS_H

#include "iterators.h"

namespace heddle_thrust {

static constexpr unsigned Threads = 256, ItemsEach = 4;
static constexpr long long Tile = Threads * ItemsEach, SortTile = 2 * Threads;
/// Blocks whose partial results one more block folds.
static constexpr long long MaxFoldBlocks = 256;

/// Values of any type in shared memory.
template <typename T, unsigned N> struct Storage {
  alignas(T) unsigned char bytes[N * sizeof(T)];
  __attribute__((device)) T &operator[](unsigned i) {
    return reinterpret_cast<T *>(bytes)[i];
  }
};

template <typename F>
__attribute__((global)) void __launch_bounds__(Threads)
    each(long long n, F call) {
  const long long i = (long long)blockIdx.x * Threads + threadIdx.x;
  if (i < n)
    call(i);
}

/// How a fold or a scan begins, and whether an element of a scan is part of its
/// own sum.
template <typename T> struct Start {
  bool exclusive, has;
  T value;
};
template <typename T> struct Loads {
  const T *from;
  __HEDDLE_HD T operator()(long long i) const { return from[i]; }
};

/// Blocks leave what their elements fold to.
template <typename T, typename Load, typename Op>
__attribute__((global)) void __launch_bounds__(Threads)
    fold(long long n, Load load, Op op, Start<T> start, T *to) {
  __shared__ Storage<T, Threads> all;
  const unsigned t = threadIdx.x;
  const long long first = (long long)blockIdx.x * Threads;
  const unsigned valid = n - first < Threads ? unsigned(n - first) : Threads;
  if (t < valid) {
    T v = load(first + t);
    for (long long i = first + t + (long long)gridDim.x * Threads; i < n;
         i += (long long)gridDim.x * Threads)
      v = op(v, T(load(i)));
    all[t] = v;
  }
  __syncthreads();
  for (unsigned half = Threads / 2; half > 0; half /= 2) {
    if (t < half && t + half < valid)
      all[t] = op(all[t], all[t + half]);
    __syncthreads();
  }
  if (t == 0)
    to[blockIdx.x] = start.has ? T(op(start.value, all[0])) : all[0];
}

/// Leaves in \p all the sums up to each of the first \p valid threads.
template <typename T, typename Op>
__attribute__((device)) void scanBlock(T v, unsigned valid, Op &op,
                                       Storage<T, Threads> &all) {
  const unsigned t = threadIdx.x;
  if (t < valid)
    all[t] = v;
  __syncthreads();
  for (unsigned step = 1; step < valid; step *= 2) {
    const bool has = t >= step && t < valid;
    if (has)
      v = op(all[t - step], v);
    __syncthreads();
    if (has)
      all[t] = v;
    __syncthreads();
  }
}

/// What each tile but the last sums up to.
template <typename T, typename Load, typename Op>
__attribute__((global)) void __launch_bounds__(Threads)
    tileSums(Load load, Op op, T *to) {
  __shared__ Storage<T, Threads> all;
  const long long first = blockIdx.x * Tile + threadIdx.x * ItemsEach;
  T v = load(first);
  for (unsigned k = 1; k < ItemsEach; ++k)
    v = op(v, T(load(first + k)));
  scanBlock(v, Threads, op, all);
  if (threadIdx.x == 0)
    to[blockIdx.x] = all[Threads - 1];
}
/// A block makes sums of all tiles before out of those of each.
template <typename T, typename Op>
__attribute__((global)) void __launch_bounds__(Threads)
    sumsBefore(long long n, Op op, T *sums) {
  __shared__ Storage<T, Threads> all;
  for (long long first = 0; first < n; first += Threads) {
    const unsigned valid = n - first < Threads ? unsigned(n - first) : Threads;
    const long long i = first + threadIdx.x;
    const bool has = threadIdx.x < valid;
    scanBlock(sums[has ? i : first], valid, op, all);
    if (has)
      sums[i] =
          first == 0 ? all[threadIdx.x] : op(sums[first - 1], all[threadIdx.x]);
    __syncthreads();
  }
}
template <typename T, typename Load, typename Put, typename Op>
__attribute__((global)) void __launch_bounds__(Threads)
    scanTile(long long n, Load load, Put put, Op op, Start<T> start,
             const T *before) {
  __shared__ Storage<T, Threads> all;
  const long long first = blockIdx.x * Tile + threadIdx.x * ItemsEach;
  const long long left = n - blockIdx.x * Tile;
  const unsigned valid =
      left < Tile ? unsigned((left + ItemsEach - 1) / ItemsEach) : Threads;
  Storage<T, ItemsEach> own;
  unsigned count = 0;
  T sum = start.value;
  for (; count < ItemsEach && first + count < n; ++count) {
    own[count] = load(first + count);
    sum = count ? op(sum, own[count]) : own[count];
  }
  scanBlock(sum, valid, op, all);
  // What all elements before the thread's sum up to, if there are any.
  bool has = start.has;
  T v = start.value;
  if (blockIdx.x > 0) {
    v = has ? op(v, before[blockIdx.x - 1]) : before[blockIdx.x - 1];
    has = true;
  }
  if (threadIdx.x > 0 && count) {
    v = has ? op(v, all[threadIdx.x - 1]) : all[threadIdx.x - 1];
    has = true;
  }
  for (unsigned k = 0; k < count; ++k) {
    const T next = has ? op(v, own[k]) : own[k];
    put(first + k, start.exclusive ? v : next);
    v = next;
    has = true;
  }
}

/// Of a sort without values.
struct None {};
/// Where \p value comes among \p n: behind those that are equal if \p behind.
template <typename K, typename I, typename C>
__HEDDLE_HD long long rankOf(const K &value, I in, long long n, bool behind,
                             C &less) {
  long long first = 0;
  while (n > 0) {
    const long long half = n / 2;
    const K other = in[first + half];
    if (behind ? !less(value, other) : less(other, value)) {
      first += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return first;
}
/// Where element \p i comes when the two runs of \p width around it become one.
template <typename I, typename K, typename C>
__HEDDLE_HD long long mergedPlace(long long i, const K &key, I in, long long n,
                                  long long width, C &less) {
  const long long base = i / (2 * width) * (2 * width);
  const long long middle = base + width < n ? base + width : n;
  const long long end = middle + width < n ? middle + width : n;
  if (i < middle)
    return i + rankOf(key, in + middle, end - middle, false, less);
  return base + (i - middle) +
         rankOf(key, in + base, middle - base, true, less);
}
/// Keys by their places in shared memory.
template <typename K> struct ByPlace {
  Storage<K, SortTile> *keys;
  unsigned short *places;
  __attribute__((device)) K operator[](long long i) const {
    return (*keys)[places[i]];
  }
  __attribute__((device)) ByPlace operator+(long long n) const {
    return {keys, places + n};
  }
};
/// Sorts tiles: places move, keys stay until the end.
template <typename K, typename V, typename C>
__attribute__((global)) void __launch_bounds__(Threads)
    sortTile(long long n, K *keys, V *values, K *toKeys, V *toValues, C less) {
  __shared__ Storage<K, SortTile> all;
  __shared__ unsigned short places[2][SortTile];
  const long long first = blockIdx.x * SortTile;
  const int valid = n - first < SortTile ? int(n - first) : int(SortTile);
  for (int i = threadIdx.x; i < valid; i += Threads) {
    all[i] = keys[first + i];
    places[0][i] = i;
  }
  __syncthreads();
  int now = 0;
  for (int width = 1; width < valid; width *= 2) {
    const ByPlace<K> in = {&all, places[now]};
    for (int i = threadIdx.x; i < valid; i += Threads) {
      const unsigned short place = places[now][i];
      const K key = all[place];
      places[1 - now][mergedPlace(i, key, in, valid, width, less)] = place;
    }
    now = 1 - now;
    __syncthreads();
  }
  for (int i = threadIdx.x; i < valid; i += Threads) {
    toKeys[first + i] = all[places[now][i]];
    if constexpr (!::std::is_same_v<V, None>)
      toValues[first + i] = values[first + places[now][i]];
  }
}

} // namespace heddle_thrust

#endif
