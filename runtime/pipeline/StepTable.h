//===- StepTable.h - Basic blocks as steps of a warp ------------*- C++ -*-===//

#ifndef HEDDLE_PIPELINE_STEPTABLE_H
#define HEDDLE_PIPELINE_STEPTABLE_H

#include "arch/GPUSpec.h"
#include "timing/DecodedCode.h"

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::pipeline {

enum class StepKind : uint8_t { Compute, Memory, Barrier, Exit };

/// Time that a step takes from the units of a pipe, summed over instructions.
struct PipeUse {
  uint8_t Pipe = 0;
  float Cycles = 0; ///< of one unit
};

/// What a warp does between two points at which it may have to wait: a run of
/// computation, one memory instruction, a barrier.
struct Step {
  StepKind Kind = StepKind::Compute;
  uint32_t Inst = 0;  ///< first instruction
  uint32_t Insts = 0; ///< instructions in it
  float Duration = 0; ///< start to start of the next step, warp alone
  float Slots = 0;    ///< issue cycles of its scheduler
  uint32_t FirstUse = 0, NumUses = 0;   ///< pipes
  uint32_t FirstWait = 0, NumWaits = 0; ///< registers that must be there
  uint32_t FirstDef = 0, NumDefs = 0;   ///< registers that come later
};

/// A register that a computation delivers after its block's end.
struct LateResult {
  uint16_t Register = 0;
  float Cycles = 0; ///< after the end of the step
};

/// The code table of a kernel cut into steps for one machine. Inside a block
/// the instructions of a warp are scheduled in order once, with latencies,
/// expansion, dual issue and branch latency; what that schedule cannot know
/// (loads, other warps) is left to the simulation of a round.
class StepTable {
public:
  StepTable(const timing::DecodedCode &Code, const arch::GPUSpec &Spec);

  std::span<const Step> steps(uint32_t Block) const {
    return {Steps.data() + Begin[Block], Steps.data() + Begin[Block + 1]};
  }
  std::span<const PipeUse> uses(const Step &S) const {
    return {Uses.data() + S.FirstUse, S.NumUses};
  }
  /// Numbers below numTracked().
  std::span<const uint16_t> waits(const Step &S) const {
    return {Waits.data() + S.FirstWait, S.NumWaits};
  }
  std::span<const LateResult> defs(const Step &S) const {
    return {Defs.data() + S.FirstDef, S.NumDefs};
  }
  unsigned numTracked() const { return Tracked; }
  const timing::DecodedCode &code() const { return Code; }

private:
  void schedule(uint32_t Block, bool Emit);

  const timing::DecodedCode &Code;
  const arch::GPUSpec &Spec;
  std::vector<uint16_t> TrackedAs; ///< by register; 0: not tracked
  unsigned Tracked = 1;
  std::vector<uint32_t> Begin;
  std::vector<Step> Steps;
  std::vector<PipeUse> Uses;
  std::vector<uint16_t> Waits;
  std::vector<LateResult> Defs;
  std::vector<double> Ready; ///< scratch, by register
};

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_STEPTABLE_H
