//===- CudaDriver.h - NVIDIA's driver, loaded at run time -------*- C++ -*-===//
//
// The few functions of the CUDA driver interface that calibration needs. The
// library is never linked: it is looked for when calibration starts, and all
// else of Heddle works without it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CALIBRATION_CUDADRIVER_H
#define HEDDLE_CALIBRATION_CUDADRIVER_H

#include "base/Result.h"

#include <cstdint>
#include <memory>
#include <string>

namespace heddle::calibration {

/// Attributes of a device by their numbers in the driver interface.
enum class DeviceAttribute : int {
  MaxThreadsPerBlock = 1,
  ClockKHz = 13,
  Multiprocessors = 16,
  MemoryClockKHz = 36,
  MemoryBusBits = 37,
  L2Bytes = 38,
  MaxThreadsPerMultiprocessor = 39,
  ComputeMajor = 75,
  ComputeMinor = 76,
  SharedBytesPerMultiprocessor = 81,
  RegistersPerMultiprocessor = 82,
  SharedBytesPerBlockOptIn = 97,
  MaxBlocksPerMultiprocessor = 106,
};

/// One device with a context and one module of code. Not for more than one
/// thread. Every error names the function that failed and what the driver
/// calls the error.
class CudaDriver {
public:
  using Kernel = void *;

  /// Loads libcuda.so.1 and takes device \p Ordinal.
  static Result<std::unique_ptr<CudaDriver>> open(int Ordinal);
  ~CudaDriver();
  CudaDriver(const CudaDriver &) = delete;
  CudaDriver &operator=(const CudaDriver &) = delete;

  const std::string &deviceName() const { return Name; }
  int driverVersion() const { return Version; }
  Result<int> attribute(DeviceAttribute A) const;

  Result<void> load(const std::string &PTX);
  Result<Kernel> kernel(const std::string &Entry) const;
  /// Address of a variable of the module.
  Result<uint64_t> variable(const std::string &Symbol) const;

  /// Memory of the device; freed with the driver.
  Result<uint64_t> allocate(uint64_t Bytes);
  Result<void> copyIn(uint64_t To, const void *From, uint64_t Bytes) const;
  Result<void> copyOut(void *To, uint64_t From, uint64_t Bytes) const;

  /// Runs a kernel and waits for it. Returns its milliseconds as the device's
  /// events measure them. \p Arguments are pointers to the arguments.
  Result<double> launch(Kernel K, unsigned Blocks, unsigned Threads,
                        void **Arguments) const;

private:
  CudaDriver();
  struct Functions;
  Result<void> check(int Status, const char *Call) const;

  std::unique_ptr<Functions> F;
  void *Library = nullptr;
  void *Module = nullptr;
  void *Start = nullptr, *Stop = nullptr; ///< events
  int Device = 0, Version = 0;
  bool HasContext = false;
  std::string Name;
};

} // namespace heddle::calibration

#endif // HEDDLE_CALIBRATION_CUDADRIVER_H
