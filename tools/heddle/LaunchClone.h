//===- LaunchClone.h - A clone as a session ---------------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_LAUNCHCLONE_H
#define HEDDLE_TOOLS_LAUNCHCLONE_H

#include "CommonOptions.h"
#include "behavior/BehaviorProfile.h"

#include <filesystem>
#include <memory>

namespace heddle::tool {

/// A launch that behaves as a profile says with fewer iterations, compiled and
/// bound. Its files are in a temporary folder and go with it.
class LaunchClone {
public:
  /// Null if loops cannot be cut by \p LoopFactor. Throws CommandError.
  static std::unique_ptr<LaunchClone> make(const behavior::Profile &Profile,
                                           uint64_t LoopFactor,
                                           const SessionOptions &Common);
  ~LaunchClone();
  LaunchClone(const LaunchClone &) = delete;
  LaunchClone &operator=(const LaunchClone &) = delete;

  Session &session() { return *S; }

private:
  LaunchClone() = default;

  std::filesystem::path Folder;
  std::unique_ptr<Session> S;
};

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_LAUNCHCLONE_H
