// mbarriers of sm_80 and later, as CUDA's primitives: a word in shared memory.

#ifndef HEDDLE_CUDA_CUDA_AWBARRIER_PRIMITIVES_H
#define HEDDLE_CUDA_CUDA_AWBARRIER_PRIMITIVES_H

#include "cuda_runtime.h"

#include <cstdint>

typedef __UINT64_TYPE__ __mbarrier_t;
typedef __UINT64_TYPE__ __mbarrier_token_t;

#define __HEDDLE_SYNC                                                          \
  static __attribute__((device, always_inline, nodebug)) inline
__HEDDLE_SYNC unsigned __heddle_place(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
__HEDDLE_SYNC unsigned __mbarrier_maximum_count() { return (1 << 20) - 1; }
__HEDDLE_SYNC void __mbarrier_init(__mbarrier_t *b, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(__heddle_place(b)),
               "r"(count)
               : "memory");
}
__HEDDLE_SYNC void __mbarrier_inval(__mbarrier_t *b) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(__heddle_place(b))
               : "memory");
}
__HEDDLE_SYNC __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *b) {
  __mbarrier_token_t state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
               : "=l"(state)
               : "r"(__heddle_place(b))
               : "memory");
  return state;
}
__HEDDLE_SYNC __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *b) {
  __mbarrier_token_t state;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(state)
               : "r"(__heddle_place(b))
               : "memory");
  return state;
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define __HEDDLE_TEST "mbarrier.try_wait"
#else
#define __HEDDLE_TEST "mbarrier.test_wait"
#endif
__HEDDLE_SYNC bool __mbarrier_test_wait(__mbarrier_t *b,
                                        __mbarrier_token_t state) {
  unsigned done;
  asm volatile("{\n.reg .pred p;\n" __HEDDLE_TEST
               ".shared.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
               : "=r"(done)
               : "r"(__heddle_place(b)), "l"(state)
               : "memory");
  return done;
}
__HEDDLE_SYNC bool __mbarrier_test_wait_parity(__mbarrier_t *b, bool parity) {
  unsigned done;
  asm volatile("{\n.reg .pred p;\n" __HEDDLE_TEST
               ".parity.shared.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
               : "=r"(done)
               : "r"(__heddle_place(b)), "r"((unsigned)parity)
               : "memory");
  return done;
}
#undef __HEDDLE_TEST
__HEDDLE_SYNC bool __mbarrier_try_wait(__mbarrier_t *b,
                                       __mbarrier_token_t state, unsigned) {
  return __mbarrier_test_wait(b, state);
}
__HEDDLE_SYNC bool __mbarrier_try_wait_parity(__mbarrier_t *b, bool parity,
                                              unsigned) {
  return __mbarrier_test_wait_parity(b, parity);
}
__HEDDLE_SYNC unsigned __mbarrier_token_pending_count(__mbarrier_token_t t) {
  unsigned count;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(t));
  return count;
}
/// The earlier cp.async of the thread arrive, beside those that are expected.
__HEDDLE_SYNC void __pipeline_arrive_on(__mbarrier_t *b) {
  asm volatile(
      "cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(__heddle_place(b))
      : "memory");
}
#undef __HEDDLE_SYNC

#endif
