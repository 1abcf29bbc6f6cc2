//===- OutputFile.h - A file that is written whole or not at all -*- C++
//-*-===//

#ifndef HEDDLE_BASE_OUTPUTFILE_H
#define HEDDLE_BASE_OUTPUTFILE_H

#include "base/Result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace heddle {

/// Writes to a temporary in the same folder and renames it at the end, so that
/// nobody sees half a file and a failure leaves nothing behind. What exists
/// and is not a plain file (a pipe, a device) is written to directly.
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

  std::string Path;
  std::string Temporary; ///< empty: written directly
  int Descriptor = -1;
  uint64_t Offset = 0;
};

} // namespace heddle

#endif // HEDDLE_BASE_OUTPUTFILE_H
