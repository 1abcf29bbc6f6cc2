//===- LocalWaits.h - Where warps wait before their own memory --*- C++ -*-===//

#ifndef HEDDLE_TIMING_LOCALWAITS_H
#define HEDDLE_TIMING_LOCALWAITS_H

#include "timing/DecodedCode.h"

#include <algorithm>
#include <set>
#include <vector>

namespace heddle::timing {

/// By instruction, whether it accesses local memory and a warp waits there for
/// what it has loaded in the same basic block since its last such wait. Others
/// run meanwhile, and their lines push out those of the warp. For models that
/// take warps in turns.
inline std::vector<char> localWaits(const DecodedCode &Code) {
  std::vector<char> Waits(Code.size());
  std::set<uint16_t> Awaited; ///< registers
  for (const HeddleBlock &B : Code.table().Blocks) {
    Awaited.clear();
    for (uint32_t N = B.FirstInst; N != B.FirstInst + B.NumInsts; ++N) {
      const DecodedInst &I = Code[N];
      bool Needs =
          std::ranges::any_of(I.registers().subspan(I.NumDefs),
                              [&](uint16_t R) { return Awaited.contains(R); });
      if (Needs && I.hasAddresses() && I.Space == HEDDLE_SPACE_LOCAL) {
        Waits[N] = true;
        Awaited.clear();
        Needs = false;
      }
      const bool Loads =
          I.hasAddresses() && I.readsMemory() && I.Space != HEDDLE_SPACE_SHARED;
      for (uint16_t R : I.defs())
        if (Needs || Loads)
          Awaited.insert(R);
        else
          Awaited.erase(R);
    }
  }
  return Waits;
}

} // namespace heddle::timing

#endif // HEDDLE_TIMING_LOCALWAITS_H
