//===- TextOutput.h - Standard output or a file -----------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_TEXTOUTPUT_H
#define HEDDLE_TOOLS_TEXTOUTPUT_H

#include "base/OutputFile.h"

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

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_TEXTOUTPUT_H
