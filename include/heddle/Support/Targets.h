//===- Targets.h - LLVM's back ends, made known once ------------*- C++ -*-===//

#ifndef HEDDLE_SUPPORT_TARGETS_H
#define HEDDLE_SUPPORT_TARGETS_H

#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class TargetMachine;
class TargetOptions;
class Triple;
} // namespace llvm

namespace heddle {

/// Registers the NVPTX back end and that of this CPU with LLVM's registry,
/// which is the process's. Any thread may call it any number of times. A
/// target is looked up only after that.
void registerTargets();

/// The NVPTX back end of \p T for \p Arch with the newest version of PTX that
/// Clang and it have, so that every intrinsic of the architecture can be
/// selected; or an error that names the architecture.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createNVPTXMachine(const llvm::Triple &T, llvm::StringRef Arch,
                   const llvm::TargetOptions &Options,
                   llvm::CodeGenOptLevel Level);

} // namespace heddle

#endif // HEDDLE_SUPPORT_TARGETS_H
