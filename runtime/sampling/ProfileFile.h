//===- ProfileFile.h - Profiles as JSON -------------------------*- C++ -*-===//

#ifndef HEDDLE_SAMPLING_PROFILEFILE_H
#define HEDDLE_SAMPLING_PROFILEFILE_H

#include "base/Result.h"
#include "sampling/LaunchProfile.h"

#include <string>

namespace heddle::sampling {

/// docs/Commands/profile.md describes the format. \p Version: of the tool.
std::string writeProfile(const ApplicationProfile &Profile,
                         const std::string &Version);

/// Errors start with "FILE: " and say what is wrong where; a profile of another
/// format version is refused.
Result<ApplicationProfile> readProfile(const std::string &Path);
Result<ApplicationProfile> parseProfile(const std::string &Text,
                                        const std::string &Path);

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_PROFILEFILE_H
