//===- KernelMemory.h - What kernels read and write -------------*- C -*-===//
//
// Copies from and to an address that a kernel has computed. It may be null or
// point anywhere: the fault that follows becomes the kernel's error.
// memcpy() may not be given null, so UndefinedBehaviorSanitizer would end the
// program before.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ABI_KERNELMEMORY_H
#define HEDDLE_ABI_KERNELMEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// Always part of their caller: see what InterpreterCore.inc says of inline
/// functions.
#define HEDDLE_MAY_BE_NULL                                                     \
  static inline __attribute__((always_inline, no_sanitize("nonnull-"           \
                                                          "attribute")))

/// \p Bytes from where a kernel reads.
HEDDLE_MAY_BE_NULL void heddleReadMemory(void *To, uint64_t Address,
                                         size_t Bytes) {
  memcpy(To, (const void *)(uintptr_t)Address, Bytes);
}

/// \p Bytes to where a kernel writes.
HEDDLE_MAY_BE_NULL void heddleWriteMemory(uint64_t Address, const void *From,
                                          size_t Bytes) {
  memcpy((void *)(uintptr_t)Address, From, Bytes);
}

#undef HEDDLE_MAY_BE_NULL

#endif // HEDDLE_ABI_KERNELMEMORY_H
