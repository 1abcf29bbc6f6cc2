//===- PipeSet.h - The execution pipes of an SM -----------------*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_PIPESET_H
#define HEDDLE_TIMING_UNITS_PIPESET_H

#include "arch/GPUSpec.h"
#include "base/Units.h"

#include <algorithm>
#include <vector>

namespace heddle::timing {

/// A resource that is taken for known stretches of time. busy(T) says for how
/// many cycles before T it was taken, so that the cycles that a warp lost to
/// it are a difference of two numbers.
struct BusyMeter {
  Cycle FreeAt = 0;
  uint64_t Idle = 0; ///< cycles before FreeAt in which it was free, mod 2^64

  bool free(Cycle Now) const { return FreeAt <= Now; }
  /// Takes the resource from now (it is free) until \p Until.
  void take(Cycle Now, Cycle Until) {
    // Without a branch: whether it is taken at all cannot be foreseen.
    const bool Any = Until > Now;
    Idle += Any ? Now - FreeAt : 0;
    FreeAt = Any ? Until : FreeAt;
  }
  /// Taken until further notice.
  void block(Cycle From) {
    Idle += std::max(FreeAt, From) - FreeAt;
    FreeAt = NeverCycle;
  }
  void unblock(Cycle At) { FreeAt = At; }
  uint64_t busy(Cycle At) const { return std::min(FreeAt, At) - Idle; }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[FreeAt, Idle] = *this;
    A(FreeAt, Idle);
  }
};

/// The units of one kind that one scheduler, or all of them, issue to.
struct alignas(64) PipeGroup {
  BusyMeter Issue;    ///< whether another instruction can be issued to it
  Cycle UnitFree = 0; ///< of the unit that is free first
  uint64_t Issued = 0, BusyCycles = 0;
  uint16_t NumUnits = 1, FirstUnit = 0;
  bool Shared = false; ///< by all schedulers
  uint32_t Queue = 1;  ///< instructions

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Issue, UnitFree, Issued, BusyCycles, NumUnits, FirstUnit, Shared,
           Queue] = *this;
    A(Issue, UnitFree, Issued, BusyCycles);
  }
};

/// All pipes. An instruction that starts in a unit takes it for its initiation
/// interval; QueueInsts - 1 more may wait in front of the unit.
class PipeSet {
public:
  explicit PipeSet(const arch::GPUSpec &Spec);

  unsigned numPipes() const { return Pipes; }
  PipeGroup &group(unsigned Scheduler, unsigned Pipe) {
    return Groups[GroupOf[Scheduler * Pipes + Pipe]];
  }

  /// Sends an instruction with initiation interval \p Initiation to a pipe
  /// that has room; returns the cycle of its turn. Units count time at issue:
  /// instructions with different delays overtake each other on the way to the
  /// pipe.
  Cycle start(PipeGroup &G, Cycle Now, unsigned Initiation) {
    ++G.Issued;
    G.BusyCycles += Initiation;
    Cycle Turn = std::max(Now, G.UnitFree);
    if (G.NumUnits == 1)
      G.UnitFree = Turn + Initiation;
    else
      startInBest(G, Turn + Initiation);
    const Cycle Earliest = G.UnitFree;
    Cycle Ahead = Cycle(G.Queue - 1) * Initiation;
    G.Issue.take(Now, Earliest > Ahead ? Earliest - Ahead : 0);
    return Turn;
  }

  /// The same for what waits in a queue of its own (wgmma): however much there
  /// is, others can be issued.
  Cycle startQueued(PipeGroup &G, Cycle Now, unsigned Initiation) {
    ++G.Issued;
    G.BusyCycles += Initiation;
    const Cycle Turn = std::max(Now, G.UnitFree);
    if (G.NumUnits == 1)
      G.UnitFree = Turn + Initiation;
    else
      startInBest(G, Turn + Initiation);
    return Turn;
  }

  /// Sums of the groups of \p Pipe, for reports.
  void totals(unsigned Pipe, uint64_t &Issued, uint64_t &Busy) const;
  unsigned units(unsigned Pipe) const { return UnitsOf[Pipe]; }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Pipes, Groups, GroupOf, UnitFree, UnitsOf] = *this;
    A(UnitFree);
    for (PipeGroup &Each : Groups) // schedulers point to them
      A(Each);
  }

private:
  /// The unit that is free first is taken until \p Until.
  void startInBest(PipeGroup &G, Cycle Until);

  unsigned Pipes;
  std::vector<PipeGroup> Groups;
  std::vector<uint16_t> GroupOf; ///< by scheduler and pipe
  std::vector<Cycle> UnitFree;   ///< of groups with several units
  std::vector<uint32_t> UnitsOf; ///< by pipe
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_PIPESET_H
