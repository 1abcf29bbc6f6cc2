//===- HostSteps.h - Steps of a recorded host program -----------*- C++ -*-===//

#ifndef HEDDLE_EXEC_HOSTSTEPS_H
#define HEDDLE_EXEC_HOSTSTEPS_H

#include "exec/DeviceMemory.h"
#include "launch/HostStep.h"

namespace heddle::exec {

/// How results compare with those of the device that the program ran on.
///
/// Bytes of a buffer that kernels take as one of integers, or as of several
/// types, or as structs, must be equal. Floating elements match if
/// |got - expected| <= Tolerance * (|expected| + M / 10), M being the largest
/// magnitude among the expected elements of the read, or if both are NaN.
struct ReadOutcome {
  enum { Equal, Near, Different } What = Equal;
  uint64_t Elements = 0, Mismatches = 0;
  uint64_t FirstIndex = 0;
  std::string Expected, Got; ///< at FirstIndex
  uint64_t Hash = 0;         ///< of all that was got
  /// Largest |got - expected|, relative to |expected| + M / 10.
  double LargestError = 0;
};

/// Memory that steps use one after the other.
struct HostRooms {
  std::vector<uint8_t> Bytes, Work;
};

/// Applies what the host did, except launches and reads. Errors name the
/// buffer.
Result<void> apply(const launch::HostStep &Step, DeviceMemory &Memory,
                   HostRooms &Rooms);

/// Compares what \p Memory holds with what the program read.
Result<ReadOutcome> compare(const launch::ReadBuffer &Read,
                            const DeviceMemory &Memory, double Tolerance,
                            HostRooms &Rooms);

} // namespace heddle::exec

#endif // HEDDLE_EXEC_HOSTSTEPS_H
