//===- Engine.h - Ways to execute a kernel ----------------------*- C++ -*-===//

#ifndef HEDDLE_EXEC_ENGINE_H
#define HEDDLE_EXEC_ENGINE_H

#include "heddle/ABI/WarpKernel.h"
#include "heddle/Transforms/WarpLowering.h"

#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class Function;
}

namespace heddle {

/// What an engine does beside computing. Every engine makes the same calls
/// with the same values in the same order (test/Exec compares them).
struct EngineOptions : WarpOptions {
  HeddleCheckHook OnCheck = nullptr; ///< --check (interpreter only)
  /// Widest host vectors to use, in bits; 0: what the host has.
  unsigned MaxVectorBits = 0;
  /// Compile in about 0.4 of the time to code that runs slower: for what runs
  /// once and is over soon.
  bool QuickHostCode = false;
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
