//===- FrameCodec.cpp -----------------------------------------------------===//

#include "trace/FrameCodec.h"

#include <algorithm>
#include <fmt/format.h>

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

/// Checks what depends on the warp and not on its body alone.
Result<void> checkWarp(const TraceHeader &Header, unsigned Warp,
                       const BodySummary &Body) {
  if (uint32_t Live = liveLanes(Header, Warp); Body.Lanes & ~Live)
    return fail(
        fmt::format("lanes {:08x} execute, but only {:08x} hold threads",
                    Body.Lanes, Live));
  return {};
}

} // namespace

FrameBuilder::FrameBuilder(const TraceHeader &Header, const CodeTable &Code)
    : Header(Header), Verifier(Code),
      Predictor(Header.warpsPerBlock(), Code.Memory.size()),
      LastBody(Header.warpsPerBlock(), UINT32_MAX) {}

Result<void> FrameBuilder::add(const BlockTrace &Block) {
  if (Block.Warps.size() != Header.warpsPerBlock())
    return fail(fmt::format("block {} has {} warps instead of {}", Block.Index,
                            Block.Warps.size(), Header.warpsPerBlock()));
  for (unsigned W = 0; W < Block.Warps.size(); ++W) {
    const WarpTrace &Warp = Block.Warps[W];
    auto Bad = [&](const std::string &What) {
      return fail(fmt::format("block {} warp {}: {}", Block.Index, W, What));
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
    putVarint(WarpCodes, Number == LastBody[W] ? 0 : uint64_t(Number) + 1);
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

std::vector<uint8_t> FrameBuilder::take() {
  std::vector<uint8_t> Out;
  Out.reserve(sizeBytes() + 3 * Bodies.size() + 20);
  putVarint(Out, NumBlocks);
  putVarint(Out, Bodies.size());
  for (const std::vector<uint8_t> &Body : Bodies)
    putVarint(Out, Body.size());
  for (const std::vector<uint8_t> &Body : Bodies)
    Out.insert(Out.end(), Body.begin(), Body.end());
  Out.insert(Out.end(), WarpCodes.begin(), WarpCodes.end());
  Out.insert(Out.end(), Bases.begin(), Bases.end());
  NumBlocks = 0;
  BodyNumbers.clear();
  Bodies.clear();
  Summaries.clear();
  BodyBytes = 0;
  std::ranges::fill(LastBody, UINT32_MAX);
  WarpCodes.clear();
  Bases.clear();
  Predictor.reset();
  return Out;
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
  std::vector<BodySummary> Summaries;
  Summaries.reserve(NumBodies);
  BodyVerifier Verifier(Code);
  for (uint64_t Size : Sizes) {
    if (R.Failed || Size > Left())
      return fail("a body longer than the frame");
    F.Bodies.emplace_back(R.P, Size);
    Result<BodySummary> Summary = Verifier.verify(F.Bodies.back());
    if (!Summary)
      return fail(fmt::format("byte {} of the frame, body {}: {}", R.P - Begin,
                              F.Bodies.size() - 1, Summary.error().Message));
    F.BodyCounts.push_back(
        {Summary->Counts.WarpInstructions, Summary->Counts.ThreadInstructions});
    Summaries.push_back(std::move(*Summary));
    R.P += Size;
  }

  F.Warps.resize(F.NumBlocks * WarpsPerBlock);
  uint64_t NumBases = 0;
  for (size_t I = 0; I < F.Warps.size(); ++I) {
    const uint64_t Code = R.varint();
    if (R.Failed || Code > NumBodies || (Code == 0 && I < WarpsPerBlock))
      return fail(fmt::format("byte {} of the frame: a warp without a body",
                              R.P - Begin));
    Warp &W = F.Warps[I];
    W.Body = Code ? uint32_t(Code - 1) : F.Warps[I - WarpsPerBlock].Body;
    const BodySummary &Summary = Summaries[W.Body];
    if (Result<void> Good =
            checkWarp(Header, unsigned(I % WarpsPerBlock), Summary);
        !Good)
      return fail(fmt::format("block {} of the frame, warp {}: {}",
                              I / WarpsPerBlock, I % WarpsPerBlock,
                              Good.error().Message));
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
    return fail(fmt::format("{} bytes too many in the frame", Left()));
  return F;
}

void Frame::read(uint64_t Index, BlockTrace &Out) const {
  const size_t WarpsPerBlock = Warps.size() / NumBlocks;
  Out.Warps.resize(WarpsPerBlock);
  Out.Counts.resize(WarpsPerBlock);
  for (size_t W = 0; W < WarpsPerBlock; ++W) {
    const Warp &From = Warps[Index * WarpsPerBlock + W];
    WarpTrace &To = Out.Warps[W];
    To.Body.assign(Bodies[From.Body].begin(), Bodies[From.Body].end());
    auto First = Bases.begin() + ptrdiff_t(From.FirstBase);
    To.Bases.assign(First, First + From.NumBases);
    Out.Counts[W] = BodyCounts[From.Body];
  }
}

} // namespace heddle::trace
