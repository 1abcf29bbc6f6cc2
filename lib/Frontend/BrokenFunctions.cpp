//===- BrokenFunctions.cpp - What an error takes with it ------------------===//

#include "BrokenFunctions.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"

using namespace llvm;

namespace heddle {

/// The function as it stands in the source.
static const clang::FunctionDecl *patternOf(const clang::FunctionDecl *F) {
  if (const clang::FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
    return Pattern;
  return F;
}

bool BrokenFunctions::isBroken(const clang::FunctionDecl *F) {
  return visit(F).Broken;
}

const SetVector<unsigned> &
BrokenFunctions::reasons(const clang::FunctionDecl *F) {
  return visit(F).Reasons;
}

BrokenFunctions::State &BrokenFunctions::visit(const clang::FunctionDecl *F) {
  F = F->getDefinition() ? F->getDefinition() : F;
  std::unique_ptr<State> &Known = States[F];
  if (Known)
    return *Known; // also ends a recursion
  Known = std::make_unique<State>();
  State &Found = *Known;
  const clang::FunctionDecl *Pattern = patternOf(F);
  clang::SourceRange Range = Pattern->getSourceRange();
  for (const auto &[Index, E] : enumerate(Log.errors())) {
    bool Inside = any_of(E.Functions, [&](const clang::FunctionDecl *Around) {
      return Around->getCanonicalDecl() == F->getCanonicalDecl() ||
             patternOf(Around)->getCanonicalDecl() ==
                 Pattern->getCanonicalDecl();
    });
    if (!Inside && E.Loc.isValid() && Range.isValid())
      Inside = !Sources.isBeforeInTranslationUnit(
                   E.Loc, Sources.getExpansionLoc(Range.getBegin())) &&
               !Sources.isBeforeInTranslationUnit(
                   Sources.getExpansionLoc(Range.getEnd()), E.Loc);
    if (Inside) {
      Found.Broken = true;
      Found.Reasons.insert(Index);
      Reached.insert(Index);
    }
  }
  Found.Broken |= F->isInvalidDecl() || Pattern->isInvalidDecl();
  for (const clang::ParmVarDecl *Parameter : F->parameters())
    visitType(Parameter->getType(), Found);
  visitType(F->getReturnType(), Found);
  if (const auto *Constructor = dyn_cast<clang::CXXConstructorDecl>(F))
    for (const clang::CXXCtorInitializer *Init : Constructor->inits())
      visitBody(Init->getInit(), Found);
  visitBody(F->getBody(), Found);
  return Found;
}

void BrokenFunctions::call(const clang::FunctionDecl *F, State &Found) {
  if (!F->hasBody() && !F->isInvalidDecl())
    return;
  const State &Callee = visit(F);
  Found.Broken |= Callee.Broken;
  Found.Reasons.insert(Callee.Reasons.begin(), Callee.Reasons.end());
}

void BrokenFunctions::visitType(clang::QualType T, State &Found) {
  while (!T.isNull()) {
    if (const auto *Alias = T->getAs<clang::TypedefType>()) {
      Found.Broken |= Alias->getDecl()->isInvalidDecl();
      T = Alias->desugar();
      continue;
    }
    if (T->isPointerType() || T->isReferenceType()) {
      T = T->getPointeeType();
      continue;
    }
    if (const clang::ArrayType *Array = T->getAsArrayTypeUnsafe()) {
      T = Array->getElementType();
      continue;
    }
    if (const clang::CXXRecordDecl *Record = T->getAsCXXRecordDecl())
      Found.Broken |= Record->isInvalidDecl();
    return;
  }
}

void BrokenFunctions::visitBody(const clang::Stmt *S, State &Found) {
  if (!S)
    return;
  if (const auto *E = dyn_cast<clang::Expr>(S)) {
    Found.Broken |= E->containsErrors();
    visitType(E->getType(), Found);
    const clang::Decl *Named = nullptr;
    if (const auto *Reference = dyn_cast<clang::DeclRefExpr>(E))
      Named = Reference->getDecl();
    else if (const auto *Member = dyn_cast<clang::MemberExpr>(E))
      Named = Member->getMemberDecl();
    else if (const auto *Construct = dyn_cast<clang::CXXConstructExpr>(E))
      Named = Construct->getConstructor();
    if (Named) {
      Found.Broken |= Named->isInvalidDecl();
      if (const auto *F = dyn_cast<clang::FunctionDecl>(Named))
        call(F, Found);
    }
  }
  if (const auto *Declaration = dyn_cast<clang::DeclStmt>(S))
    for (const clang::Decl *D : Declaration->decls()) {
      Found.Broken |= D->isInvalidDecl();
      if (const auto *Variable = dyn_cast<clang::VarDecl>(D))
        visitType(Variable->getType(), Found);
    }
  for (const clang::Stmt *Child : S->children())
    visitBody(Child, Found);
}

} // namespace heddle
