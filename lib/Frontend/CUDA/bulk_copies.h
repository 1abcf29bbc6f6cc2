// cuda::device::experimental: bulk and tensor copies of sm_90.

#ifndef HEDDLE_CUDA_BULK_COPIES_H
#define HEDDLE_CUDA_BULK_COPIES_H

namespace cuda {
namespace device {
namespace experimental {

#define __HEDDLE_SYNC __attribute__((device, always_inline, nodebug)) inline
__HEDDLE_SYNC void fence_proxy_async_shared_cta() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__HEDDLE_SYNC void cp_async_bulk_commit_group() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
template <int Left> __HEDDLE_SYNC void cp_async_bulk_wait_group() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(Left) : "memory");
}
template <int Left> __HEDDLE_SYNC void cp_async_bulk_wait_group_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Left) : "memory");
}
template <typename B>
__HEDDLE_SYNC void cp_async_bulk_global_to_shared(void *to, const void *from,
                                                  unsigned bytes, B &b) {
  __heddle_bulk_load(to, from, bytes, &b);
}
__HEDDLE_SYNC void cp_async_bulk_shared_to_global(void *to, const void *from,
                                                  unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], "
               "%2;" ::"l"(__cvta_generic_to_global(to)),
               "r"(__heddle_place(from)), "r"(bytes)
               : "memory");
}
/// Of D dimensions: the coordinates as parameters, in text and as operands.
#define __HEDDLE_TENSOR_COPY(D, PARAMS, COORDS, ...)                           \
  template <typename Map, typename B>                                          \
  __HEDDLE_SYNC void cp_async_bulk_tensor_##D##d_global_to_shared(             \
      void *to, const Map *map, PARAMS, B &b) {                                \
    asm volatile("cp.async.bulk.tensor." #D                                    \
                 "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes " \
                 "[%0], [%1, {" COORDS "}], [%2];" ::"r"(__heddle_place(to)),  \
                 "l"(map), "r"(__heddle_place(&b)), __VA_ARGS__                \
                 : "memory");                                                  \
  }                                                                            \
  template <typename Map>                                                      \
  __HEDDLE_SYNC void cp_async_bulk_tensor_##D##d_shared_to_global(             \
      const Map *map, PARAMS, const void *from) {                              \
    asm volatile("cp.async.bulk.tensor." #D                                    \
                 "d.global.shared::cta.tile.bulk_group [%0, {" COORDS          \
                 "}], [%1];" ::"l"(map),                                       \
                 "r"(__heddle_place(from)), "r"(0), __VA_ARGS__                \
                 : "memory");                                                  \
  }
#define __HEDDLE_COMMA ,
__HEDDLE_TENSOR_COPY(1, int c0, "%3", "r"(c0))
__HEDDLE_TENSOR_COPY(2, int c0 __HEDDLE_COMMA int c1, "%3, %4", "r"(c0),
                     "r"(c1))
__HEDDLE_TENSOR_COPY(3, int c0 __HEDDLE_COMMA int c1 __HEDDLE_COMMA int c2,
                     "%3, %4, %5", "r"(c0), "r"(c1), "r"(c2))
__HEDDLE_TENSOR_COPY(
    4, int c0 __HEDDLE_COMMA int c1 __HEDDLE_COMMA int c2 __HEDDLE_COMMA int c3,
    "%3, %4, %5, %6", "r"(c0), "r"(c1), "r"(c2), "r"(c3))
__HEDDLE_TENSOR_COPY(5,
                     int c0 __HEDDLE_COMMA int c1 __HEDDLE_COMMA int c2
                         __HEDDLE_COMMA int c3 __HEDDLE_COMMA int c4,
                     "%3, %4, %5, %6, %7", "r"(c0), "r"(c1), "r"(c2), "r"(c3),
                     "r"(c4))
#undef __HEDDLE_COMMA
#undef __HEDDLE_TENSOR_COPY
#undef __HEDDLE_SYNC

} // namespace experimental
} // namespace device
} // namespace cuda

#endif
