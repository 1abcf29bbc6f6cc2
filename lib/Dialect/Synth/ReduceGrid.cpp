//===- ReduceGrid.cpp - Launch fewer thread blocks ------------------------===//

#include "heddle/Dialect/Synth/SynthPasses.h"

#include "heddle/ABI/GridReduction.h"

namespace heddle::synth {

#define GEN_PASS_DEF_REDUCEGRID
#include "heddle/Dialect/Synth/SynthPasses.h.inc"

namespace {
class ReduceGridPass : public impl::ReduceGridBase<ReduceGridPass> {
  using ReduceGridBase::ReduceGridBase;

  void runOnOperation() override {
    KernelOp Kernel = getOperation();
    uint64_t Count = 1, Grid[3];
    for (unsigned D = 0; D < 3; ++D)
      Count *= Grid[D] = Kernel.getGrid()[D];
    if (Factor < 1 || Factor > Count) {
      Kernel.emitError() << "a reduction of the grid by " << Factor.getValue()
                         << " leaves nothing: it has " << Count << " blocks";
      return signalPassFailure();
    }
    heddleReduceGrid(Grid, Blocks.getValue()
                               ? Blocks.getValue()
                               : heddleKeptBlocks(Count, Factor, MinBlocks));
    if (Grid[0] * Grid[1] * Grid[2] == Count)
      return;
    if (!Kernel.getOfGrid())
      Kernel.setOfGridAttr(Kernel.getGridAttr());
    Kernel.setGrid({int64_t(Grid[0]), int64_t(Grid[1]), int64_t(Grid[2])});
  }
};
} // namespace

} // namespace heddle::synth
