//===- OpenCLLibrary.h - Bodies of the OpenCL built-ins ---------*- C++ -*-===//

#ifndef HEDDLE_LIB_FRONTEND_OPENCLLIBRARY_H
#define HEDDLE_LIB_FRONTEND_OPENCLLIBRARY_H

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace heddle {

/// Driver arguments that compile OpenCL C of version \p Standard ("CL2.0") with
/// everything that the library below has.
std::vector<std::string> openCLArguments(llvm::StringRef Standard,
                                         llvm::StringRef Arch);

/// Gives every OpenCL built-in function that \p M calls a body: mathematics as
/// closeMathCalls does, what libclc does otherwise from OpenCL/Builtins.ll,
/// what it lacks from OpenCL/Builtins.cl, the rest from libclc.
llvm::Error linkOpenCLLibrary(llvm::Module &M, llvm::StringRef Arch);

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_OPENCLLIBRARY_H
