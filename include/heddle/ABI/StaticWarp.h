//===- StaticWarp.h - Where a warp's static trace holds ---------*- C -*-===//
//
// Most thread blocks of a launch do the same at other addresses. The engine of
// static traces says, after it has evaluated a warp of one block, for which
// other blocks the same warp does the same, and how its addresses move from
// block to block; runtime/exec then evaluates one block for many.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ABI_STATICWARP_H
#define HEDDLE_ABI_STATICWARP_H

#include "heddle/ABI/WarpKernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Holds for block b where PerBlock[0] * (b.x - x0) + ... + Slack >= 0 and
/// (x0, y0, z0) is the block that was evaluated.
typedef struct HeddleBlockCondition {
  int64_t PerBlock[3];
  int64_t Slack;
} HeddleBlockCondition;

typedef struct HeddleWarpReach {
  const HeddleBlockCondition *Conditions; ///< all of them must hold
  uint32_t NumConditions;
  uint32_t OnlyHere; ///< 1: the trace holds for this block alone
  /// Bytes by which the addresses of each memory record move per step of the
  /// block index; records in the order of their first execution.
  const int64_t (*Moves)[3];
  uint32_t NumMoves;
  /// Branches and accesses that were assumed, since data decides them.
  uint32_t NumAssumed;
} HeddleWarpReach;

/// Why a warp could not be evaluated; goes on from HeddleWarpError.
enum HeddleStaticError {
  /// A loop has gone round HEDDLE_MAX_OPEN_ITERATIONS times and could have
  /// ended before, had data said so.
  HEDDLE_ERROR_OPEN_LOOP = 5
};

/// Beyond what loops count to whose data only cuts them short.
enum { HEDDLE_MAX_OPEN_ITERATIONS = 1 << 17 };

/// Called once when a warp has ended.
typedef void (*HeddleReachHook)(HeddleWarp *, const HeddleWarpReach *);

#ifdef __cplusplus
}
#endif

#endif // HEDDLE_ABI_STATICWARP_H
