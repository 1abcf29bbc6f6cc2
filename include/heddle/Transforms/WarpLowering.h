//===- WarpLowering.h - A kernel as host code for one warp ------*- C++ -*-===//
//
// Turns a prepared kernel into a host function that runs one warp of 32 lanes
// in lockstep (HeddleWarpFunction of ABI/WarpKernel.h). docs/Execution.md tells
// how; docs/Rationale/Divergence.md fixes the order in which lanes run.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRANSFORMS_WARPLOWERING_H
#define HEDDLE_TRANSFORMS_WARPLOWERING_H

#include "heddle/ABI/WarpKernel.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <array>
#include <functional>
#include <memory>

namespace llvm {
class AllocaInst;
class Argument;
class Function;
class GlobalVariable;
class TargetMachine;
} // namespace llvm

namespace heddle {

/// What the function of a warp does beside computing, and what it may rely on.
struct WarpOptions {
  bool Counters = false;             ///< fill HeddleWarp's counters
  HeddleBlockHook OnBlock = nullptr; ///< trace hooks, both or none
  HeddleMemoryHook OnMemory = nullptr;
  /// Several thread blocks of a launch run at the same time: global atomics
  /// must be real.
  bool ConcurrentBlocks = true;
  /// Threads per block of the launches to come in x, y and z, or zeros if any.
  /// The function made for a shape runs no other; with it most addresses become
  /// contiguous.
  std::array<uint32_t, 3> BlockDim = {0, 0, 0};
  /// Along each dimension the grids have at most 2^30 threads and the global
  /// offset is at most 2^30, so that thread indices fit 32 bits. The function
  /// then refuses larger ones. Needs BlockDim.
  bool SmallGrid = false;
  /// Pointer arguments may point into the same buffer at different places; else
  /// those that differ are taken to be different buffers.
  bool OverlappingArguments = false;
};

/// What the lowering has to know beside the kernel. The callbacks are asked
/// about values of the kernel that is lowered.
struct WarpLoweringOptions : WarpOptions {
  /// Larger kernels are refused: the host's compiler takes time and memory in
  /// the square of these. The largest kernels of test/kernels have 300 blocks;
  /// 8,000 take about 4 s.
  size_t MaxHostBlocks = 8000;
  size_t MaxKernelInstructions = 50000;
  /// The host to generate code for.
  llvm::TargetMachine *Target = nullptr;
  /// Offset of an argument in HeddleWarp::Params.
  std::function<uint64_t(const llvm::Argument &)> ParamOffset;
  /// Offset of an alloca in the lane's local memory.
  std::function<uint64_t(const llvm::AllocaInst &)> LocalOffset;
  /// Host address of a variable by its name; for shared variables its offset in
  /// HeddleWarp::Shared.
  std::function<uint64_t(llvm::StringRef)> GlobalAddress;
};

struct LoweredWarp {
  std::unique_ptr<llvm::Module>
      Module;               ///< for the host, in the kernel's context
  std::string FunctionName; ///< a HeddleWarpFunction in it
  uint64_t FrameBytes = 0;  ///< HeddleWarpKernel::FrameBytes
  /// Functions of this process that it declares and calls, by name.
  llvm::StringMap<const void *> HostFunctions;
};

/// Lowers \p Kernel, which must be prepared (Frontend/Compiler.h). Fails with
/// the instruction and its source line for what it does not take.
llvm::Expected<LoweredWarp> lowerToWarp(const llvm::Function &Kernel,
                                        const WarpLoweringOptions &Options);

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_WARPLOWERING_H
