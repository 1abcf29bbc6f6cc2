//===- Measurements.h - What calibration finds out --------------*- C++ -*-===//

#ifndef HEDDLE_CALIBRATION_MEASUREMENTS_H
#define HEDDLE_CALIBRATION_MEASUREMENTS_H

#include "base/Result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace heddle::calibration {

class CudaDriver;

/// What the benchmarks' module holds; heddle/Calibration/Benchmarks.h says what
/// the kernels do.
struct Benchmarks {
  struct Operation {
    std::string Entry, Name; ///< kernel; "CLASS.TYPE"
    unsigned TypeBytes = 4;
    unsigned PerRound = 1;
  };
  std::string PTX;
  std::vector<Operation> Operations;
  unsigned ChasePerRound = 1;
  uint64_t ChaseTableBytes = 0;
};

/// What the driver says of the device.
struct DeviceFacts {
  std::string Name;
  int DriverVersion = 0;
  int ComputeMajor = 0, ComputeMinor = 0;
  unsigned SMs = 0, MaxThreadsPerSM = 0, MaxThreadsPerBlock = 0;
  unsigned MaxBlocksPerSM = 0, RegistersPerSM = 0;
  uint64_t SharedPerSM = 0, SharedPerBlock = 0, L2Bytes = 0;
  double CoreMHz = 0; ///< highest
  double MemoryMHz = 0;
  unsigned MemoryBusBits = 0;
};

/// Clocks per operation of one warp's chain, while this many warps of an SM run
/// the same.
struct OperationCurve {
  std::string Name;
  struct Point {
    unsigned Warps;
    double Clocks;
  };
  std::vector<Point> Points;
};

/// What was measured and how, or where that stands.
struct Number {
  double Value = 0;
  std::string From; ///< for the machine file's comment; empty: not measured

  explicit operator bool() const { return !From.empty(); }
};

/// What a cache holds lies between these, in bytes.
struct Knee {
  double Fits = 0, Beyond = 0;
  std::string From;

  explicit operator bool() const { return !From.empty(); }
};

struct Measurements {
  DeviceFacts Device; ///< no SMs: there was no driver to ask
  std::vector<OperationCurve> Operations;
  Number CoreMHz; ///< clocks over time while kernels ran
  /// Clocks per dependent load.
  Number Shared, Constant;
  Number L1, L2, DRAM;
  Number FarL2; ///< where L2 is two halves
  Knee L1Bytes, L2Bytes;
  Number L1BytesPerClock; ///< per SM
  Number L2BytesPerClock; ///< of the whole GPU
  Number DRAMGigabytesPerSecond;
  Number LaunchCycles; ///< of a kernel, beyond its own
  Number BlockLatency; ///< as machine files have it
  Number BlocksPerCycle;
};

/// Of at least one value; the upper one of two in the middle.
double median(std::vector<double> Values);

/// Runs the benchmarks. \p L1Bytes is about what the L1 holds. \p Step is told
/// what comes next. Results are medians of several runs.
Result<Measurements> measure(CudaDriver &Driver, const Benchmarks &Programs,
                             uint64_t L1Bytes,
                             const std::function<void(std::string)> &Step);

} // namespace heddle::calibration

#endif // HEDDLE_CALIBRATION_MEASUREMENTS_H
