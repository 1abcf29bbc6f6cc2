//===- ResultCheck.cpp - What every simulation must keep to ---------------===//

#include "timing/ResultCheck.h"

#include "memory/LevelLatency.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

using namespace heddle;
using namespace heddle::timing;

namespace {

[[noreturn]] void broken(std::string_view Model, std::string_view Kernel,
                         std::string_view Machine, const std::string &What) {
  throw std::logic_error(fmt::format(
      "the {} model broke a condition on kernel '{}', machine '{}': {}", Model,
      Kernel, Machine, What));
}

std::string tooMany(std::string_view What, double Value, double Bound) {
  return fmt::format("{} {}, but at most {} are possible", Value, What, Bound);
}

class Check {
public:
  Check(const SimulationResult &R, const CheckedCounters &C,
        const arch::GPUSpec &Spec)
      : R(R), C(C), Memory(C.Memory), Spec(Spec) {}

  void run() const {
    instructions();
    warpCycles();
    issue();
    l1();
    interconnect();
    l2();
    dram();
    dispatcher();
  }

private:
  [[noreturn]] void broken(const std::string &What) const {
    ::broken("timing", R.Kernel, R.GPU, What);
  }
  void atMost(std::string_view What, double Value, double Bound) const {
    if (Value > Bound)
      broken(tooMany(What, Value, Bound));
  }
  void instructions() const;
  void warpCycles() const;
  void issue() const;
  void l1() const;
  void interconnect() const;
  void l2() const;
  void dram() const;
  void dispatcher() const;
  /// L2 cycles until the memory has nothing left to do.
  double l2Cycles() const {
    const double Launch = double(R.Cycles) * Spec.Clock.L2 / Spec.Clock.Core;
    const double DRAM =
        double(Memory.DRAMEnd) * Spec.Clock.L2 / Spec.Clock.DRAM;
    return std::max(Launch, DRAM) + 1;
  }

  const SimulationResult &R;
  const CheckedCounters &C;
  const memory::MemoryCounters &Memory;
  const arch::GPUSpec &Spec;
};

} // namespace

void Check::instructions() const {
  if (R.WarpInstructions != C.TraceInstructions && !R.Truncated)
    broken(fmt::format("{} warp instructions, but the trace holds {}",
                       R.WarpInstructions, C.TraceInstructions));
  atMost("warp instructions", double(R.WarpInstructions),
         double(C.TraceInstructions));
}

void Check::warpCycles() const {
  if (R.WarpCycles != C.ResidentWarpCycles && !R.Truncated)
    broken(fmt::format("{} warp-cycles are booked, but warps were resident for "
                       "{}",
                       R.WarpCycles, C.ResidentWarpCycles));
}

void Check::issue() const {
  const uint64_t PerCycle = uint64_t(Spec.SM.Schedulers) * Spec.SM.MaxIssue;
  for (size_t I = 0; I != R.SMs.size(); ++I) {
    const SMSummary &SM = R.SMs[I];
    atMost("instructions issued by an SM", double(C.IssuedBySM[I]),
           double(PerCycle * SM.IssueCycles));
    atMost("cycles with issue of an SM", double(SM.IssueCycles),
           double(SM.ActiveCycles + 1));
    atMost("active cycles of an SM", double(SM.ActiveCycles), double(R.Cycles));
  }
}

/// A bank serves one sector per cycle, a tag a line; with one bank, or whole
/// lines, L1 serves one line.
void Check::l1() const {
  const arch::L1Spec &L1 = Spec.L1;
  const double PerCycle = L1.Sector >= L1.Line ? std::max(1u, L1.Tags)
                          : L1.Tags            ? L1.Tags * L1.sectorsPerLine()
                          : L1.Banks <= 1      ? L1.sectorsPerLine()
                                               : L1.Banks;
  double Cycles = 0;
  for (const SMSummary &SM : R.SMs)
    Cycles += double(SM.ActiveCycles + 1);
  atMost("accesses to L1", double(R.L1.Accesses), PerCycle * Cycles);
}

void Check::interconnect() const {
  const arch::IcntSpec &I = Spec.Icnt;
  const double Links =
      std::min(double(Spec.SM.Count) * (double(I.RequestBytes) + I.ReplyBytes),
               2.0 * Spec.L2.Slices * I.SliceBytes);
  atMost("bytes through the interconnect", double(Memory.IcntBytes),
         Links * l2Cycles());
}

void Check::l2() const {
  atMost("busy cycles of L2 slices", double(Memory.L2BusyCycles),
         double(Spec.L2.Slices) * l2Cycles());
}

/// The channel keeps the time of a burst in 1/256 cycle, rounded.
void Check::dram() const {
  const arch::DRAMSpec &D = Spec.DRAM;
  const double End = double(Memory.DRAMEnd) + 1;
  atMost("busy cycles of DRAM channels", double(Memory.DRAMBusyCycles),
         D.Channels * End);
  const double PerCycle =
      D.Bandwidth * D.Efficiency * 1000 / Spec.Clock.DRAM; // all channels
  const double BurstCycles = D.BurstBytes * D.Channels / PerCycle;
  const double Rounding = 1 + 0.5 / (256 * BurstCycles);
  // A simulation that is cut short has counted what channels still queue.
  if (!R.Truncated)
    atMost("bytes to and from DRAM",
           double(Memory.DRAMReadBytes + Memory.DRAMWriteBytes),
           (PerCycle * End + D.BurstBytes * D.Channels) * Rounding);
  // What is left when the launch ends is what the channels' queues hold; each
  // write may open a row.
  const double Launch = double(R.Cycles) * Spec.Clock.DRAM / Spec.Clock.Core;
  const double Line = std::max(Spec.L2.Line, Spec.L2.Sector);
  const double EachWrite = std::max({double(D.TRC), double(D.TCCDL) * Line / 32,
                                     Line * D.Channels / PerCycle}) +
                           D.TWL + D.TWR + D.TRP;
  const double Before =
      (Spec.DRAM.Latency + Spec.L2.Latency) * Spec.Clock.DRAM / Spec.Clock.Core;
  if (!R.Truncated)
    atMost("DRAM cycles until all is written", double(Memory.DRAMEnd),
           Launch + Before +
               EachWrite * (memory::writeLimit(Spec) +
                            Spec.L2.Slices / D.Channels + 1));
}

void Check::dispatcher() const {
  // One that is cut short may be in a window in which more have started.
  if (!R.Truncated)
    atMost("cycles from the first thread block's start to the last one's",
           Spec.Launch.dispatchCycles(R.BlocksDone, C.ClusterBlocks),
           double(R.Cycles));
}

void heddle::timing::checkResult(const SimulationResult &R,
                                 const CheckedCounters &C,
                                 const arch::GPUSpec &Spec) {
  Check(R, C, Spec).run();
}

double heddle::timing::issueCycles(double Slots, const arch::GPUSpec &Spec) {
  return Slots /
             (double(Spec.SM.Count) * Spec.SM.Schedulers * Spec.SM.MaxIssue) -
         1;
}

void heddle::timing::checkEstimate(const EstimateFigures &E,
                                   const arch::GPUSpec &Spec) {
  auto atMost = [&](std::string_view What, double Value, double Bound) {
    if (Value > Bound)
      broken(E.Model, E.Kernel, Spec.Name, tooMany(What, Value, Bound));
  };
  if (E.ReplayedInstructions != E.TraceInstructions)
    broken(E.Model, E.Kernel, Spec.Name,
           fmt::format("{} warp instructions, but the trace holds {}",
                       E.ReplayedInstructions, E.TraceInstructions));
  // From the first cycle to the last is one less than there are.
  constexpr double Rounding = 1 + 1e-9;
  const double Cycles = (E.Cycles + 1) * Rounding;
  // What the replayed part took stands for the rest.
  const double PerInst = E.ReplayedInstructions
                             ? double(E.IssueSlots) / E.ReplayedInstructions
                             : 1;
  atMost("issue slots", E.WarpInstructions * PerInst,
         Cycles * Spec.SM.Count * Spec.SM.Schedulers * Spec.SM.MaxIssue);
  atMost("bytes to and from DRAM", E.DRAMBytes,
         Cycles * Spec.DRAM.Bandwidth * 1000 / Spec.Clock.Core);
  atMost("cycles from the first thread block's start to the last one's",
         E.DispatchCycles, Cycles);
}
