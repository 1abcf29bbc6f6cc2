//===- HostStep.h - What a host program does to buffers ---------*- C++ -*-===//
//
// Beside launches, a recorded application has the steps of its host: it makes
// buffers, writes, fills and copies them, and reads results back. runtime/exec
// applies them to device memory.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LAUNCH_HOSTSTEP_H
#define HEDDLE_LAUNCH_HOSTSTEP_H

#include "base/Result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace heddle::launch {

/// A box of bytes inside a buffer: slices of rows of RowBytes each.
struct Region {
  uint64_t Offset = 0, RowBytes = 0;
  uint64_t Rows = 1, RowPitch = 0;     ///< bytes from one row to the next
  uint64_t Slices = 1, SlicePitch = 0; ///< bytes from one slice to the next

  uint64_t sizeBytes() const { return RowBytes * Rows * Slices; }
  /// Calls \p Do with the offset of each row in the buffer and in the packed
  /// bytes of the region.
  template <typename Function> void forEachRow(Function Do) const {
    for (uint64_t S = 0; S < Slices; ++S)
      for (uint64_t R = 0; R < Rows; ++R)
        Do(Offset + S * SlicePitch + R * RowPitch, (S * Rows + R) * RowBytes);
  }
  bool operator==(const Region &) const = default;
};

/// \p Size bytes of \p Room, which only ever grows.
inline std::span<uint8_t> room(std::vector<uint8_t> &Room, uint64_t Size) {
  if (Room.size() < Size)
    Room.resize(Size);
  return std::span(Room).first(Size);
}

/// Bytes that are read when a step needs them.
class Contents {
public:
  virtual ~Contents() = default;
  /// To \p To, which is as long. Recordings have thousands of contents, and
  /// memory that is new for each costs more than what is done with the bytes:
  /// \p Room may be used, and grows if it must.
  virtual Result<void> read(std::span<uint8_t> To,
                            std::vector<uint8_t> &Room) const = 0;
};

struct MakeBuffer {
  std::string Name;
  uint64_t SizeBytes = 0;
  /// From the begin of device memory, if it matters: pointers that the program
  /// itself writes to memory then stay right.
  std::optional<uint64_t> Offset = std::nullopt;
};
/// The name of the buffer that is variable \p Name of an application's program
/// \p Program.
inline std::string variableBuffer(const std::string &Name, size_t Program) {
  return Name + "@" + std::to_string(Program);
}
struct DropBuffer {
  std::string Name;
};
struct WriteBuffer {
  std::string Buffer;
  Region At;
  std::shared_ptr<const Contents> Bytes;
};
struct FillBuffer {
  std::string Buffer;
  uint64_t Offset = 0, SizeBytes = 0;
  std::vector<uint8_t> Pattern;
};
struct CopyBuffer {
  std::string From, To;
  Region FromAt, ToAt; ///< of the same shape, but for offsets and pitches
};
/// The program read results here; Expected is what it got.
struct ReadBuffer {
  std::string Buffer;
  Region At;
  std::shared_ptr<const Contents> Expected;
};

using HostStep = std::variant<std::monostate, MakeBuffer, DropBuffer,
                              WriteBuffer, FillBuffer, CopyBuffer, ReadBuffer>;

} // namespace heddle::launch

#endif // HEDDLE_LAUNCH_HOSTSTEP_H
