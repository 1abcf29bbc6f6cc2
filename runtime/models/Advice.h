//===- Advice.h - What lifting each limit would bring -----------*- C++ -*-===//
//
// Which change of a kernel pays? The model runs again, each time with one limit
// of the machine lifted: accesses coalesced, no bank conflicts, one more block
// per SM, bandwidths without limit, loads answered at once, a pipe twice as
// wide. The gain is what a change that takes the limit away can bring at most.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MODELS_ADVICE_H
#define HEDDLE_MODELS_ADVICE_H

#include "models/ModelRun.h"
#include "views/AdviceView.h"

namespace heddle::models {

/// \p Cycles is the model's answer with all limits; \p Request names model and
/// machine. \p Source is read once for each limit, so it has to serve blocks
/// again (a trace file, trace::HeldSource). Request's OnProgress hears of all
/// limits together; if it returns false, the advice is what was found until
/// then, and names the limits that were not tried. Fails as the model does.
std::expected<views::AdviceView, ModelError> advise(trace::TraceSource &Source,
                                                    const arch::GPUSpec &Spec,
                                                    const ModelRequest &Request,
                                                    uint64_t Cycles);

} // namespace heddle::models

#endif // HEDDLE_MODELS_ADVICE_H
