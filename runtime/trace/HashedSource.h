//===- HashedSource.h - Identifies the blocks that were read ----*- C++ -*-===//

#ifndef HEDDLE_TRACE_HASHEDSOURCE_H
#define HEDDLE_TRACE_HASHEDSOURCE_H

#include "trace/HeaderCodec.h"
#include "trace/TraceHasher.h"

namespace heddle::trace {

/// Passes blocks on, and hashes them: whether another run, which reads the same
/// blocks in the same order, has read the same.
class HashedSource : public TraceSource {
public:
  explicit HashedSource(TraceSource &Inner) : Inner(Inner) {
    Hash.add(encodeHeader(Inner.header(), Inner.code()));
  }
  const TraceHeader &header() const override { return Inner.header(); }
  const CodeTable &code() const override { return Inner.code(); }
  bool servesAnyOrder() const override { return Inner.servesAnyOrder(); }
  Result<void> read(uint64_t Index, BlockTrace &Out) override {
    Result<void> R = Inner.read(Index, Out);
    if (R)
      Hash.add(Out);
    return R;
  }
  /// Of header, code and the blocks that were read.
  TraceIdentity digest() const { return Hash.digest(); }

private:
  TraceSource &Inner;
  TraceHasher Hash;
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_HASHEDSOURCE_H
