//===- BehaviorFile.h - Behaviour profiles as JSON --------------*- C++ -*-===//

#ifndef HEDDLE_BEHAVIOR_BEHAVIORFILE_H
#define HEDDLE_BEHAVIOR_BEHAVIORFILE_H

#include "base/Result.h"
#include "behavior/BehaviorProfile.h"

#include <string>

namespace heddle::behavior {

/// The keys are the fields of BehaviorProfile.h (docs/Clones.md); a checksum
/// tells a file that was edited.
std::string writeBehavior(const Profile &P, const std::string &Version);

/// True if \p Path begins as such a file.
bool isBehaviorFile(const std::string &Path);

/// Errors name \p Path: not JSON, another format version, checksum, or numbers
/// that point nowhere.
Result<Profile> readBehavior(const std::string &Path);
Result<Profile> parseBehavior(const std::string &Text, const std::string &Path);
/// The same of what stands under "behavior", with no checksum.
Result<Profile> parseContent(const std::string &Text, const std::string &Path);

} // namespace heddle::behavior

#endif // HEDDLE_BEHAVIOR_BEHAVIORFILE_H
