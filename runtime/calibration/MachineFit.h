//===- MachineFit.h - From measurements to a machine file -------*- C++ -*-===//

#ifndef HEDDLE_CALIBRATION_MACHINEFIT_H
#define HEDDLE_CALIBRATION_MACHINEFIT_H

#include "arch/GPUSpec.h"
#include "base/Result.h"
#include "calibration/Measurements.h"

#include <string>
#include <vector>

namespace heddle::calibration {

/// What the curve of an operation says: clocks from one warp's operation to the
/// next that needs its result, and operations of threads per clock and SM with
/// as many warps as help.
struct OperationFit {
  std::string Name;
  double Latency = 0;
  double PerClock = 0;
};

/// The first point is the latency; the best rate of any point is the
/// throughput.
OperationFit fitOperation(const OperationCurve &Curve);

/// A machine file, and what it could not take from the measurements.
struct FittedMachine {
  std::string Text;
  unsigned Numbers = 0;                ///< fields that the file sets
  std::vector<std::string> NotReached; ///< "FIELD: why", the base's stays
};

/// A machine file that starts from \p Base and replaces what \p M measured;
/// every line says what it comes from. \p BaseName is what `base:` says,
/// \p Base that machine; \p Name is the measured GPU's and \p How says at the
/// top how it was measured. Fails if the result is no valid machine.
Result<FittedMachine> machineFile(const Measurements &M,
                                  const std::string &Name,
                                  const std::string &How,
                                  const std::string &BaseName,
                                  const arch::GPUSpec &Base);

} // namespace heddle::calibration

#endif // HEDDLE_CALIBRATION_MACHINEFIT_H
