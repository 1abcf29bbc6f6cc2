//===- CheckEvents.h - What --check is told besides accesses ----*- C++ -*-===//
//
// The checking interpreter calls its hook (HeddleCheckHook) for accesses. It
// calls it for the events below too, of operations that take their time on
// hardware and are executed at once.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ABI_CHECKEVENTS_H
#define HEDDLE_ABI_CHECKEVENTS_H

#include "heddle/ABI/BulkOps.h"
#include "heddle/ABI/CodeTable.h"

/// What stands in place of a record's number (heddleCheckRecord), and what then
/// stands in place of addresses.
enum HeddleCheckEvent {
  // Groups of which *Values may still be in flight; all ones: one ends.
  HEDDLE_CHECK_COPIES,   ///< of cp.async, of each lane
  HEDDLE_CHECK_STORES,   ///< of bulk copies from shared memory, of each lane
  HEDDLE_CHECK_READS,    ///< of these: they may still write, but not read
  HEDDLE_CHECK_PRODUCTS, ///< of wgmma, of the warp
  // Lanes did something to the mbarriers at the first 32 values. Their words
  // before that are the next 32.
  HEDDLE_CHECK_SET,    ///< mbarrier.init or .inval
  HEDDLE_CHECK_ACT,    ///< an arrival, or bytes
  HEDDLE_CHECK_COPIED, ///< cp.async.mbarrier.arrive
  HEDDLE_CHECK_PHASES, ///< a test that found the phase ended
  HEDDLE_CHECK_MEET,   ///< the warp arrives at a barrier of another kind
  HEDDLE_CHECK_POLL,   ///< the warp polls what others may have done
  /// A bulk copy begins, whose pieces are the next accesses: its mbarrier, 0 if
  /// it completes at none; the width of its swizzle, heddleBulkSwizzle.
  HEDDLE_CHECK_BULK,
  HEDDLE_CHECK_BULK_END, ///< it is done
  /// A wgmma, the number of its instruction; the hook returns its group.
  HEDDLE_CHECK_PRODUCT,
  /// 16 bytes that the wgmma reads: where they lie; the width of the swizzle
  /// that its descriptor names, 16 bytes for none.
  HEDDLE_CHECK_OPERAND,
  /// A use of sums: the number of its instruction, 0 if a wgmma adds to them;
  /// that of the wgmma << 32, and the wgmma's group. The hook returns whether
  /// the wgmma may be in flight.
  HEDDLE_CHECK_SUMS,
  HEDDLE_CHECK_PROXY_FENCE,   ///< fence.proxy.async of shared memory
  HEDDLE_CHECK_PRODUCT_FENCE, ///< wgmma.fence
  /// Registers of a later wgmma are written; the hook returns how many
  /// wgmma.fence the warp has executed.
  HEDDLE_CHECK_WRITTEN,
  /// The wgmma begun last takes them: the number of the instruction that wrote
  /// them << 32, and what the hook returned.
  HEDDLE_CHECK_TAKEN,
  /// A byte of a string that a lane prints: the number of the instruction, and
  /// where it lies. The hook returns 0 if it may not be read.
  HEDDLE_CHECK_TEXT,
  HEDDLE_NUM_CHECK_EVENTS
};
/// The number for an event, or the event of a number.
static inline uint32_t heddleCheckRecord(uint32_t Event) {
  return HEDDLE_NO_MEMORY - Event;
}

#ifdef __cplusplus
extern "C" {
#endif

/// The parity of the phase that the mbarrier \p Word (AsyncOps.h) is in.
uint32_t heddleBarrierParity(uint64_t Word);

/// The width in bytes of the swizzle with which \p Lane's bulk operation writes
/// shared memory, 16 for none; 0 if it writes no tensor there. \p Shape and
/// \p Operands as heddleBulkTransfer has them.
uint32_t heddleBulkSwizzle(HeddleWarp *W, uint64_t Shape, uint32_t Lane,
                           const uint64_t *Operands);

typedef void (*HeddleOperandVisit)(void *Context, uint64_t Shared,
                                   uint32_t Swizzle);
/// Calls \p Visit with the pieces of shared memory that \p W's warp reads for
/// the wgmma \p Shape, with \p A and \p B as heddleGroupProduct has them; with
/// none that lie outside of the memory.
void heddleGroupOperands(HeddleWarp *W, uint64_t Shape, const void *A,
                         const uint64_t *B, HeddleOperandVisit Visit,
                         void *Context);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // HEDDLE_ABI_CHECKEVENTS_H
