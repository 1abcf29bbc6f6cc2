//===- Recorder.h - What an SM tells of itself ------------------*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_RECORDER_H
#define HEDDLE_TIMING_UNITS_RECORDER_H

#include "timing/Events.h"
#include "timing/units/BlockTable.h"
#include "timing/units/LoadWaits.h"
#include "timing/units/WarpTable.h"

namespace heddle::timing {

/// What an SM counts besides the samples. Sums of these are reported.
struct SMCounters {
  uint64_t WarpInstructions = 0, IssuedInstructions = 0, ThreadInstructions = 0;
  uint64_t IssueCycles = 0, ActiveCycles = 0;
  uint64_t ResidentWarpCycles = 0;
  uint64_t TraceInstructions = 0; ///< in the blocks that warps have come to
  uint64_t BlocksDone = 0, BarrierWaits = 0, SharedConflictCycles = 0;
  SpaceCounters Global, Shared, Local, Constant, Atomics, Texture;

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[WarpInstructions, IssuedInstructions, ThreadInstructions,
           IssueCycles, ActiveCycles, ResidentWarpCycles, TraceInstructions,
           BlocksDone, BarrierWaits, SharedConflictCycles, Global, Shared,
           Local, Constant, Atomics, Texture] = *this;
    A(WarpInstructions, IssuedInstructions, ThreadInstructions, IssueCycles,
      ActiveCycles, ResidentWarpCycles, TraceInstructions, BlocksDone,
      BarrierWaits, SharedConflictCycles, Global, Shared, Local, Constant,
      Atomics, Texture);
  }
};

/// Counters, samples by instruction and events. The stages write here and never
/// read it back: it has no influence on the time of anything.
class Recorder {
public:
  Recorder(EventSet Wanted, const arch::GPUSpec &Spec, unsigned SM,
           const BlockTable &Blocks, unsigned Warps)
      : Waits(Spec, Warps), Wanted(Wanted), SM(SM), Blocks(Blocks) {}

  SMCounters Counters;
  LoadWaits Waits;
  std::vector<Event> Events; ///< since the last window's end

  /// Samples go to \p Table, by instruction, from now on.
  void samplesTo(InstSample *Table) { Samples = Table; }
  InstSample &sample(uint32_t Inst) { return Samples[Inst]; }
  /// Until \p End the warp has waited \p Cycles for its instruction \p Inst.
  void waited(const Warp &W, uint32_t Inst, Stall Why, Cycle End,
              uint64_t Cycles) {
    Samples[Inst].Cycles[unsigned(Why)] += Cycles;
    if (wants(EventKind::StallInterval) && Cycles)
      add(EventKind::StallInterval, W, Inst, End, 0, Why, Cycles);
  }
  /// The instruction at the PC of \p W issues for the last time.
  void issued(const Warp &W) {
    InstSample &Sample = Samples[W.PC];
    ++Sample.Issued;
    Sample.Threads += W.Lanes;
    ++Counters.WarpInstructions;
    Counters.ThreadInstructions += W.Lanes;
  }

  bool wants(EventKind K) const { return Wanted & only(K); }
  /// The event of a wait at PC that is in the sample already.
  void stall(const Warp &W, Stall Why, Cycle End, uint64_t Cycles) {
    if (Cycles)
      add(EventKind::StallInterval, W, W.PC, End, 0, Why, Cycles);
  }
  void event(EventKind Kind, const Warp &W, Cycle Time) {
    if (wants(Kind))
      add(Kind, W, W.PC, Time);
  }
  /// Instruction \p Inst of the warp sends a request for \p Address.
  void request(const Warp &W, uint32_t Inst, Cycle Time, uint64_t Address) {
    if (wants(EventKind::MemoryRequest))
      add(EventKind::MemoryRequest, W, Inst, Time, Address);
  }

  /// Of a saved state; what samplesTo() named is kept elsewhere.
  template <class Archive> void serialize(Archive &A) {
    auto &[Counters, Waits, Events, Wanted, SM, Blocks, Samples] = *this;
    A(Counters, Waits); // a run that is saved makes no events
  }

private:
  void add(EventKind Kind, const Warp &W, uint32_t Inst, Cycle Time,
           uint64_t Address = 0, Stall Why = Stall::Selected,
           uint64_t Duration = 0);

  const EventSet Wanted;
  const unsigned SM;
  const BlockTable &Blocks;
  InstSample *Samples = nullptr;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_RECORDER_H
