//===- DeviceArchives.h - Device code in static libraries -------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_DEVICEARCHIVES_H
#define HEDDLE_TOOLS_DEVICEARCHIVES_H

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace heddle::tool {

/// Of objects with relocatable device code that lie in archives among
/// \p LinkWords (files, -L and -l): the functions that register it. Host code
/// does not refer to an object that only has device functions, so the linker
/// would leave it out; nvcc's device linker looks into archives itself.
std::vector<std::string>
registrarsInArchives(llvm::ArrayRef<std::string> LinkWords);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_DEVICEARCHIVES_H
