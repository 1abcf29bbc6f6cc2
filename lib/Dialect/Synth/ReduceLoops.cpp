//===- ReduceLoops.cpp - Let loops run less often -------------------------===//

#include "heddle/Dialect/Synth/SynthPasses.h"

namespace heddle::synth {

#define GEN_PASS_DEF_REDUCELOOPS
#include "heddle/Dialect/Synth/SynthPasses.h.inc"

namespace {
class ReduceLoopsPass : public impl::ReduceLoopsBase<ReduceLoopsPass> {
  using ReduceLoopsBase::ReduceLoopsBase;

  void runOnOperation() override {
    KernelOp Kernel = getOperation();
    auto Loops = llvm::to_vector(Kernel.getBody().front().getOps<LoopOp>());
    if (!Factors.empty() && Factors.size() != Loops.size()) {
      Kernel.emitError() << Factors.size() << " factors for " << Loops.size()
                         << " loops; give one for each";
      return signalPassFailure();
    }
    uint64_t MostTrips = 0, MostFactor = 1;
    for (auto [Index, L] : llvm::enumerate(Loops)) {
      uint64_t By = Factors.empty() ? Factor.getValue() : Factors[Index];
      if (By < 1 || MinTrips < 1) {
        L.emitError("a factor of 0 leaves nothing");
        return signalPassFailure();
      }
      MostTrips = std::max<uint64_t>(MostTrips, L.getWarpQuantiles().back());
      MostFactor = std::max(MostFactor, By);
      L.setReducedBy(By);
      L.setAtLeast(MinTrips);
    }
    if (Loops.empty())
      MostFactor = Factor;
    if (MostFactor > 1 && MostFactor > MostTrips) {
      Kernel.emitError() << "a reduction by " << MostFactor
                         << " leaves nothing: no loop has more than "
                         << MostTrips << " iterations";
      signalPassFailure();
    }
  }
};
} // namespace

} // namespace heddle::synth
