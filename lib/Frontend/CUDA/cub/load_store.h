// How a block moves its items: blocked, striped, and from one to the other.

#ifndef HEDDLE_CUDA_CUB_LOAD_STORE_H
#define HEDDLE_CUDA_CUB_LOAD_STORE_H

#include "reduce_scan.h"

namespace cub {

template <int Threads, typename T, int N, typename It>
__HEDDLE_CUB void LoadDirectStriped(int tid, It from, T (&v)[N]) {
  for (int i = 0; i < N; ++i)
    v[i] = from[tid + i * Threads];
}
template <int Threads, typename T, int N, typename It>
__HEDDLE_CUB void LoadDirectStriped(int tid, It from, T (&v)[N], int valid) {
  for (int i = 0; i < N; ++i)
    if (tid + i * Threads < valid)
      v[i] = from[tid + i * Threads];
}
template <int Threads, typename T, int N, typename It>
__HEDDLE_CUB void StoreDirectStriped(int tid, It to, T (&v)[N]) {
  for (int i = 0; i < N; ++i)
    to[tid + i * Threads] = v[i];
}
template <int Threads, typename T, int N, typename It>
__HEDDLE_CUB void StoreDirectStriped(int tid, It to, T (&v)[N], int valid) {
  for (int i = 0; i < N; ++i)
    if (tid + i * Threads < valid)
      to[tid + i * Threads] = v[i];
}
template <typename T, int N, typename It>
__HEDDLE_CUB void LoadDirectBlocked(int tid, It from, T (&v)[N]) {
  for (int i = 0; i < N; ++i)
    v[i] = from[tid * N + i];
}
template <typename T, int N, typename It>
__HEDDLE_CUB void LoadDirectBlocked(int tid, It from, T (&v)[N], int valid) {
  for (int i = 0; i < N; ++i)
    if (tid * N + i < valid)
      v[i] = from[tid * N + i];
}
template <typename T, int N, typename It>
__HEDDLE_CUB void LoadDirectBlocked(int tid, It from, T (&v)[N], int valid,
                                    T rest) {
  for (int i = 0; i < N; ++i)
    v[i] = tid * N + i < valid ? T(from[tid * N + i]) : rest;
}
template <typename T, int N, typename It>
__HEDDLE_CUB void StoreDirectBlocked(int tid, It to, T (&v)[N]) {
  for (int i = 0; i < N; ++i)
    to[tid * N + i] = v[i];
}
template <typename T, int N, typename It>
__HEDDLE_CUB void StoreDirectBlocked(int tid, It to, T (&v)[N], int valid) {
  for (int i = 0; i < N; ++i)
    if (tid * N + i < valid)
      to[tid * N + i] = v[i];
}

template <typename T, int X, int N, bool Timeslice = false, int Y = 1,
          int Z = 1, int Arch = 0>
class BlockExchange {
  static constexpr int Threads = X * Y * Z;

public:
  struct TempStorage {
    Uninitialized<T> items[Threads * N];
  };
  __HEDDLE_CUB BlockExchange(TempStorage &s) : storage(s) {}
  __HEDDLE_CUB void StripedToBlocked(T (&v)[N]) {
    move(
        v, [](int tid, int i) { return tid + i * Threads; },
        [](int tid, int i) { return tid * N + i; });
  }
  __HEDDLE_CUB void BlockedToStriped(T (&v)[N]) {
    move(
        v, [](int tid, int i) { return tid * N + i; },
        [](int tid, int i) { return tid + i * Threads; });
  }
  __HEDDLE_CUB void StripedToBlocked(T (&in)[N], T (&out)[N]) {
    copy(in, out);
    StripedToBlocked(out);
  }
  __HEDDLE_CUB void BlockedToStriped(T (&in)[N], T (&out)[N]) {
    copy(in, out);
    BlockedToStriped(out);
  }
  template <typename R>
  __HEDDLE_CUB void ScatterToBlocked(T (&v)[N], R (&ranks)[N]) {
    move(
        v, [&](int, int i) { return (int)ranks[i]; },
        [](int tid, int i) { return tid * N + i; });
  }
  template <typename R>
  __HEDDLE_CUB void ScatterToStriped(T (&v)[N], R (&ranks)[N]) {
    move(
        v, [&](int, int i) { return (int)ranks[i]; },
        [](int tid, int i) { return tid + i * Threads; });
  }

private:
  __HEDDLE_CUB void copy(T (&in)[N], T (&out)[N]) {
    for (int i = 0; i < N; ++i)
      out[i] = in[i];
  }
  template <typename To, typename From>
  __HEDDLE_CUB void move(T (&v)[N], To to, From from) {
    int tid = RowMajorTid(X, Y, Z);
    for (int i = 0; i < N; ++i)
      storage.items[to(tid, i)].Alias() = v[i];
    __syncthreads();
    for (int i = 0; i < N; ++i)
      v[i] = storage.items[from(tid, i)].Alias();
  }
  TempStorage &storage;
};

template <typename T, int X, int N, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT,
          int Y = 1, int Z = 1, int Arch = 0>
class BlockLoad {
  static constexpr bool Exchanges = A >= BLOCK_LOAD_TRANSPOSE;
  typedef BlockExchange<T, X, N, false, Y, Z> Exchange;

public:
  union TempStorage {
    typename ::std::conditional_t<Exchanges, typename Exchange::TempStorage,
                                  NullType>
        s;
  };
  __HEDDLE_CUB BlockLoad(TempStorage &s) : storage(s) {}
  template <typename It> __HEDDLE_CUB void Load(It from, T (&v)[N]) {
    Load(from, v, X * Y * Z * N);
  }
  template <typename It> __HEDDLE_CUB void Load(It from, T (&v)[N], int valid) {
    int tid = RowMajorTid(X, Y, Z);
    if constexpr (Exchanges || A == BLOCK_LOAD_STRIPED)
      LoadDirectStriped<X * Y * Z>(tid, from, v, valid);
    else
      LoadDirectBlocked(tid, from, v, valid);
    if constexpr (Exchanges)
      Exchange(storage.s).StripedToBlocked(v);
  }
  template <typename It, typename D>
  __HEDDLE_CUB void Load(It from, T (&v)[N], int valid, D rest) {
    for (int i = 0; i < N; ++i)
      v[i] = rest;
    Load(from, v, valid);
  }

private:
  TempStorage &storage;
};
template <typename T, int X, int N, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT,
          int Y = 1, int Z = 1, int Arch = 0>
class BlockStore {
  static constexpr bool Exchanges = A >= BLOCK_STORE_TRANSPOSE;
  typedef BlockExchange<T, X, N, false, Y, Z> Exchange;

public:
  union TempStorage {
    typename ::std::conditional_t<Exchanges, typename Exchange::TempStorage,
                                  NullType>
        s;
  };
  __HEDDLE_CUB BlockStore(TempStorage &s) : storage(s) {}
  template <typename It> __HEDDLE_CUB void Store(It to, T (&v)[N]) {
    Store(to, v, X * Y * Z * N);
  }
  template <typename It> __HEDDLE_CUB void Store(It to, T (&v)[N], int valid) {
    int tid = RowMajorTid(X, Y, Z);
    if constexpr (Exchanges)
      Exchange(storage.s).BlockedToStriped(v);
    if constexpr (Exchanges || A == BLOCK_STORE_STRIPED)
      StoreDirectStriped<X * Y * Z>(tid, to, v, valid);
    else
      StoreDirectBlocked(tid, to, v, valid);
  }

private:
  TempStorage &storage;
};

} // namespace cub

#endif
