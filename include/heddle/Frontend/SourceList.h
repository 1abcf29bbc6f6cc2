//===- SourceList.h - The sources of a folder or a build --------*- C++ -*-===//

#ifndef HEDDLE_FRONTEND_SOURCELIST_H
#define HEDDLE_FRONTEND_SOURCELIST_H

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace heddle {

struct SourceFile {
  std::string Path;
  std::vector<std::string> ClangArgs; ///< that the build gives the file
};

/// The sources that \p Input names: a source itself; every .cl, .ocl, .cu, .ll
/// and .bc file below a folder, and host code in C or C++ that holds OpenCL in
/// its strings, in order of their paths; or the CUDA, OpenCL
/// and IR entries of a compile_commands.json, each with its -D, -U, -I,
/// -isystem, -include and -std. Errors: nothing of that kind there, a
/// database that is not one.
llvm::Expected<std::vector<SourceFile>> listSources(const std::string &Input);

/// Whether \p Input is a folder or a compile_commands.json.
bool namesManySources(const std::string &Input);

} // namespace heddle

#endif // HEDDLE_FRONTEND_SOURCELIST_H
