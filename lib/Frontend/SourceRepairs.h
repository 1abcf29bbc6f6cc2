//===- SourceRepairs.h - What other compilers take --------------*- C++ -*-===//
//
// Some sources are right for the compilers that they were written for and wrong
// for Clang. Where the change that makes them right is small and certain, the
// file is read once more with it: only the text that Clang sees changes, and
// lines stay lines.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_FRONTEND_SOURCEREPAIRS_H
#define HEDDLE_LIB_FRONTEND_SOURCEREPAIRS_H

#include "ErrorLog.h"

#include <map>
#include <string>
#include <vector>

namespace clang {
class SourceManager;
}

namespace heddle {

/// \p Length characters at \p Offset of \p File become \p Text.
struct SourceRepair {
  std::string File;
  unsigned Offset;
  unsigned Length;
  std::string Text;
  std::string Note; ///< for the user, a line; empty for half of a repair
};

/// Repairs, and the texts of their files before them.
struct SourceRepairs {
  std::vector<SourceRepair> Changes;
  std::map<std::string, std::string> Texts;
};

/// The repairs of the errors in \p Log: a braced list in a launch's
/// configuration, size_t and bool as kernel parameters, __local variables in a
/// block inside of a kernel, __constant variables in functions, __shared__
/// variables with a constructor.
SourceRepairs findRepairs(const clang::SourceManager &Sources,
                          const ErrorLog &Log);

/// The texts of files after all repairs so far.
class RepairedFiles {
public:
  /// Whether there was something to repair; one note a line goes to \p Notes.
  bool apply(SourceRepairs Repairs, std::string &Notes);
  /// \p Text stands for what \p File holds.
  void replace(const std::string &File, std::string Text) {
    Texts[File] = std::move(Text);
  }
  const std::map<std::string, std::string> &texts() const { return Texts; }
  /// Whether something was repaired.
  bool changed() const { return Rounds > 0; }

private:
  std::map<std::string, std::string> Texts;
  unsigned Rounds = 0;
};

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_SOURCEREPAIRS_H
