//===- LoopForest.h - Natural loops of the executed graph -------*- C++ -*-===//

#ifndef HEDDLE_BEHAVIOR_LOOPFOREST_H
#define HEDDLE_BEHAVIOR_LOOPFOREST_H

#include "behavior/BehaviorProfile.h"

#include <set>
#include <utility>

namespace heddle::behavior {

/// The natural loops (edges to a dominator, with what reaches them) of the
/// graph with \p NumBlocks blocks, entry 0; outer ones first. Only Header,
/// Parent, Depth and Blocks are filled in.
std::vector<Loop>
findLoops(unsigned NumBlocks,
          const std::set<std::pair<unsigned, unsigned>> &Edges);

/// Sets Loop::After of \p Loops, which findLoops() found: the last of the loops
/// with the same parent from which the loop is reached in one iteration of the
/// loop around.
void findEarlier(std::vector<Loop> &Loops, unsigned NumBlocks,
                 const std::set<std::pair<unsigned, unsigned>> &Edges);

/// The innermost loop from \p Loop outwards that goes on from another; None if
/// none does.
unsigned continuedFrom(const std::vector<Loop> &Loops, unsigned Loop);

/// [b][d]: block d is on every path from the entry to b.
std::vector<std::vector<bool>>
findDominators(unsigned NumBlocks,
               const std::set<std::pair<unsigned, unsigned>> &Edges);

} // namespace heddle::behavior

#endif // HEDDLE_BEHAVIOR_LOOPFOREST_H
