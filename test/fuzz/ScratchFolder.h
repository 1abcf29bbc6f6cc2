//===- ScratchFolder.h - Where a fuzzer puts what is read -------*- C++ -*-===//

#ifndef HEDDLE_TEST_FUZZ_SCRATCHFOLDER_H
#define HEDDLE_TEST_FUZZ_SCRATCHFOLDER_H

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace heddle::fuzz {

/// A new folder, removed when the fuzzer ends by itself.
class ScratchFolder {
public:
  ScratchFolder()
      : Path((std::filesystem::temp_directory_path() / "heddle-fuzz-XXXXXX")
                 .string()) {
    if (!::mkdtemp(Path.data()))
      std::abort();
  }
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;
  ~ScratchFolder() {
    std::error_code Ignored;
    std::filesystem::remove_all(Path, Ignored);
  }

  const std::string &path() const { return Path; }
  /// Writes a file anew and returns its path.
  std::string write(std::string_view Name, std::string_view Text) const {
    std::string File = Path + "/" + std::string(Name);
    std::ofstream(File, std::ios::binary)
        .write(Text.data(), std::streamsize(Text.size()));
    return File;
  }

private:
  std::string Path;
};

} // namespace heddle::fuzz

#endif // HEDDLE_TEST_FUZZ_SCRATCHFOLDER_H
