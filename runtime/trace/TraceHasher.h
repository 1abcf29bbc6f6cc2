//===- TraceHasher.h - What identifies a launch -----------------*- C++ -*-===//

#ifndef HEDDLE_TRACE_TRACEHASHER_H
#define HEDDLE_TRACE_TRACEHASHER_H

#include "trace/KeptTrace.h"

#include <memory>

struct XXH3_state_s;

namespace heddle::trace {

/// XXH3 with 128 bits of what is added.
class TraceHasher {
public:
  TraceHasher();
  template <typename T> void add(const std::vector<T> &Values) {
    const uint64_t Count = Values.size();
    addBytes(&Count, sizeof(Count));
    addBytes(Values.data(), Count * sizeof(T));
  }
  void add(const TraceHeader &H);
  /// What its warps did.
  void add(const BlockTrace &Block);
  /// Of all that was added so far.
  TraceIdentity digest() const;

private:
  void addBytes(const void *From, size_t Bytes);

  struct Release {
    void operator()(XXH3_state_s *State) const;
  };
  std::unique_ptr<XXH3_state_s, Release> State;
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_TRACEHASHER_H
