//===- FlowSource.h - Which basic blocks follow each other ------*- C++ -*-===//

#ifndef HEDDLE_TRACE_FLOWSOURCE_H
#define HEDDLE_TRACE_FLOWSOURCE_H

#include "trace/TraceSource.h"

#include <map>
#include <utility>

namespace heddle::trace {

/// How often warps went from one basic block to another.
struct BlockFlow {
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> Edges; ///< from, to
  uint64_t ThreadBlocks = 0; ///< that were looked at
};

/// Passes thread blocks on and counts the transitions of the first ones, so
/// that a control-flow graph costs little beside what reads the blocks.
class FlowSource : public TraceSource {
public:
  explicit FlowSource(TraceSource &Inner) : Inner(Inner) {}
  const TraceHeader &header() const override { return Inner.header(); }
  const CodeTable &code() const override { return Inner.code(); }
  Result<void> read(uint64_t Index, BlockTrace &Out) override;
  bool servesAnyOrder() const override { return Inner.servesAnyOrder(); }
  const BlockFlow &flow() const { return Flow; }

private:
  /// Transitions after which no further thread block is looked at.
  static constexpr uint64_t Enough = 100'000;

  TraceSource &Inner;
  BlockFlow Flow;
  uint64_t Seen = 0;
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_FLOWSOURCE_H
