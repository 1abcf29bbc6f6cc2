//===- TextOutput.h - Standard output or a file -----------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_TEXTOUTPUT_H
#define HEDDLE_TOOLS_TEXTOUTPUT_H

#include "base/OutputFile.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace heddle::tool {

/// Where a command writes what may be large: standard output for "-", else a
/// file that appears when it is complete.
class TextOutput {
public:
  static Result<TextOutput> create(const std::string &Path);
  Result<void> write(std::string_view Text);
  /// Completes the output; reports what buffering has hidden so far.
  Result<void> finish();

private:
  std::optional<OutputFile> File; ///< none: standard output
};

/// Writes all of \p Text there. Throws CommandError.
void writeText(const std::string &Path, std::string_view Text);

/// Writes \p J and a newline there. Throws CommandError.
void writeJSON(const std::string &Path, const nlohmann::ordered_json &J);

/// Throws CommandError where no file \p Path could be written, so that this is
/// said before the work and not after it.
void checkOutput(const std::string &Path);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_TEXTOUTPUT_H
