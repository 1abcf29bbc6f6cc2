//===- PaperModels.h - The five models of GPUMech ---------------*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_PAPERMODELS_H
#define HEDDLE_INTERVAL_PAPERMODELS_H

#include "interval/IntervalModel.h"

namespace heddle::interval {

/// Fills in CoreCPI, Stack and what is said of the representative warp, by
/// GPUMech's equations 1 to 23 or, for Markov, by the chain of Chen and Aamodt
/// (HPCA 2009). One scheduler's warps share one issue slot per cycle.
void estimatePaper(const IntervalProfile &Profile, const arch::GPUSpec &Spec,
                   IntervalEstimate &E);

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_PAPERMODELS_H
