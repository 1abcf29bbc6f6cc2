//===- KernelLayout.h - Offsets of a kernel's memory ------------*- C++ -*-===//
//
// Where arguments, shared variables and allocas of a prepared kernel live. Both
// engines and the code that binds a launch use these numbers, so addresses in
// traces do not depend on the engine.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_EXEC_KERNELLAYOUT_H
#define HEDDLE_EXEC_KERNELLAYOUT_H

#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <vector>

namespace llvm {
class AllocaInst;
class Argument;
class Function;
class GlobalVariable;
class Type;
} // namespace llvm

namespace heddle {

struct KernelLayout {
  /// One kernel argument. A byval argument is the struct itself.
  struct Param {
    const llvm::Argument *Arg;
    llvm::Type *Type; ///< of the bytes at Offset
    uint64_t Offset;  ///< in the parameter block, as PTX lays it out
    uint64_t SizeBytes;
  };
  std::vector<Param> Params;
  uint64_t ParamBytes = 0;

  /// Offset in the block's shared window of every shared variable that the
  /// kernel uses, in the order of the module. `extern __shared__` arrays all
  /// start where the dynamic part does, at DynamicSharedOffset.
  llvm::DenseMap<const llvm::GlobalVariable *, uint64_t> Shared;
  uint64_t StaticSharedBytes = 0;
  uint64_t DynamicSharedOffset = 0; ///< StaticSharedBytes, aligned to 16

  /// Offset in the thread's frame of every alloca of constant size.
  llvm::DenseMap<const llvm::AllocaInst *, uint64_t> Local;
  uint64_t LocalBytes = 0; ///< per lane, a multiple of 16

  explicit KernelLayout(const llvm::Function &Kernel);
};

} // namespace heddle

#endif // HEDDLE_EXEC_KERNELLAYOUT_H
