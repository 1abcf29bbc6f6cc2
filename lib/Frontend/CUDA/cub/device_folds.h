// CUB's device-wide reductions, scans, selections and histograms in programs,
// of the steps that Thrust's algorithms are made of. They ask for a byte of the
// program's memory and use their own.

#ifndef HEDDLE_CUDA_CUB_DEVICE_FOLDS_H
#define HEDDLE_CUDA_CUB_DEVICE_FOLDS_H

#include "sort.h"

#include "../thrust/orders.h"

#include <limits>

namespace cub {

template <typename T, typename = long>
using CountingInputIterator = thrust::counting_iterator<T>;
template <typename T, typename = long>
using ConstantInputIterator = thrust::constant_iterator<T>;
template <typename T, typename Op, typename I, typename = long>
using TransformInputIterator = thrust::transform_iterator<Op, I, T, T>;
template <typename = long>
using DiscardOutputIterator = thrust::discard_iterator<>;

namespace __heddle {

using heddle_thrust::bare;
using heddle_thrust::OnDevice;
using heddle_thrust::Value;

/// Does \p work, or says how much memory it asks for.
template <typename F>
cudaError_t perform(void *temporary, size_t &bytes, cudaStream_t stream,
                    F work) {
  if (!temporary) {
    bytes = 1;
    return cudaSuccess;
  }
  try {
    work(OnDevice{stream});
  } catch (const thrust::system_error &e) {
    return cudaError_t(e.code());
  }
  return cudaSuccess;
}
#define __HEDDLE_PERFORM                                                       \
  return __heddle::perform(temporary, bytes, stream,                           \
                           [&](__heddle::OnDevice on)
#define __HEDDLE_MEMORY void *temporary, size_t &bytes
#define __HEDDLE_STREAM cudaStream_t stream = 0, bool = false

/// Where the greatest or least element is, with its value.
template <bool Greatest> struct Extreme {
  template <typename P>
  __HEDDLE_CUB_BOTH P operator()(const P &a, const P &b) const {
    const bool bWins = Greatest ? a.value < b.value : b.value < a.value;
    const bool aWins = Greatest ? b.value < a.value : a.value < b.value;
    return bWins ? b : aWins || a.key < b.key ? a : b;
  }
};

/// A block folds a segment.
template <typename T, typename I, typename O, typename B, typename E,
          typename Op>
__attribute__((global)) void __launch_bounds__(heddle_thrust::Threads)
    foldSegments(I in, O out, B begins, E ends, Op op, T start) {
  constexpr unsigned Threads = heddle_thrust::Threads;
  __shared__ heddle_thrust::Storage<T, Threads> all;
  const unsigned t = threadIdx.x;
  const long long first = begins[blockIdx.x];
  const long long n = (long long)ends[blockIdx.x] - first;
  if (t < n) {
    T v = in[first + t];
    for (long long i = t + Threads; i < n; i += Threads)
      v = op(v, T(in[first + i]));
    all[t] = v;
  }
  __syncthreads();
  for (unsigned half = Threads / 2; half > 0; half /= 2) {
    if (t < half && t + half < n)
      all[t] = op(all[t], all[t + half]);
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = n > 0 ? T(op(start, all[0])) : start;
}

} // namespace __heddle

// --- reductions --------------------------------------------------------------
struct DeviceReduce {
  template <typename I, typename O, typename N, typename Op, typename M,
            typename T>
  static cudaError_t TransformReduce(__HEDDLE_MEMORY, I in, O out, N n, Op op,
                                     M map, T start, __HEDDLE_STREAM) {
    __HEDDLE_PERFORM {
      auto from = __heddle::bare(in);
      auto to = __heddle::bare(out);
      on.foldTo(
          n, start,
          [=] __HEDDLE_HD(long long i) mutable { return T(map(from[i])); }, op,
          [=] __HEDDLE_HD(const T &v) mutable { to[0] = v; });
    });
  }
  template <typename I, typename O, typename N, typename Op, typename T>
  static cudaError_t Reduce(__HEDDLE_MEMORY, I in, O out, N n, Op op, T start,
                            __HEDDLE_STREAM) {
    return TransformReduce(temporary, bytes, in, out, n, op,
                           thrust::identity<>(), start, stream);
  }
  template <typename I, typename O, typename N>
  static cudaError_t Sum(__HEDDLE_MEMORY, I in, O out, N n, __HEDDLE_STREAM) {
    return Reduce(temporary, bytes, in, out, n, cub::Sum(),
                  __heddle::Value<I>(0), stream);
  }
  template <typename I, typename O, typename N>
  static cudaError_t Min(__HEDDLE_MEMORY, I in, O out, N n, __HEDDLE_STREAM) {
    return Reduce(temporary, bytes, in, out, n, cub::Min(),
                  ::std::numeric_limits<__heddle::Value<I>>::max(), stream);
  }
  template <typename I, typename O, typename N>
  static cudaError_t Max(__HEDDLE_MEMORY, I in, O out, N n, __HEDDLE_STREAM) {
    return Reduce(temporary, bytes, in, out, n, cub::Max(),
                  ::std::numeric_limits<__heddle::Value<I>>::lowest(), stream);
  }
  template <typename I, typename O, typename N>
  static cudaError_t ArgMin(__HEDDLE_MEMORY, I in, O out, N n,
                            __HEDDLE_STREAM) {
    return arg<false>(temporary, bytes, in, out, n, stream,
                      ::std::numeric_limits<__heddle::Value<I>>::max());
  }
  template <typename I, typename O, typename N>
  static cudaError_t ArgMax(__HEDDLE_MEMORY, I in, O out, N n,
                            __HEDDLE_STREAM) {
    return arg<true>(temporary, bytes, in, out, n, stream,
                     ::std::numeric_limits<__heddle::Value<I>>::lowest());
  }
  template <typename K, typename U, typename V, typename A, typename C,
            typename Op, typename N>
  static cudaError_t ReduceByKey(__HEDDLE_MEMORY, K keys, U unique, V values,
                                 A sums, C count, Op op, N n, __HEDDLE_STREAM) {
    __HEDDLE_PERFORM {
      auto to = __heddle::bare(count);
      heddle_thrust::reduceRuns(
          on, __heddle::bare(keys), n, __heddle::bare(values),
          __heddle::bare(unique), __heddle::bare(sums), thrust::equal_to<>(),
          op, [=] __HEDDLE_HD(long long v) mutable { to[0] = v; });
    });
  }

private:
  template <bool Greatest, typename I, typename O, typename N, typename T>
  static cudaError_t arg(__HEDDLE_MEMORY, I in, O out, N n, cudaStream_t stream,
                         T start) {
    typedef KeyValuePair<int, T> Pair;
    __HEDDLE_PERFORM {
      auto from = __heddle::bare(in);
      auto to = __heddle::bare(out);
      // What there is comes before what there is not.
      on.foldTo(
          n, Pair(n > 0 ? int(n) : 1, start),
          [=] __HEDDLE_HD(long long i) { return Pair(int(i), from[i]); },
          __heddle::Extreme<Greatest>(),
          [=] __HEDDLE_HD(const Pair &v) mutable { to[0] = v; });
    });
  }
};

struct DeviceSegmentedReduce {
  template <typename I, typename O, typename B, typename E, typename Op,
            typename T>
  static cudaError_t Reduce(__HEDDLE_MEMORY, I in, O out, int segments,
                            B begins, E ends, Op op, T start, __HEDDLE_STREAM) {
    __HEDDLE_PERFORM {
      if (segments <= 0)
        return;
      __heddle::
          foldSegments<<<segments, heddle_thrust::Threads, 0, on.stream>>>(
              __heddle::bare(in), __heddle::bare(out), __heddle::bare(begins),
              __heddle::bare(ends), op, start);
      heddle_thrust::check(cudaPeekAtLastError(), "cub: launch");
    });
  }
#define __HEDDLE_SEGMENTED(name, start)                                        \
  template <typename I, typename O, typename B, typename E>                    \
  static cudaError_t name(__HEDDLE_MEMORY, I in, O out, int segments,          \
                          B begins, E ends, __HEDDLE_STREAM) {                 \
    typedef __heddle::Value<I> T;                                              \
    return Reduce(temporary, bytes, in, out, segments, begins, ends,           \
                  cub::name(), T(start), stream);                              \
  }
  __HEDDLE_SEGMENTED(Sum, 0)
  __HEDDLE_SEGMENTED(Min, ::std::numeric_limits<T>::max())
  __HEDDLE_SEGMENTED(Max, ::std::numeric_limits<T>::lowest())
#undef __HEDDLE_SEGMENTED
};

// --- scans -------------------------------------------------------------------
struct DeviceScan {
  template <typename I, typename O, typename Op, typename N>
  static cudaError_t InclusiveScan(__HEDDLE_MEMORY, I in, O out, Op op, N n,
                                   __HEDDLE_STREAM) {
    __HEDDLE_PERFORM {
      auto f = __heddle::bare(in);
      heddle_thrust::inclusive_scan(on, f, f + n, __heddle::bare(out), op);
    });
  }
  template <typename I, typename O, typename Op, typename T, typename N>
  static cudaError_t ExclusiveScan(__HEDDLE_MEMORY, I in, O out, Op op, T start,
                                   N n, __HEDDLE_STREAM) {
    __HEDDLE_PERFORM {
      auto f = __heddle::bare(in);
      heddle_thrust::exclusive_scan(on, f, f + n, __heddle::bare(out), start,
                                    op);
    });
  }
  template <typename I, typename O, typename N>
  static cudaError_t InclusiveSum(__HEDDLE_MEMORY, I in, O out, N n,
                                  __HEDDLE_STREAM) {
    return InclusiveScan(temporary, bytes, in, out, cub::Sum(), n, stream);
  }
  template <typename I, typename O, typename N>
  static cudaError_t ExclusiveSum(__HEDDLE_MEMORY, I in, O out, N n,
                                  __HEDDLE_STREAM) {
    return ExclusiveScan(temporary, bytes, in, out, cub::Sum(),
                         __heddle::Value<I>(0), n, stream);
  }
  template <typename I, typename N>
  static cudaError_t InclusiveSum(__HEDDLE_MEMORY, I data, N n) {
    return InclusiveSum(temporary, bytes, data, data, n);
  }
  template <typename I, typename N>
  static cudaError_t ExclusiveSum(__HEDDLE_MEMORY, I data, N n) {
    return ExclusiveSum(temporary, bytes, data, data, n);
  }
  template <typename K, typename V, typename O, typename Op, typename N>
  static cudaError_t InclusiveScanByKey(__HEDDLE_MEMORY, K keys, V values,
                                        O out, Op op, N n, __HEDDLE_STREAM) {
    __HEDDLE_PERFORM {
      auto f = __heddle::bare(keys);
      heddle_thrust::inclusive_scan_by_key(on, f, f + n, __heddle::bare(values),
                                           __heddle::bare(out),
                                           thrust::equal_to<>(), op);
    });
  }
  template <typename K, typename V, typename O, typename Op, typename T,
            typename N>
  static cudaError_t ExclusiveScanByKey(__HEDDLE_MEMORY, K keys, V values,
                                        O out, Op op, T start, N n,
                                        __HEDDLE_STREAM) {
    __HEDDLE_PERFORM {
      auto f = __heddle::bare(keys);
      heddle_thrust::exclusive_scan_by_key(on, f, f + n, __heddle::bare(values),
                                           __heddle::bare(out), start,
                                           thrust::equal_to<>(), op);
    });
  }
  template <typename K, typename V, typename O, typename N>
  static cudaError_t InclusiveSumByKey(__HEDDLE_MEMORY, K keys, V values, O out,
                                       N n, __HEDDLE_STREAM) {
    return InclusiveScanByKey(temporary, bytes, keys, values, out, cub::Sum(),
                              n, stream);
  }
  template <typename K, typename V, typename O, typename N>
  static cudaError_t ExclusiveSumByKey(__HEDDLE_MEMORY, K keys, V values, O out,
                                       N n, __HEDDLE_STREAM) {
    return ExclusiveScanByKey(temporary, bytes, keys, values, out, cub::Sum(),
                              __heddle::Value<V>(0), n, stream);
  }
};

} // namespace cub

#endif
