//===- AddressChains.h - What an access waits for ---------------*- C++ -*-===//
//
// An access of the original waits for its address: for the addition that makes
// it, for the multiplication before that, for the address that it was a step
// from. In a clone planned addresses take the place of computed ones; the
// additions that pass them on add what the original's were made from, which is
// zero here, so that accesses wait as they did.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SYNTHESIS_ADDRESSCHAINS_H
#define HEDDLE_SYNTHESIS_ADDRESSCHAINS_H

#include "synthesis/ChainBlocks.h"

#include <map>
#include <string>

namespace heddle::synthesis {

/// For each addition of \p Carried, which passes on the planned address given
/// with it: where one before it in its block passes on the same and is what the
/// original adds to, it passes on that one's result. Else it adds the zero that
/// takes longest: one that the block makes, found through additions that gave
/// way to planned instructions, rather than one that is there from the start.
void chainAdditions(
    ChainBlocks &Blocks,
    const std::map<const ChainBlocks::Slot *, std::string> &Carried,
    unsigned NumRegisters);

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_ADDRESSCHAINS_H
