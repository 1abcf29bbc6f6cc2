//===- LaunchWriter.h - A launch as a file ----------------------*- C++ -*-===//

#ifndef HEDDLE_LAUNCH_LAUNCHWRITER_H
#define HEDDLE_LAUNCH_LAUNCHWRITER_H

#include "base/Result.h"
#include "launch/Launch.h"

#include <string>
#include <vector>

namespace heddle::launch {

/// \p L as a launch file (docs/LaunchFile.md) that reads back the same. Paths
/// of contents are written as they stand. Errors: images, samplers, textures
/// and buffers of earlier launches, which are not written.
Result<std::string> launchText(const Launch &L);

/// The arguments of \p L as its launch file says them ("i32: 1024"). What no
/// launch file can say is described instead.
std::vector<std::string> argumentTexts(const Launch &L);

} // namespace heddle::launch

#endif // HEDDLE_LAUNCH_LAUNCHWRITER_H
