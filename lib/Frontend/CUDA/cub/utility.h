// Operators, small types and iterators of CUB.

#ifndef HEDDLE_CUDA_CUB_UTILITY_H
#define HEDDLE_CUDA_CUB_UTILITY_H

#include "../cooperative_groups.h"
#include "../cuda_runtime.h"

#include <iterator>
#include <type_traits>

#define CUB_VERSION 200000
#define CUB_STATIC_ASSERT(condition, message) static_assert(condition, #message)
#define CUB_MAX(a, b) ((a) > (b) ? (a) : (b))
#define CUB_MIN(a, b) ((a) < (b) ? (a) : (b))
#define CUB_PTX_WARP_THREADS 32
#define CUB_LOG_WARP_THREADS(arch) 5
#define CUB_WARP_THREADS(arch) 32
#define CubDebug(e) (e)
#define CubDebugExit(e) (e)
#define CUB_RUNTIME_FUNCTION
#define __HEDDLE_CUB __attribute__((device, always_inline, nodebug)) inline
#define __HEDDLE_CUB_BOTH                                                      \
  __attribute__((host, device, always_inline, nodebug)) inline

namespace cub {

// --- operators and small types -----------------------------------------------
#define __HEDDLE_OPERATOR(name, expression)                                    \
  struct name {                                                                \
    template <typename T>                                                      \
    __HEDDLE_CUB_BOTH auto operator()(const T &a, const T &b) const {          \
      return expression;                                                       \
    }                                                                          \
  };
__HEDDLE_OPERATOR(Sum, T(a + b))
__HEDDLE_OPERATOR(Difference, T(a - b))
__HEDDLE_OPERATOR(Max, T(a < b ? b : a))
__HEDDLE_OPERATOR(Min, T(b < a ? b : a))
__HEDDLE_OPERATOR(Equality, a == b)
__HEDDLE_OPERATOR(Inequality, a != b)
__HEDDLE_OPERATOR(ArgMax, (a.value < b.value ? b : a))
__HEDDLE_OPERATOR(ArgMin, (b.value < a.value ? b : a))
#undef __HEDDLE_OPERATOR
struct CastOp {};
struct NullType {};
template <int V> struct Int2Type {
  enum { VALUE = V };
};
template <typename K, typename V> struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  K key;
  V value;
  __HEDDLE_CUB_BOTH KeyValuePair() {}
  __HEDDLE_CUB_BOTH KeyValuePair(const K &key, const V &value)
      : key(key), value(value) {}
};
enum Category {
  NOT_A_NUMBER,
  SIGNED_INTEGER,
  UNSIGNED_INTEGER,
  FLOATING_POINT
};
/// A number's bits in an order that unsigned comparison sorts by.
template <typename T> struct Traits {
  typedef ::std::conditional_t<
      sizeof(T) == 1, unsigned char,
      ::std::conditional_t<
          sizeof(T) == 2, unsigned short,
          ::std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>>>
      UnsignedBits;
  static constexpr bool IS_FLOAT = !::std::is_integral_v<T>;
  static constexpr Category CATEGORY = IS_FLOAT ? FLOATING_POINT
                                       : ::std::is_signed_v<T>
                                           ? SIGNED_INTEGER
                                           : UNSIGNED_INTEGER;
  static constexpr bool PRIMITIVE = true, NULL_TYPE = false;
  static constexpr UnsignedBits HIGH_BIT = UnsignedBits(1)
                                           << (8 * sizeof(T) - 1);
  static constexpr UnsignedBits LOWEST_KEY = IS_FLOAT ? UnsignedBits(-1)
                                             : CATEGORY == SIGNED_INTEGER
                                                 ? HIGH_BIT
                                                 : UnsignedBits(0);
  static constexpr UnsignedBits MAX_KEY =
      CATEGORY == UNSIGNED_INTEGER ? UnsignedBits(-1)
                                   : UnsignedBits(UnsignedBits(-1) ^ HIGH_BIT);
  static __HEDDLE_CUB_BOTH UnsignedBits TwiddleIn(UnsignedBits key) {
    if constexpr (IS_FLOAT)
      return key ^ (key & HIGH_BIT ? UnsignedBits(-1) : HIGH_BIT);
    return CATEGORY == SIGNED_INTEGER ? key ^ HIGH_BIT : key;
  }
  static __HEDDLE_CUB_BOTH UnsignedBits TwiddleOut(UnsignedBits key) {
    if constexpr (IS_FLOAT)
      return key ^ (key & HIGH_BIT ? HIGH_BIT : UnsignedBits(-1));
    return CATEGORY == SIGNED_INTEGER ? key ^ HIGH_BIT : key;
  }
};
template <typename T> struct DoubleBuffer {
  T *d_buffers[2];
  int selector;
  __HEDDLE_CUB_BOTH DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  __HEDDLE_CUB_BOTH DoubleBuffer(T *a, T *b) : d_buffers{a, b}, selector(0) {}
  __HEDDLE_CUB_BOTH T *Current() { return d_buffers[selector]; }
  __HEDDLE_CUB_BOTH T *Alternate() { return d_buffers[selector ^ 1]; }
};
template <int N> struct Log2 {
  enum { VALUE = N <= 1 ? 0 : 1 + Log2<(N + 1) / 2>::VALUE };
};
template <> struct Log2<1> {
  enum { VALUE = 0 };
};
template <typename A, typename B>
__HEDDLE_CUB_BOTH A DivideAndRoundUp(A n, B d) {
  return (n + d - 1) / d;
}
template <typename T> struct Uninitialized {
  alignas(T) unsigned char storage[sizeof(T)];
  __HEDDLE_CUB T &Alias() { return *reinterpret_cast<T *>(storage); }
};
#ifdef __HEDDLE_PROGRAM
/// Keeps nothing for later: what it frees is free.
struct CachingDeviceAllocator {
  template <typename... A> CachingDeviceAllocator(A...) {}
  cudaError_t DeviceAllocate(void **to, size_t bytes, cudaStream_t = 0) {
    return cudaMalloc(to, bytes);
  }
  cudaError_t DeviceAllocate(int, void **to, size_t bytes, cudaStream_t = 0) {
    return cudaMalloc(to, bytes);
  }
  cudaError_t DeviceFree(void *p) { return cudaFree(p); }
  cudaError_t DeviceFree(int, void *p) { return cudaFree(p); }
  cudaError_t FreeAllCached() { return cudaSuccess; }
};
#else
struct CachingDeviceAllocator {
  template <typename... A> CachingDeviceAllocator(A...);
  template <typename... A> cudaError_t DeviceAllocate(A...);
  template <typename... A> cudaError_t DeviceFree(A...);
};
#endif
enum CacheLoadModifier {
  LOAD_DEFAULT,
  LOAD_CA,
  LOAD_CG,
  LOAD_CS,
  LOAD_CV,
  LOAD_LDG,
  LOAD_VOLATILE
};
enum CacheStoreModifier {
  STORE_DEFAULT,
  STORE_WB,
  STORE_CG,
  STORE_CS,
  STORE_WT,
  STORE_VOLATILE
};
template <CacheLoadModifier M, typename T> __HEDDLE_CUB T ThreadLoad(T *p) {
  return *p;
}
template <CacheStoreModifier M, typename T>
__HEDDLE_CUB void ThreadStore(T *p, T v) {
  *p = v;
}
#ifndef __HEDDLE_PROGRAM // device_folds.h has those of programs
template <typename T> struct CountingInputIterator {
  T v;
  __HEDDLE_CUB_BOTH CountingInputIterator(T v) : v(v) {}
  template <typename I> __HEDDLE_CUB_BOTH T operator[](I i) const {
    return v + T(i);
  }
  template <typename I>
  __HEDDLE_CUB_BOTH CountingInputIterator operator+(I i) const {
    return {T(v + i)};
  }
  __HEDDLE_CUB_BOTH T operator*() const { return v; }
};
template <typename T> struct ConstantInputIterator {
  T v;
  __HEDDLE_CUB_BOTH ConstantInputIterator(T v) : v(v) {}
  template <typename I> __HEDDLE_CUB_BOTH T operator[](I) const { return v; }
};
template <typename T, typename Op, typename It, typename O = long>
struct TransformInputIterator {
  It it;
  Op op;
  __HEDDLE_CUB_BOTH TransformInputIterator(It it, Op op) : it(it), op(op) {}
  template <typename I> __HEDDLE_CUB_BOTH T operator[](I i) const {
    return op(it[i]);
  }
  template <typename I>
  __HEDDLE_CUB_BOTH TransformInputIterator operator+(I i) const {
    return {it + i, op};
  }
};
#endif
template <CacheLoadModifier M, typename T, typename O = long>
struct CacheModifiedInputIterator {
  const T *p;
  __HEDDLE_CUB_BOTH CacheModifiedInputIterator(const T *p) : p(p) {}
  template <typename I> __HEDDLE_CUB_BOTH T operator[](I i) const {
    return p[i];
  }
  template <typename I>
  __HEDDLE_CUB_BOTH CacheModifiedInputIterator operator+(I i) const {
    return {p + i};
  }
  __HEDDLE_CUB_BOTH T operator*() const { return *p; }
};
__HEDDLE_CUB unsigned LaneId() { return __nvvm_read_ptx_sreg_laneid(); }
__HEDDLE_CUB int RowMajorTid(int x, int y, int z) {
  return (int)((threadIdx.z * y + threadIdx.y) * x + threadIdx.x);
}
__HEDDLE_CUB unsigned WarpId() {
  return cooperative_groups::__heddle::rank() >> 5;
}
template <int Width, typename T>
__HEDDLE_CUB T ShuffleIndex(T v, int lane, unsigned mask) {
  return cooperative_groups::__heddle::shfl(mask, v, lane, Width);
}
template <int Width, typename T>
__HEDDLE_CUB T ShuffleDown(T v, int delta, int, unsigned mask) {
  return cooperative_groups::__heddle::shfl_down(mask, v, delta, Width);
}
template <int Width, typename T>
__HEDDLE_CUB T ShuffleUp(T v, int delta, int, unsigned mask) {
  return cooperative_groups::__heddle::shfl_up(mask, v, delta, Width);
}
template <typename T, int N, typename Op>
__HEDDLE_CUB T ThreadReduce(const T (&v)[N], Op op) {
  T r = v[0];
  for (int i = 1; i < N; ++i)
    r = op(r, v[i]);
  return r;
}

} // namespace cub

#endif
