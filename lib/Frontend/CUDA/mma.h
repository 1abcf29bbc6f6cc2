// wmma as functional operations: a lane holds rows of A, columns of B and a
// strip of the accumulator, and columns travel by shuffles. The results are
// those of the tensor cores (products exact, sums in single precision, in order
// of k); the cost is that of the shuffles, which a warning says.

#ifndef HEDDLE_CUDA_MMA_H
#define HEDDLE_CUDA_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#include <type_traits>

namespace nvcuda {
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
} // namespace precision

#define __HEDDLE_WMMA __attribute__((device, always_inline, nodebug)) inline

namespace __heddle {
template <typename T> struct Storage {
  typedef T type;
};
template <> struct Storage<precision::tf32> {
  typedef float type;
};
__HEDDLE_WMMA int lane() { return (int)__nvvm_read_ptx_sreg_laneid(); }
template <typename T> __HEDDLE_WMMA auto wide(T v) {
  if constexpr (::std::is_integral_v<T>)
    return (int)v;
  else if constexpr (::std::is_same_v<T, double>)
    return v;
  else
    return (float)v;
}
__HEDDLE_WMMA float mad(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
__HEDDLE_WMMA double mad(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
__HEDDLE_WMMA int mad(int a, int b, int c) { return a * b + c; }
/// The 19 bits of a float that count as tf32.
__HEDDLE_WMMA float toTF32(float v) {
  return __uint_as_float((__float_as_uint(v) + 0x1000u) & 0xffffe000u);
}
/// A factor as the tensor cores see it: of tf32 the low bits do not count.
template <typename T, typename S> __HEDDLE_WMMA auto factor(S v) {
  if constexpr (::std::is_same_v<T, precision::tf32>)
    return __uint_as_float(__float_as_uint(v) & 0xffffe000u);
  else
    return wide(v);
}
} // namespace __heddle

__HEDDLE_WMMA float __float_to_tf32(float v) { return __heddle::toTF32(v); }

template <typename Use, int M, int N, int K, typename T, typename Layout = void>
class fragment {
  static constexpr bool IsA = ::std::is_same_v<Use, matrix_a>;
  static constexpr bool IsB = ::std::is_same_v<Use, matrix_b>;

public:
  typedef T element_type;
  typedef typename __heddle::Storage<T>::type storage_element_type;
  static constexpr int num_elements = IsA || IsB ? K : M * N / 32;
  static constexpr int num_storage_elements = num_elements;
  storage_element_type x[num_elements];

  /// Where element \p i of this lane stands in the matrix.
  __HEDDLE_WMMA static int row(int i) { return IsB ? i : __heddle::lane() % M; }
  __HEDDLE_WMMA static int column(int i) {
    return IsA   ? i
           : IsB ? __heddle::lane() % N
                 : __heddle::lane() / M * num_elements + i;
  }
};

template <typename U, int M, int N, int K, typename T, typename L, typename V>
__HEDDLE_WMMA void fill_fragment(fragment<U, M, N, K, T, L> &f, const V &v) {
  for (auto &x : f.x)
    x = v;
}
template <typename U, int M, int N, int K, typename T, typename L, typename S>
__HEDDLE_WMMA void load_matrix_sync(fragment<U, M, N, K, T, L> &f, const S *p,
                                    unsigned stride) {
  constexpr bool Rows = ::std::is_same_v<L, row_major>;
  for (int i = 0; i < f.num_elements; ++i)
    f.x[i] = Rows ? p[f.row(i) * stride + f.column(i)]
                  : p[f.row(i) + f.column(i) * stride];
}
template <int M, int N, int K, typename T>
__HEDDLE_WMMA void load_matrix_sync(fragment<accumulator, M, N, K, T> &f,
                                    const T *p, unsigned stride,
                                    layout_t layout) {
  for (int i = 0; i < f.num_elements; ++i)
    f.x[i] = layout == mem_row_major ? p[f.row(i) * stride + f.column(i)]
                                     : p[f.row(i) + f.column(i) * stride];
}
template <int M, int N, int K, typename T>
__HEDDLE_WMMA void store_matrix_sync(T *p,
                                     const fragment<accumulator, M, N, K, T> &f,
                                     unsigned stride, layout_t layout) {
  for (int i = 0; i < f.num_elements; ++i)
    p[layout == mem_row_major ? f.row(i) * stride + f.column(i)
                              : f.row(i) + f.column(i) * stride] = f.x[i];
}

template <int M, int N, int K, typename T, typename LA, typename LB, typename D,
          typename C>
__HEDDLE_WMMA void mma_sync(fragment<accumulator, M, N, K, D> &d,
                            const fragment<matrix_a, M, N, K, T, LA> &a,
                            const fragment<matrix_b, M, N, K, T, LB> &b,
                            const fragment<accumulator, M, N, K, C> &c,
                            bool = false)
    __attribute__((diagnose_if(true,
                               "wmma runs on shuffles here: results are right, "
                               "the time is not that of tensor cores",
                               "warning"))) {
  constexpr unsigned Words = sizeof(b.x) / 4;
  unsigned mine[Words];
  __builtin_memcpy(mine, b.x, sizeof(b.x));
  for (int i = 0; i < c.num_elements; ++i) {
    unsigned theirs[Words];
    for (unsigned w = 0; w < Words; ++w)
      theirs[w] = __shfl_sync(0xffffffffu, mine[w], c.column(i));
    typename fragment<matrix_b, M, N, K, T, LB>::storage_element_type column[K];
    __builtin_memcpy(column, theirs, sizeof(column));
    auto sum = __heddle::wide(c.x[i]);
    for (int k = 0; k < K; ++k)
      sum = __heddle::mad(__heddle::factor<T>(a.x[k]),
                          __heddle::factor<T>(column[k]), sum);
    d.x[i] = (D)sum;
  }
}

#undef __HEDDLE_WMMA

} // namespace wmma
} // namespace nvcuda

#endif
