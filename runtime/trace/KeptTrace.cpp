//===- KeptTrace.cpp - A launch's blocks, read ahead and identified -------===//

#include "trace/KeptTrace.h"

#include "trace/TraceHasher.h"

namespace heddle::trace {

Result<KeptTrace> KeptTrace::read(TraceSource &Source, uint64_t LimitBytes) {
  KeptTrace Kept(Source);
  TraceHasher Hash;
  Hash.add(Source.header());
  uint64_t Bytes = 0;
  const uint64_t Count = Source.header().Grid.count();
  for (uint64_t Index = 0; Index < Count; ++Index) {
    BlockTrace Block;
    if (auto R = Source.read(Index, Block); !R)
      return std::unexpected(R.error());
    for (const WarpTrace &W : Block.Warps)
      Bytes += sizeof(W) + W.Body.size() + W.Bases.size() * sizeof(uint64_t);
    Hash.add(Block);
    Kept.Blocks.push_back(std::move(Block));
    if (Bytes > LimitBytes)
      return Kept;
  }
  Kept.Identity = Hash.digest();
  return Kept;
}

Result<void> KeptTrace::readRest() {
  BlockTrace Dropped;
  for (uint64_t I = Blocks.size(); I < header().Grid.count(); ++I)
    if (auto R = Source->read(I, Dropped); !R)
      return R;
  return {};
}

Result<void> KeptTrace::read(uint64_t Index, BlockTrace &Out) {
  if (Index >= Blocks.size())
    return Source->read(Index, Out);
  Out = Blocks[Index];
  return {};
}

} // namespace heddle::trace
