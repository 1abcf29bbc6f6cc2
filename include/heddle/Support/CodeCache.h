//===- CodeCache.h - Compiled code kept on disk -----------------*- C++ -*-===//

#ifndef HEDDLE_SUPPORT_CODECACHE_H
#define HEDDLE_SUPPORT_CODECACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace heddle {

/// Object files and modules by what they were made from. The folder is the one
/// that HEDDLE_CACHE names, else heddle in the user's cache (XDG_CACHE_HOME,
/// ~/.cache); HEDDLE_CACHE=off keeps nothing. Several processes may use it at
/// once. It never fails: what cannot be read or written is compiled again.
class CodeCache {
public:
  CodeCache();

  /// The name of what is made from \p Inputs, which say all that decides it.
  static std::string keyOf(llvm::StringRef Inputs);

  bool keepsNothing() const { return Folder.empty(); }
  /// What was kept for \p Key; nothing for a file that is damaged.
  std::optional<llvm::SmallVector<char, 0>> find(llvm::StringRef Key) const;
  /// Keeps \p Code. Now and then the files that were used longest ago go, so
  /// that the folder stays below 512 MiB.
  void keep(llvm::StringRef Key, llvm::ArrayRef<char> Code) const;

private:
  std::string pathOf(llvm::StringRef Key) const;

  std::string Folder; ///< empty: none
};

/// Which build of Heddle this process runs: its files that are loaded, by size
/// and time. For the keys of what Heddle's own passes have made.
std::string buildIdentity();

} // namespace heddle

#endif // HEDDLE_SUPPORT_CODECACHE_H
