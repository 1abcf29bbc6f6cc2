//===- Engine.h - What the CUDA library asks of the compiler ----*- C++ -*-===//
//
// The library that programs link has no compiler in it. At the first launch it
// loads libHeddleCudaEngine.so (tools/cuda-layer/Engine.cpp), which implements
// these interfaces with the compiler half.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CUDA_ENGINE_H
#define HEDDLE_CUDA_ENGINE_H

#include "arch/GPUSpec.h"
#include "exec/Binding.h"
#include "exec/Launcher.h"
#include "launch/Launch.h"
#include "streams/StreamSchedule.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heddle::cuda {

/// What an SM needs for a block of a kernel, beside its dynamic shared memory.
struct KernelResources {
  unsigned RegistersPerThread = 0;
  uint64_t StaticSharedBytes = 0, LocalBytesPerThread = 0;
  unsigned MaxThreads = 0; ///< of __launch_bounds__; 0: none
};

struct Variable {
  std::string Name;
  uint64_t Address = 0, SizeBytes = 0;
  bool Managed = false;
};

struct LaunchReport {
  std::optional<exec::Fault::Kind> Fault;
  std::string Message;  ///< of the fault
  uint64_t Address = 0; ///< of the access that faulted, or 0
  bool Assertion = false;
  std::string Printed;
};

/// Who tells the time that events measure.
enum class Timing { Host, Interval, Simulate };

/// Launches of one kernel with the same shape, but for the grid.
class ReadyLaunch {
public:
  virtual ~ReadyLaunch() = default;
  /// Executes one; \p Params are as many bytes as the kernel takes.
  virtual Result<LaunchReport> execute(const Dim3 &Grid,
                                       std::span<const uint8_t> Params) = 0;
};

/// Device code in memory, with its variables.
class Program {
public:
  virtual ~Program() = default;
  /// As long as the program lives. Null if there is no such kernel.
  virtual const exec::KernelInterface *kernel(const std::string &Name) = 0;
  virtual std::vector<std::string> kernelNames() const = 0;
  /// Why a kernel of the device code could not be compiled; "" if there is no
  /// such kernel.
  virtual std::string whyMissing(const std::string &Name) const = 0;
  /// Compiles the kernel for the machine to find out.
  virtual Result<KernelResources> resources(const std::string &Name) = 0;
  virtual const std::vector<Variable> &variables() const = 0;
  /// Compiles what \p L needs, which gives its parameters as they are.
  virtual Result<std::unique_ptr<ReadyLaunch>>
  prepare(const launch::Launch &L) = 0;
  /// Executes such a launch on the model: what it takes of the GPU.
  virtual Result<streams::LaunchUse> time(const launch::Launch &L,
                                          Timing Clock) = 0;
};

class Engine {
public:
  virtual ~Engine() = default;
  /// \p Images, all LLVM bitcode or all PTX, as one.
  virtual Result<std::string> link(const std::vector<std::string> &Images) = 0;
  /// Links \p Images, all LLVM bitcode or all PTX, to \p Code, which a
  /// recording keeps, and places its variables by \p Place.
  virtual Result<std::unique_ptr<Program>>
  load(const std::vector<std::string> &Images, std::string &Code,
       const std::function<Result<uint64_t>(const Variable &)> &Place) = 0;
};

/// What the library of the engine exports: heddleCudaEngine.
using MakeEngine = Engine *(const arch::GPUSpec &,
                            std::shared_ptr<exec::DeviceMemory>,
                            unsigned Threads);

/// Source that a program compiles while it runs (NVRTC).
struct RuntimeSource {
  struct Text {
    std::string Name, Code;
  };
  Text Main;
  std::vector<Text> Headers;
  std::vector<std::string> Flags; ///< of Clang
  std::string Arch;               ///< "sm_70"
  bool AllAreDevice = false;      ///< functions without __device__ too
  /// Expressions of kernels and variables whose names are asked for.
  std::vector<std::string> Expressions;
};
struct RuntimeCode {
  bool Compiled = false;
  std::string PTX, Log;
  std::vector<std::string> Names; ///< in PTX, one for each expression
};

/// What it exports as well: heddleCompileAtRunTime.
using CompileAtRunTime = void(const RuntimeSource &, RuntimeCode &);

/// What the library of the engine, beside this one, exports as \p Name. Null
/// if there is no such library; \p Why then says why.
void *engineFunction(const char *Name, std::string &Why);

} // namespace heddle::cuda

#endif // HEDDLE_CUDA_ENGINE_H
