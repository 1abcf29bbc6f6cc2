//===- TraceHasher.h - What identifies a launch -----------------*- C++ -*-===//

#ifndef HEDDLE_TRACE_TRACEHASHER_H
#define HEDDLE_TRACE_TRACEHASHER_H

#include "trace/KeptTrace.h"

#include <xxhash.h>

#include <memory>

namespace heddle::trace {

/// XXH3 with 128 bits of what is added.
class TraceHasher {
public:
  TraceHasher() : State(XXH3_createState(), XXH3_freeState) {
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
  /// What its warps did.
  void add(const BlockTrace &Block) {
    for (const WarpTrace &W : Block.Warps) {
      add(W.Body);
      add(W.Bases);
    }
  }
  /// Of all that was added so far.
  TraceIdentity digest() const {
    const XXH128_hash_t H = XXH3_128bits_digest(State.get());
    return {H.low64, H.high64};
  }

private:
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> State;
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_TRACEHASHER_H
