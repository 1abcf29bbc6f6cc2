//===- ExecutedTrace.h - A launch as it runs, as a trace --------*- C++ -*-===//

#ifndef HEDDLE_EXEC_EXECUTEDTRACE_H
#define HEDDLE_EXEC_EXECUTEDTRACE_H

#include "exec/GridRunner.h"
#include "trace/TraceSource.h"
#include "trace/WarpEncoder.h"

#include <functional>
#include <map>
#include <memory>

namespace heddle::exec {

/// Executes thread blocks as they are asked for and encodes what their warps
/// do. Blocks run once each, in order; those that a caller skips still run,
/// since later ones may need what they write. Asking for a block that has
/// already run and is not the latest is an error. Blocks that wait for each
/// other at barriers or share work (GridRunner.h) run together when the first
/// is asked for; they are kept and served in any order. Those of a cluster run
/// together as well: the ones of higher indices are kept until they are asked
/// for.
///
/// The engine must have been made with the hooks onBlock and onMemory.
class ExecutedTrace : public trace::TraceSource {
public:
  /// \p Kernel, \p Launch and \p Memory outlive the source; the memory has its
  /// windows (makeWindows). \p Source is for messages.
  ExecutedTrace(trace::TraceHeader Header, trace::CodeTable Code,
                const HeddleWarpKernel &Kernel, const BoundLaunch &Launch,
                DeviceMemory &Memory, SourceMap Source, uint64_t MaxSteps);
  ~ExecutedTrace() override;

  /// Promises that no block needs what others write. Then only requested blocks
  /// run, in any order.
  void setIndependent() { Independent = true; }
  bool servesAnyOrder() const override { return Independent || KeepsAll; }

  /// Replaces describe() as the message of a failed read. Called after the last
  /// block has run; it may run blocks itself.
  using Explanation = std::function<std::string(const Fault &)>;
  void setExplanation(Explanation E) { Explain = std::move(E); }

  /// Asked from time to time while blocks run, with the basic blocks that warps
  /// have executed so far. False abandons the launch: reading fails with
  /// "interrupted", and nothing more may be read.
  using Watch = std::function<bool(uint64_t Steps)>;
  void setWatch(Watch W) { Watched = std::move(W); }

  const trace::TraceHeader &header() const override { return Header; }
  const trace::CodeTable &code() const override { return Code; }
  Result<void> read(uint64_t Index, trace::BlockTrace &Out) override;

  static void onBlock(HeddleWarp *W, uint32_t Block, uint32_t Mask);
  static void onMemory(HeddleWarp *W, uint32_t Memory, uint32_t Mask,
                       const uint64_t *Addresses);

private:
  struct Observer;
  void countStep();
  std::optional<Fault> runCluster(uint64_t Cluster, bool Record);
  Result<void> readInOrder(uint64_t Index, trace::BlockTrace &Out);
  Result<void> readTogether(uint64_t Index, trace::BlockTrace &Out);
  Result<void> makeGrid();
  std::optional<Fault> runGrid(uint64_t Index);
  std::unexpected<Error> failed(const Fault &F) const;

  trace::TraceHeader Header;
  trace::CodeTable Code;
  const HeddleWarpKernel &Kernel;
  const BoundLaunch &Launch;
  DeviceMemory &Memory;
  SourceMap Source;
  uint64_t MaxSteps;
  ClusterOfBlocks Runner;
  std::vector<std::unique_ptr<Observer>> Observers; ///< by rank, then by warp
  uint64_t Next = 0;                                ///< cluster to run next
  std::map<uint64_t, trace::BlockTrace> Held;       ///< have run, not asked for
  bool Independent = false;
  const bool Together; ///< blocks meet
  const bool KeepsAll; ///< then Held has all of them, once they have run
  std::unique_ptr<GridRunner> Grid;
  std::vector<std::unique_ptr<Observer>> OfGrid; ///< by runner, then by warp
  uint64_t Wanted = 0; ///< no earlier block is asked for
  trace::BlockTrace Latest;
  Explanation Explain;
  Watch Watched;
  uint64_t Steps = 0; ///< basic blocks that warps have executed
  FaultGuard Guard;
};

} // namespace heddle::exec

#endif // HEDDLE_EXEC_EXECUTEDTRACE_H
