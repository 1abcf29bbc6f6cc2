//===- Roofline.h - The bound that issue and DRAM set -----------*- C++ -*-===//

#ifndef HEDDLE_ARCH_ROOFLINE_H
#define HEDDLE_ARCH_ROOFLINE_H

#include "arch/GPUSpec.h"

#include <algorithm>

namespace heddle::arch {

/// The roofline of a launch over warp instructions and bytes of DRAM: no launch
/// can have a higher IPC. Only equations of papers go beyond it.
struct Roofline {
  double Intensity = 0; ///< warp instructions per byte, 0 without bytes
  double Balance = 0;   ///< the same where both limits meet
  double PeakIPC = 0;   ///< of all schedulers
  double AttainableIPC = 0;

  Roofline() = default;
  Roofline(const GPUSpec &Spec, double WarpInsts, double DRAMBytes) {
    const double BytesPerCycle = Spec.DRAM.Bandwidth * 1000 / Spec.Clock.Core;
    PeakIPC = AttainableIPC = double(Spec.SM.Count) * Spec.SM.Schedulers;
    Balance = PeakIPC / BytesPerCycle;
    if (DRAMBytes > 0) {
      Intensity = WarpInsts / DRAMBytes;
      AttainableIPC = std::min(PeakIPC, Intensity * BytesPerCycle);
    }
  }
  bool isBoundByDRAM() const { return AttainableIPC < PeakIPC; }
  bool isBeyond(double IPC) const { return IPC > AttainableIPC * (1 + 1e-9); }
};

} // namespace heddle::arch

#endif // HEDDLE_ARCH_ROOFLINE_H
