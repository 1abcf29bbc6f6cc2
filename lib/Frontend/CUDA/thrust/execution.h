// Where Thrust's algorithms run in programs, and the four steps that they are
// made of: a call for each index, a fold, a scan and a stable sort. On the
// device each is a launch or a few, of kernels named heddle_thrust::.

#ifndef HEDDLE_CUDA_THRUST_EXECUTION_H
#define HEDDLE_CUDA_THRUST_EXECUTION_H

#include "iterators.h"

#include <algorithm>

namespace thrust {

/// Policies: what device code takes for any of them (device_algorithms.h).
struct __heddle_policy {};
struct __heddle_host_policy : __heddle_policy {
  template <typename T> __heddle_host_policy operator()(T &&) const {
    return {};
  }
};
/// Of the host only.
struct __heddle_stream_policy {
  cudaStream_t stream;
  explicit __heddle_stream_policy(cudaStream_t stream) : stream(stream) {}
  __heddle_stream_policy on(cudaStream_t other) const {
    return __heddle_stream_policy(other);
  }
};
struct __heddle_device_policy : __heddle_policy {
  __heddle_stream_policy on(cudaStream_t stream) const {
    return __heddle_stream_policy(stream);
  }
  /// With an allocator, which is not needed.
  template <typename T> __heddle_device_policy operator()(T &&) const {
    return {};
  }
};
static const __heddle_host_policy host, seq;
static const __heddle_device_policy device;
namespace cuda {
static const __heddle_device_policy par, par_nosync;
}
namespace omp {
static const __heddle_host_policy par;
}
namespace cpp {
static const __heddle_host_policy par;
}

} // namespace thrust

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

// --- both places -------------------------------------------------------------

struct OnHost {
  static constexpr System system = Host;
  void *allocate(::std::size_t bytes) const { return ::operator new(bytes); }
  void release(void *p) const { ::operator delete(p); }
  template <typename T> T get(const T *p) const { return *p; }
  void wait() const {}

  template <typename F> void run(long long n, F call) const {
    for (long long i = 0; i < n; ++i)
      call(i);
  }
  template <typename T, typename Load, typename Op>
  T fold(long long n, T v, Load load, Op op) const {
    for (long long i = 0; i < n; ++i)
      v = op(v, T(load(i)));
    return v;
  }
  template <typename T, typename Load, typename Put, typename Op>
  void scan(long long n, Load load, Put put, Op op, Start<T> start) const {
    T v = start.value;
    for (long long i = 0; i < n; ++i) {
      const T own = load(i);
      const T next = i || start.has ? T(op(v, own)) : own;
      put(i, start.exclusive ? v : next);
      v = next;
    }
  }
  template <typename K, typename V, typename C>
  void sort(long long n, K *keys, V *values, C less) const {
    if constexpr (::std::is_same_v<V, None>) {
      ::std::stable_sort(keys, keys + n, less);
    } else {
      ::std::vector<long long> order(n);
      for (long long i = 0; i < n; ++i)
        order[i] = i;
      ::std::stable_sort(
          order.begin(), order.end(),
          [&](long long a, long long b) { return less(keys[a], keys[b]); });
      const ::std::vector<K> k(keys, keys + n);
      const ::std::vector<V> v(values, values + n);
      for (long long i = 0; i < n; ++i) {
        keys[i] = k[order[i]];
        values[i] = v[order[i]];
      }
    }
  }
};

/// Memory for an algorithm.
template <typename T, typename W> class Temporary {
  W where;
  T *p;

public:
  Temporary(W where, long long n)
      : where(where),
        p(static_cast<T *>(n > 0 ? where.allocate(::std::size_t(n) * sizeof(T))
                                 : nullptr)) {}
  Temporary(const Temporary &) = delete;
  ~Temporary() {
    if (p)
      where.release(p);
  }
  operator T *() const { return p; }
};

struct OnDevice {
  static constexpr System system = Device;
  cudaStream_t stream = nullptr;

  void *allocate(::std::size_t bytes) const {
    void *p = nullptr;
    check(cudaMalloc(&p, bytes), "thrust: temporary memory");
    return p;
  }
  void release(void *p) const { (void)cudaFree(p); }
  void wait() const { check(cudaStreamSynchronize(stream), "thrust"); }
  template <typename T> T get(const T *p) const {
    wait();
    return download(p);
  }
  static unsigned blocks(long long n, long long of) {
    return unsigned((n + of - 1) / of);
  }

  template <typename F> void run(long long n, F call) const {
    if (n <= 0)
      return;
    each<F><<<blocks(n, Threads), Threads, 0, stream>>>(n, call);
    check(cudaPeekAtLastError(), "thrust: launch");
  }
  /// Calls \p put with what the elements fold to, on the device.
  template <typename T, typename Load, typename Op, typename Put>
  void foldTo(long long n, T start, Load load, Op op, Put put) const {
    const long long parts =
        ::std::min<long long>(blocks(n, Threads * ItemsEach), MaxFoldBlocks);
    Temporary<T, OnDevice> partial(*this, parts + 1);
    T *sums = partial;
    const Start<T> none = {false, false, start}, first = {false, true, start};
    if (n > 0)
      heddle_thrust::fold<T, Load, Op><<<unsigned(parts), Threads, 0, stream>>>(
          n, load, op, parts > 1 ? none : first, parts > 1 ? sums + 1 : sums);
    if (parts > 1)
      heddle_thrust::fold<T, Loads<T>, Op><<<1, Threads, 0, stream>>>(
          parts, Loads<T>{sums + 1}, op, first, sums);
    check(cudaPeekAtLastError(), "thrust: launch");
    run(1,
        [=] __HEDDLE_HD(long long) mutable { put(n > 0 ? sums[0] : start); });
  }
  template <typename T, typename Load, typename Op>
  T fold(long long n, T start, Load load, Op op) const {
    if (n <= 0)
      return start;
    Temporary<T, OnDevice> result(*this, 1);
    T *to = result;
    foldTo(n, start, load, op, [=] __HEDDLE_HD(const T &v) { *to = v; });
    return get(to);
  }
  template <typename T, typename Load, typename Put, typename Op>
  void scan(long long n, Load load, Put put, Op op, Start<T> start) const {
    if (n <= 0)
      return;
    const long long tiles = blocks(n, Tile);
    Temporary<T, OnDevice> before(*this, tiles - 1);
    if (tiles > 1) {
      tileSums<T, Load, Op>
          <<<unsigned(tiles - 1), Threads, 0, stream>>>(load, op, before);
      sumsBefore<T, Op><<<1, Threads, 0, stream>>>(tiles - 1, op, before);
    }
    scanTile<T, Load, Put, Op><<<unsigned(tiles), Threads, 0, stream>>>(
        n, load, put, op, start, before);
    check(cudaPeekAtLastError(), "thrust: launch");
  }
  template <typename K, typename V, typename C>
  void sort(long long n, K *keys, V *values, C less) const {
    constexpr bool HasValues = !::std::is_same_v<V, None>;
    if (n <= 1)
      return;
    Temporary<K, OnDevice> otherKeys(*this, n);
    Temporary<V, OnDevice> otherValues(*this, HasValues ? n : 0);
    K *k = keys, *toK = otherKeys;
    V *v = values, *toV = otherValues;
    long long width = 1;
    // Larger keys do not fit shared memory.
    if constexpr (sizeof(K) <= 80) {
      sortTile<K, V, C><<<blocks(n, SortTile), Threads, 0, stream>>>(
          n, k, v, toK, toV, less);
      check(cudaPeekAtLastError(), "thrust: launch");
      ::std::swap(k, toK);
      ::std::swap(v, toV);
      width = SortTile;
    }
    for (; width < n; width *= 2) {
      run(n, [=] __HEDDLE_HD(long long i) mutable {
        const K key = k[i];
        const long long to = mergedPlace(i, key, k, n, width, less);
        toK[to] = key;
        if constexpr (HasValues)
          toV[to] = v[i];
      });
      ::std::swap(k, toK);
      ::std::swap(v, toV);
    }
    if (k != keys)
      run(n, [=] __HEDDLE_HD(long long i) mutable {
        keys[i] = k[i];
        if constexpr (HasValues)
          values[i] = v[i];
      });
  }
};

} // namespace heddle_thrust

#endif
