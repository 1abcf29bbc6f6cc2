//===- EmbeddedKernels.h - OpenCL in a host's strings -----------*- C++ -*-===//

#ifndef HEDDLE_LIB_FRONTEND_EMBEDDEDKERNELS_H
#define HEDDLE_LIB_FRONTEND_EMBEDDEDKERNELS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace heddle {

/// Whether \p Path is named as host code in C or C++ is.
bool isHostSource(llvm::StringRef Path);

/// The OpenCL C that \p Host, a source in C or C++, holds in string literals,
/// in raw ones or as the argument of a macro (STRINGIFY(__kernel ...)), one
/// after the other; "" if it holds no kernel. A line stands where the host has
/// it, as far as the host breaks lines where its strings do.
std::string embeddedOpenCL(llvm::StringRef Host);

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_EMBEDDEDKERNELS_H
