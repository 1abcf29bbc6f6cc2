//===- RecordingFuzzer.cpp - Hostile recordings ---------------------------===//
//
// The first byte says how the rest is read: as a whole log, or as records
// (kind, two bytes of length, payload) that get the checksums they need, so
// that what lies behind those is reached. Contents of what is accepted are
// read.
//
//===----------------------------------------------------------------------===//

#include "record/Format.h"
#include "record/Recording.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::record;

namespace {

class MemorySource : public trace::ByteSource {
public:
  explicit MemorySource(std::vector<uint8_t> Bytes) : Bytes(std::move(Bytes)) {}
  uint64_t size() const override { return Bytes.size(); }
  Result<void> read(uint64_t Offset, std::span<uint8_t> Out) override {
    std::copy_n(Bytes.begin() + ptrdiff_t(Offset), Out.size(), Out.begin());
    return {};
  }

private:
  std::vector<uint8_t> Bytes;
};

std::vector<uint8_t> logOf(std::span<const uint8_t> Data) {
  std::vector<uint8_t> Log(Magic.begin(), Magic.end());
  trace::bytecode::putNumber(Log, FormatVersion, 4);
  while (Data.size() >= 3) {
    const size_t Size =
        std::min<size_t>(Data[1] | size_t(Data[2]) << 8, Data.size() - 3);
    const std::span<const uint8_t> Payload = Data.subspan(3, Size);
    const auto Header =
        encodeHeader({Data[0], Payload.size(), checksum(Payload), true});
    Log.insert(Log.end(), Header.begin(), Header.end());
    Log.insert(Log.end(), Payload.begin(), Payload.end());
    Data = Data.subspan(3 + Size);
  }
  return Log;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Bytes, size_t Size) {
  if (Size == 0)
    return 0;
  const std::span<const uint8_t> Data(Bytes + 1, Size - 1);
  std::vector<uint8_t> Log =
      Bytes[0] % 2 ? logOf(Data) : std::vector(Data.begin(), Data.end());
  Result<Recording> R = parseRecording(
      std::make_shared<MemorySource>(std::move(Log)), "fuzz", "");
  if (!R)
    return 0;
  for (const launch::Step &S : R->Application.Steps) {
    if (const auto *Write = std::get_if<launch::WriteBuffer>(&S.Host))
      (void)Write->Bytes->read();
    else if (const auto *Read = std::get_if<launch::ReadBuffer>(&S.Host))
      (void)Read->Expected->read();
  }
  return 0;
}
