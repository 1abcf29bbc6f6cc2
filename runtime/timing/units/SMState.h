//===- SMState.h - The units of an SM that stages share ---------*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_SMSTATE_H
#define HEDDLE_TIMING_UNITS_SMSTATE_H

#include "timing/DecodedCode.h"
#include "timing/units/ClusterTable.h"
#include "timing/units/CopyGroups.h"
#include "timing/units/MemoryPort.h"
#include "timing/units/ProductGroups.h"
#include "timing/units/Recorder.h"
#include "timing/units/RegisterShares.h"
#include "timing/units/Scheduler.h"
#include "timing/units/Scoreboard.h"
#include "timing/units/WakeWheel.h"

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
  const unsigned RegistersPerThread; ///< at the launch, as they are given out
  const EventSet Events;             ///< that are made
};

/// The units of one SM that several stages use; what one stage alone uses is
/// its own. Requests leave through Port, and the Flight that an answer
/// completes says which stage it is for (SMContext).
struct SMState {
  SMState(const Machine &M, unsigned Index);

  const Machine &M;
  const unsigned Index;
  BlockTable Blocks;
  ClusterTable Clusters;
  WarpTable Warps;
  Scoreboard Registers;
  std::vector<CopyGroups> Copies; ///< of each warp slot
  /// Bulk operations of each warp slot: all of them, and those whose reads of
  /// shared memory are to come.
  std::vector<CopyGroups> Bulk, BulkReads;
  std::vector<ProductGroups> Products; ///< of each warp slot
  RegisterShares Shares;
  WakeWheel Wheel;
  PipeSet Pipes;
  SchedulerSet Schedulers;
  MemoryPort Port;
  Recorder Tell;

  /// An instruction of fixed latency starts in its pipe: its results are there
  /// when it has passed.
  void startCompute(unsigned Slot, const DecodedInst &I, Cycle Start) {
    Registers.setDefs(Slot, I, Registers.at(Start + I.ResultDelay, I.Result));
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[M, Index, Blocks, Clusters, Warps, Registers, Copies, Bulk,
           BulkReads, Products, Shares, Wheel, Pipes, Schedulers, Port, Tell] =
        *this;
    A(Blocks, Clusters, Warps, Registers, Copies, Bulk, BulkReads, Products,
      Shares, Wheel, Pipes, Schedulers, Port, Tell);
    for (unsigned Slot = 0; Slot != Warps.size(); ++Slot)
      Warps[Slot].Inst = &M.Code[Warps[Slot].PC];
  }
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_SMSTATE_H
