//===- StaticTrace.h - A launch's static trace ------------------*- C++ -*-===//

#ifndef HEDDLE_EXEC_STATICTRACE_H
#define HEDDLE_EXEC_STATICTRACE_H

#include "exec/Launcher.h"
#include "heddle/ABI/StaticWarp.h"
#include "trace/TraceSource.h"
#include "trace/WarpEncoder.h"

#include <memory>

namespace heddle::exec {

/// Thread blocks as the engine of static traces evaluates them. Any block can
/// be asked for at any time, and only those asked for are made. A warp that
/// does the same as that of an earlier block takes its trace, the addresses
/// moved.
///
/// The engine must have been made with the hooks of this class.
class StaticTrace : public trace::TraceSource {
public:
  /// As for ExecutedTrace; nothing of the memory but its addresses counts.
  StaticTrace(trace::TraceHeader Header, trace::CodeTable Code,
              const HeddleWarpKernel &Kernel, const BoundLaunch &Launch,
              const DeviceMemory &Memory, SourceMap Source, uint64_t MaxSteps);

  const trace::TraceHeader &header() const override { return Header; }
  const trace::CodeTable &code() const override { return Code; }
  Result<void> read(uint64_t Index, trace::BlockTrace &Out) override;
  bool servesAnyOrder() const override { return true; }

  /// Warps that were evaluated, and those that took another one's trace.
  uint64_t evaluated() const { return Evaluated; }
  uint64_t moved() const { return Moved; }
  /// Basic blocks that evaluated warps went through.
  uint64_t steps() const { return Steps; }
  /// Branches and addresses that were assumed, since data decides them.
  uint64_t assumed() const { return Assumed; }

  /// As ExecutedTrace's.
  using Watch = std::function<bool(uint64_t Steps)>;
  void setWatch(Watch W) { Watched = std::move(W); }

  static void onBlock(HeddleWarp *W, uint32_t Block, uint32_t Mask);
  static void onMemory(HeddleWarp *W, uint32_t Memory, uint32_t Mask,
                       const uint64_t *Addresses);
  static void onReach(HeddleWarp *W, const HeddleWarpReach *Reach);

private:
  /// What a warp did in one block, and in which others it does.
  struct Variant {
    Dim3 At;
    std::vector<HeddleBlockCondition> Conditions;
    bool OnlyHere = true;
    std::vector<std::array<int64_t, 3>> Moves;
    trace::WarpTrace Trace;

    bool holdsFor(const Dim3 &Block) const;
    trace::WarpTrace movedTo(const Dim3 &Block) const;
  };
  Result<void> evaluate(uint64_t Index, unsigned Warp, Variant &Out);
  bool goesOn();

  trace::TraceHeader Header;
  trace::CodeTable Code;
  const HeddleWarpKernel &Kernel;
  const BoundLaunch &Launch;
  const DeviceMemory &Memory;
  SourceMap Source;
  uint64_t MaxSteps;
  BlockRunner Runner; ///< for the warps' state; runs nothing
  trace::WarpEncoder Encoder;
  Variant *Current = nullptr;
  std::vector<std::vector<Variant>> Variants; ///< of each warp, latest last
  uint64_t Evaluated = 0, Moved = 0, Assumed = 0;
  Watch Watched;
  uint64_t Steps = 0;   ///< basic blocks that warps have been taken through
  bool Stopped = false; ///< Watched said so
};

} // namespace heddle::exec

#endif // HEDDLE_EXEC_STATICTRACE_H
