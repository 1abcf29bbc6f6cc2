//===- SynthPasses.td - Passes on kernels of the synth dialect ------------===//

#ifndef HEDDLE_DIALECT_SYNTH_SYNTHPASSES
#define HEDDLE_DIALECT_SYNTH_SYNTHPASSES

include "mlir/Pass/PassBase.td"

def ReduceLoops : Pass<"synth-reduce-loops", "::heddle::synth::KernelOp"> {
  let summary = "Let loops run less often";
  let description = [{
    Sets `reduced_by` and `at_least` of each `synth.loop`: to `factor`, or to
    one of `factors` for each, outer loops first as they are declared (Yu et
    al., section 4.3). A factor that exceeds every trip count leaves nothing
    and is an error.
  }];
  let options = [
    Option<"Factor", "factor", "uint64_t", "1", "divide the trip counts of all loops by this">,
    ListOption<"Factors", "factors", "uint64_t", "divide those of each loop by one of these">,
    Option<"MinTrips", "min-trips", "uint64_t", "1", "leave loops at least this many iterations">
  ];
}

def ReduceGrid : Pass<"synth-reduce-grid", "::heddle::synth::KernelOp"> {
  let summary = "Launch fewer thread blocks";
  let description = [{
    Takes blocks away along the slowest dimension that has any: the first in
    dispatch order remain, neighbours as they were. The original's grid is kept
    after `of`. What a GPU holds at once should remain, for occupancy and
    contention: `min-blocks`. More than there are is an error.
  }];
  let options = [
    Option<"Factor", "factor", "uint64_t", "1", "divide the number of thread blocks by this">,
    Option<"MinBlocks", "min-blocks", "uint64_t", "1", "leave at least this many thread blocks">,
    Option<"Blocks", "blocks", "uint64_t", "0", "leave about this many thread blocks, whatever factor says">
  ];
}

#endif // HEDDLE_DIALECT_SYNTH_SYNTHPASSES
