//===- PlanKernel.cpp - The runtime half's planning -----------------------===//

#include "PlanKernel.h"

#include "synthesis/PTXWriter.h"

namespace heddle {

llvm::Expected<std::string> planKernel(behavior::Profile P,
                                       const synthesis::Reduction &Reduced,
                                       const std::string &Arch) {
  auto Clone =
      synthesis::writePTX(synthesis::planReduced(std::move(P), Reduced), Arch);
  if (!Clone)
    return llvm::createStringError(Clone.error().Message);
  return std::move(Clone->PTX);
}

} // namespace heddle
