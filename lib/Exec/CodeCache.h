//===- CodeCache.h - Compiled kernels on disk -------------------*- C++ -*-===//

#ifndef HEDDLE_LIB_EXEC_CODECACHE_H
#define HEDDLE_LIB_EXEC_CODECACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace heddle {

/// Object files by what they were made from. The folder is the one that
/// HEDDLE_CACHE names, else heddle in the user's cache (XDG_CACHE_HOME,
/// ~/.cache); HEDDLE_CACHE=off keeps nothing. Several processes may use it at
/// once. It never fails: what cannot be read or written is compiled again.
class CodeCache {
public:
  CodeCache();

  /// What was kept for \p Key; nothing for a file that is damaged.
  std::optional<llvm::SmallVector<char, 0>> find(llvm::StringRef Key) const;
  /// Keeps \p Object. Now and then the files that were used longest ago go,
  /// so that the folder stays below 512 MiB.
  void keep(llvm::StringRef Key, llvm::ArrayRef<char> Object) const;

private:
  std::string pathOf(llvm::StringRef Key) const;

  std::string Folder; ///< empty: none
};

} // namespace heddle

#endif // HEDDLE_LIB_EXEC_CODECACHE_H
