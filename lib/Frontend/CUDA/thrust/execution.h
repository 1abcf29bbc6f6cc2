// Where Thrust's algorithms run in programs, and the four steps that they are
// made of: a call for each index, a fold, a scan and a stable sort. On the
// device each is a launch or a few, of kernels named heddle_thrust::.

#ifndef HEDDLE_CUDA_THRUST_EXECUTION_H
#define HEDDLE_CUDA_THRUST_EXECUTION_H

#include "kernels.h"

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
    return heddle_thrust::allocate(bytes, "thrust: temporary memory");
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
