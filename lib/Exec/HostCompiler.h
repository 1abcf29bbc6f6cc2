//===- HostCompiler.h - From host IR to running code ------------*- C++ -*-===//

#ifndef HEDDLE_LIB_EXEC_HOSTCOMPILER_H
#define HEDDLE_LIB_EXEC_HOSTCOMPILER_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace heddle {

/// A target for this machine. \p MaxVectorBits below 512 leaves out AVX-512,
/// below 256 AVX and AVX2; 0 takes what there is.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createHostTarget(unsigned MaxVectorBits);

/// Code in memory, executable as long as the object lives.
class HostCode {
public:
  virtual ~HostCode() = default;
  virtual llvm::Expected<void *> find(llvm::StringRef Symbol) = 0;
};

/// Optimises \p M, compiles it and links it into this process. The context of
/// \p M stays with the caller.
llvm::Expected<std::unique_ptr<HostCode>>
compileForHost(llvm::Module &M, llvm::TargetMachine &Target);

} // namespace heddle

#endif // HEDDLE_LIB_EXEC_HOSTCOMPILER_H
