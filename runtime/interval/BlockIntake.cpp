//===- BlockIntake.cpp - Thread blocks, each body once --------------------===//

#include "interval/BlockIntake.h"

#include "trace/WarpCursor.h"

#include <algorithm>
#include <string_view>

namespace heddle::interval {

trace::BlockTrace HeldBlock::copy() {
  trace::BlockTrace Out;
  Out.Index = Index;
  for (const Warp &W : Warps) {
    const std::span<const uint64_t> Its = bases(W);
    Out.Warps.push_back(
        {{W.Body.begin(), W.Body.end()}, {Its.begin(), Its.end()}});
  }
  return Out;
}

/// The class of the body of warp \p Number of its block, or NoClass; leaves its
/// hash in Hash unless the block before had the same.
uint32_t BlockIntake::classOf(const trace::WarpTrace &W, size_t Number) {
  if (Latest[Number] != HeldBlock::NoClass && Bodies[Latest[Number]] == W.Body)
    return Latest[Number];
  Hash = std::hash<std::string_view>()(
      {reinterpret_cast<const char *>(W.Body.data()), W.Body.size()});
  if (auto Same = ByHash.find(Hash); Same != ByHash.end())
    for (uint32_t C : Same->second)
      if (Bodies[C] == W.Body)
        return Latest[Number] = C;
  return HeldBlock::NoClass;
}

trace::WarpCounts BlockIntake::count(const trace::WarpTrace &W, size_t Number) {
  if (!Scratch.Counts.empty())
    return Scratch.Counts[Number];
  if (Result<trace::BodySummary> S = Verifier.verify(W.Body))
    return {S->Counts.WarpInstructions, S->Counts.ThreadInstructions};
  return {};
}

uint32_t BlockIntake::makeClass(const trace::WarpTrace &W,
                                const trace::WarpCounts &C) {
  WarpClass Class;
  trace::WarpCursor Cursor(Out.Code, W);
  while (StoredBlocks < MaxStoredBlocks && Cursor.next()) {
    Class.Blocks.push_back(Cursor.block());
    ++StoredBlocks;
  }
  Class.Insts = C.WarpInsts;
  ByHash[Hash].push_back(uint32_t(Bodies.size()));
  Out.Classes.push_back(std::move(Class));
  Bodies.push_back(W.Body);
  Counts.push_back(C);
  return uint32_t(Bodies.size() - 1);
}

Result<void> BlockIntake::read(uint64_t Index, HeldBlock &Block) {
  if (Result<void> R = Source.read(Index, Scratch); !R)
    return R;
  Latest.resize(std::max(Latest.size(), Scratch.Warps.size()),
                HeldBlock::NoClass);
  Block.Index = Scratch.Index;
  Block.Size = {};
  Block.Warps.resize(Scratch.Warps.size());
  Block.Bases.clear();
  Block.Own.clear();
  size_t OwnBytes = 0;
  for (size_t N = 0; N < Scratch.Warps.size(); ++N) {
    const trace::WarpTrace &From = Scratch.Warps[N];
    HeldBlock::Warp &To = Block.Warps[N];
    To.Class = classOf(From, N);
    trace::WarpCounts C =
        To.Class == HeldBlock::NoClass ? count(From, N) : Counts[To.Class];
    if (To.Class == HeldBlock::NoClass && Bodies.size() < MaxClasses)
      To.Class = Latest[N] = makeClass(From, C);
    if (To.Class != HeldBlock::NoClass) {
      To.Body = Bodies[To.Class];
      ++Out.Classes[To.Class].Count;
    } else {
      OwnBytes += From.Body.size();
      ++Out.Classes[Hash % MaxClasses].Count;
    }
    To.FirstBase = uint32_t(Block.Bases.size());
    To.NumBases = uint32_t(From.Bases.size());
    Block.Bases.insert(Block.Bases.end(), From.Bases.begin(), From.Bases.end());
    Block.Size.Insts += C.WarpInsts;
    Block.Size.Chain = std::max(Block.Size.Chain, C.WarpInsts);
    Block.Size.ThreadInsts += C.ThreadInsts;
  }
  if (!OwnBytes)
    return {};
  Block.Own.resize(OwnBytes);
  uint8_t *At = Block.Own.data();
  for (size_t N = 0; N < Scratch.Warps.size(); ++N)
    if (Block.Warps[N].Class == HeldBlock::NoClass) {
      const std::vector<uint8_t> &Body = Scratch.Warps[N].Body;
      std::ranges::copy(Body, At);
      Block.Warps[N].Body = {At, Body.size()};
      At += Body.size();
    }
  return {};
}

} // namespace heddle::interval
