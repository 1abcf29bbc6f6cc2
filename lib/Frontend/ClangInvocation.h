//===- ClangInvocation.h - Source to module, through Clang ------*- C++ -*-===//

#ifndef HEDDLE_LIB_FRONTEND_CLANGINVOCATION_H
#define HEDDLE_LIB_FRONTEND_CLANGINVOCATION_H

#include "heddle/Frontend/Compiler.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace heddle {

/// The folder in which the files of EmbeddedFiles.h appear to Clang.
inline constexpr char VirtualFolder[] = "/__heddle";

/// What Clang makes of a file. Errors in one kernel do not stop the others.
struct ClangResult {
  std::unique_ptr<llvm::Module> Module; ///< unoptimised, may lack kernels
  std::string Warnings;                 ///< and errors that did not stop it
  std::string Assumptions;              ///< those of Warnings, also alone
  std::vector<RefusedKernel> Refused;
};

/// Runs Clang in process with the driver arguments \p Args (without the name of
/// the program) and yields unoptimised IR. An error holds the diagnostics as
/// Clang prints them: nothing was compiled. \p Text, if not empty, stands for
/// what the file \p Path holds. With \p GuessMacros a name that nothing
/// declares is given the first value that the project's files have for it.
llvm::Expected<ClangResult> runClang(llvm::LLVMContext &Context,
                                     const std::string &Path,
                                     const std::vector<std::string> &Args,
                                     const std::string &Text = "",
                                     bool GuessMacros = false);

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_CLANGINVOCATION_H
