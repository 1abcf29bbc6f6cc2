//===- KernelConsumer.h - Only whole kernels reach code gen -----*- C++ -*-===//

#ifndef HEDDLE_LIB_FRONTEND_KERNELCONSUMER_H
#define HEDDLE_LIB_FRONTEND_KERNELCONSUMER_H

#include "ErrorLog.h"

#include "clang/Frontend/MultiplexConsumer.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace heddle {

/// A kernel of the source that cannot be compiled.
struct RefusedSource {
  std::string Name;
  std::string Position;         ///< FILE:LINE
  std::vector<unsigned> Errors; ///< indices into ErrorLog::errors()
  bool IsTemplate = false;      ///< that nothing instantiates
};

/// Holds back what the parser hands to code generation until the file has been
/// read. Then it passes on all but the declarations that errors lie in, with
/// casts of pointers as nvcc aligns them.
class KernelConsumer : public clang::MultiplexConsumer {
public:
  /// \p Excluded: kernels (Position) that code generation failed for before.
  KernelConsumer(std::unique_ptr<clang::ASTConsumer> CodeGen, ErrorLog &Log,
                 const std::set<std::string> &Excluded)
      : MultiplexConsumer(std::move(CodeGen)), Log(Log), Excluded(Excluded) {}

  void Initialize(clang::ASTContext &Context) override;
  void InitializeSema(clang::Sema &S) override;
  void ForgetSema() override;
  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override;
  void HandleInlineFunctionDefinition(clang::FunctionDecl *D) override;
  void HandleInterestingDecl(clang::DeclGroupRef Group) override;
  void HandleTranslationUnit(clang::ASTContext &Context) override;
  void HandleTagDeclDefinition(clang::TagDecl *D) override;
  void HandleTagDeclRequiredDefinition(const clang::TagDecl *D) override;
  void HandleCXXImplicitFunctionInstantiation(clang::FunctionDecl *D) override;
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl *D) override;
  void CompleteTentativeDefinition(clang::VarDecl *D) override;
  void CompleteExternalDeclaration(clang::DeclaratorDecl *D) override;
  void AssignInheritanceModel(clang::CXXRecordDecl *D) override;
  void HandleVTable(clang::CXXRecordDecl *D) override;
  /// Host functions of the system's headers are never called, those of our own
  /// algorithms are.
  bool shouldSkipFunctionBody(clang::Decl *D) override;

  const std::vector<RefusedSource> &refused() const { return Refused; }
  /// Per error: whether a kernel, or what it calls, has it.
  const std::vector<bool> &concernsKernel() const { return ConcernsKernel; }
  /// FILE:LINE of the function around \p Loc, or "".
  std::string functionAt(clang::SourceLocation Loc) const;

private:
  void addFunctions(clang::Decl *D);
  void findBroken();
  void addEmitted(clang::Decl *D);
  void alignCasts();
  bool isDevice(const clang::FunctionDecl &F) const;
  std::string positionOf(const clang::Decl &D) const;

  ErrorLog &Log;
  const std::set<std::string> &Excluded;
  clang::ASTContext *Context = nullptr;
  clang::Sema *TheSema = nullptr; ///< while the file is read
  size_t ErrorsSeen = 0; ///< of Log, when names of instances were looked for
  std::vector<std::function<void()>> Held;
  std::vector<clang::FunctionDecl *> Functions;
  std::vector<clang::FunctionDecl *> Emitted; ///< among what is held
  std::vector<const clang::FunctionDecl *> KernelTemplates;
  std::vector<RefusedSource> Refused;
  std::vector<bool> ConcernsKernel;
};

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_KERNELCONSUMER_H
