//===- AddressChains.h - What an access waits for ---------------*- C++ -*-===//
//
// An access of the original waits for its address: for the addition that makes
// it, the multiplication before that, or the address that it was derived from.
// In a clone planned addresses replace computed ones. The additions that
// forward them keep the original's other operand, which is zero here, so that
// accesses wait as they did.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SYNTHESIS_ADDRESSCHAINS_H
#define HEDDLE_SYNTHESIS_ADDRESSCHAINS_H

#include "synthesis/ChainBlocks.h"

#include <map>
#include <string>

namespace heddle::synthesis {

/// Each addition of \p Carried forwards the planned address given with it. If
/// an earlier addition of its block forwards the same address and is the
/// original's operand, the addition takes that one's result. Otherwise it adds
/// the zero that is ready last: one that the block computes, found through
/// additions that were replaced, rather than one that is ready from the start.
void chainAdditions(
    ChainBlocks &Blocks,
    const std::map<const ChainBlocks::Slot *, std::string> &Carried,
    unsigned NumRegisters);

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_ADDRESSCHAINS_H
