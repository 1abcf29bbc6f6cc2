//===- Engine.h - Ways to execute a kernel ----------------------*- C++ -*-===//

#ifndef HEDDLE_EXEC_ENGINE_H
#define HEDDLE_EXEC_ENGINE_H

#include "heddle/ABI/WarpKernel.h"

#include "llvm/Support/Error.h"

#include <array>
#include <memory>

namespace llvm {
class Function;
}

namespace heddle {

/// What an engine does beside computing. Every engine makes the same calls
/// with the same values in the same order (test/Exec compares them).
struct EngineOptions {
  bool Counters = false; ///< HeddleWarp::BlockCounters, MemoryCounters
  HeddleCheckHook OnCheck = nullptr; ///< --check (interpreter only)
  HeddleBlockHook OnBlock = nullptr; ///< trace hooks, both or none
  HeddleMemoryHook OnMemory = nullptr;
  /// Several thread blocks of a launch run at the same time.
  bool ConcurrentBlocks = true;
  /// Threads per block of the launches to come, or zeros if any: the JIT makes
  /// faster code for one shape, which then refuses to run another.
  std::array<uint32_t, 3> BlockDim = {0, 0, 0};
  /// Along each dimension the grids to come have at most 2^30 threads and their
  /// global offset is at most 2^30, so that thread indices fit 32 bits. With
  /// BlockDim the JIT makes faster code for them, which refuses larger ones.
  bool SmallGrid = false;
  /// Pointer arguments of the launches to come may point into the same buffer
  /// at different places.
  bool OverlappingArguments = false;
  /// Widest host vectors to use, in bits; 0: what the host has.
  unsigned MaxVectorBits = 0;
};

/// Device addresses of the module's globals: the runtime says where each one
/// lives before an engine is made. Shared variables are offsets into the
/// block's window.
class GlobalAddresses {
public:
  virtual ~GlobalAddresses() = default;
  virtual uint64_t addressOf(llvm::StringRef Global) const = 0;
};

/// A kernel made executable. kernel() stays valid as long as the engine.
class Engine {
public:
  virtual ~Engine() = default;
  virtual const HeddleWarpKernel &kernel() const = 0;
};

/// WarpLowering and ORC. Fails with the reason for what the lowering refuses;
/// use the interpreter then.
llvm::Expected<std::unique_ptr<Engine>>
createJITEngine(const llvm::Function &Kernel, const GlobalAddresses &Globals,
                const EngineOptions &Options);

/// The reference: walks the IR, 32 lanes at a time.
llvm::Expected<std::unique_ptr<Engine>>
createInterpreter(const llvm::Function &Kernel, const GlobalAddresses &Globals,
                  const EngineOptions &Options);

} // namespace heddle

#endif // HEDDLE_EXEC_ENGINE_H
