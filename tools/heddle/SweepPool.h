//===- SweepPool.h - Worker processes of a sweep ----------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_SWEEPPOOL_H
#define HEDDLE_TOOLS_SWEEPPOOL_H

#include "SweepPlan.h"
#include "SweepStore.h"

#include <functional>
#include <span>

namespace heddle::tool {

/// Evaluates \p Indices in \p Processes children of this process, which a
/// fault of one configuration cannot take along: it fails with a message, the
/// others go on. Rows arrive in any order. \p Call returns false to stop.
/// Must be called before this process starts threads.
Result<void> runPool(const SweepPlan &Plan, std::span<const uint64_t> Indices,
                     unsigned Processes,
                     const std::function<bool(SweepRow)> &Call);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_SWEEPPOOL_H
