// CUB's device-wide selections, histograms and sorts in programs. Sorts are
// merge sorts, those by bits too.

#ifndef HEDDLE_CUDA_CUB_DEVICE_SORTS_H
#define HEDDLE_CUDA_CUB_DEVICE_SORTS_H

#include "device_folds.h"

namespace cub {

// --- selections --------------------------------------------------------------
struct DeviceSelect {
  template <typename I, typename O, typename C, typename N, typename P>
  static cudaError_t If(__HEDDLE_MEMORY, I in, O out, C count, N n, P holds,
                        __HEDDLE_STREAM) {
    auto from = __heddle::bare(in);
    return select(
        temporary, bytes, in, out, count, n, stream,
        [=] __HEDDLE_HD(long long i) mutable { return bool(holds(from[i])); });
  }
  template <typename I, typename F, typename O, typename C, typename N>
  static cudaError_t Flagged(__HEDDLE_MEMORY, I in, F flags, O out, C count,
                             N n, __HEDDLE_STREAM) {
    auto is = __heddle::bare(flags);
    return select(temporary, bytes, in, out, count, n, stream,
                  [=] __HEDDLE_HD(long long i) mutable { return bool(is[i]); });
  }
  template <typename I, typename O, typename C, typename N>
  static cudaError_t Unique(__HEDDLE_MEMORY, I in, O out, C count, N n,
                            __HEDDLE_STREAM) {
    auto from = __heddle::bare(in);
    return select(temporary, bytes, in, out, count, n, stream,
                  [=] __HEDDLE_HD(long long i) mutable {
                    return i == 0 || !(from[i - 1] == from[i]);
                  });
  }
  template <typename K, typename V, typename O, typename Q, typename C,
            typename N>
  static cudaError_t UniqueByKey(__HEDDLE_MEMORY, K keys, V values, O outKeys,
                                 Q outValues, C count, N n, __HEDDLE_STREAM) {
    return Unique(temporary, bytes,
                  thrust::make_zip_iterator(thrust::make_tuple(keys, values)),
                  keys, outKeys, outValues, count, n, stream);
  }

private:
  template <typename I, typename O, typename C, typename N, typename P>
  static cudaError_t select(__HEDDLE_MEMORY, I in, O out, C count, N n,
                            cudaStream_t stream, P keep) {
    __HEDDLE_PERFORM {
      auto from = __heddle::bare(in);
      auto to = __heddle::bare(out);
      auto kept = __heddle::bare(count);
      heddle_thrust::separateTo(
          on, n, keep,
          [=] __HEDDLE_HD(long long i, long long at) mutable {
            to[at] = from[i];
          },
          heddle_thrust::Forget(),
          [=] __HEDDLE_HD(long long v) mutable { kept[0] = v; });
    });
  }
  template <typename Z, typename K, typename O, typename Q, typename C,
            typename N>
  static cudaError_t Unique(__HEDDLE_MEMORY, Z both, K keys, O outKeys,
                            Q outValues, C count, N n, cudaStream_t stream) {
    auto from = __heddle::bare(keys);
    return select(
        temporary, bytes, both,
        thrust::make_zip_iterator(thrust::make_tuple(outKeys, outValues)),
        count, n, stream, [=] __HEDDLE_HD(long long i) mutable {
          return i == 0 || !(from[i - 1] == from[i]);
        });
  }
};

/// What is not selected comes behind, from the last to the first.
struct DevicePartition {
  template <typename I, typename O, typename C, typename N, typename P>
  static cudaError_t If(__HEDDLE_MEMORY, I in, O out, C count, N n, P holds,
                        __HEDDLE_STREAM) {
    auto from = __heddle::bare(in);
    return part(
        temporary, bytes, in, out, count, n, stream,
        [=] __HEDDLE_HD(long long i) mutable { return bool(holds(from[i])); });
  }
  template <typename I, typename F, typename O, typename C, typename N>
  static cudaError_t Flagged(__HEDDLE_MEMORY, I in, F flags, O out, C count,
                             N n, __HEDDLE_STREAM) {
    auto is = __heddle::bare(flags);
    return part(temporary, bytes, in, out, count, n, stream,
                [=] __HEDDLE_HD(long long i) mutable { return bool(is[i]); });
  }

private:
  template <typename I, typename O, typename C, typename N, typename P>
  static cudaError_t part(__HEDDLE_MEMORY, I in, O out, C count, N n,
                          cudaStream_t stream, P keep) {
    __HEDDLE_PERFORM {
      auto from = __heddle::bare(in);
      auto to = __heddle::bare(out);
      auto kept = __heddle::bare(count);
      heddle_thrust::separateTo(
          on, n, keep,
          [=] __HEDDLE_HD(long long i, long long at) mutable {
            to[at] = from[i];
          },
          [=] __HEDDLE_HD(long long i, long long at) mutable {
            to[n - 1 - at] = from[i];
          },
          [=] __HEDDLE_HD(long long v) mutable { kept[0] = v; });
    });
  }
};

struct DeviceRunLengthEncode {
  template <typename I, typename U, typename L, typename C, typename N>
  static cudaError_t Encode(__HEDDLE_MEMORY, I in, U unique, L lengths, C count,
                            N n, __HEDDLE_STREAM) {
    return DeviceReduce::ReduceByKey(temporary, bytes, in, unique,
                                     thrust::constant_iterator<int>(1), lengths,
                                     count, cub::Sum(), n, stream);
  }
};

// --- histograms --------------------------------------------------------------
struct DeviceHistogram {
  template <typename I, typename C, typename T, typename N>
  static cudaError_t HistogramEven(__HEDDLE_MEMORY, I samples, C *counts,
                                   int levels, T low, T high, N n,
                                   __HEDDLE_STREAM) {
    const int bins = levels - 1;
    return count(
        temporary, bytes, samples, counts, bins, n, stream,
        [=] __HEDDLE_HD(T v) {
          // Integers are scaled without a fraction.
          typedef ::std::conditional_t<::std::is_integral_v<T>, long long, T>
              Wide;
          return v >= low && v < high ? int((Wide(v) - Wide(low)) * bins /
                                            (Wide(high) - Wide(low)))
                                      : bins;
        });
  }
  template <typename I, typename C, typename T, typename N>
  static cudaError_t HistogramRange(__HEDDLE_MEMORY, I samples, C *counts,
                                    int levels, const T *bounds, N n,
                                    __HEDDLE_STREAM) {
    const int bins = levels - 1;
    return count(temporary, bytes, samples, counts, bins, n, stream,
                 [=] __HEDDLE_HD(T v) {
                   thrust::less<T> less;
                   const long long at =
                       heddle_thrust::rankOf(v, bounds, levels, true, less);
                   return at > 0 ? int(at) - 1 : bins;
                 });
  }

private:
  /// \p binOf gives \p bins for what lies outside.
  template <typename I, typename C, typename N, typename F>
  static cudaError_t count(__HEDDLE_MEMORY, I samples, C *counts, int bins, N n,
                           cudaStream_t stream, F binOf) {
    if (bins <= 0)
      return cudaErrorInvalidValue;
    __HEDDLE_PERFORM {
      auto from = __heddle::bare(samples);
      on.run(bins, [=] __HEDDLE_HD(long long i) { counts[i] = 0; });
      on.run(n, [=] __HEDDLE_HD(long long i) mutable {
        const int bin = binOf(from[i]);
        if (bin < bins)
          atomicAdd(&counts[bin], C(1));
      });
    });
  }
};

// --- sorts -------------------------------------------------------------------
namespace __heddle {

/// Keys by their bits from \p begin to \p end.
template <bool Descending> struct ByBits {
  int begin, end;
  template <typename K> __HEDDLE_CUB_BOTH auto bits(const K &key) const {
    typedef Traits<K> Of;
    typename Of::UnsignedBits all;
    __builtin_memcpy(&all, &key, sizeof(K));
    all = Of::TwiddleIn(all);
    const int width = end - begin;
    if (width < int(8 * sizeof(K)))
      all = (all >> begin) & ((typename Of::UnsignedBits(1) << width) - 1);
    return all;
  }
  template <typename K>
  __HEDDLE_CUB_BOTH bool operator()(const K &a, const K &b) const {
    return Descending ? bits(b) < bits(a) : bits(a) < bits(b);
  }
};
/// The segment of a key before the key itself.
template <typename K> struct InSegment {
  int segment;
  K key;
};
template <typename C> struct BySegment {
  C less;
  template <typename P>
  __HEDDLE_CUB_BOTH bool operator()(const P &a, const P &b) const {
    return a.segment != b.segment ? a.segment < b.segment : less(a.key, b.key);
  }
};

/// Sorts a copy of keys and, if there are any, values.
template <typename K, typename V, typename C>
void sortCopy(OnDevice on, const K *keys, K *toKeys, const V *values,
              V *toValues, long long n, C less) {
  if (keys != toKeys)
    heddle_thrust::copy(on, keys, keys + n, toKeys);
  if constexpr (!::std::is_same_v<V, heddle_thrust::None>)
    if (values != toValues)
      heddle_thrust::copy(on, values, values + n, toValues);
  on.sort(n, toKeys, toValues, less);
}
template <typename K, typename V, typename B, typename E, typename C>
void sortSegments(OnDevice on, const K *keys, K *toKeys, const V *values,
                  V *toValues, long long n, int segments, B begins, E ends,
                  C less) {
  constexpr bool HasValues = !::std::is_same_v<V, heddle_thrust::None>;
  heddle_thrust::Temporary<InSegment<K>, OnDevice> all(on, n);
  heddle_thrust::Temporary<V, OnDevice> along(on, HasValues ? n : 0);
  InSegment<K> *in = all;
  V *with = along;
  on.run(n, [=] __HEDDLE_HD(long long i) {
    // The last segment that begins at i or before.
    thrust::less<long long> before;
    const int of =
        int(heddle_thrust::rankOf(i, begins, segments, true, before));
    in[i] = {of, keys[i]};
    if constexpr (HasValues)
      with[i] = values[i];
  });
  on.sort(n, in, with, BySegment<C>{less});
  on.run(n, [=] __HEDDLE_HD(long long i) {
    const int of = in[i].segment - 1;
    if (of < 0 || i >= (long long)ends[of])
      return; // in no segment
    toKeys[i] = in[i].key;
    if constexpr (HasValues)
      toValues[i] = with[i];
  });
}

} // namespace __heddle

#define __HEDDLE_BITS int begin = 0, int end = int(8 * sizeof(K))
#define __HEDDLE_RADIX(suffix, descending)                                     \
  template <typename K, typename N>                                            \
  static cudaError_t SortKeys##suffix(__HEDDLE_MEMORY, const K *keys, K *to,   \
                                      N n, __HEDDLE_BITS, __HEDDLE_STREAM) {   \
    heddle_thrust::None *none = nullptr;                                       \
    __HEDDLE_PERFORM {                                                         \
      __heddle::sortCopy(on, keys, to, none, none, n,                          \
                         __heddle::ByBits<descending>{begin, end});            \
    });                                                                        \
  }                                                                            \
  template <typename K, typename V, typename N>                                \
  static cudaError_t SortPairs##suffix(__HEDDLE_MEMORY, const K *keys, K *to,  \
                                       const V *values, V *toValues, N n,      \
                                       __HEDDLE_BITS, __HEDDLE_STREAM) {       \
    __HEDDLE_PERFORM {                                                         \
      __heddle::sortCopy(on, keys, to, values, toValues, n,                    \
                         __heddle::ByBits<descending>{begin, end});            \
    });                                                                        \
  }                                                                            \
  template <typename K, typename N>                                            \
  static cudaError_t SortKeys##suffix(__HEDDLE_MEMORY, DoubleBuffer<K> &keys,  \
                                      N n, __HEDDLE_BITS, __HEDDLE_STREAM) {   \
    const cudaError_t e =                                                      \
        SortKeys##suffix(temporary, bytes, (const K *)keys.Current(),          \
                         keys.Alternate(), n, begin, end, stream);             \
    if (temporary && e == cudaSuccess)                                         \
      keys.selector ^= 1;                                                      \
    return e;                                                                  \
  }                                                                            \
  template <typename K, typename V, typename N>                                \
  static cudaError_t SortPairs##suffix(__HEDDLE_MEMORY, DoubleBuffer<K> &keys, \
                                       DoubleBuffer<V> &values, N n,           \
                                       __HEDDLE_BITS, __HEDDLE_STREAM) {       \
    const cudaError_t e =                                                      \
        SortPairs##suffix(temporary, bytes, (const K *)keys.Current(),         \
                          keys.Alternate(), (const V *)values.Current(),       \
                          values.Alternate(), n, begin, end, stream);          \
    if (temporary && e == cudaSuccess) {                                       \
      keys.selector ^= 1;                                                      \
      values.selector ^= 1;                                                    \
    }                                                                          \
    return e;                                                                  \
  }
struct DeviceRadixSort {
  __HEDDLE_RADIX(, false)
  __HEDDLE_RADIX(Descending, true)
};
#undef __HEDDLE_RADIX

#define __HEDDLE_SEGMENTS(suffix, descending)                                  \
  template <typename K, typename B, typename E>                                \
  static cudaError_t SortKeys##suffix(__HEDDLE_MEMORY, const K *keys, K *to,   \
                                      int n, int segments, B begins, E ends,   \
                                      __HEDDLE_BITS, __HEDDLE_STREAM) {        \
    heddle_thrust::None *none = nullptr;                                       \
    __HEDDLE_PERFORM {                                                         \
      __heddle::sortSegments(on, keys, to, none, none, n, segments,            \
                             __heddle::bare(begins), __heddle::bare(ends),     \
                             __heddle::ByBits<descending>{begin, end});        \
    });                                                                        \
  }                                                                            \
  template <typename K, typename V, typename B, typename E>                    \
  static cudaError_t SortPairs##suffix(                                        \
      __HEDDLE_MEMORY, const K *keys, K *to, const V *values, V *toValues,     \
      int n, int segments, B begins, E ends, __HEDDLE_BITS, __HEDDLE_STREAM) { \
    __HEDDLE_PERFORM {                                                         \
      __heddle::sortSegments(on, keys, to, values, toValues, n, segments,      \
                             __heddle::bare(begins), __heddle::bare(ends),     \
                             __heddle::ByBits<descending>{begin, end});        \
    });                                                                        \
  }
struct DeviceSegmentedRadixSort {
  __HEDDLE_SEGMENTS(, false)
  __HEDDLE_SEGMENTS(Descending, true)
};
struct DeviceSegmentedSort : DeviceSegmentedRadixSort {};
#undef __HEDDLE_SEGMENTS
#undef __HEDDLE_BITS

struct DeviceMergeSort {
  template <typename K, typename N, typename C>
  static cudaError_t SortKeys(__HEDDLE_MEMORY, K *keys, N n, C less,
                              __HEDDLE_STREAM) {
    __HEDDLE_PERFORM { on.sort(n, keys, (heddle_thrust::None *)nullptr, less); });
  }
  template <typename K, typename V, typename N, typename C>
  static cudaError_t SortPairs(__HEDDLE_MEMORY, K *keys, V *values, N n, C less,
                               __HEDDLE_STREAM) {
    __HEDDLE_PERFORM { on.sort(n, keys, values, less); });
  }
  template <typename K, typename N, typename C>
  static cudaError_t StableSortKeys(__HEDDLE_MEMORY, K *keys, N n, C less,
                                    __HEDDLE_STREAM) {
    return SortKeys(temporary, bytes, keys, n, less, stream);
  }
  template <typename K, typename V, typename N, typename C>
  static cudaError_t StableSortPairs(__HEDDLE_MEMORY, K *keys, V *values, N n,
                                     C less, __HEDDLE_STREAM) {
    return SortPairs(temporary, bytes, keys, values, n, less, stream);
  }
};

struct DeviceFor {
  template <typename N, typename F>
  static cudaError_t Bulk(N n, F call, cudaStream_t stream = 0) {
    size_t bytes;
    return __heddle::perform(&bytes, bytes, stream, [&](__heddle::OnDevice on) {
      on.run(n, [=] __HEDDLE_HD(long long i) mutable { call(N(i)); });
    });
  }
};
#undef __HEDDLE_STREAM
#undef __HEDDLE_MEMORY
#undef __HEDDLE_PERFORM

} // namespace cub

#endif
