//===- ErrorLog.h - Errors, by the function that they are in ----*- C++ -*-===//
//
// An error in one kernel must not stop the others, and one in host code stops
// none. So errors are collected here and forgotten by Clang; which kernels they
// reach is found out when the whole file has been read (BrokenFunctions.h).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_FRONTEND_ERRORLOG_H
#define HEDDLE_LIB_FRONTEND_ERRORLOG_H

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
class FunctionDecl;
} // namespace clang

namespace heddle {

struct LoggedError {
  std::string Text; ///< as Clang prints it, with its notes
  unsigned DiagID = 0;
  clang::SourceLocation Loc;      ///< in a file
  clang::SourceLocation ExactLoc; ///< may be inside of a macro
  /// Functions around the code being looked at, the innermost first.
  std::vector<const clang::FunctionDecl *> Functions;
  bool StopsFile = false; ///< #error, static_assert, broken off
  std::string MissingHeader;
  std::string Undeclared;    ///< an identifier that nothing declares
  bool NeedsLinking = false; ///< device code launches a kernel: -fgpu-rdc
};

class ErrorLog : public clang::DiagnosticConsumer {
public:
  explicit ErrorLog(clang::CompilerInstance &Compiler);

  void BeginSourceFile(const clang::LangOptions &Options,
                       const clang::Preprocessor *PP) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

  /// Lets Clang go on as if nothing had happened.
  void forget();

  const std::vector<LoggedError> &errors() const { return Errors; }
  const std::string &warnings() const { return Warnings; }
  /// Everything that Clang printed, in order.
  const std::string &text() const { return Text; }

private:
  void record(clang::DiagnosticsEngine::Level Level,
              const clang::Diagnostic &Info);

  clang::CompilerInstance &Compiler;
  std::string Text;
  llvm::raw_string_ostream Stream{Text};
  std::unique_ptr<clang::TextDiagnosticPrinter> Printer;
  std::vector<LoggedError> Errors;
  std::string Warnings;
  bool LastWasError = false;
};

/// \p Errors with one message for each cause: a line of the user's own file
/// first, also where the error is in a header of ours, then the code, and how
/// often the cause was met. At most three causes; a note counts the others.
std::string briefErrors(llvm::ArrayRef<const LoggedError *> Errors);

/// The line of Clang's text \p Text of an error that says what is wrong, not
/// those that say which header includes which.
std::string errorLine(llvm::StringRef Text);

/// What is to be done about names that our headers lack and a toolkit's may
/// have; a line each.
std::string adviseOnToolkit(llvm::ArrayRef<const LoggedError *> Errors);

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_ERRORLOG_H
