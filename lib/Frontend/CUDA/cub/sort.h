// Radix sort, histogram and discontinuities of a block. The sort moves one bit
// at a time where the vendor's moves several, so it costs more passes.

#ifndef HEDDLE_CUDA_CUB_SORT_H
#define HEDDLE_CUDA_CUB_SORT_H

#include "load_store.h"

namespace cub {

namespace __heddle {
/// The bits of a key in the order that sorts as the key does.
template <typename T> __HEDDLE_CUB unsigned long long ordered(T key) {
  typedef ::std::conditional_t<
      sizeof(T) == 8, unsigned long long,
      ::std::conditional_t<
          sizeof(T) == 4, unsigned,
          ::std::conditional_t<sizeof(T) == 2, unsigned short, unsigned char>>>
      Bits;
  Bits bits;
  __builtin_memcpy(&bits, &key, sizeof(T));
  constexpr Bits sign = Bits(1) << (sizeof(T) * 8 - 1);
  if constexpr (::std::is_floating_point_v<T>)
    return (bits & sign) ? Bits(~bits) : Bits(bits | sign);
  else if constexpr (::std::is_signed_v<T>)
    return Bits(bits ^ sign);
  else
    return bits;
}
} // namespace __heddle

template <typename K, int X, int N, typename V = NullType, int RadixBits = 4,
          bool Memoize = true, BlockScanAlgorithm A = BLOCK_SCAN_WARP_SCANS,
          int Config = 0, int Y = 1, int Z = 1, int Arch = 0>
class BlockRadixSort {
  static constexpr bool HasValues = !::std::is_same_v<V, NullType>;
  typedef BlockScan<int, X, A, Y, Z> Scan;
  typedef BlockExchange<K, X, N, false, Y, Z> Keys;
  typedef BlockExchange<V, X, N, false, Y, Z> Values;

public:
  union TempStorage {
    typename Scan::TempStorage scan;
    typename Keys::TempStorage keys;
    typename Values::TempStorage values;
  };
  __HEDDLE_CUB BlockRadixSort(TempStorage &s) : storage(s) {}
  __HEDDLE_CUB void Sort(K (&k)[N], int begin = 0, int end = sizeof(K) * 8) {
    V none[N];
    sort<false, false>(k, none, begin, end);
  }
  __HEDDLE_CUB void SortDescending(K (&k)[N], int begin = 0,
                                   int end = sizeof(K) * 8) {
    V none[N];
    sort<true, false>(k, none, begin, end);
  }
  __HEDDLE_CUB void SortBlockedToStriped(K (&k)[N], int begin = 0,
                                         int end = sizeof(K) * 8) {
    V none[N];
    sort<false, true>(k, none, begin, end);
  }
  template <typename W>
  __HEDDLE_CUB void Sort(K (&k)[N], W (&v)[N], int begin = 0,
                         int end = sizeof(K) * 8) {
    sort<false, false>(k, v, begin, end);
  }
  template <typename W>
  __HEDDLE_CUB void SortDescending(K (&k)[N], W (&v)[N], int begin = 0,
                                   int end = sizeof(K) * 8) {
    sort<true, false>(k, v, begin, end);
  }
  template <typename W>
  __HEDDLE_CUB void SortBlockedToStriped(K (&k)[N], W (&v)[N], int begin = 0,
                                         int end = sizeof(K) * 8) {
    sort<false, true>(k, v, begin, end);
  }

private:
  template <bool Descending, bool Striped, typename W>
  __HEDDLE_CUB void sort(K (&k)[N], W (&v)[N], int begin, int end) {
    for (int bit = begin; bit < end; ++bit) {
      int zeros[N], ranks[N], before[N], total;
      for (int i = 0; i < N; ++i)
        zeros[i] = ((__heddle::ordered(k[i]) >> bit) & 1) == Descending;
      Scan(storage.scan).ExclusiveSum(zeros, before, total);
      for (int i = 0; i < N; ++i) {
        int position = RowMajorTid(X, Y, Z) * N + i;
        ranks[i] = zeros[i] ? before[i] : total + position - before[i];
      }
      __syncthreads();
      Keys(storage.keys).ScatterToBlocked(k, ranks);
      __syncthreads();
      if constexpr (HasValues) {
        Values(storage.values).ScatterToBlocked(v, ranks);
        __syncthreads();
      }
    }
    if constexpr (Striped) {
      Keys(storage.keys).BlockedToStriped(k);
      __syncthreads();
      if constexpr (HasValues)
        Values(storage.values).BlockedToStriped(v);
    }
  }
  TempStorage &storage;
};

template <typename T, int X, int N, int Bins,
          BlockHistogramAlgorithm A = BLOCK_HISTO_SORT, int Y = 1, int Z = 1>
class BlockHistogram {
public:
  struct TempStorage {};
  __HEDDLE_CUB BlockHistogram(TempStorage &) {}
  template <typename C> __HEDDLE_CUB void InitHistogram(C (&h)[Bins]) {
    for (int i = RowMajorTid(X, Y, Z); i < Bins; i += X * Y * Z)
      h[i] = 0;
  }
  template <typename C> __HEDDLE_CUB void Histogram(T (&v)[N], C (&h)[Bins]) {
    InitHistogram(h);
    __syncthreads();
    Composite(v, h);
  }
  template <typename C> __HEDDLE_CUB void Composite(T (&v)[N], C (&h)[Bins]) {
    for (int i = 0; i < N; ++i)
      atomicAdd(&h[v[i]], C(1));
  }
};
template <typename T, int X, int Y = 1, int Z = 1> class BlockDiscontinuity {
public:
  struct TempStorage {
    Uninitialized<T> items[X * Y * Z];
  };
  __HEDDLE_CUB BlockDiscontinuity(TempStorage &s) : storage(s) {}
  template <int N, typename F, typename Op>
  __HEDDLE_CUB void FlagHeads(F (&flags)[N], T (&v)[N], Op op) {
    int tid = RowMajorTid(X, Y, Z);
    storage.items[tid].Alias() = v[N - 1];
    __syncthreads();
    flags[0] = tid == 0 || op(storage.items[tid - 1].Alias(), v[0]);
    for (int i = 1; i < N; ++i)
      flags[i] = op(v[i - 1], v[i]);
  }
  template <int N, typename F, typename Op>
  __HEDDLE_CUB void FlagTails(F (&flags)[N], T (&v)[N], Op op) {
    int tid = RowMajorTid(X, Y, Z);
    storage.items[tid].Alias() = v[0];
    __syncthreads();
    flags[N - 1] =
        tid == X * Y * Z - 1 || op(v[N - 1], storage.items[tid + 1].Alias());
    for (int i = 0; i < N - 1; ++i)
      flags[i] = op(v[i], v[i + 1]);
  }

private:
  TempStorage &storage;
};

/// Differences between neighbours of a block: the first of all, or the last, is
/// kept, unless a neighbour in the next tile is given.
template <typename T, int X, int Y = 1, int Z = 1>
class BlockAdjacentDifference {
public:
  struct TempStorage {
    Uninitialized<T> items[X * Y * Z];
  };
  __HEDDLE_CUB BlockAdjacentDifference(TempStorage &s) : storage(s) {}
  template <int N, typename Out, typename Op>
  __HEDDLE_CUB void SubtractLeft(T (&v)[N], Out (&out)[N], Op op) {
    left(v, out, op, nullptr, X * Y * Z * N);
  }
  template <int N, typename Out, typename Op>
  __HEDDLE_CUB void SubtractLeft(T (&v)[N], Out (&out)[N], Op op, T before) {
    left(v, out, op, &before, X * Y * Z * N);
  }
  template <int N, typename Out, typename Op>
  __HEDDLE_CUB void SubtractLeftPartialTile(T (&v)[N], Out (&out)[N], Op op,
                                            int valid) {
    left(v, out, op, nullptr, valid);
  }
  template <int N, typename Out, typename Op>
  __HEDDLE_CUB void SubtractRight(T (&v)[N], Out (&out)[N], Op op) {
    right(v, out, op, nullptr, X * Y * Z * N);
  }
  template <int N, typename Out, typename Op>
  __HEDDLE_CUB void SubtractRight(T (&v)[N], Out (&out)[N], Op op, T behind) {
    right(v, out, op, &behind, X * Y * Z * N);
  }
  template <int N, typename Out, typename Op>
  __HEDDLE_CUB void SubtractRightPartialTile(T (&v)[N], Out (&out)[N], Op op,
                                             int valid) {
    right(v, out, op, nullptr, valid);
  }

private:
  template <int N, typename Out, typename Op>
  __HEDDLE_CUB void left(T (&v)[N], Out (&out)[N], Op op, const T *before,
                         int valid) {
    int tid = RowMajorTid(X, Y, Z);
    storage.items[tid].Alias() = v[N - 1];
    __syncthreads();
    for (int i = N - 1; i > 0; --i)
      out[i] = tid * N + i < valid ? op(v[i], v[i - 1]) : v[i];
    if (tid > 0)
      out[0] =
          tid * N < valid ? op(v[0], storage.items[tid - 1].Alias()) : v[0];
    else
      out[0] = before && valid > 0 ? op(v[0], *before) : v[0];
  }
  template <int N, typename Out, typename Op>
  __HEDDLE_CUB void right(T (&v)[N], Out (&out)[N], Op op, const T *behind,
                          int valid) {
    int tid = RowMajorTid(X, Y, Z);
    storage.items[tid].Alias() = v[0];
    __syncthreads();
    for (int i = 0; i < N - 1; ++i)
      out[i] = tid * N + i + 1 < valid ? op(v[i], v[i + 1]) : v[i];
    if (tid < X * Y * Z - 1)
      out[N - 1] = tid * N + N < valid
                       ? op(v[N - 1], storage.items[tid + 1].Alias())
                       : v[N - 1];
    else
      out[N - 1] = behind ? op(v[N - 1], *behind) : v[N - 1];
  }
  TempStorage &storage;
};

} // namespace cub

#endif
