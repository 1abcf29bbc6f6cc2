//===- Scheduler.h - State of one warp scheduler ----------------*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_SCHEDULER_H
#define HEDDLE_TIMING_UNITS_SCHEDULER_H

#include "timing/policies/SchedulerPolicy.h"
#include "timing/units/PipeSet.h"
#include "timing/units/RegisterPorts.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

namespace heddle::timing {

/// Ready warps stand in one set for each pipe that their next instruction
/// needs, so that a busy pipe takes all its warps out of consideration at once.
/// Pipes are looked at in groups of a fixed size, ready warps or not: that
/// costs the host less than a loop or a condition that it cannot foresee.
struct alignas(64) Scheduler {
  static constexpr unsigned MaxPipes = 32;

  uint8_t NumSteps = 0;
  bool Excludes = false; ///< the policy has an active set
  BusyMeter Dispatch;    ///< way from issue to the operand collectors
  RegisterPorts Ports;
  std::unique_ptr<SchedulerPolicy> Policy;
  std::array<PipeGroup *, MaxPipes> Groups{}; ///< by pipe

  void setNumPipes(unsigned Number) { NumSteps = (Number + Step - 1) / Step; }
  PipeGroup &group(unsigned Pipe) const { return *Groups[Pipe]; }
  /// The BusyMeter of the pipe's group is \p Meter. Kept here too, since every
  /// warp that becomes ready asks it.
  void setMeter(unsigned Pipe, const BusyMeter &Meter) {
    Pipes[Pipe / Step].FreeAt[Pipe % Step] =
        int64_t(std::min<Cycle>(Meter.FreeAt, Blocked));
    Idle[Pipe] = Meter.Idle;
  }
  bool pipeFree(unsigned Pipe, Cycle Now) const {
    return Pipes[Pipe / Step].FreeAt[Pipe % Step] <= int64_t(Now);
  }
  /// BusyMeter::busy() of the pipe.
  uint64_t busy(unsigned Pipe, Cycle At) const {
    const Cycle FreeAt = Cycle(Pipes[Pipe / Step].FreeAt[Pipe % Step]);
    return BusyMeter{FreeAt, Idle[Pipe]}.busy(At);
  }
  void insert(unsigned Warp, unsigned Pipe) {
    Pipes[Pipe / Step].Ready[Pipe % Step] |= int64_t(uint64_t(1) << Warp);
    Ready |= uint64_t(1) << Warp;
  }
  void remove(unsigned Warp, unsigned Pipe) {
    Pipes[Pipe / Step].Ready[Pipe % Step] &= int64_t(~(uint64_t(1) << Warp));
    Ready &= ~(uint64_t(1) << Warp);
  }

  /// Ready warps whose pipe has room.
  uint64_t candidates(Cycle Now) const {
    Lanes Found{};
    for (unsigned I = 0; I != NumSteps; ++I)
      Found |= Pipes[I].Ready & (Pipes[I].FreeAt <= int64_t(Now));
    return anyOf(Found);
  }
  /// Whether no warp is ready.
  bool idle() const { return !Ready; }
  /// When one of the ready warps that are not in \p Excluded may issue, after
  /// \p Now; NeverCycle if their pipes are blocked or there are none.
  Cycle nextIssue(Cycle Now, uint64_t Excluded) const {
    int64_t Next = Blocked;
    for (unsigned I = 0; I != NumSteps; ++I) {
      const Lanes Wanted = (Pipes[I].Ready & int64_t(~Excluded)) != 0;
      const Lanes At = (Pipes[I].FreeAt & Wanted) | (~Wanted & Blocked);
      for (unsigned Lane = 0; Lane != Step; ++Lane)
        Next = std::min(Next, At[Lane]);
    }
    return Next == Blocked ? NeverCycle
                           : std::max({Now + 1, Cycle(Next), Dispatch.FreeAt});
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[NumSteps, Excludes, Dispatch, Ports, Policy, Groups, Pipes, Idle,
           Ready] = *this;
    A(Dispatch, Ports, Pipes, Idle, Ready);
    Policy->visitState([&A](uint64_t &Number) { A(Number); });
  }

private:
  static constexpr unsigned Step = 8;
  static constexpr int64_t Blocked = std::numeric_limits<int64_t>::max();
  typedef int64_t Lanes __attribute__((vector_size(Step * 8)));
  struct PipeStep {
    Lanes Ready{};  ///< warps
    Lanes FreeAt{}; ///< cycle, or Blocked

    template <class Archive> void serialize(Archive &A) {
      auto &[Ready, FreeAt] = *this;
      for (Lanes *Each : {&Ready, &FreeAt}) {
        std::array<int64_t, Step> Numbers;
        std::memcpy(&Numbers, Each, sizeof(Lanes));
        A(Numbers);
        std::memcpy(Each, &Numbers, sizeof(Lanes));
      }
    }
  };

  static uint64_t anyOf(const Lanes &L) {
    return L[0] | L[1] | L[2] | L[3] | L[4] | L[5] | L[6] | L[7];
  }

  std::array<PipeStep, MaxPipes / Step> Pipes;
  std::array<uint64_t, MaxPipes> Idle{}; ///< of the BusyMeter, by pipe
  uint64_t Ready = 0;                    ///< warps, for whichever pipe
};

/// The schedulers of an SM, and which of them have a ready warp.
class SchedulerSet {
public:
  SchedulerSet(const arch::GPUSpec &Spec, PipeSet &Pipes);

  unsigned size() const { return All.size(); }
  Scheduler &operator[](unsigned Index) { return All[Index]; }
  const Scheduler &operator[](unsigned Index) const { return All[Index]; }

  uint32_t ready() const { return Ready; } ///< a set of indices
  /// The instruction of warp \p Slot has its operands and wants \p Pipe.
  void offer(unsigned Index, unsigned Slot, unsigned Pipe) {
    All[Index].insert(Slot, Pipe);
    Ready |= 1u << Index;
  }
  /// Warp \p Slot of \p Own, which is number \p Index, issues to \p Pipe.
  void take(unsigned Index, Scheduler &Own, unsigned Slot, unsigned Pipe) {
    Own.remove(Slot, Pipe);
    Ready &= ~(uint32_t(Own.idle()) << Index);
  }

  /// The BusyMeter of group \p G has changed: tells the schedulers that use it,
  /// \p Own or all, unless they see the registers in front of collectors.
  void pipeChanged(unsigned Pipe, const PipeGroup &G, Scheduler &Own) {
    if (Collectors)
      return;
    if (!G.Shared) {
      Own.setMeter(Pipe, G.Issue);
      return;
    }
    for (Scheduler &Each : All)
      Each.setMeter(Pipe, G.Issue);
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[All, Ready, Collectors] = *this;
    A(Ready);
    for (Scheduler &Each : All)
      A(Each);
  }

private:
  std::vector<Scheduler> All;
  uint32_t Ready = 0;
  const bool Collectors; ///< of operands
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_SCHEDULER_H
