//===- MissingInstances.cpp - Templates that broken code names
//-------------===//

#include "MissingInstances.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/TemplateDeduction.h"

using namespace llvm;

namespace heddle {

static void request(clang::Sema &S, const clang::OverloadExpr &Name) {
  if (!Name.hasExplicitTemplateArgs())
    return;
  clang::TemplateArgumentListInfo Arguments;
  Name.copyTemplateArgumentsInto(Arguments);
  for (const clang::TemplateArgumentLoc &A : Arguments.arguments())
    if (A.getArgument().isDependent())
      return;
  for (clang::NamedDecl *D : Name.decls()) {
    auto *Template =
        dyn_cast<clang::FunctionTemplateDecl>(D->getUnderlyingDecl());
    if (!Template || Template->isInvalidDecl())
      continue;
    clang::sema::TemplateDeductionInfo Info(Name.getNameLoc());
    clang::FunctionDecl *Instance = nullptr;
    if (S.DeduceTemplateArguments(Template, &Arguments, Instance, Info) !=
            clang::TemplateDeductionResult::Success ||
        !Instance || Instance->isInvalidDecl() ||
        Instance->getTemplateSpecializationKind() != clang::TSK_Undeclared)
      continue;
    Instance->setTemplateSpecializationKind(clang::TSK_ImplicitInstantiation,
                                            Name.getNameLoc());
    Instance->setInstantiationIsPending(true);
    S.PendingInstantiations.push_back({Instance, Name.getNameLoc()});
  }
}

static void visit(clang::Sema &S, const clang::Stmt *Code, bool InError) {
  if (!Code)
    return;
  if (const auto *E = dyn_cast<clang::Expr>(Code))
    InError |= E->containsErrors();
  if (const auto *Name = dyn_cast<clang::OverloadExpr>(Code); Name && InError)
    request(S, *Name);
  for (const clang::Stmt *Child : Code->children())
    visit(S, Child, InError);
}

void requestMissingInstances(clang::Sema &S, clang::Decl *D) {
  if (auto *F = dyn_cast<clang::FunctionDecl>(D)) {
    if (F->doesThisDeclarationHaveABody() && !F->isDependentContext())
      visit(S, F->getBody(), false);
  } else if (isa<clang::NamespaceDecl, clang::LinkageSpecDecl,
                 clang::CXXRecordDecl>(D)) {
    for (clang::Decl *Child : cast<clang::DeclContext>(D)->decls())
      requestMissingInstances(S, Child);
  }
}

} // namespace heddle
