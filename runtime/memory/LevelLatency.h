//===- LevelLatency.h - What an access takes without contention -*- C++ -*-===//

#ifndef HEDDLE_MEMORY_LEVELLATENCY_H
#define HEDDLE_MEMORY_LEVELLATENCY_H

#include "arch/GPUSpec.h"

#include <algorithm>
#include <array>

namespace heddle::memory {

/// Core cycles from a load's start in L1 to its data, where L1, L2 or DRAM
/// serves it and there is no other traffic. Of L2's halves the near one serves;
/// half of what DRAM has to give comes from the far one.
inline std::array<double, 3> levelLatencies(const arch::GPUSpec &Spec) {
  double PerL2Cycle = Spec.Clock.Core / Spec.Clock.L2;
  double L1 = Spec.L1.Latency;
  double L2 = L1 + (2.0 * Spec.Icnt.Latency + Spec.L2.Latency) * PerL2Cycle;
  double DRAM = L2 + Spec.DRAM.Latency;
  if (Spec.L2.Halves == 2)
    DRAM += Spec.L2.FarLatency * PerL2Cycle / 2;
  if (Spec.DRAM.Policy != arch::DRAMPolicy::Fixed)
    DRAM += double(Spec.DRAM.TRCD + Spec.DRAM.TCL) * Spec.Clock.Core /
            Spec.Clock.DRAM;
  return {L1, L2, DRAM};
}

/// Bytes per nanosecond (GB/s) that DRAM gives a fast model: without the share
/// of time in which a refresh holds a bank. A stream of reads loses less, one
/// that also writes as much, since a batch of writes ends with its last bank.
inline double sustainedBandwidth(const arch::DRAMSpec &DRAM) {
  const double Held = DRAM.TREFI ? double(DRAM.TRFC) / DRAM.TREFI : 0;
  return DRAM.Bandwidth * DRAM.Efficiency * (1 - Held);
}

/// Writes of a channel beyond which L2 takes none: what its queue holds, and as
/// many lines as are on the way to it at full bandwidth.
inline uint32_t writeLimit(const arch::GPUSpec &Spec) {
  const double BytesPerCycle =
      Spec.DRAM.Bandwidth * 1000 / Spec.Clock.Core / Spec.DRAM.Channels;
  const double OnTheWay =
      Spec.DRAM.Latency * BytesPerCycle / std::max(32u, Spec.L2.Line);
  return Spec.DRAM.WriteQueue + uint32_t(OnTheWay);
}

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_LEVELLATENCY_H
