// Reduce and scan of a block: shuffles within warps, shared memory between.

#ifndef HEDDLE_CUDA_CUB_REDUCE_SCAN_H
#define HEDDLE_CUDA_CUB_REDUCE_SCAN_H

#include "warps.h"

namespace cub {

// --- blocks ------------------------------------------------------------------
enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm {
  BLOCK_SCAN_RAKING,
  BLOCK_SCAN_RAKING_MEMOIZE,
  BLOCK_SCAN_WARP_SCANS
};
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <typename T, int X,
          BlockReduceAlgorithm A = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
          int Z = 1, int Arch = 0>
class BlockReduce {
  static constexpr int Threads = X * Y * Z, Warps = (Threads + 31) / 32;

public:
  struct TempStorage {
    Uninitialized<T> warps[Warps];
  };
  __HEDDLE_CUB BlockReduce(TempStorage &s) : storage(s) {}
  template <typename Op>
  __HEDDLE_CUB T Reduce(T v, Op op, int valid = Threads) {
    int tid = RowMajorTid(X, Y, Z), warp = tid / 32;
    int left = valid - warp * 32;
    v = __heddle::reduce<32>(v, op, left < 32 ? left : 32);
    if (tid % 32 == 0)
      storage.warps[warp].Alias() = v;
    __syncthreads();
    if (tid == 0)
      for (int w = 1; w < Warps && w * 32 < valid; ++w)
        v = op(v, storage.warps[w].Alias());
    return v;
  }
  template <int N, typename Op> __HEDDLE_CUB T Reduce(T (&v)[N], Op op) {
    return Reduce(ThreadReduce(v, op), op);
  }
  __HEDDLE_CUB T Sum(T v, int valid = Threads) {
    return Reduce(v, cub::Sum(), valid);
  }
  template <int N> __HEDDLE_CUB T Sum(T (&v)[N]) {
    return Reduce(v, cub::Sum());
  }

private:
  TempStorage &storage;
};

template <typename T, int X, BlockScanAlgorithm A = BLOCK_SCAN_RAKING,
          int Y = 1, int Z = 1, int Arch = 0>
class BlockScan {
  static constexpr int Threads = X * Y * Z, Warps = (Threads + 31) / 32;

public:
  struct TempStorage {
    Uninitialized<T> warps[Warps];
  };
  __HEDDLE_CUB BlockScan(TempStorage &s) : storage(s) {}

  template <typename Op>
  __HEDDLE_CUB void InclusiveScan(T v, T &out, Op op, T &total) {
    T before;
    bool has = warpsBefore(__heddle::inclusive<32>(v, op), op, before, total);
    out = __heddle::inclusive<32>(v, op);
    if (has)
      out = op(before, out);
  }
  template <typename Op> __HEDDLE_CUB void InclusiveScan(T v, T &out, Op op) {
    T total;
    InclusiveScan(v, out, op, total);
  }
  template <typename Op>
  __HEDDLE_CUB void ExclusiveScan(T v, T &out, T initial, Op op, T &total) {
    T own = __heddle::inclusive<32>(v, op), before;
    bool has = warpsBefore(own, op, before, total);
    T lanes = __heddle::previous<32>(own);
    out = has ? T(op(initial, before)) : initial;
    if (RowMajorTid(X, Y, Z) % 32)
      out = op(out, lanes);
  }
  template <typename Op>
  __HEDDLE_CUB void ExclusiveScan(T v, T &out, T initial, Op op) {
    T total;
    ExclusiveScan(v, out, initial, op, total);
  }
  template <int N, typename Op>
  __HEDDLE_CUB void ExclusiveScan(T (&v)[N], T (&out)[N], T initial, Op op,
                                  T &total) {
    T next;
    ExclusiveScan(ThreadReduce(v, op), next, initial, op, total);
    for (int i = 0; i < N; ++i) {
      T current = v[i];
      out[i] = next;
      next = op(next, current);
    }
  }
  template <int N, typename Op>
  __HEDDLE_CUB void InclusiveScan(T (&v)[N], T (&out)[N], Op op, T &total) {
    T sum = ThreadReduce(v, op), own = __heddle::inclusive<32>(sum, op), before;
    bool has = warpsBefore(own, op, before, total);
    T lanes = __heddle::previous<32>(own);
    bool inner = RowMajorTid(X, Y, Z) % 32;
    T carry = has && inner ? T(op(before, lanes)) : inner ? lanes : before;
    for (int i = 0; i < N; ++i) {
      carry = i || has || inner ? T(op(carry, v[i])) : v[i];
      out[i] = carry;
    }
  }
  template <int N, typename Op>
  __HEDDLE_CUB void InclusiveScan(T (&v)[N], T (&out)[N], Op op) {
    T total;
    InclusiveScan(v, out, op, total);
  }
  __HEDDLE_CUB void ExclusiveSum(T v, T &out) {
    ExclusiveScan(v, out, T(0), cub::Sum());
  }
  __HEDDLE_CUB void ExclusiveSum(T v, T &out, T &total) {
    ExclusiveScan(v, out, T(0), cub::Sum(), total);
  }
  template <int N> __HEDDLE_CUB void ExclusiveSum(T (&v)[N], T (&out)[N]) {
    T total;
    ExclusiveScan(v, out, T(0), cub::Sum(), total);
  }
  template <int N>
  __HEDDLE_CUB void ExclusiveSum(T (&v)[N], T (&out)[N], T &total) {
    ExclusiveScan(v, out, T(0), cub::Sum(), total);
  }
  __HEDDLE_CUB void InclusiveSum(T v, T &out) {
    InclusiveScan(v, out, cub::Sum());
  }
  __HEDDLE_CUB void InclusiveSum(T v, T &out, T &total) {
    InclusiveScan(v, out, cub::Sum(), total);
  }
  template <int N> __HEDDLE_CUB void InclusiveSum(T (&v)[N], T (&out)[N]) {
    T total;
    InclusiveScan(v, out, cub::Sum(), total);
  }
  template <int N>
  __HEDDLE_CUB void InclusiveSum(T (&v)[N], T (&out)[N], T &total) {
    InclusiveScan(v, out, cub::Sum(), total);
  }

private:
  /// What the warps before this one sum up to, if there are any, and what all
  /// of them do.
  template <typename Op>
  __HEDDLE_CUB bool warpsBefore(T own, Op op, T &before, T &total) {
    int tid = RowMajorTid(X, Y, Z), warp = tid / 32;
    if (tid % 32 == 31 || tid == Threads - 1)
      storage.warps[warp].Alias() = own;
    __syncthreads();
    total = storage.warps[0].Alias();
    before = total;
    for (int w = 1; w < Warps; ++w) {
      if (w == warp)
        before = total;
      total = op(total, storage.warps[w].Alias());
    }
    return warp > 0;
  }
  TempStorage &storage;
};

} // namespace cub

#endif
