//===- PTXWriter.h - A clone as PTX -----------------------------*- C++ -*-===//

#ifndef HEDDLE_SYNTHESIS_PTXWRITER_H
#define HEDDLE_SYNTHESIS_PTXWRITER_H

#include "synthesis/ClonePlan.h"
#include "synthesis/IndexPlan.h"

#include <map>
#include <string>

namespace heddle::synthesis {

/// The text of a clone and what its launch must provide.
struct CloneText {
  std::string PTX;
  /// One pointer argument each, in order: sizes in bytes of buffers.
  std::vector<uint64_t> Buffers;
  std::vector<IndexContents> Contents; ///< what they hold
  uint64_t ScratchBytes = 0; ///< by value, all zero, after the pointers
  uint64_t SharedBytes = 0;  ///< dynamic
  /// Instructions in the text by opcode.
  std::map<std::string, unsigned> Opcodes;
  unsigned Instructions = 0;
  /// Warp instructions that its launch executes, what is added included.
  double WarpInstructions = 0;
  /// Of these: what the profile's blocks do not have, since no instruction
  /// there could be used for it; and what they have and the text has not.
  unsigned Added = 0, Dropped = 0;
};

/// Writes \p Plan for \p Target ("sm_70"). Each block keeps its opcodes and
/// the registers by which its instructions depend on each other; what they
/// compute is zero. Addresses, trip counts and the decisions of branches come
/// from planned instructions, which take the place of integer instructions of
/// the same block. Errors: control flow that cannot be planned.
Result<CloneText> writePTX(const ClonePlan &Plan, const std::string &Target);

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_PTXWRITER_H
