//===- ResultFile.h - Reads results back ------------------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_RESULTFILE_H
#define HEDDLE_VIEWS_RESULTFILE_H

#include "base/Result.h"
#include "views/View.h"

#include <string>
#include <vector>

namespace heddle::views {

/// One result of a file that a command wrote with --json.
struct StoredResult {
  std::string File;
  std::string Where; ///< for messages: the file, and which result of it
  JSON Data;

  std::string kernel() const { return Data.at("kernel"); }
  std::string gpu() const { return Data.value("gpu", std::string()); }
  std::string model() const { return Data.value("model", std::string()); }
  double cycles() const { return Data.at("cycles"); }

  /// The number under \p Key. Fails, naming file and key, if there is none.
  Result<double> number(const std::string &Key) const;
};

/// The results in \p Path: one object, or a list of them. Each has the keys
/// tool, version, kernel and cycles, and what views read has the right type.
/// Fails with the line for what is no JSON, and for a result of another version
/// than \p Version unless that is empty: its numbers mean something else.
Result<std::vector<StoredResult>> readResults(const std::string &Path,
                                              const std::string &Version);
Result<std::vector<StoredResult>> parseResults(const std::string &Text,
                                               const std::string &Path,
                                               const std::string &Version);

} // namespace heddle::views

#endif // HEDDLE_VIEWS_RESULTFILE_H
