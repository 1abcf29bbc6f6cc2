//===- ForeignFlags.h - Flags of other compilers ----------------*- C++ -*-===//

#ifndef HEDDLE_LIB_FRONTEND_FOREIGNFLAGS_H
#define HEDDLE_LIB_FRONTEND_FOREIGNFLAGS_H

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace heddle {

/// \p Flags as Clang takes them: nvcc's and the OpenCL drivers' own become what
/// means the same, or go with a note, a line each, to \p Notes.
std::vector<std::string> translateFlags(llvm::ArrayRef<std::string> Flags,
                                        std::string &Notes);

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_FOREIGNFLAGS_H
