//===- CustomAnalysis.h - Analyses of one's own -----------------*- C++ -*-===//
//
// A shared object that exports the two functions below observes every launch
// of an application as events: `heddle profile INPUT --analysis FILE`
// (docs/CustomAnalyses.md). GPUs have GT-Pin and NVBit for that; here it needs
// no GPU.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRACE_CUSTOMANALYSIS_H
#define HEDDLE_TRACE_CUSTOMANALYSIS_H

#include "trace/MemoryAccess.h"
#include "trace/TraceSource.h"

#include <span>
#include <string>

namespace heddle::trace {

struct LaunchEvent {
  uint64_t Index; ///< in the application
  const TraceHeader &Header;
  const CodeTable &Code;
};

/// A warp executes a basic block.
struct BlockEvent {
  uint64_t ThreadBlock; ///< linear, x fastest
  unsigned Warp;        ///< in the thread block
  uint32_t Block;       ///< in LaunchEvent::Code
  uint32_t Mask;        ///< active lanes
};

/// A memory instruction of that block.
struct MemoryEvent {
  const BlockEvent &Executed;
  const HeddleMemoryRecord &Instruction;
  const MemoryAccess &Access; ///< lanes and addresses
};

/// All calls come from one thread. Events of a warp are in its order, warps of
/// a thread block one after the other, thread blocks in ascending order.
class CustomAnalysis {
public:
  virtual ~CustomAnalysis() = default;
  virtual void beginLaunch(const LaunchEvent &) {}
  virtual void basicBlock(const BlockEvent &) {}
  virtual void memory(const MemoryEvent &) {}
  virtual void endLaunch() {}
  /// What to print at the end.
  virtual std::string report() = 0;
};

/// Changes with what this header and those that it includes declare.
inline constexpr unsigned CustomAnalysisVersion = 1;

/// Shows all of \p Source to the analysis.
Result<void> analyse(TraceSource &Source, uint64_t Index,
                     CustomAnalysis &Analysis);

} // namespace heddle::trace

/// What the shared object exports. Heddle owns the analysis and deletes it
/// before it unloads the object.
extern "C" unsigned heddleAnalysisVersion(); ///< CustomAnalysisVersion
extern "C" heddle::trace::CustomAnalysis *heddleCreateAnalysis();

#endif // HEDDLE_TRACE_CUSTOMANALYSIS_H
