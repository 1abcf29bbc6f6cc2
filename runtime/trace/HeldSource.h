//===- HeldSource.h - Blocks of a launch that is read more than once -*- C++
//-*-===//

#ifndef HEDDLE_TRACE_HELDSOURCE_H
#define HEDDLE_TRACE_HELDSOURCE_H

#include "trace/TraceSource.h"

#include <unordered_map>

namespace heddle::trace {

/// Keeps every block that a model has asked for, so that a launch that is
/// executed while it is read can be read again. Fails if the blocks take more
/// than a number of bytes.
class HeldSource : public TraceSource {
public:
  explicit HeldSource(TraceSource &Inner, uint64_t LimitBytes = UINT64_MAX)
      : Inner(Inner), LimitBytes(LimitBytes) {}
  const TraceHeader &header() const override { return Inner.header(); }
  const CodeTable &code() const override { return Inner.code(); }
  bool servesAnyOrder() const override { return Inner.servesAnyOrder(); }
  Result<void> read(uint64_t Index, BlockTrace &Out) override {
    if (Inner.servesAnyOrder()) {
      if (!Blocks.contains(Index))
        if (Result<void> R = fetch(Index); !R)
          return R;
    } else {
      for (; Next <= Index; ++Next)
        if (Result<void> R = fetch(Next); !R)
          return R;
    }
    Out = Blocks[Index];
    return {};
  }

private:
  Result<void> fetch(uint64_t Index) {
    BlockTrace Block;
    if (Result<void> R = Inner.read(Index, Block); !R)
      return R;
    for (const WarpTrace &W : Block.Warps)
      Bytes += sizeof(W) + W.Body.size() + W.Bases.size() * sizeof(uint64_t);
    if (Bytes > LimitBytes)
      return fail("kernel '" + header().Kernel +
                  "': the blocks of the launch " + "take more than " +
                  std::to_string(LimitBytes >> 20) +
                  " MiB, too much to be read more than once; write a trace " +
                  "(heddle trace) and give that");
    Blocks[Index] = std::move(Block);
    return {};
  }

  TraceSource &Inner;
  uint64_t LimitBytes;
  std::unordered_map<uint64_t, BlockTrace> Blocks;
  uint64_t Bytes = 0;
  uint64_t Next = 0; ///< that was not read
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_HELDSOURCE_H
