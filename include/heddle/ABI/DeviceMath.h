//===- DeviceMath.h - Functions that engines call, 32 lanes wide -*- C -*-===//
//
// Library math and the device intrinsics that no single LLVM instruction
// expresses, as functions over a whole warp. Both engines call the same
// machine code, so they agree bit for bit, on every host: nothing here
// depends on the vector width or on what the host can fuse.
//
// f64 results are as good as the host's libm. The usual f32 functions have the
// steps that CUDA's have, and its errors of some ulp; others are better than
// 1 ulp. The approximate device functions (sin.approx, ex2.approx, ...) come
// out more exact than on a GPU. Inactive lanes may hold anything; nothing
// traps.
//
// Types f16 and bf16 have no entries: engines extend to f32, call, and round.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ABI_DEVICEMATH_H
#define HEDDLE_ABI_DEVICEMATH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Reads up to three arrays of 32 elements and writes one. Arrays that the
/// function does not take may be null; Result may equal an argument. All are
/// aligned to 64 bytes.
typedef void (*HeddleMathFunction)(void *Result, const void *A, const void *B,
                                   const void *C);

/// Name: "NAME.f32" or "NAME.f64" for library functions ("sin.f32", "pow.f64",
/// "ldexp.f32"; llvm.NAME.TYPE and heddle.math.NAME.TYPE look the same up), or
/// the full name of a device intrinsic ("llvm.nvvm.prmt").
/// Signature: one letter for the result, then one for each argument:
/// b i8 holding 0 or 1 (LLVM's i1), s i16, i i32, l i64, h f16 (as bits),
/// f f32, d f64.
typedef struct HeddleMathEntry {
  const char *Name;
  const char *Signature;
  HeddleMathFunction Function;
} HeddleMathEntry;

/// The entry called \p Name, or null.
const HeddleMathEntry *heddleFindMath(const char *Name);

/// All entries, sorted by name.
const HeddleMathEntry *heddleMathEntries(uint32_t *Count);

#ifdef __cplusplus
}
#endif

#endif // HEDDLE_ABI_DEVICEMATH_H
