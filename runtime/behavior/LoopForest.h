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

/// [b][d]: block d is on every path from the entry to b.
std::vector<std::vector<bool>>
findDominators(unsigned NumBlocks,
               const std::set<std::pair<unsigned, unsigned>> &Edges);

} // namespace heddle::behavior

#endif // HEDDLE_BEHAVIOR_LOOPFOREST_H
