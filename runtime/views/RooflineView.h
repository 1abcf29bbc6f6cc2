//===- RooflineView.h - Achieved against peak -------------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_ROOFLINEVIEW_H
#define HEDDLE_VIEWS_ROOFLINEVIEW_H

#include "arch/GPUSpec.h"
#include "timing/SimulationResult.h"
#include "trace/CodeTable.h"
#include "views/View.h"

namespace heddle::views {

/// Floating-point operations by type and bytes by level of the memory, each
/// against what the machine can do at most, and the roof that each level sets.
///
///   Roofline: 2.1 TFLOP/s of 14.1 TFLOP/s
///            work         per second    peak          of peak  FLOP/byte  of
///            roof
///     f32    1.1 GFLOP    2.1 TFLOP/s   14.1 TFLOP/s   15.1 %
///     L2     67.1 MB      130.5 GB/s    2.6 TB/s        5.0
///     %      16.00   15.1 %
///
/// An addition or multiplication is one operation, a fused multiply-add two; a
/// division counts as what it becomes at levels machine and sass, and not at
/// level ptx. Bytes are sectors that a level served; of shared memory, cycles
/// of all banks. JSON key: throughput.
class RooflineView : public View {
public:
  RooflineView(const timing::SimulationResult &Result,
               const trace::CodeTable &Code, const arch::GPUSpec &Machine);
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  struct Rate {
    std::string Name;     ///< "f32", "L2"
    double Work = 0;      ///< operations or bytes
    double PerSecond = 0; ///< achieved
    double Peak = 0;      ///< of the machine, per second
    double share() const { return Peak ? PerSecond / Peak : 0; }
  };
  void countOperations(const timing::SimulationResult &Result,
                       const trace::CodeTable &Code,
                       const arch::GPUSpec &Machine);
  void addLevel(const char *Name, double Bytes, double PeakBytesPerSecond);
  /// Operations per byte, 0 where there are none of either.
  double intensity(const Rate &Level) const;
  /// Operations per second that a level lets through.
  double roof(const Rate &Level) const;

  double Seconds = 0;
  std::vector<Rate> Types;  ///< that the kernel uses
  std::vector<Rate> Levels; ///< nearest to the SM first
  Rate All;                 ///< of all types; the peak is theirs, weighted
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_ROOFLINEVIEW_H
