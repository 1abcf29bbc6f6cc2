//===- AsyncOps.h - Asynchronous copies and barriers ------------*- C -*-===//
//
// What compiled kernels and the interpreter call for cp.async and mbarrier;
// BulkOps.h has the bulk copies. Copies are done at once; models know that they
// take their time.
//
// An mbarrier is a word of 64 bits in shared memory, whose layout PTX leaves
// open. Here: arrivals that are pending (20 bits), arrivals of each phase (20),
// bytes that are pending (22, signed), whether it is initialised, and the
// parity of the phase. The state that an arrival returns is that word.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ABI_ASYNCOPS_H
#define HEDDLE_ABI_ASYNCOPS_H

#include "heddle/ABI/WarpKernel.h"

/// What an operation does, and the number that goes with it. It is the
/// HeddleInst::Products of an asynchronous atomic.
enum HeddleBarrierAction {
  HEDDLE_MBARRIER_INIT,          ///< arrivals of each phase
  HEDDLE_MBARRIER_INVAL,         ///< none
  HEDDLE_MBARRIER_EXPECT,        ///< bytes to wait for
  HEDDLE_MBARRIER_COMPLETE,      ///< bytes that have come
  HEDDLE_MBARRIER_ARRIVE,        ///< arrivals
  HEDDLE_MBARRIER_ARRIVE_EXPECT, ///< bytes; one arrival
  HEDDLE_MBARRIER_DROP,          ///< arrivals, of later phases too
  HEDDLE_MBARRIER_DROP_EXPECT,   ///< bytes; one arrival, of later phases too
  HEDDLE_MBARRIER_TEST_STATE,    ///< a state: has its phase ended?
  HEDDLE_MBARRIER_TEST_PARITY,   ///< a parity: has its phase ended?
  /// cp.async.mbarrier.arrive: an arrival when the lane's earlier cp.async have
  /// come, which the phase awaits beside the others, or instead of one of them
  /// (.noinc).
  HEDDLE_MBARRIER_COPIES,
  HEDDLE_MBARRIER_COPIES_NOINC,
};
static inline int heddleIsPhaseTest(uint32_t Action) {
  return Action == HEDDLE_MBARRIER_TEST_STATE ||
         Action == HEDDLE_MBARRIER_TEST_PARITY;
}

/// Of a state, the arrivals that were pending (mbarrier.pending_count).
#define HEDDLE_MBARRIER_PENDING 0xfffff

#ifdef __cplusplus
extern "C" {
#endif

/// cp.async with a source size: lane l of \p Mask copies min(Read[l], Bytes)
/// bytes from From[l] to To[l]; zeros follow up to \p Bytes, which are 4, 8 or
/// 16.
void heddleCopyPart(uint32_t Bytes, uint32_t Mask, const uint64_t *To,
                    const uint64_t *From, const uint32_t *Read);

/// Each lane of \p Mask, in order, does \p Action to the mbarrier at
/// Barriers[lane] with Numbers[lane]. Results[lane] is the state before it, or
/// for a test 0 or 1. Barriers may lie in any block of the cluster. Returns the
/// lanes from the first on that found no initialised barrier or one that awaits
/// fewer arrivals; 0: none did. W->ErrorAddress then is 0 or, if the barrier is
/// in no block, HEDDLE_CLUSTER_NO_BLOCK (BulkOps.h). \p Inst: the instruction's
/// number, for messages.
uint32_t heddleBarrierAction(HeddleWarp *W, uint32_t Action, uint32_t Inst,
                             uint32_t Mask, const uint64_t *Barriers,
                             const uint64_t *Numbers, uint64_t *Results);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // HEDDLE_ABI_ASYNCOPS_H
