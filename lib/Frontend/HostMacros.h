//===- HostMacros.h - Macros that a project's own files set -----*- C++ -*-===//

#ifndef HEDDLE_LIB_FRONTEND_HOSTMACROS_H
#define HEDDLE_LIB_FRONTEND_HOSTMACROS_H

#include "llvm/ADT/ArrayRef.h"

#include <set>
#include <string>
#include <vector>

namespace heddle {

/// A name that nothing declares.
struct UnknownName {
  std::string Name;
  bool IsType = false;
};

/// Finds what a build would have given with -D: a name that nothing declares
/// is looked for in the build files and host sources beside the kernel's, one
/// level above and below. "-DNAME=VALUE" decides before "#define NAME VALUE",
/// that before "const int NAME = VALUE" and "typedef TYPE NAME"; the nearest
/// file, then the first by name. Names in small letters are often something
/// else: only flags and, if a type is meant, types count.
class MacroSearch {
public:
  explicit MacroSearch(std::string Source) : Source(std::move(Source)) {}

  /// -D flags for those of \p Names that are found, none twice; one note a line
  /// goes to \p Notes.
  std::vector<std::string> find(llvm::ArrayRef<UnknownName> Names,
                                std::string &Notes);

private:
  std::string Source;
  std::set<std::string> Tried;
};

/// The value that \p Text gives \p Name, as "NAME=VALUE" for -D, and the number
/// of the line that says so; "" if none does. \p Way counts the ways to say
/// it, from 0.
std::string macroIn(llvm::StringRef Text, llvm::StringRef Name, unsigned Way,
                    unsigned &Line);

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_HOSTMACROS_H
