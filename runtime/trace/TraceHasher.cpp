//===- TraceHasher.cpp - What identifies a launch -------------------------===//

#include "trace/TraceHasher.h"

#include <xxhash.h>

namespace heddle::trace {

TraceHasher::TraceHasher() : State(XXH3_createState()) {
  XXH3_128bits_reset(State.get());
}

void TraceHasher::Release::operator()(XXH3_state_s *State) const {
  XXH3_freeState(State);
}

void TraceHasher::addBytes(const void *From, size_t Bytes) {
  XXH3_128bits_update(State.get(), From, Bytes);
}

void TraceHasher::add(const TraceHeader &H) {
  add(std::vector<char>(H.Kernel.begin(), H.Kernel.end()));
  add(std::vector<uint64_t>{H.Grid.X, H.Grid.Y, H.Grid.Z, H.Block.X, H.Block.Y,
                            H.Block.Z, H.RegistersPerThread,
                            H.SharedBytesPerBlock, H.LocalBytesPerThread});
}

void TraceHasher::add(const BlockTrace &Block) {
  for (const WarpTrace &W : Block.Warps) {
    add(W.Body);
    add(W.Bases);
  }
}

TraceIdentity TraceHasher::digest() const {
  const XXH128_hash_t H = XXH3_128bits_digest(State.get());
  return {H.low64, H.high64};
}

} // namespace heddle::trace
