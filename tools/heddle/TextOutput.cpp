//===- TextOutput.cpp - Standard output or a file -------------------------===//

#include "TextOutput.h"

#include "base/Fail.h"
#include "base/JSONText.h"

#include "Commands.h"
#include "Progress.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <unistd.h>

namespace heddle::tool {

static Result<void> checkStdout(bool Good) {
  if (Good)
    return {};
  return fail("standard output: write failed: {}", std::strerror(errno));
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
  Progress::clearLine();
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

void writeJSON(const std::string &Path, const nlohmann::ordered_json &J) {
  writeText(Path, jsonText(J, 2) + "\n");
}

void checkOutput(const std::string &Path) {
  namespace fs = std::filesystem;
  if (Path == "-" || Path.empty())
    return;
  std::error_code Failed;
  const fs::path Folder = fs::path(Path).parent_path();
  int Why = 0;
  if (fs::is_directory(Path, Failed))
    Why = EISDIR;
  else if (!Folder.empty() && !fs::is_directory(Folder, Failed))
    Why = fs::exists(Folder, Failed) ? ENOTDIR : ENOENT;
  else if (!fs::exists(Path, Failed) &&
           ::access(Folder.empty() ? "." : Folder.c_str(), W_OK) != 0)
    Why = errno;
  if (Why)
    throw inputError("{}: cannot write: {}", Path,
                     Why == EISDIR ? "is a directory" : std::strerror(Why));
}

} // namespace heddle::tool
