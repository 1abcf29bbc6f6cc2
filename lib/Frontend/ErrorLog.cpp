//===- ErrorLog.cpp - Errors, by the function that they are in ------------===//

#include "ErrorLog.h"

#include "clang/AST/Decl.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"

using namespace llvm;

namespace heddle {

ErrorLog::ErrorLog(clang::CompilerInstance &Compiler)
    : Compiler(Compiler),
      Printer(std::make_unique<clang::TextDiagnosticPrinter>(
          Stream, Compiler.getInvocation().getDiagnosticOpts())) {}

void ErrorLog::BeginSourceFile(const clang::LangOptions &Options,
                               const clang::Preprocessor *PP) {
  Printer->BeginSourceFile(Options, PP);
}

void ErrorLog::EndSourceFile() { Printer->EndSourceFile(); }

void ErrorLog::forget() { Compiler.getDiagnostics().Reset(/*soft=*/true); }

void ErrorLog::HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                                const clang::Diagnostic &Info) {
  size_t Start = Text.size();
  Printer->HandleDiagnostic(Level, Info);
  StringRef Printed = StringRef(Text).substr(Start);
  if (Level >= clang::DiagnosticsEngine::Error)
    record(Level, Info);
  else if (Level != clang::DiagnosticsEngine::Note)
    LastWasError = false;
  if (LastWasError)
    Errors.back().Text += Printed;
  else
    Warnings += Printed;
}

void ErrorLog::record(clang::DiagnosticsEngine::Level Level,
                      const clang::Diagnostic &Info) {
  LastWasError = true;
  LoggedError &E = Errors.emplace_back();
  E.DiagID = Info.getID();
  E.ExactLoc = Info.getLocation();
  if (Info.hasSourceManager() && Info.getLocation().isValid())
    E.Loc = Info.getSourceManager().getExpansionLoc(Info.getLocation());
  if (Compiler.hasSema())
    for (const clang::DeclContext *Context = Compiler.getSema().CurContext;
         Context; Context = Context->getParent())
      if (const auto *F = dyn_cast<clang::FunctionDecl>(Context))
        E.Functions.push_back(F);
  auto FirstArgument = [&]() -> std::string {
    switch (Info.getNumArgs() ? Info.getArgKind(0)
                              : clang::DiagnosticsEngine::ak_uint) {
    case clang::DiagnosticsEngine::ak_std_string:
      return Info.getArgStdStr(0);
    case clang::DiagnosticsEngine::ak_c_string:
      return Info.getArgCStr(0);
    case clang::DiagnosticsEngine::ak_identifierinfo:
      return Info.getArgIdentifier(0)->getName().str();
    case clang::DiagnosticsEngine::ak_declarationname:
      return clang::DeclarationName::getFromOpaqueInteger(Info.getRawArg(0))
          .getAsString();
    default:
      return "";
    }
  };
  switch (Info.getID()) {
  case clang::diag::err_pp_file_not_found:
    E.MissingHeader = FirstArgument();
    // The parser has read one token ahead: the function that it is still in
    // may end before the directive. The position tells.
    E.Functions.clear();
    forget(); // the error is fatal to Clang, and has no notes
    return;
  case clang::diag::err_cuda_device_kernel_launch_require_rdc:
    E.NeedsLinking = true;
    return;
  case clang::diag::err_undeclared_var_use:
  case clang::diag::err_undeclared_use:
  case clang::diag::err_undeclared_var_use_suggest:
  case clang::diag::err_undeclared_use_suggest:
  case clang::diag::err_unknown_typename:
  case clang::diag::err_unknown_typename_suggest:
    E.Undeclared = FirstArgument();
    return;
  case clang::diag::err_pp_hash_error:
  case clang::diag::err_static_assert_failed:
  case clang::diag::err_static_assert_requirement_failed:
    E.StopsFile = E.Functions.empty();
    return;
  default:
    E.StopsFile = Level == clang::DiagnosticsEngine::Fatal;
  }
}

} // namespace heddle
