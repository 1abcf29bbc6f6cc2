// cuda::ptx: writes into other blocks of the cluster that an mbarrier hears of,
// reductions of bulk copies, and tensor copies.

#ifndef HEDDLE_CUDA_PTX_WRITES_H
#define HEDDLE_CUDA_PTX_WRITES_H

#define __HEDDLE_STORE(KIND, VALUES, ...)                                      \
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::"         \
               "bytes." KIND " [%0], " VALUES                                  \
               ", [%1];" ::"r"(__heddle_place(to)),                            \
               "r"(__heddle_place(b)), __VA_ARGS__                             \
               : "memory")
#define __HEDDLE_WORD(VALUE) "r"(__builtin_bit_cast(unsigned, VALUE))
#define __HEDDLE_LONG(VALUE) "l"(__builtin_bit_cast(unsigned long long, VALUE))
template <typename T>
__HEDDLE_SYNC void st_async(T *to, const T &value, __heddle_word *b) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  if constexpr (sizeof(T) == 4)
    __HEDDLE_STORE("b32", "%2", __HEDDLE_WORD(value));
  else
    __HEDDLE_STORE("b64", "%2", __HEDDLE_LONG(value));
}
template <typename T>
__HEDDLE_SYNC void st_async(T *to, const T (&value)[2], __heddle_word *b) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  if constexpr (sizeof(T) == 4)
    __HEDDLE_STORE("v2.b32", "{%2, %3}", __HEDDLE_WORD(value[0]),
                   __HEDDLE_WORD(value[1]));
  else
    __HEDDLE_STORE("v2.b64", "{%2, %3}", __HEDDLE_LONG(value[0]),
                   __HEDDLE_LONG(value[1]));
}
template <typename T>
__HEDDLE_SYNC void st_async(T *to, const T (&value)[4], __heddle_word *b) {
  static_assert(sizeof(T) == 4);
  __HEDDLE_STORE("v4.b32", "{%2, %3, %4, %5}", __HEDDLE_WORD(value[0]),
                 __HEDDLE_WORD(value[1]), __HEDDLE_WORD(value[2]),
                 __HEDDLE_WORD(value[3]));
}
#undef __HEDDLE_LONG
#undef __HEDDLE_WORD
#undef __HEDDLE_STORE

// Reductions, first those of one number, then those of bulk copies.
#define __HEDDLE_REDUCTION(OP, TYPE, TEXT, OPERAND)                            \
  __HEDDLE_SYNC void red_async(op_##OP##_t, TYPE *to, const TYPE &value,       \
                               __heddle_word *b) {                             \
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::"        \
                 "complete_tx::bytes." TEXT                                    \
                 " [%0], %1, [%2];" ::"r"(__heddle_place(to)),                 \
                 OPERAND(value), "r"(__heddle_place(b))                        \
                 : "memory");                                                  \
  }                                                                            \
  __HEDDLE_BULK_REDUCTION(OP, TYPE, TEXT)
#define __HEDDLE_BULK_REDUCTION(OP, TYPE, TEXT)                                \
  __HEDDLE_SYNC void cp_reduce_async_bulk(space_global_t, space_shared_t,      \
                                          op_##OP##_t, TYPE *to,               \
                                          const TYPE *from, unsigned bytes) {  \
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." TEXT    \
                 " [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)),       \
                 "r"(__heddle_place(from)), "r"(bytes)                         \
                 : "memory");                                                  \
  }
#define __HEDDLE_BULK_LONGS(OP, TEXT)                                          \
  __HEDDLE_BULK_REDUCTION(OP, unsigned long, TEXT "u64")                       \
  __HEDDLE_BULK_REDUCTION(OP, unsigned long long, TEXT "u64")                  \
  __HEDDLE_BULK_REDUCTION(OP, long, TEXT "s64")                                \
  __HEDDLE_BULK_REDUCTION(OP, long long, TEXT "s64")
#define __HEDDLE_BITS(OP, TEXT)                                                \
  __HEDDLE_REDUCTION(OP, int, TEXT "b32", "r")                                 \
  __HEDDLE_REDUCTION(OP, unsigned, TEXT "b32", "r")                            \
  __HEDDLE_BULK_REDUCTION(OP, unsigned long, TEXT "b64")                       \
  __HEDDLE_BULK_REDUCTION(OP, unsigned long long, TEXT "b64")                  \
  __HEDDLE_BULK_REDUCTION(OP, long, TEXT "b64")                                \
  __HEDDLE_BULK_REDUCTION(OP, long long, TEXT "b64")
__HEDDLE_REDUCTION(add, int, "add.s32", "r")
__HEDDLE_REDUCTION(add, unsigned, "add.u32", "r")
__HEDDLE_REDUCTION(add, unsigned long, "add.u64", "l")
__HEDDLE_REDUCTION(add, unsigned long long, "add.u64", "l")
__HEDDLE_REDUCTION(add, long, "add.u64", "l")
__HEDDLE_REDUCTION(add, long long, "add.u64", "l")
__HEDDLE_REDUCTION(min, int, "min.s32", "r")
__HEDDLE_REDUCTION(min, unsigned, "min.u32", "r")
__HEDDLE_REDUCTION(max, int, "max.s32", "r")
__HEDDLE_REDUCTION(max, unsigned, "max.u32", "r")
__HEDDLE_REDUCTION(inc, unsigned, "inc.u32", "r")
__HEDDLE_REDUCTION(dec, unsigned, "dec.u32", "r")
__HEDDLE_BITS(and_op, "and.")
__HEDDLE_BITS(or_op, "or.")
__HEDDLE_BITS(xor_op, "xor.")
__HEDDLE_BULK_LONGS(min, "min.")
__HEDDLE_BULK_LONGS(max, "max.")
__HEDDLE_BULK_REDUCTION(add, float, "add.f32")
__HEDDLE_BULK_REDUCTION(add, double, "add.f64")
__HEDDLE_BULK_REDUCTION(add, __half, "add.noftz.f16")
__HEDDLE_BULK_REDUCTION(min, __half, "min.f16")
__HEDDLE_BULK_REDUCTION(max, __half, "max.f16")
__HEDDLE_BULK_REDUCTION(add, __nv_bfloat16, "add.noftz.bf16")
__HEDDLE_BULK_REDUCTION(min, __nv_bfloat16, "min.bf16")
__HEDDLE_BULK_REDUCTION(max, __nv_bfloat16, "max.bf16")
#undef __HEDDLE_BITS
#undef __HEDDLE_BULK_LONGS
#undef __HEDDLE_BULK_REDUCTION
#undef __HEDDLE_REDUCTION

/// Tensor copies of D dimensions: the coordinates as operands and in text.
#define __HEDDLE_TENSOR_REDUCTION(OP, TEXT, D, COORDS, ...)                    \
  __HEDDLE_SYNC void cp_reduce_async_bulk_tensor(                              \
      space_global_t, space_shared_t, op_##OP##_t, const void *map,            \
      const int (&c)[D], const void *from) {                                   \
    asm volatile("cp.reduce.async.bulk.tensor." #D                             \
                 "d.global.shared::cta." TEXT ".tile.bulk_group [%0, {" COORDS \
                 "}], [%1];" ::"l"(map),                                       \
                 "r"(__heddle_place(from)), "r"(0), "r"(0), __VA_ARGS__        \
                 : "memory");                                                  \
  }
#define __HEDDLE_TENSOR_COPY(D, COORDS, ...)                                   \
  template <typename Space>                                                    \
  __HEDDLE_SYNC void cp_async_bulk_tensor(Space, space_global_t, void *to,     \
                                          const void *map, const int (&c)[D],  \
                                          __heddle_word *b) {                  \
    asm volatile("cp.async.bulk.tensor." #D                                    \
                 "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes " \
                 "[%0], [%1, {" COORDS "}], [%2];" ::"r"(__heddle_place(to)),  \
                 "l"(map), "r"(__heddle_place(b)), "r"(0), __VA_ARGS__         \
                 : "memory");                                                  \
  }                                                                            \
  __HEDDLE_SYNC void cp_async_bulk_tensor(                                     \
      space_cluster_t, space_global_t, void *to, const void *map,              \
      const int (&c)[D], __heddle_word *b, unsigned short blocks) {            \
    asm volatile("cp.async.bulk.tensor." #D                                    \
                 "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes." \
                 "multicast::cluster [%0], [%1, {" COORDS                      \
                 "}], [%2], %3;" ::"r"(__heddle_place(to)),                    \
                 "l"(map), "r"(__heddle_place(b)), "h"(blocks), __VA_ARGS__    \
                 : "memory");                                                  \
  }                                                                            \
  __HEDDLE_SYNC void cp_async_bulk_tensor(space_global_t, space_shared_t,      \
                                          const void *map, const int (&c)[D],  \
                                          const void *from) {                  \
    asm volatile("cp.async.bulk.tensor." #D                                    \
                 "d.global.shared::cta.tile.bulk_group [%0, {" COORDS          \
                 "}], [%1];" ::"l"(map),                                       \
                 "r"(__heddle_place(from)), "r"(0), "r"(0), __VA_ARGS__        \
                 : "memory");                                                  \
  }                                                                            \
  __HEDDLE_TENSOR_REDUCTION(add, "add", D, COORDS, __VA_ARGS__)                \
  __HEDDLE_TENSOR_REDUCTION(min, "min", D, COORDS, __VA_ARGS__)                \
  __HEDDLE_TENSOR_REDUCTION(max, "max", D, COORDS, __VA_ARGS__)                \
  __HEDDLE_TENSOR_REDUCTION(inc, "inc", D, COORDS, __VA_ARGS__)                \
  __HEDDLE_TENSOR_REDUCTION(dec, "dec", D, COORDS, __VA_ARGS__)                \
  __HEDDLE_TENSOR_REDUCTION(and_op, "and", D, COORDS, __VA_ARGS__)             \
  __HEDDLE_TENSOR_REDUCTION(or_op, "or", D, COORDS, __VA_ARGS__)               \
  __HEDDLE_TENSOR_REDUCTION(xor_op, "xor", D, COORDS, __VA_ARGS__)
__HEDDLE_TENSOR_COPY(1, "%4", "r"(c[0]))
__HEDDLE_TENSOR_COPY(2, "%4, %5", "r"(c[0]), "r"(c[1]))
__HEDDLE_TENSOR_COPY(3, "%4, %5, %6", "r"(c[0]), "r"(c[1]), "r"(c[2]))
__HEDDLE_TENSOR_COPY(4, "%4, %5, %6, %7", "r"(c[0]), "r"(c[1]), "r"(c[2]),
                     "r"(c[3]))
__HEDDLE_TENSOR_COPY(5, "%4, %5, %6, %7, %8", "r"(c[0]), "r"(c[1]), "r"(c[2]),
                     "r"(c[3]), "r"(c[4]))
#undef __HEDDLE_TENSOR_COPY
#undef __HEDDLE_TENSOR_REDUCTION

#endif
