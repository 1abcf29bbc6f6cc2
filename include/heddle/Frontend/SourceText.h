//===- SourceText.h - Sources that are on no disk ---------------*- C++ -*-===//
//
// For programs that compile what they write themselves (NVRTC).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_FRONTEND_SOURCETEXT_H
#define HEDDLE_FRONTEND_SOURCETEXT_H

#include "heddle/Frontend/Compiler.h"

namespace heddle {

/// A CUDA source or a header. Diagnostics call it by its name.
struct SourceText {
  std::string Name, Text;
};

/// deviceBitcode() (heddle/Frontend/Compiler.h) of the first of \p Sources,
/// which includes the others by their names. Any error in them is one: nothing
/// is searched for or repaired, and the error holds all diagnostics. \p Files
/// gets the names of what was read, on disk or not. Without \p Sources it is
/// the file of \p Options, and \p Repaired gets the files of which Clang was
/// given another text than they have; its host side needs them as well.
llvm::Expected<std::string>
deviceBitcode(const CompileOptions &Options, llvm::ArrayRef<SourceText> Sources,
              std::string &Warnings, std::vector<std::string> &Files,
              std::vector<SourceText> *Repaired = nullptr);

} // namespace heddle

#endif // HEDDLE_FRONTEND_SOURCETEXT_H
