//===- OpenCLLibrary.h - Bodies of the OpenCL built-ins ---------*- C++ -*-===//

#ifndef HEDDLE_LIB_FRONTEND_OPENCLLIBRARY_H
#define HEDDLE_LIB_FRONTEND_OPENCLLIBRARY_H

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace heddle {

/// Gives every OpenCL built-in function that \p M calls a body: mathematics as
/// closeMathCalls does, what libclc lacks or does otherwise from
/// OpenCL/Builtins.ll, the rest from libclc.
llvm::Error linkOpenCLLibrary(llvm::Module &M);

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_OPENCLLIBRARY_H
