//===- CodeTable.h - The static half of a warp trace ------------*- C++ -*-===//

#ifndef HEDDLE_TRACE_CODETABLE_H
#define HEDDLE_TRACE_CODETABLE_H

#include "heddle/ABI/CodeTable.h"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace heddle::trace {

/// What memory spaces are called, by HeddleMemorySpace.
inline constexpr std::array<const char *, HEDDLE_NUM_SPACES> SpaceNames = {
    "none",  "global",  "shared",  "local",  "const",
    "param", "texture", "cluster", "generic"};

/// Owns the records of one kernel (include/heddle/ABI/CodeTable.h). The
/// compiler half builds it through lib/PTX; trace files carry it.
struct CodeTable {
  std::string Kernel;
  std::string ISA; ///< "ptx", "ir", "machine" or "sass"
  std::vector<HeddleInst> Insts;
  /// By IR block number; at levels machine and sass the blocks that a
  /// MachineTrace makes of them.
  std::vector<HeddleBlock> Blocks;
  std::vector<HeddleMemoryRecord> Memory;
  std::vector<std::string> Opcodes;
  std::vector<std::string> Files;
  unsigned NumRegisters = 0; ///< virtual registers named by Insts, plus one

  std::span<const HeddleInst> insts(unsigned Block) const {
    const HeddleBlock &B = Blocks[Block];
    return std::span(Insts).subspan(B.FirstInst, B.NumInsts);
  }
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_CODETABLE_H
