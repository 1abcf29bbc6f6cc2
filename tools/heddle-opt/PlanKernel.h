//===- PlanKernel.h - The runtime half's planning ---------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_PLANKERNEL_H
#define HEDDLE_TOOLS_PLANKERNEL_H

#include "behavior/BehaviorProfile.h"
#include "synthesis/Reduction.h"

#include "llvm/Support/Error.h"

#include <string>

namespace heddle {

/// The PTX of a behaviour and its reduction. Apart from heddle-translate, since
/// headers of the runtime half are C++23 and MLIR's C++17.
llvm::Expected<std::string> planKernel(behavior::Profile P,
                                       const synthesis::Reduction &Reduced,
                                       const std::string &Arch);

} // namespace heddle

#endif // HEDDLE_TOOLS_PLANKERNEL_H
