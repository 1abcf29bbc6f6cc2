//===- MissingHeaders.h - Where else a header may lie -----------*- C++ -*-===//

#ifndef HEDDLE_LIB_FRONTEND_MISSINGHEADERS_H
#define HEDDLE_LIB_FRONTEND_MISSINGHEADERS_H

#include "llvm/ADT/ArrayRef.h"

#include <set>
#include <string>
#include <vector>

namespace heddle {

/// Finds the folders that a build would have named with -I: a header that the
/// compiler does not find is looked for in the folders above the source and in
/// the folders that lie in those, one or two levels deep.
class HeaderSearch {
public:
  explicit HeaderSearch(std::string Source) : Source(std::move(Source)) {}

  /// Folders to add for \p Headers, none twice; one note a line goes to
  /// \p Notes. Headers that are nowhere add nothing.
  std::vector<std::string> find(llvm::ArrayRef<std::string> Headers,
                                std::string &Notes);

private:
  std::string Source;
  std::set<std::string> Given;
};

/// Says of headers that were not found what can be done, one line each.
std::string adviseOnHeaders(llvm::ArrayRef<std::string> Headers);

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_MISSINGHEADERS_H
