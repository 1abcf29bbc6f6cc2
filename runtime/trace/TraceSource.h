//===- TraceSource.h - Where the thread blocks of a launch come from
//-------===//
//
// What a model reads: a header, a code table and, block by block, what the
// warps did. A trace file is one source (TraceReader), a launch that is being
// executed another (runtime/exec), so that a model needs no file.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRACE_TRACESOURCE_H
#define HEDDLE_TRACE_TRACESOURCE_H

#include "base/BlockResources.h"
#include "base/Dim3.h"
#include "base/Result.h"
#include "trace/CodeTable.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::trace {

/// Whether a trace says which lane takes which address of shared memory. Free:
/// not where that takes bytes and a machine that serves all lanes of an access
/// together cannot tell.
enum class LaneOrder : uint8_t { Free, Kept };

/// What holds for a whole launch.
struct TraceHeader {
  std::string Kernel;
  std::string Producer; ///< "executed", "sliced" or "static"
  std::string Target;   ///< e.g. "sm_70"
  Dim3 Grid, Block;
  Dim3 Cluster; ///< blocks of a cluster; 1 x 1 x 1 without
#define HEDDLE_TRACE_NUMBER(NAME, TYPE, KEY, WHAT) TYPE NAME = 0;
#include "trace/HeaderNumbers.def"
  LaneOrder Order = LaneOrder::Kept;

  unsigned warpsPerBlock() const { return (Block.count() + 31) / 32; }
  BlockResources blockResources() const {
    return {Kernel, Block.count(), RegistersPerThread, SharedBytesPerBlock};
  }
};

/// What one warp did, encoded (WarpEncoder writes it, WarpCursor reads it).
///
/// Body is a byte code of block events and memory records
/// (docs/TraceFormat.md), two streams behind each other (bytecode::splitBody),
/// in which every address is relative to what the warp accessed before; the
/// first address of each memory record stands in Bases, in the order of first
/// execution. Warps that do the same at other addresses therefore have equal
/// bodies.
struct WarpTrace {
  std::vector<uint8_t> Body;
  std::vector<uint64_t> Bases;

  bool operator==(const WarpTrace &) const = default;
};

/// How many instructions a warp executes.
struct WarpCounts {
  uint64_t WarpInsts = 0, ThreadInsts = 0;
};

/// What one thread block did.
struct BlockTrace {
  uint64_t Index = 0; ///< linear, x fastest
  std::vector<WarpTrace> Warps;
  /// By warp, from a source that has counted them anyway; else empty.
  std::vector<WarpCounts> Counts = {};
};

/// A launch as a sequence of thread blocks.
class TraceSource {
public:
  virtual ~TraceSource() = default;
  virtual const TraceHeader &header() const = 0;
  virtual const CodeTable &code() const = 0;
  /// Fills \p Out with block \p Index. Callers ask in ascending order, which
  /// every source serves in bounded memory; a source may also serve any order.
  /// Safe to call from one thread at a time only.
  virtual Result<void> read(uint64_t Index, BlockTrace &Out) = 0;
  /// Whether blocks may be read in any order, at the price of those asked for.
  virtual bool servesAnyOrder() const { return false; }
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_TRACESOURCE_H
