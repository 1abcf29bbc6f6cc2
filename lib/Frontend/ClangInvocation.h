//===- ClangInvocation.h - Source to module, through Clang ------*- C++ -*-===//

#ifndef HEDDLE_LIB_FRONTEND_CLANGINVOCATION_H
#define HEDDLE_LIB_FRONTEND_CLANGINVOCATION_H

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace heddle {

/// The folder in which the files of EmbeddedFiles.h appear to Clang.
inline constexpr char VirtualFolder[] = "/__heddle";

/// Runs Clang in process with the driver arguments \p Args (without the name of
/// the program) and yields unoptimised IR. An error holds the diagnostics as
/// Clang prints them; on success \p Warnings does.
llvm::Expected<std::unique_ptr<llvm::Module>>
runClang(llvm::LLVMContext &Context, const std::string &Path,
         const std::vector<std::string> &Args, std::string &Warnings);

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_CLANGINVOCATION_H
