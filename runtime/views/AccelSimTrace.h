//===- AccelSimTrace.h - A launch for another simulator ---------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_ACCELSIMTRACE_H
#define HEDDLE_VIEWS_ACCELSIMTRACE_H

#include "trace/TraceSource.h"
#include "views/TraceDump.h"

namespace heddle::views {

struct AccelSimOptions {
  unsigned KernelId = 1;
  unsigned BinaryVersion = 70; ///< 70, 75 or 80: whose opcode names are used
  uint64_t FirstBlock = 0;
  uint64_t NumBlocks = UINT64_MAX; ///< from FirstBlock on, at most
};

/// What a trace has as lines, and what of its launch has none.
struct AccelSimCounts {
  uint64_t Lines = 0; ///< issue slots of instructions that run
  /// Executions of instructions that are part of those that use their result.
  /// The timing model issues them where an operand is still on its way.
  uint64_t Folded = 0;
  uint64_t Guarded = 0; ///< issue slots of accesses that no lane's guard allows

  /// "123 lines. ...", and where `heddle simulate` counts others, why.
  std::string text() const;
};

/// Writes thread blocks of \p Source as Accel-Sim reads a kernel (a `.traceg`
/// file of its tracer's version 3): a header of "-key = value" lines, then per
/// thread block and warp one line for each issued instruction: PC, active
/// mask, destinations, opcode, sources, bytes per lane, addresses.
///
/// An instruction that hardware issues as n becomes n lines of the same pipe,
/// chained through its destination; one that is folded, or whose guard holds
/// for no lane, becomes none. Predicate registers are left out, as they are by
/// that tracer. A part of the grid is numbered as a grid of its own, so that
/// the simulator launches just these blocks. Fails if the source or the sink
/// does, and for a range without blocks.
Result<AccelSimCounts> writeAccelSimTrace(trace::TraceSource &Source,
                                          const AccelSimOptions &Options,
                                          const DumpSink &Sink);

} // namespace heddle::views

#endif // HEDDLE_VIEWS_ACCELSIMTRACE_H
