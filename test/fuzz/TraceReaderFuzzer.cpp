//===- TraceReaderFuzzer.cpp - Hostile trace files ------------------------===//
//
// The first byte says at which depth the rest enters, since the outer layers
// are compressed: a whole file (checksums ignored), a header, a frame, or the
// body of one warp. Whatever the readers accept is replayed.
//
//===----------------------------------------------------------------------===//

#include "trace/HeaderCodec.h"
#include "trace/TraceReader.h"
#include "trace/WarpCursor.h"

#include <algorithm>
#include <cstdlib>

using namespace heddle;
using namespace heddle::trace;

namespace {

class MemorySource : public ByteSource {
public:
  explicit MemorySource(std::span<const uint8_t> Bytes) : Bytes(Bytes) {}
  uint64_t size() const override { return Bytes.size(); }
  Result<void> read(uint64_t Offset, std::span<uint8_t> Out) override {
    std::copy_n(Bytes.begin() + ptrdiff_t(Offset), Out.size(), Out.begin());
    return {};
  }

private:
  std::span<const uint8_t> Bytes;
};

/// Blocks with none, one and several records of different sizes.
CodeTable makeCode() {
  CodeTable Code;
  Code.Opcodes = {"ld"};
  Code.NumRegisters = 1;
  for (std::initializer_list<uint16_t> Sizes :
       {std::initializer_list<uint16_t>{4}, {}, {8, 1}, {4, 4, 12}}) {
    HeddleBlock B{uint32_t(Code.Insts.size()), 0, uint32_t(Code.Memory.size()),
                  0};
    for (uint16_t Size : Sizes) {
      HeddleInst I{};
      I.Issued = 1;
      I.Memory = uint32_t(Code.Memory.size());
      Code.Insts.push_back(I);
      const auto Space = Size == 8 ? HEDDLE_SPACE_GENERIC : HEDDLE_SPACE_GLOBAL;
      Code.Memory.push_back({uint8_t(Space), 0, Size});
    }
    B.NumInsts = B.NumMemory = uint32_t(Sizes.size());
    Code.Blocks.push_back(B);
  }
  return Code;
}

void require(bool Condition) {
  if (!Condition)
    std::abort();
}

/// Steps through a warp that verified; at most so many events of it.
void replay(const CodeTable &Code, const WarpTrace &Warp, uint64_t Events) {
  constexpr uint64_t Limit = 20000;
  WarpCursor C(Code, Warp);
  uint64_t N = 0, Sum = 0;
  for (; N < Limit && C.next(); ++N) {
    require(C.block() < Code.Blocks.size() && C.mask() != 0);
    const HeddleBlock &B = Code.Blocks[C.block()];
    for (uint32_t R = B.FirstMemory; R < B.FirstMemory + B.NumMemory; ++R) {
      const MemoryAccess &A = C.access(R);
      require((A.Mask & ~C.mask()) == 0);
      require(!A.Mask ||
              (A.Space > HEDDLE_SPACE_NONE && A.Space < HEDDLE_SPACE_GENERIC));
      for (uint32_t M = A.Mask; M; M &= M - 1)
        Sum += A.address(unsigned(std::countr_zero(M)));
    }
  }
  require(N == Limit || N == Events);
  [[maybe_unused]] static volatile uint64_t Keep;
  Keep = Sum;
}

void replayBlock(const TraceHeader &Header, const CodeTable &Code,
                 const BlockTrace &Block) {
  for (unsigned W = 0; W < Block.Warps.size(); ++W) {
    Result<TraceCounts> Counts =
        verifyWarp(Code, Block.Warps[W], liveLanes(Header, W));
    require(Counts.has_value());
    replay(Code, Block.Warps[W], Counts->Events);
  }
}

void fuzzFile(std::span<const uint8_t> Data) {
  TraceReader::Options Options;
  Options.IgnoreChecksums = true;
  auto Reader =
      TraceReader::open(std::make_unique<MemorySource>(Data), "fuzz", Options);
  if (!Reader)
    return;
  (void)(*Reader)->verifyAll();
  BlockTrace Block;
  for (const file::FrameEntry &F : (*Reader)->frames())
    if ((*Reader)->read(F.FirstBlock, Block))
      replayBlock((*Reader)->header(), (*Reader)->code(), Block);
}

void fuzzHeader(std::span<const uint8_t> Data) {
  TraceHeader Header;
  CodeTable Code;
  if (decodeHeader(Data, Header, Code)) {
    // What was read is written as the same bytes, up to how varints are spelt.
    TraceHeader Again;
    CodeTable CodeAgain;
    const std::vector<uint8_t> Bytes = encodeHeader(Header, Code);
    require(decodeHeader(Bytes, Again, CodeAgain).has_value());
    require(encodeHeader(Again, CodeAgain) == Bytes);
  }
}

void fuzzFrame(std::span<const uint8_t> Data) {
  const CodeTable Code = makeCode();
  TraceHeader Header;
  Header.Block = {72, 1, 1};
  Header.Grid = {uint32_t(1) << 20, 1, 1};
  Result<Frame> F = Frame::parse(Header, Code, {Data.begin(), Data.end()});
  if (!F)
    return;
  BlockTrace Block;
  for (uint64_t B = 0; B < std::min<uint64_t>(F->numBlocks(), 4); ++B) {
    F->read(B, Block);
    replayBlock(Header, Code, Block);
  }
}

void fuzzBody(std::span<const uint8_t> Data) {
  const CodeTable Code = makeCode();
  WarpTrace Warp;
  Warp.Body.assign(Data.begin(), Data.end());
  Result<BodySummary> Summary = BodyVerifier(Code).verify(Warp.Body);
  if (!Summary)
    return;
  Warp.Bases.assign(Summary->BaseRecords.size(), 0x1000);
  replay(Code, Warp, Summary->Counts.Events);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Bytes, size_t Size) {
  if (Size == 0)
    return 0;
  const std::span<const uint8_t> Data(Bytes + 1, Size - 1);
  switch (Bytes[0] % 4) {
  case 0:
    fuzzFile(Data);
    break;
  case 1:
    fuzzHeader(Data);
    break;
  case 2:
    fuzzFrame(Data);
    break;
  case 3:
    fuzzBody(Data);
    break;
  }
  return 0;
}
