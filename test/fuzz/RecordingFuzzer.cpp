//===- RecordingFuzzer.cpp - Hostile recordings ---------------------------===//
//
// The first byte says how the rest is read: as a whole log, or as records
// (kind, two bytes of length, payload) that get the checksums they need, so
// that what lies behind those is reached. Contents of what is accepted are
// read. Mutations keep records whole: they come, go, change places, and change
// inside; those of streams, operations and ranges are made from nothing.
//
//===----------------------------------------------------------------------===//

#include "record/Format.h"
#include "record/Recording.h"

#include <algorithm>
#include <random>

extern "C" size_t LLVMFuzzerMutate(uint8_t *Data, size_t Size, size_t MaxSize);

using namespace heddle;
using namespace heddle::record;

namespace {

constexpr uint64_t LargestContents = 64 << 20; ///< that are read

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

/// A record as the input has it: kind, two bytes of length, payload.
using Record = std::vector<uint8_t>;

std::vector<Record> recordsOf(std::span<const uint8_t> Data) {
  std::vector<Record> All;
  while (Data.size() >= 3) {
    const size_t Size =
        std::min<size_t>(3 + (Data[1] | size_t(Data[2]) << 8), Data.size());
    All.emplace_back(Data.begin(), Data.begin() + ptrdiff_t(Size));
    Data = Data.subspan(Size);
  }
  return All;
}

/// A record of a program with streams that may come next.
Record streamRecord(std::mt19937 &Random) {
  const std::string Name(Random() % 3, char('a' + Random() % 3));
  Encoder E;
  const auto Text = [&] {
    E.bytes({reinterpret_cast<const uint8_t *>(Name.data()), Name.size()});
  };
  const unsigned Kind = 20 + Random() % 3;
  if (Kind == unsigned(RecordKind::Stream)) {
    E.number(Random() % 4);
    Text();
    E.number(Random() % 3);
  } else if (Kind == unsigned(RecordKind::Operation)) {
    const unsigned Waits = Random() % 3;
    E.number(Random() % 6).number(Random() % 3).number(Random() % 5000);
    E.number(Waits);
    for (unsigned I = 0; I < Waits; ++I)
      E.number(1 + Random() % 3);
  } else {
    const unsigned Names = Random() % 4;
    E.number(Names);
    for (unsigned I = 0; I < Names; ++I)
      Text();
  }
  Record R = {uint8_t(Kind), uint8_t(E.Out.size()), uint8_t(E.Out.size() >> 8)};
  R.insert(R.end(), E.Out.begin(), E.Out.end());
  return R;
}

void changeInside(Record &R) {
  const size_t Payload = R.size() - 3;
  R.resize(3 + std::max<size_t>(Payload, 1) + 16);
  const size_t Size = LLVMFuzzerMutate(R.data() + 3, Payload, R.size() - 3);
  R.resize(3 + Size);
  R[1] = uint8_t(Size);
  R[2] = uint8_t(Size >> 8);
}

} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *Data, size_t Size,
                                          size_t MaxSize, unsigned Seed) {
  std::mt19937 Random(Seed);
  if (Size == 0 || Data[0] % 2 == 0 || Random() % 8 == 0)
    return LLVMFuzzerMutate(Data, Size, MaxSize);
  std::vector<Record> All = recordsOf({Data + 1, Size - 1});
  for (unsigned Times = 1 + Random() % 3; Times; --Times) {
    const size_t At = All.empty() ? 0 : Random() % All.size();
    const auto Place = All.begin() + ptrdiff_t(At);
    const unsigned What = All.empty() ? 0 : Random() % 6;
    if (What == 0)
      All.insert(Place, streamRecord(Random));
    else if (What == 1)
      All.erase(Place);
    else if (What == 2)
      All.insert(Place, Record(All[Random() % All.size()]));
    else if (What == 3)
      std::swap(*Place, All[Random() % All.size()]);
    else if (All[At].size() < UINT16_MAX)
      changeInside(All[At]);
  }
  std::vector<uint8_t> Out = {Data[0]};
  for (const Record &R : All)
    Out.insert(Out.end(), R.begin(), R.end());
  if (Out.size() > MaxSize)
    return LLVMFuzzerMutate(Data, Size, MaxSize);
  std::ranges::copy(Out, Data);
  return Out.size();
}

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
  std::vector<uint8_t> Room, To;
  auto ReadAll = [&](const launch::Contents &Bytes, uint64_t Size) {
    if (Size <= LargestContents)
      (void)Bytes.read(launch::room(To, Size), Room);
  };
  for (const launch::Step &S : R->Application.Steps) {
    if (const auto *Write = std::get_if<launch::WriteBuffer>(&S.Host))
      ReadAll(*Write->Bytes, Write->At.sizeBytes());
    else if (const auto *Read = std::get_if<launch::ReadBuffer>(&S.Host))
      ReadAll(*Read->Expected, Read->At.sizeBytes());
  }
  return 0;
}
