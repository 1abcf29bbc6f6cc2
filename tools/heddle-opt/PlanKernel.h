//===- PlanKernel.h - The runtime half's planning ---------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_PLANKERNEL_H
#define HEDDLE_TOOLS_PLANKERNEL_H

#include <string>

namespace heddle {

/// The PTX of a behaviour and its reduction, empty with a reason in \p Error.
std::string planKernel(const std::string &Behavior,
                       const std::string &Reduction, const std::string &Arch,
                       std::string &Error);

} // namespace heddle

#endif // HEDDLE_TOOLS_PLANKERNEL_H
