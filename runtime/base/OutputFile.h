//===- OutputFile.h - A file written whole or not at all --------*- C++ -*-===//

#ifndef HEDDLE_BASE_OUTPUTFILE_H
#define HEDDLE_BASE_OUTPUTFILE_H

#include "base/Result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace heddle {

/// Writes to a file without a name in the same folder and gives it one at the
/// end, so that half a file is never seen and nothing is left behind, not even
/// by a process that is killed. Where the file system knows no such files it is
/// a temporary that is renamed. What exists and is not a plain file (a pipe, a
/// device) is written to directly.
///
/// Errors read "FILE: write failed at offset N: No space left on device".
class OutputFile {
public:
  static Result<OutputFile> create(const std::string &Path);
  OutputFile(OutputFile &&Other) noexcept;
  OutputFile &operator=(OutputFile &&Other) noexcept;
  ~OutputFile(); ///< discards what was not committed

  Result<void> write(std::span<const uint8_t> Bytes);
  Result<void> write(std::string_view Text) {
    return write(
        std::span(reinterpret_cast<const uint8_t *>(Text.data()), Text.size()));
  }
  /// Gives the file its name. Nothing may be written after it.
  Result<void> commit();

  uint64_t offset() const { return Offset; }
  const std::string &path() const { return Path; }

private:
  OutputFile() = default;
  void discard();
  void openNew();
  bool nameIt();

  std::string Path;
  std::string Temporary; ///< empty: written directly, or without a name
  bool Nameless = false;
  int Descriptor = -1;
  uint64_t Offset = 0;
};

} // namespace heddle

#endif // HEDDLE_BASE_OUTPUTFILE_H
