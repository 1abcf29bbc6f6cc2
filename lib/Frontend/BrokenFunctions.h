//===- BrokenFunctions.h - What an error takes with it ----------*- C++ -*-===//

#ifndef HEDDLE_LIB_FRONTEND_BROKENFUNCTIONS_H
#define HEDDLE_LIB_FRONTEND_BROKENFUNCTIONS_H

#include "ErrorLog.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace clang {
class Stmt;
}

namespace heddle {

/// Tells which functions must not reach code generation: those that an error
/// is in, those that name an invalid declaration or type, and those that call
/// such a function.
class BrokenFunctions {
public:
  BrokenFunctions(clang::SourceManager &Sources, const ErrorLog &Log)
      : Sources(Sources), Log(Log) {}

  bool isBroken(const clang::FunctionDecl *F);
  /// Indices of the errors because of which \p F is broken; empty where an
  /// error of another declaration is the cause.
  const llvm::SetVector<unsigned> &reasons(const clang::FunctionDecl *F);
  /// Errors that lie in some function that isBroken was asked about, or in one
  /// that it calls.
  bool concernsKernel(unsigned Error) const { return Reached.contains(Error); }

private:
  struct State {
    bool Broken = false;
    llvm::SetVector<unsigned> Reasons;
  };
  State &visit(const clang::FunctionDecl *F);
  void visitBody(const clang::Stmt *S, State &Found);
  void call(const clang::FunctionDecl *F, State &Found);
  void visitType(clang::QualType T, State &Found);

  clang::SourceManager &Sources;
  const ErrorLog &Log;
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<State>> States;
  llvm::DenseSet<unsigned> Reached;
};

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_BROKENFUNCTIONS_H
