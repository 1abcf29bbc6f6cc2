//===- MLIRModule.h - gpu.module operations as LLVM IR ----------*- C++ -*-===//

#ifndef HEDDLE_LIB_FRONTEND_MLIR_MLIRMODULE_H
#define HEDDLE_LIB_FRONTEND_MLIR_MLIRMODULE_H

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace heddle {

/// The kernels of every gpu.module in \p Buffer, lowered by MLIR's own passes
/// and put into one module. Kernels whose memrefs all have static shapes and
/// the identity layout take plain pointers, those of other modules MLIR's
/// descriptors (docs/Frontends.md). Errors are MLIR's, with file, line and
/// caret.
llvm::Expected<std::unique_ptr<llvm::Module>>
readMLIR(llvm::LLVMContext &Context,
         std::unique_ptr<llvm::MemoryBuffer> Buffer);

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_MLIR_MLIRMODULE_H
