//===- PlanKernel.cpp - The runtime half's planning -----------------------===//

#include "PlanKernel.h"

#include "synthesis/PTXWriter.h"

namespace heddle {

std::string planKernel(const std::string &Behavior,
                       const std::string &Reduction, const std::string &Arch,
                       std::string &Error) {
  auto Plan = synthesis::planExported(Behavior, Reduction);
  if (!Plan) {
    Error = Plan.error().Message;
    return "";
  }
  auto Clone = synthesis::writePTX(*Plan, Arch);
  if (!Clone) {
    Error = Clone.error().Message;
    return "";
  }
  return Clone->PTX;
}

} // namespace heddle
