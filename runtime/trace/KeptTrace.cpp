//===- KeptTrace.cpp - A launch's blocks, read ahead and identified -------===//

#include "trace/KeptTrace.h"

#include <xxhash.h>

#include <memory>

namespace heddle::trace {

namespace {
class Hasher {
public:
  Hasher() : State(XXH3_createState(), XXH3_freeState) {
    XXH3_128bits_reset(State.get());
  }
  template <typename T> void add(const std::vector<T> &Values) {
    const uint64_t Count = Values.size();
    XXH3_128bits_update(State.get(), &Count, sizeof(Count));
    XXH3_128bits_update(State.get(), Values.data(), Count * sizeof(T));
  }
  void add(const TraceHeader &H) {
    add(std::vector<char>(H.Kernel.begin(), H.Kernel.end()));
    add(std::vector<uint64_t>{H.Grid.X, H.Grid.Y, H.Grid.Z, H.Block.X,
                              H.Block.Y, H.Block.Z, H.RegistersPerThread,
                              H.SharedBytesPerBlock, H.LocalBytesPerThread});
  }
  TraceIdentity finish() const {
    const XXH128_hash_t H = XXH3_128bits_digest(State.get());
    return {H.low64, H.high64};
  }

private:
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> State;
};
} // namespace

Result<KeptTrace> KeptTrace::read(TraceSource &Source, uint64_t LimitBytes) {
  KeptTrace Kept(Source);
  Hasher Hash;
  Hash.add(Source.header());
  uint64_t Bytes = 0;
  const uint64_t Count = Source.header().Grid.count();
  for (uint64_t Index = 0; Index < Count; ++Index) {
    BlockTrace Block;
    if (auto R = Source.read(Index, Block); !R)
      return std::unexpected(R.error());
    for (const WarpTrace &W : Block.Warps) {
      Bytes += sizeof(W) + W.Body.size() + W.Bases.size() * sizeof(uint64_t);
      Hash.add(W.Body);
      Hash.add(W.Bases);
    }
    Kept.Blocks.push_back(std::move(Block));
    if (Bytes > LimitBytes)
      return Kept;
  }
  Kept.Identity = Hash.finish();
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
