//===- ClangInvocation.h - Source to module, through Clang ------*- C++ -*-===//

#ifndef HEDDLE_LIB_FRONTEND_CLANGINVOCATION_H
#define HEDDLE_LIB_FRONTEND_CLANGINVOCATION_H

#include "heddle/Frontend/SourceText.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace heddle {

/// Functions of this name, with a number behind it, ask for instances.
inline constexpr llvm::StringLiteral InstanceFunction = "__heddle_instance_";

/// The folder in which the files of EmbeddedFiles.h appear to Clang.
inline constexpr char VirtualFolder[] = "/__heddle";
/// The same of sources that are on no disk.
inline constexpr char MemoryFolder[] = "/__memory";

/// What Clang makes of a file. Errors in one kernel do not stop the others.
struct ClangResult {
  std::unique_ptr<llvm::Module> Module; ///< unoptimised, may lack kernels
  std::string Warnings;                 ///< and errors that did not stop it
  std::string Assumptions;              ///< those of Warnings, also alone
  std::vector<RefusedKernel> Refused;
  std::vector<std::string> Files;   ///< that were read, those in memory as well
  std::vector<SourceText> Repaired; ///< what Clang read in place of files
};

struct ClangInput {
  std::string Text; ///< if not empty: stands for what the file holds
  /// Files beside those on disk, by their whole paths. If there are any, an
  /// error anywhere is one, and nothing is searched for or repaired.
  std::vector<SourceText> Files;
  /// A name that nothing declares is given the first value that the project's
  /// files have for it.
  bool GuessMacros = false;
  bool AllErrors = false; ///< with notes; else one message for each cause
};

/// Runs Clang in process with the driver arguments \p Args (without the name of
/// the program) and yields unoptimised IR. An error holds the diagnostics as
/// Clang prints them: nothing was compiled.
llvm::Expected<ClangResult> runClang(llvm::LLVMContext &Context,
                                     const std::string &Path,
                                     const std::vector<std::string> &Args,
                                     const ClangInput &Given = {});

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_CLANGINVOCATION_H
