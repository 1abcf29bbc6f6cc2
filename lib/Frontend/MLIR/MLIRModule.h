//===- MLIRModule.h - gpu.module operations as LLVM IR ----------*- C++ -*-===//

#ifndef HEDDLE_LIB_FRONTEND_MLIR_MLIRMODULE_H
#define HEDDLE_LIB_FRONTEND_MLIR_MLIRMODULE_H

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace heddle {

/// The kernels of every gpu.module in \p Buffer, lowered by MLIR's own passes
/// and put into one module. Kernels whose memrefs all have static shapes and
/// the identity layout take plain pointers, those of other modules MLIR's
/// descriptors (docs/Frontends.md). Errors are MLIR's, with file, line and
/// caret. \p Arch: "sm_80".
llvm::Expected<std::unique_ptr<llvm::Module>>
readMLIR(llvm::LLVMContext &Context, std::unique_ptr<llvm::MemoryBuffer> Buffer,
         llvm::StringRef Arch);

/// Reductions, rotations and broadcasts of a warp, and shuffles that NVVM has
/// not, as shuffles of 32 and 64 bits. \p HasRedux: the architecture reduces
/// integers by an instruction.
std::unique_ptr<mlir::Pass> createWarpOperationsPass(bool HasRedux);

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_MLIR_MLIRMODULE_H
