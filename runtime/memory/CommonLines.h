//===- CommonLines.h - Lines that all SMs ask for at once -------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_COMMONLINES_H
#define HEDDLE_MEMORY_COMMONLINES_H

#include "memory/AddressMap.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

namespace heddle::memory {

/// How long the last of all SMs waits for lines that all of them read when they
/// get there: code, parameters and constants. A slice of L2 serves one SM after
/// the other, or one GPC, where these have caches of such lines (GPCCaches).
/// From then on this SM is as much behind the first one, so that the next such
/// line has been served to the others meanwhile. For models that look at one
/// SM.
class CommonLines {
public:
  /// Of an SM that starts \p Lag cycles after the first one.
  explicit CommonLines(const arch::GPUSpec &Spec, double Lag = 0)
      : Map(Spec), Halves(std::max(1u, Spec.L2.Halves)), Count(Spec.SM.Count),
        GPCs(Spec.GPCCache.Size ? Spec.Cluster.GPCs : 0),
        Merged(Spec.L2.MSHRMerge), Slices(std::max(1u, Spec.L2.Slices)),
        Lag(Lag) {}

  /// How many ask L2 for a line that \p SMs ask for.
  double askers(double SMs) const {
    return GPCs > 0 ? std::min(SMs, GPCs) : SMs;
  }

  /// The wait at \p Now for a line of which a slice takes \p Cycles for each
  /// request, if \p SMs ask for it. \p Latency is the rest of the way. With
  /// SMs beside both halves of L2 a line is \p Far from some: these get it
  /// later until they are as much behind the others, which bring it.
  double wait(double Now, double Latency, uint64_t Line, double SMs,
              double Cycles, double Far = 0) {
    lag(Now);
    Slice &S = Slices[Map.place(Line).Slice];
    const double Turns = std::max(1.0, askers(SMs) / Halves), First = Now - Lag;
    S.Last = std::max(S.Last, First) + Turns * Cycles;
    const double Wait = std::max(0.0, S.Last + Far - Now - Cycles);
    // Those that wait for the line when it comes get it before the first one
    // gets its next line from there.
    const double Served = std::max(S.First, First);
    const double Waiting = Turns * std::min(1.0, Latency / std::max(1.0, Lag));
    S.First = Served + std::min(Waiting, Merged) * Cycles;
    if (Wait > 0)
      Coming.push_back({Now + Latency + Wait, Now + Wait - Served});
    return Wait;
  }

  /// How far the SM is behind the first one.
  double lag(double Now) {
    while (!Coming.empty() && Coming.front().At <= Now) {
      Lag = std::max(Lag, Coming.front().Lag);
      Coming.pop_front();
    }
    return Lag;
  }

  /// Whether a line has its home in the other half of L2 than all of \p SMs.
  bool farFromAll(uint64_t Line, double SMs) const {
    return Halves == 2 && 2 * SMs <= Count &&
           Map.place(Line).Slice * 2 >= Slices.size();
  }
  bool besideBoth(double SMs) const { return Halves == 2 && 2 * SMs > Count; }

private:
  AddressMap Map;
  double Halves, Count; ///< of L2, SMs
  double GPCs;          ///< that have caches
  double Merged;        ///< requests for a line on its way
  struct Slice {
    double First = 0, Last = 0; ///< when it is free for the first, last SM
  };
  std::vector<Slice> Slices;
  double Lag; ///< behind the first SM
  struct Behind {
    double At, Lag;
  };
  std::deque<Behind> Coming; ///< what it is from then on
};

/// What others have had of a server before an SM that is behind them asks for
/// anything: they began earlier by its lag. Later their queue is its own, so
/// each cycle of the lag counts once.
class HeadStart {
public:
  /// The SM is \p Lag cycles behind the first one now.
  void reach(double Lag) {
    Left += std::max(0.0, Lag - Known);
    Known = std::max(Known, Lag);
  }
  /// When a server, which is free from \p FreeAt on, begins with what this SM
  /// asks for \p At and the others have asked for. It takes \p Cycles.
  double begin(double FreeAt, double At, double Cycles) {
    const double Begin = std::max(FreeAt, At - Left);
    Left -= std::min(Cycles, std::max(0.0, At - Begin));
    return Begin;
  }

private:
  double Left = 0, Known = 0;
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_COMMONLINES_H
