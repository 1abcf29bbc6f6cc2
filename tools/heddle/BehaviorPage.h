//===- BehaviorPage.h - Behaviour profiles on the page ----------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BEHAVIORPAGE_H
#define HEDDLE_TOOLS_BEHAVIORPAGE_H

#include "behavior/BehaviorProfile.h"
#include "views/View.h"

#include <string>

namespace heddle::tool {

/// What `heddle report` shows of \p P, called \p Name: the object "behavior"
/// with blocks, loops, arrays, accesses and the mix of opcodes.
views::JSON behaviorJSON(const behavior::Profile &P, const std::string &Name);

/// Whether \p Path holds what `heddle profile --behavior` wrote, whatever its
/// version.
bool holdsBehavior(const std::string &Path);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_BEHAVIORPAGE_H
