//===- KeptTrace.h - A launch's blocks, read ahead and identified -*- C++
//-*-===//

#ifndef HEDDLE_TRACE_KEPTTRACE_H
#define HEDDLE_TRACE_KEPTTRACE_H

#include "trace/TraceSource.h"

#include <array>
#include <optional>

namespace heddle::trace {

/// XXH3 with 128 bits of a launch's header and of all that its warps did.
using TraceIdentity = std::array<uint64_t, 2>;

/// Reads the blocks of another source ahead of requests, so that the launch
/// is known before a model spends time on it: launches of one code table with
/// the same identity take the same time, on any machine. A launch that is
/// executed while it is read has then been executed.
class KeptTrace : public TraceSource {
public:
  /// \p Source outlives this. What does not fit into \p LimitBytes is read when
  /// it is asked for, and the launch has no identity. Fails as \p Source does.
  static Result<KeptTrace> read(TraceSource &Source, uint64_t LimitBytes);

  const TraceHeader &header() const override { return Source->header(); }
  const CodeTable &code() const override { return Source->code(); }
  Result<void> read(uint64_t Index, BlockTrace &Out) override;
  const std::optional<TraceIdentity> &identity() const { return Identity; }
  /// Reads the blocks that were not kept, and drops them: a launch that is
  /// executed while it is read has then been executed.
  Result<void> readRest();

private:
  explicit KeptTrace(TraceSource &Source) : Source(&Source) {}

  TraceSource *Source;
  std::vector<BlockTrace> Blocks; ///< the first of the launch
  std::optional<TraceIdentity> Identity;
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_KEPTTRACE_H
