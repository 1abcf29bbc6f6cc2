//===- InPlaceRun.h - heddle clone --mode inplace ---------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_INPLACERUN_H
#define HEDDLE_TOOLS_INPLACERUN_H

#include "CommonOptions.h"

#include "behavior/BehaviorProfile.h"

#include <functional>
#include <map>
#include <string>

namespace heddle::tool {

/// The files of a clone and one line about it.
struct InPlaceOutput {
  std::map<std::string, std::string> Files; ///< by name
  /// Files with the buffers' contents, to be copied: name, from where.
  std::map<std::string, std::string> Copies;
  std::string Summary;
};

/// The original of \p Options with the trip counts of its loops cut by what
/// \p FactorOf says of its behaviour: after it was optimised, or, with
/// \p AtSource, before. Throws CommandError: a kernel that cannot be written or
/// does no work.
InPlaceOutput makeInPlaceClone(
    const SessionOptions &Options, bool AtSource,
    const std::function<uint64_t(const behavior::Profile &)> &FactorOf);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_INPLACERUN_H
