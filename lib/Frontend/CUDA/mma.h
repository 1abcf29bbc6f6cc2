// wmma: fragments are registers, loads, stores and products Clang's builtins,
// which become PTX's wmma instructions.

#ifndef HEDDLE_CUDA_MMA_H
#define HEDDLE_CUDA_MMA_H

#include "own_names.def"

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
namespace experimental {
namespace precision {
struct u4 {};
struct s4 {};
struct b1 {};
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

#define __HEDDLE_WMMA __attribute__((device, always_inline, nodebug)) inline

namespace __heddle {
/// How a fragment keeps an element, and how many of them one has.
template <typename T> struct Storage {
  typedef T type;
  static constexpr int perLane(int elements) { return elements / 32; }
};
/// Matrices of half are held as often as 8 registers hold them.
template <> struct Storage<__half> {
  typedef __half type;
  static constexpr int perLane(int) { return 16; }
};
template <> struct Storage<precision::tf32> {
  typedef float type;
  static constexpr int perLane(int elements) { return elements / 32; }
};
template <int Packed> struct Nibbles {
  typedef int type;
  static constexpr int perLane(int elements) { return elements / 32 / Packed; }
};
template <> struct Storage<experimental::precision::s4> : Nibbles<8> {};
template <> struct Storage<experimental::precision::u4> : Nibbles<8> {};
template <> struct Storage<experimental::precision::b1> : Nibbles<32> {};
template <typename L>
constexpr int columns = ::std::is_same_v<L, col_major> ? 1 : 0;
template <typename A, typename B>
constexpr int layouts = 2 * columns<A> + columns<B>;

__attribute__((device, error("these fragments need sm_72 or later"))) void
needs_sm_72();
__attribute__((device, error("these fragments need sm_75 or later"))) void
needs_sm_75();
__attribute__((device, error("these fragments need sm_80 or later"))) void
needs_sm_80();
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 720
#define __HEDDLE_SM_72(...) __heddle::needs_sm_72()
#else
#define __HEDDLE_SM_72(...) __VA_ARGS__
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 750
#define __HEDDLE_SM_75(...) __heddle::needs_sm_75()
#else
#define __HEDDLE_SM_75(...) __VA_ARGS__
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define __HEDDLE_SM_80(...) __heddle::needs_sm_80()
#else
#define __HEDDLE_SM_80(...) __VA_ARGS__
#endif
#define __HEDDLE_SM_70(...) __VA_ARGS__
} // namespace __heddle

__HEDDLE_WMMA float __float_to_tf32(float v) {
  return __uint_as_float((__float_as_uint(v) + 0x1000u) & 0xffffe000u);
}

template <typename Use, int M, int N, int K, typename T, typename Layout = void>
class fragment {
  static constexpr bool IsSum = ::std::is_same_v<Use, accumulator>;
  static constexpr bool IsA = ::std::is_same_v<Use, matrix_a>;

public:
  typedef T element_type;
  typedef typename __heddle::Storage<T>::type storage_element_type;
  static constexpr int num_storage_elements =
      IsSum ? M * N / 32 : __heddle::Storage<T>::perLane(IsA ? M * K : K * N);
  static constexpr int num_elements =
      ::std::is_same_v<storage_element_type, int> && !IsSum
          ? (IsA ? M * K : K * N) / 32
          : num_storage_elements;
  storage_element_type x[num_storage_elements];
};

template <typename U, int M, int N, int K, typename T, typename L, typename V>
__HEDDLE_WMMA void fill_fragment(fragment<U, M, N, K, T, L> &f, const V &v) {
  for (auto &x : f.x)
    x = v;
}

// Factors of type T, which memory holds as S and the builtins as R.
#define __HEDDLE_FACTORS(M, N, K, T, S, R, ARCH, PREFIX, SUFFIX)               \
  template <typename L>                                                        \
  __HEDDLE_WMMA void load_matrix_sync(fragment<matrix_a, M, N, K, T, L> &f,    \
                                      const S *p, unsigned stride) {           \
    ARCH(PREFIX##_ld_a##SUFFIX((R *)f.x, (const R *)p, stride,                 \
                               __heddle::columns<L>));                         \
  }                                                                            \
  template <typename L>                                                        \
  __HEDDLE_WMMA void load_matrix_sync(fragment<matrix_b, M, N, K, T, L> &f,    \
                                      const S *p, unsigned stride) {           \
    ARCH(PREFIX##_ld_b##SUFFIX((R *)f.x, (const R *)p, stride,                 \
                               __heddle::columns<L>));                         \
  }
// Sums of type T, as R.
#define __HEDDLE_SUMS(M, N, K, T, R, ARCH, LOAD, STORE)                        \
  __HEDDLE_WMMA void load_matrix_sync(fragment<accumulator, M, N, K, T> &f,    \
                                      const T *p, unsigned stride,             \
                                      layout_t layout) {                       \
    if (layout == mem_row_major)                                               \
      ARCH(LOAD((R *)f.x, (const R *)p, stride, 0));                           \
    else                                                                       \
      ARCH(LOAD((R *)f.x, (const R *)p, stride, 1));                           \
  }                                                                            \
  __HEDDLE_WMMA void store_matrix_sync(                                        \
      T *p, const fragment<accumulator, M, N, K, T> &f, unsigned stride,       \
      layout_t layout) {                                                       \
    if (layout == mem_row_major)                                               \
      ARCH(STORE((R *)p, (const R *)f.x, stride, 0));                          \
    else                                                                       \
      ARCH(STORE((R *)p, (const R *)f.x, stride, 1));                          \
  }
#define __HEDDLE_PRODUCT(M, N, K, D, T, C, RD, R, RC, ARCH, NAME)              \
  template <typename LA, typename LB>                                          \
  __HEDDLE_WMMA void mma_sync(fragment<accumulator, M, N, K, D> &d,            \
                              const fragment<matrix_a, M, N, K, T, LA> &a,     \
                              const fragment<matrix_b, M, N, K, T, LB> &b,     \
                              const fragment<accumulator, M, N, K, C> &c,      \
                              bool satf = false) {                             \
    if (satf && ::std::is_same_v<D, int>)                                      \
      ARCH(NAME((RD *)d.x, (const R *)a.x, (const R *)b.x, (const RC *)c.x,    \
                __heddle::layouts<LA, LB>, (::std::is_same_v<D, int>)));       \
    else                                                                       \
      ARCH(NAME((RD *)d.x, (const R *)a.x, (const R *)b.x, (const RC *)c.x,    \
                __heddle::layouts<LA, LB>, 0));                                \
  }

#define __HEDDLE_SHAPE(M, N, SHAPE)                                            \
  __HEDDLE_FACTORS(M, N, 16, __half, __half, int, __HEDDLE_SM_70,              \
                   __hmma_##SHAPE, )                                           \
  __HEDDLE_FACTORS(M, N, 16, __nv_bfloat16, __nv_bfloat16, int,                \
                   __HEDDLE_SM_80, __mma_bf16_##SHAPE, )                       \
  __HEDDLE_FACTORS(M, N, 16, signed char, signed char, int, __HEDDLE_SM_72,    \
                   __imma_##SHAPE, _s8)                                        \
  __HEDDLE_FACTORS(M, N, 16, unsigned char, unsigned char, int,                \
                   __HEDDLE_SM_72, __imma_##SHAPE, _u8)                        \
  __HEDDLE_SUMS(M, N, 16, __half, int, __HEDDLE_SM_70,                         \
                __hmma_##SHAPE##_ld_c_f16, __hmma_##SHAPE##_st_c_f16)          \
  __HEDDLE_SUMS(M, N, 16, float, float, __HEDDLE_SM_70,                        \
                __hmma_##SHAPE##_ld_c_f32, __hmma_##SHAPE##_st_c_f32)          \
  __HEDDLE_SUMS(M, N, 16, int, int, __HEDDLE_SM_72, __imma_##SHAPE##_ld_c,     \
                __imma_##SHAPE##_st_c_i32)                                     \
  __HEDDLE_PRODUCT(M, N, 16, __half, __half, __half, int, int, int,            \
                   __HEDDLE_SM_70, __hmma_##SHAPE##_mma_f16f16)                \
  __HEDDLE_PRODUCT(M, N, 16, __half, __half, float, int, int, float,           \
                   __HEDDLE_SM_70, __hmma_##SHAPE##_mma_f16f32)                \
  __HEDDLE_PRODUCT(M, N, 16, float, __half, __half, float, int, int,           \
                   __HEDDLE_SM_70, __hmma_##SHAPE##_mma_f32f16)                \
  __HEDDLE_PRODUCT(M, N, 16, float, __half, float, float, int, float,          \
                   __HEDDLE_SM_70, __hmma_##SHAPE##_mma_f32f32)                \
  __HEDDLE_PRODUCT(M, N, 16, float, __nv_bfloat16, float, float, int, float,   \
                   __HEDDLE_SM_80, __mma_bf16_##SHAPE##_mma_f32)               \
  __HEDDLE_PRODUCT(M, N, 16, int, signed char, int, int, int, int,             \
                   __HEDDLE_SM_72, __imma_##SHAPE##_mma_s8)                    \
  __HEDDLE_PRODUCT(M, N, 16, int, unsigned char, int, int, int, int,           \
                   __HEDDLE_SM_72, __imma_##SHAPE##_mma_u8)
__HEDDLE_SHAPE(16, 16, m16n16k16)
__HEDDLE_SHAPE(32, 8, m32n8k16)
__HEDDLE_SHAPE(8, 32, m8n32k16)

__HEDDLE_FACTORS(16, 16, 8, precision::tf32, float, int, __HEDDLE_SM_80,
                 __mma_tf32_m16n16k8, )
__HEDDLE_SUMS(16, 16, 8, float, float, __HEDDLE_SM_80, __mma_tf32_m16n16k8_ld_c,
              __mma_m16n16k8_st_c_f32)
__HEDDLE_PRODUCT(16, 16, 8, float, precision::tf32, float, float, int, float,
                 __HEDDLE_SM_80, __mma_tf32_m16n16k8_mma_f32)
__HEDDLE_FACTORS(8, 8, 4, double, double, double, __HEDDLE_SM_80,
                 __dmma_m8n8k4, )
__HEDDLE_SUMS(8, 8, 4, double, double, __HEDDLE_SM_80, __dmma_m8n8k4_ld_c,
              __dmma_m8n8k4_st_c_f64)
__HEDDLE_PRODUCT(8, 8, 4, double, double, double, double, double, double,
                 __HEDDLE_SM_80, __dmma_m8n8k4_mma_f64)

// Types below a byte: A by rows, B by columns.
#define __HEDDLE_NIBBLES(T, SUFFIX)                                            \
  __HEDDLE_FACTORS(8, 8, 32, experimental::precision::T, void, int,            \
                   __HEDDLE_SM_75, __imma_m8n8k32, SUFFIX)                     \
  __HEDDLE_PRODUCT(8, 8, 32, int, experimental::precision::T, int, int, int,   \
                   int, __HEDDLE_SM_75, __imma_m8n8k32_mma##SUFFIX)
__HEDDLE_NIBBLES(s4, _s4)
__HEDDLE_NIBBLES(u4, _u4)
__HEDDLE_SUMS(8, 8, 32, int, int, __HEDDLE_SM_75, __imma_m8n8k32_ld_c,
              __imma_m8n8k32_st_c_i32)
__HEDDLE_FACTORS(8, 8, 128, experimental::precision::b1, void, int,
                 __HEDDLE_SM_75, __bmma_m8n8k128, _b1)
__HEDDLE_SUMS(8, 8, 128, int, int, __HEDDLE_SM_75, __bmma_m8n8k128_ld_c,
              __bmma_m8n8k128_st_c_i32)

__HEDDLE_WMMA void bmma_sync(
    fragment<accumulator, 8, 8, 128, int> &d,
    const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major>
        &a,
    const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major>
        &b,
    const fragment<accumulator, 8, 8, 128, int> &c,
    experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
    experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  if (op == experimental::bmmaBitOpAND)
    __HEDDLE_SM_80(__bmma_m8n8k128_mma_and_popc_b1(d.x, a.x, b.x, c.x, 1));
  else
    __HEDDLE_SM_75(__bmma_m8n8k128_mma_xor_popc_b1(d.x, a.x, b.x, c.x, 1));
}

#undef __HEDDLE_NIBBLES
#undef __HEDDLE_SHAPE
#undef __HEDDLE_PRODUCT
#undef __HEDDLE_SUMS
#undef __HEDDLE_FACTORS
#undef __HEDDLE_WMMA

} // namespace wmma
} // namespace nvcuda

#include "user_names.def"

#endif
