//===- AccessCounters.h - Cost of one warp-wide access ----------*- C -*-===//
//
// The definition of the memory counters (HeddleMemoryCounter). The interpreter
// calls this; the JIT generates code that counts the same.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ABI_ACCESSCOUNTERS_H
#define HEDDLE_ABI_ACCESSCOUNTERS_H

#include "heddle/ABI/CodeTable.h"
#include "heddle/ABI/WarpKernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Adds one execution of memory record \p Memory to \p W's counters. An access
/// of \p Bytes per lane covers the bytes [address, address + Bytes).
///  - global, constant: distinct 32 B sectors and 128 B lines of the
///    active lanes' bytes;
///  - local: the same at the interleaved addresses that hardware uses, word w
///    of lane l at (w * 32 + l) * 4;
///  - shared: bank cycles, the most distinct 4 B words that fall into one of
///    the 32 banks (one, and each bank-conflict replay); accesses of 8 (16)
///    bytes go by half (quarter) warps, whose cycles add up;
///  - \p Space GENERIC: each lane counts where its address points
///    (heddleSpaceOfAddress).
void heddleCountAccess(HeddleWarp *W, uint32_t Memory, uint32_t Mask,
                       const uint64_t *Addresses, uint32_t Bytes,
                       enum HeddleMemorySpace Space);

#ifdef __cplusplus
}
#endif

#endif // HEDDLE_ABI_ACCESSCOUNTERS_H
