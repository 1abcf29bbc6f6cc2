//===- TextOutput.cpp - Standard output or a file -------------------------===//

#include "TextOutput.h"

#include "Commands.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace heddle::tool {

static Result<void> checkStdout(bool Good) {
  if (Good)
    return {};
  return fail(
      fmt::format("standard output: write failed: {}", std::strerror(errno)));
}

Result<TextOutput> TextOutput::create(const std::string &Path) {
  TextOutput Out;
  if (Path == "-")
    return Out;
  Result<OutputFile> File = OutputFile::create(Path);
  if (!File)
    return std::unexpected(File.error());
  Out.File = std::move(*File);
  return Out;
}

Result<void> TextOutput::write(std::string_view Text) {
  if (File)
    return File->write(Text);
  return checkStdout(std::fwrite(Text.data(), 1, Text.size(), stdout) ==
                     Text.size());
}

Result<void> TextOutput::finish() {
  if (File)
    return File->commit();
  return checkStdout(std::fflush(stdout) == 0);
}

void writeText(const std::string &Path, std::string_view Text) {
  TextOutput Out = take(TextOutput::create(Path));
  take(Out.write(Text));
  take(Out.finish());
}

} // namespace heddle::tool
