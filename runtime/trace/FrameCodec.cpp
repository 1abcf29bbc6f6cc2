//===- FrameCodec.cpp -----------------------------------------------------===//

#include "trace/FrameCodec.h"

#include "base/Fail.h"

#include <algorithm>

namespace heddle::trace {

using namespace bytecode;

BasePredictor::BasePredictor(unsigned WarpsPerBlock, size_t NumRecords)
    : Records(NumRecords), Warps(WarpsPerBlock * NumRecords) {}

void BasePredictor::reset() {
  std::ranges::fill(Records, PerRecord());
  std::ranges::fill(Warps, PerWarp());
}

uint64_t BasePredictor::predict(unsigned Warp, uint32_t Record) const {
  const PerRecord &R = Records[Record];
  const PerWarp &W = Warps[Warp * Records.size() + Record];
  return W.Known ? W.Base + R.Move : R.Last + R.Step;
}

void BasePredictor::update(unsigned Warp, uint32_t Record, uint64_t Base) {
  PerRecord &R = Records[Record];
  PerWarp &W = Warps[Warp * Records.size() + Record];
  if (W.Known)
    R.Move = Base - W.Base;
  R.Step = Base - R.Last;
  R.Last = Base;
  W = {Base, true};
}

uint32_t liveLanes(const TraceHeader &Header, unsigned Warp) {
  const uint64_t Threads = Header.Block.count() -
                           std::min(Header.Block.count(), Warp * uint64_t(32));
  return Threads >= 32 ? ~0u : (1u << Threads) - 1;
}

namespace {

/// What a warp does. Bodies are numbered as they come up.
enum WarpCode : uint64_t {
  WarpSameBody = 0, ///< as the same warp in the block before
  WarpNewBody = 1,  ///< the next one
  WarpOldBody = 2,  ///< plus its number
};

/// Fewer number bytes than this are not worth a section of their own.
constexpr size_t MinSection = 4096;

/// Checks what depends on the warp and not on its body alone.
Result<void> checkWarp(const TraceHeader &Header, unsigned Warp,
                       const BodySummary &Body) {
  if (uint32_t Live = liveLanes(Header, Warp); Body.Lanes & ~Live)
    return fail("lanes {:08x} execute, but only {:08x} hold threads",
                Body.Lanes, Live);
  return {};
}

} // namespace

FrameBuilder::FrameBuilder(const TraceHeader &Header, const CodeTable &Code)
    : Header(Header), Verifier(Code),
      Predictor(Header.warpsPerBlock(), Code.Memory.size()),
      LastBody(Header.warpsPerBlock(), UINT32_MAX) {}

Result<void> FrameBuilder::add(const BlockTrace &Block) {
  if (Block.Warps.size() != Header.warpsPerBlock())
    return fail("block {} has {} warps instead of {}", Block.Index,
                Block.Warps.size(), Header.warpsPerBlock());
  for (unsigned W = 0; W < Block.Warps.size(); ++W) {
    const WarpTrace &Warp = Block.Warps[W];
    auto Bad = [&](const std::string &What) {
      return fail("block {} warp {}: {}", Block.Index, W, What);
    };
    auto Text = [](const std::vector<uint8_t> &Body) {
      return std::string_view(reinterpret_cast<const char *>(Body.data()),
                              Body.size());
    };
    auto Known = BodyNumbers.find(Text(Warp.Body));
    if (Known == BodyNumbers.end()) {
      Result<BodySummary> Summary = Verifier.verify(Warp.Body);
      if (!Summary)
        return Bad(Summary.error().Message);
      Bodies.push_back(Warp.Body);
      Summaries.push_back(std::move(*Summary));
      BodyBytes += Warp.Body.size();
      ++NumBodies;
      Known =
          BodyNumbers.emplace(Text(Bodies.back()), uint32_t(Bodies.size() - 1))
              .first;
    }
    const uint32_t Number = Known->second;
    const BodySummary &Summary = Summaries[Number];
    if (Result<void> Good = checkWarp(Header, W, Summary); !Good)
      return Bad(Good.error().Message);
    if (Summary.BaseRecords.size() != Warp.Bases.size())
      return Bad(fmt::format("{} bases for {} first executions",
                             Warp.Bases.size(), Summary.BaseRecords.size()));
    const bool New = Number == NewBodies;
    NewBodies += New;
    putVarint(WarpCodes, New                     ? WarpNewBody
                         : Number == LastBody[W] ? WarpSameBody
                                                 : WarpOldBody + Number);
    LastBody[W] = Number;
    for (size_t I = 0; I < Warp.Bases.size(); ++I) {
      const uint32_t Record = Summary.BaseRecords[I];
      putVarint(Bases,
                zigzag(int64_t(Warp.Bases[I] - Predictor.predict(W, Record))));
      Predictor.update(W, Record, Warp.Bases[I]);
    }
    Counts.add(Summary.Counts);
  }
  ++NumBlocks;
  return {};
}

FrameBytes FrameBuilder::take() {
  FrameBytes Out;
  std::vector<uint8_t> &Bytes = Out.Bytes;
  Bytes.reserve(sizeBytes() + 3 * Bodies.size() + 20);
  auto Put = [&Bytes](std::span<const uint8_t> Some) {
    Bytes.insert(Bytes.end(), Some.begin(), Some.end());
  };
  putVarint(Bytes, NumBlocks);
  putVarint(Bytes, Bodies.size());
  for (const std::vector<uint8_t> &Body : Bodies)
    putVarint(Bytes, splitBody(Body).Control.size());
  for (const std::vector<uint8_t> &Body : Bodies)
    Put(splitBody(Body).Control);
  Put(WarpCodes);
  Out.Cut = Bytes.size();
  for (const std::vector<uint8_t> &Body : Bodies)
    Put(splitBody(Body).Numbers);
  const bool Few = Bytes.size() - Out.Cut < MinSection;
  Put(Bases);
  if (Few)
    Out.Cut = Bytes.size();
  NumBlocks = 0;
  BodyNumbers.clear();
  Bodies.clear();
  Summaries.clear();
  BodyBytes = 0;
  std::ranges::fill(LastBody, UINT32_MAX);
  NewBodies = 0;
  WarpCodes.clear();
  Bases.clear();
  Predictor.reset();
  return Out;
}

/// Finds the numbers of each body and verifies it. \p Numbers are those of all
/// bodies, and more.
Result<void>
Frame::readBodies(ByteReader &Numbers, const CodeTable &Code,
                  std::span<const std::span<const uint8_t>> Controls,
                  std::vector<BodySummary> &Summaries) {
  Bodies.reserve(Controls.size());
  BodyCounts.reserve(Controls.size());
  Summaries.reserve(Controls.size());
  BodyVerifier Verifier(Code);
  for (std::span<const uint8_t> Control : Controls) {
    Result<BodySummary> Summary =
        Verifier.verify({Control, {Numbers.P, Numbers.End}});
    if (!Summary)
      return fail("body {} of the frame: {}", Bodies.size(),
                  Summary.error().Message);
    Bodies.push_back({Control, {Numbers.P, Summary->NumberBytes}});
    Numbers.skip(Summary->NumberBytes);
    BodyCounts.push_back(
        {Summary->Counts.WarpInstructions, Summary->Counts.ThreadInstructions});
    Summaries.push_back(std::move(*Summary));
  }
  return {};
}

Result<Frame> Frame::parse(const TraceHeader &Header, const CodeTable &Code,
                           std::vector<uint8_t> Bytes) {
  Frame F;
  F.Bytes = std::move(Bytes);
  const uint8_t *Begin = F.Bytes.data();
  ByteReader R{Begin, Begin + F.Bytes.size()};
  auto Left = [&] { return uint64_t(R.End - R.P); };
  F.NumBlocks = R.varint();
  const uint64_t NumBodies = R.varint();
  const unsigned WarpsPerBlock = Header.warpsPerBlock();
  if (R.Failed || NumBodies > Left() || F.NumBlocks > Left() / WarpsPerBlock)
    return fail("more blocks or bodies than the frame has bytes");
  std::vector<uint64_t> Sizes(NumBodies);
  for (uint64_t &Size : Sizes)
    Size = R.varint();
  std::vector<std::span<const uint8_t>> Controls;
  for (uint64_t Size : Sizes) {
    if (R.Failed || Size > Left())
      return fail("a body longer than the frame");
    Controls.emplace_back(R.P, Size);
    R.P += Size;
  }

  F.Warps.resize(F.NumBlocks * WarpsPerBlock);
  uint64_t NewBodies = 0;
  for (size_t I = 0; I < F.Warps.size(); ++I) {
    const uint64_t Code = R.varint();
    const uint64_t Body =
        Code == WarpNewBody ? NewBodies++
        : Code == WarpSameBody
            ? I < WarpsPerBlock ? NumBodies : F.Warps[I - WarpsPerBlock].Body
            : Code - WarpOldBody;
    if (R.Failed || Body >= NumBodies)
      return fail("byte {} of the frame: a warp without a body", R.P - Begin);
    F.Warps[I].Body = uint32_t(Body);
  }
  std::vector<BodySummary> Summaries;
  if (Result<void> Good = F.readBodies(R, Code, Controls, Summaries); !Good)
    return std::unexpected(Good.error());

  uint64_t NumBases = 0;
  for (size_t I = 0; I < F.Warps.size(); ++I) {
    Warp &W = F.Warps[I];
    const BodySummary &Summary = Summaries[W.Body];
    if (Result<void> Good =
            checkWarp(Header, unsigned(I % WarpsPerBlock), Summary);
        !Good)
      return fail("block {} of the frame, warp {}: {}", I / WarpsPerBlock,
                  I % WarpsPerBlock, Good.error().Message);
    W.NumBases = uint32_t(Summary.BaseRecords.size());
    W.FirstBase = NumBases;
    NumBases += W.NumBases;
    F.Counts.add(Summary.Counts);
  }
  if (NumBases > Left())
    return fail("more first addresses than the frame has bytes");
  F.Bases.reserve(NumBases);
  BasePredictor Predictor(WarpsPerBlock, Code.Memory.size());
  for (size_t I = 0; I < F.Warps.size(); ++I) {
    const unsigned Warp = unsigned(I % WarpsPerBlock);
    for (uint32_t Record : Summaries[F.Warps[I].Body].BaseRecords) {
      const uint64_t Base =
          Predictor.predict(Warp, Record) + uint64_t(R.signedVarint());
      Predictor.update(Warp, Record, Base);
      F.Bases.push_back(Base);
    }
  }
  if (R.Failed)
    return fail("the frame ends within its first addresses");
  if (R.P != R.End)
    return fail("{} bytes too many in the frame", Left());
  return F;
}

void Frame::read(uint64_t Index, BlockTrace &Out) const {
  const size_t WarpsPerBlock = Warps.size() / NumBlocks;
  Out.Warps.resize(WarpsPerBlock);
  Out.Counts.resize(WarpsPerBlock);
  for (size_t W = 0; W < WarpsPerBlock; ++W) {
    const Warp &From = Warps[Index * WarpsPerBlock + W];
    WarpTrace &To = Out.Warps[W];
    To.Body.clear();
    if (!Bodies[From.Body].Control.empty())
      putBody(To.Body, Bodies[From.Body]);
    auto First = Bases.begin() + ptrdiff_t(From.FirstBase);
    To.Bases.assign(First, First + From.NumBases);
    Out.Counts[W] = BodyCounts[From.Body];
  }
}

} // namespace heddle::trace
