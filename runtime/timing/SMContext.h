//===- SMContext.h - One streaming multiprocessor ---------------*- C++ -*-===//
//
// The SM on one page: units (SMState.h), and the stages that move
// instructions between them:
//
//   blocks -> WarpFlow (fetch, operands) -> IssueStage -> CollectStage -> pipes
//                 ^                             (where there are collectors)
//                 |                                      |
//                 |                                      v
//             responses  <- memory system <- MemoryStage (L1, shared memory)
//
// An SM runs alone for a window of time. It sees the responses of the memory
// system that fall into the window, which are known before it starts, and
// leaves its own requests, which are answered after it ends.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TIMING_SMCONTEXT_H
#define HEDDLE_TIMING_SMCONTEXT_H

#include "timing/stages/CollectStage.h"
#include "timing/stages/IssueStage.h"
#include "timing/stages/MemoryStage.h"
#include "timing/stages/WarpFlow.h"

#include <bit>
#include <optional>
#include <stdexcept>

namespace heddle::timing {

/// What the units of an SM have counted.
struct SMTotals : SMCounters {
  struct Pipe {
    uint64_t Issued = 0, BusyCycles = 0;
    unsigned Units = 0;
  };
  std::vector<Pipe> Pipes; ///< by number
  memory::CacheCounters L1, ConstCache, TextureCache, InstCache;
  LoadWaitCycles LoadWaits{};
  Cycle LastBlockEnd = 0;
};

class SMContext {
public:
  SMContext(const Machine &M, unsigned Index);

  /// Gives the SM a block, which starts when there is a slot for it but not
  /// before \p NotBefore.
  void give(trace::BlockTrace Block, Cycle NotBefore);
  /// Takes back the block that was given last and has not started.
  trace::BlockTrace takeBack();
  /// The buffers of a block that has ended, for a new one; else empty ones.
  trace::BlockTrace takeSpent();
  unsigned waiting() const { return S.Blocks.Waiting.size(); }
  unsigned freeSlots() const { return S.Blocks.FreeSlots.size(); }
  /// When the first free slot that no waiting block takes became free.
  Cycle freeSince() const;

  /// When the waiting block \p N got a slot, NeverCycle if it has none.
  Cycle hasSlotSince(unsigned N) const { return S.Blocks.hasSlotSince(N); }
  /// The waiting blocks from \p First up to \p End start no earlier.
  void delay(unsigned First, unsigned End, Cycle NotBefore);
  uint64_t started() const { return S.Blocks.Started; }

  /// Responses of the memory system, sorted by time, due at or after the end
  /// of the last window.
  void deliver(std::span<const memory::MemoryResponse> Responses);
  /// All blocks of the grid have come to its barrier; they go on at \p At.
  void openGridBarrier(Cycle At);
  const GridBarrier &gridBarrier() const { return S.Blocks.Grid; }
  /// Blocks that have come to the barriers of their clusters since the last
  /// call, added to \p Out.
  void takeArrivals(std::vector<ClusterArrival> &Out) {
    Out.insert(Out.end(), S.Clusters.Arrivals.begin(),
               S.Clusters.Arrivals.end());
    S.Clusters.Arrivals.clear();
  }
  /// What was done to mbarriers of other blocks since the last call, added to
  /// \p Out.
  void takeMessages(std::vector<ClusterMessage> &Out) {
    Out.insert(Out.end(), S.Clusters.Sent.begin(), S.Clusters.Sent.end());
    S.Clusters.Sent.clear();
  }
  /// Keeps \p M until its time if the SM has the block that it is for.
  void hear(const ClusterMessage &M);
  /// A barrier of a cluster opens.
  void openCluster(const ClusterOpening &O);
  /// When the free slot behind \p Others becomes free, which no waiting block
  /// takes; NeverCycle if there is none.
  Cycle freeSince(unsigned Others) const;
  /// Simulates up to \p End, adding to \p Samples.
  void run(Cycle End, InstSample *Samples);
  MemoryPort &port() { return S.Port; }
  /// When anything happens next: an event inside or a request that leaves.
  Cycle nextEvent() const { return std::min(Next, S.Port.nextSent()); }

  bool busy() const { return S.Blocks.Resident || !S.Blocks.Waiting.empty(); }
  const SMCounters &counters() const { return S.Tell.Counters; }
  /// The sums of all units, for a report. What is resident counts up to \p Now.
  SMTotals totals(Cycle Now) const;
  /// Takes the events since the last call, as far as they are recorded.
  void takeEvents(std::vector<Event> &Out) {
    Out.clear();
    std::swap(Out, S.Tell.Events);
  }
  /// Adds the blocks that have ended since the last call to \p Out.
  void takeEnded(std::vector<uint64_t> &Out) {
    Out.insert(Out.end(), S.Blocks.Ended.begin(), S.Blocks.Ended.end());
    S.Blocks.Ended.clear();
  }
  /// The instruction of a warp that waits for registers, if one does.
  std::optional<uint32_t> awaitsRegisters() const;
  /// A test of an mbarrier whose phase has not ended, if one waits.
  std::optional<PhaseWait> awaitsPhase() const { return Memory.awaitsPhase(); }
  /// What the SM waits for, for a message about a simulation that hangs.
  std::string describe() const;

  /// Of a saved state, but for what the blocks' traces are needed for.
  template <class Archive> void serialize(Archive &A) {
    auto &[S, Flow, Memory, Collect, Issue, Inbox, Merged, Taken, NextResponse,
           Next] = *this;
    A(S, Flow, Memory, Collect, Issue, Inbox, Taken, NextResponse, Next);
  }
  /// Then, when the traces are there: where each warp stands in its own.
  template <class Archive> void serializeCursors(Archive &A) {
    for (const ResidentBlock &B : S.Blocks.Slots)
      for (uint64_t Left = B.Live ? B.Warps : 0; Left; Left &= Left - 1) {
        const unsigned Slot = unsigned(std::countr_zero(Left));
        if constexpr (Archive::is_loading::value)
          if (Slot >= S.Warps.size() ||
              S.Warps[Slot].InBlock >= B.Trace.Warps.size())
            throw std::runtime_error("it has warps that its blocks have not");
        trace::WarpCursor &C = S.Warps.cursor(Slot);
        if constexpr (Archive::is_loading::value)
          C.reset(S.M.Code.table(), B.Trace.Warps[S.Warps[Slot].InBlock]);
        A(C);
      }
  }
  /// Calls \p Do with the trace of each block that is here.
  template <typename F> void forEachTrace(F Do) {
    for (ResidentBlock &B : S.Blocks.Slots)
      if (B.Live)
        Do(B.Trace);
    for (PendingBlock &B : S.Blocks.Waiting)
      Do(B.Trace);
  }

private:
  void step(Cycle Now);
  void receive(const memory::MemoryResponse &R, Cycle Now);
  Cycle findNext(Cycle Now) const;

  SMState S;
  WarpFlow Flow;
  MemoryStage Memory;
  CollectStage Collect;
  IssueStage Issue;
  std::vector<memory::MemoryResponse> Inbox;
  std::vector<memory::MemoryResponse> Merged; ///< scratch of deliver()
  size_t Taken = 0;                           ///< of Inbox
  Cycle NextResponse = NeverCycle;            ///< when the next of Inbox is due
  Cycle Next = NeverCycle;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_SMCONTEXT_H
