//===- ToolkitLibrary.h - Bodies that a CUDA toolkit brings -----*- C++ -*-===//

#ifndef HEDDLE_LIB_FRONTEND_TOOLKITLIBRARY_H
#define HEDDLE_LIB_FRONTEND_TOOLKITLIBRARY_H

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace heddle {

/// Gives the functions of libdevice that \p M calls a body: mathematics as
/// closeMathCalls does, so that both ways in cost and compute alike, the rest
/// (bit operations, roundings, half arithmetic) from the library of the toolkit
/// at \p Toolkit.
llvm::Error linkToolkitLibrary(llvm::Module &M, llvm::StringRef Toolkit);

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_TOOLKITLIBRARY_H
