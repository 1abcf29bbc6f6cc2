//===- Tables.h - Measurements from CSV files -------------------*- C++ -*-===//
//
// Tables of micro-benchmarks as test/hw/silicon has them; docs/Calibration.md
// lists the files, their columns and what is taken from each.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CALIBRATION_TABLES_H
#define HEDDLE_CALIBRATION_TABLES_H

#include "arch/GPUSpec.h"
#include "base/Result.h"
#include "calibration/Measurements.h"

#include <string>

namespace heddle::calibration {

/// A kernel whose time holds more than one number of the machine, so that the
/// number follows only from a simulation of the kernel.
struct TimedKernel {
  unsigned Threads = 0;  ///< per block
  uint64_t Elements = 0; ///< doubles, one per thread
  Number Cycles;
};

struct TableMeasurements {
  std::string GPU; ///< whose rows these are; empty where no table says it
  Measurements M;
  /// `a[i] = c` with one small block on an SM: cycles from block to block.
  TimedKernel Turnover;
  /// `a[i] = 0.25 * b[i]` on the fewest elements: cycles from launch to launch.
  TimedKernel Smallest;
};

/// Reads the tables of the folder \p Dir that are there, at least one. \p GPU
/// chooses rows by their column `gpu` and may be empty if all are of one GPU.
/// \p Base says what tables do not: SMs and, without latencies, the clock.
/// Fails with file and line for what is no table of the kind.
Result<TableMeasurements> readTables(const std::string &Dir,
                                     const std::string &GPU,
                                     const arch::GPUSpec &Base);

} // namespace heddle::calibration

#endif // HEDDLE_CALIBRATION_TABLES_H
