//===- BehaviorGraph.h - The DFSG as a picture ------------------*- C++ -*-===//

#ifndef HEDDLE_BEHAVIOR_BEHAVIORGRAPH_H
#define HEDDLE_BEHAVIOR_BEHAVIORGRAPH_H

#include "behavior/BehaviorProfile.h"

#include <string>

namespace heddle::behavior {

/// The DFSG in Graphviz' language: blocks that ran with ECount, LCount and
/// SCount, their class heat0 to heat5 (page.css) by their share of the warp
/// instructions; edges with count and threads, thicker the larger their share
/// of what leaves the block, dashed where they go back to a loop's header.
std::string behaviorDot(const Profile &P);

} // namespace heddle::behavior

#endif // HEDDLE_BEHAVIOR_BEHAVIORGRAPH_H
