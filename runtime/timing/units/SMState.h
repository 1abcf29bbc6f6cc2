//===- SMState.h - Everything that an SM remembers --------------*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_SMSTATE_H
#define HEDDLE_TIMING_UNITS_SMSTATE_H

#include "memory/AddressSpaces.h"
#include "memory/Cache.h"
#include "memory/Coalescer.h"
#include "timing/DecodedCode.h"
#include "timing/Events.h"
#include "timing/SimulationResult.h"
#include "timing/units/BlockTable.h"
#include "timing/units/LoadWaits.h"
#include "timing/units/MemoryPort.h"
#include "timing/units/PipeSet.h"
#include "timing/units/Scheduler.h"
#include "timing/units/Scoreboard.h"
#include "timing/units/WakeWheel.h"
#include "timing/units/WarpTable.h"

namespace heddle::timing {

/// What all SMs of a simulation share and none changes.
struct Machine {
  Machine(const arch::GPUSpec &Spec, const DecodedCode &Code,
          const trace::TraceHeader &Launch, const arch::Occupancy &O,
          EventSet Events);

  const arch::GPUSpec &Spec;
  const DecodedCode &Code;
  const trace::TraceHeader &Launch;
  const arch::CacheSpec L1; ///< after the carve-out for shared memory
  const unsigned BlocksPerSM, WarpsPerBlock;
  const EventSet Events; ///< that are made

  bool records(EventKind K) const { return Events & only(K); }
};

/// What an SM counts besides the samples. Sums of these are reported.
struct SMCounters {
  uint64_t WarpInstructions = 0, IssuedInstructions = 0, ThreadInstructions = 0;
  uint64_t IssueCycles = 0, ActiveCycles = 0;
  uint64_t ResidentWarpCycles = 0;
  uint64_t TraceInstructions = 0; ///< in the blocks that warps have come to
  uint64_t ShortFetches = 0;      ///< hits found without asking the cache
  uint64_t BlocksDone = 0, BarrierWaits = 0, SharedConflictCycles = 0;
  SpaceCounters Global, Shared, Local, Constant, Atomics;
};

/// The units of one SM. Stages move instructions between them.
struct SMState {
  SMState(const Machine &M, unsigned Index);

  const Machine &M;
  const unsigned Index;
  const bool Collectors; ///< of operands

  BlockTable Blocks;
  WarpTable Warps;
  Scoreboard Registers;
  WakeWheel Wheel;
  std::vector<Scheduler> Schedulers;
  uint32_t ReadySchedulers = 0; ///< those with a ready warp
  PipeSet Pipes;
  LoadTable Loads;
  LoadWaits Waits;
  MemoryPort Port;
  memory::Cache ICache, Constant, Texture, L1;
  /// Lines of code that the instruction cache is known to hold. Empty if the
  /// kernel is larger than the cache, so that lines may be replaced.
  std::vector<bool> CodeLines;
  uint64_t FetchSet = 0; ///< warps in phase Fetch

  /// The barrier of the grid: blocks whose arrival the L2 has counted, when the
  /// SM knew of the last, and when all blocks of the grid go on.
  unsigned BlocksAtGrid = 0;
  Cycle LastAtGrid = 0;
  Cycle GridOpens = NeverCycle;

  SMCounters Counters;
  Cycle LastBlockEnd = 0;
  Cycle ActiveSince = 0;         ///< valid while blocks are resident
  InstSample *Samples = nullptr; ///< of the code table, for the running window
  std::vector<Event> Events;

  InstSample &sample(uint32_t Inst) { return Samples[Inst]; }
  void book(uint32_t Inst, Stall Why, uint64_t Cycles) {
    Samples[Inst].Cycles[unsigned(Why)] += Cycles;
  }
  void recordStall(const Warp &W, Stall Why, Cycle End, uint64_t Cycles) {
    if (M.records(EventKind::StallInterval) && Cycles)
      makeEvent(EventKind::StallInterval, W, End, 0, Why, Cycles);
  }
  void record(EventKind Kind, const Warp &W, Cycle Time, uint64_t Address = 0) {
    if (M.records(Kind))
      makeEvent(Kind, W, Time, Address, Stall::Selected, 0);
  }
  void makeEvent(EventKind Kind, const Warp &W, Cycle Time, uint64_t Address,
                 Stall Why, uint64_t Duration);

  /// The pipe's BusyMeter has changed: tells the schedulers that use it, \p Own
  /// or all, unless they see the registers in front of collectors instead.
  void pipeChanged(unsigned Pipe, const PipeGroup &G, Scheduler &Own) {
    if (Collectors)
      return;
    if (!G.Shared) {
      Own.setMeter(Pipe, G.Issue);
      return;
    }
    for (Scheduler &Each : Schedulers)
      Each.setMeter(Pipe, G.Issue);
  }
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_SMSTATE_H
