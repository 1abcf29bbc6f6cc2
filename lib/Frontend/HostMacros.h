//===- HostMacros.h - Macros that a project's own files set -----*- C++ -*-===//

#ifndef HEDDLE_LIB_FRONTEND_HOSTMACROS_H
#define HEDDLE_LIB_FRONTEND_HOSTMACROS_H

#include "llvm/ADT/ArrayRef.h"

#include <map>
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
/// level above and below. "-DNAME=VALUE" comes before "#define NAME VALUE",
/// that before "const int NAME = VALUE" and "typedef TYPE NAME"; the nearest
/// file first, then the first by name. Comments and what "#if 0" leaves out do
/// not count. Names in small letters are often something else: only flags and,
/// if a type is meant, types count.
class MacroSearch {
public:
  explicit MacroSearch(std::string Source) : Source(std::move(Source)) {}

  /// -D flags with the first candidate of each of \p Names, none twice; one
  /// note a line goes to \p Notes.
  std::vector<std::string> guess(llvm::ArrayRef<UnknownName> Names,
                                 std::string &Notes);

  /// The candidates of each of \p Names with their places, one note a line; ""
  /// for those that have none.
  std::string advise(llvm::ArrayRef<UnknownName> Names);

  /// A note that names the file that includes the source, if there is one: a
  /// fragment does not stand alone.
  std::string adviseOnIncluder();

private:
  struct Candidate {
    std::string Macro; ///< NAME=VALUE
    std::string Place; ///< FILE:LINE
  };
  std::vector<Candidate> candidates(const UnknownName &Name);
  llvm::StringRef codeOf(const std::string &File);

  std::string Source;
  std::set<std::string> Tried;
  std::vector<std::vector<std::string>> Rings; ///< files, nearest first
  std::map<std::string, std::string> Codes;    ///< by file
};

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_HOSTMACROS_H
