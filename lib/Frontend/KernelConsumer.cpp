//===- KernelConsumer.cpp - Only whole kernels reach code gen -------------===//

#include "KernelConsumer.h"

#include "BrokenFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/TemplateDeduction.h"
#include "llvm/Support/raw_ostream.h"

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

/// Clang instantiates no template for an expression that has an error. Host
/// code may have errors here that a build would not (a header that is not
/// there), and its launches say which kernels there are: "kernel<float,
/// 256><<<...>>>(...)" with an argument that is not understood still names an
/// instance. Asks \p S for the function templates that code in \p D names
/// with all their arguments, inside of expressions with errors.
static void requestMissingInstances(clang::Sema &S, clang::Decl *D) {
  if (auto *F = dyn_cast<clang::FunctionDecl>(D)) {
    if (F->doesThisDeclarationHaveABody() && !F->isDependentContext())
      visit(S, F->getBody(), false);
  } else if (isa<clang::NamespaceDecl, clang::LinkageSpecDecl,
                 clang::CXXRecordDecl>(D)) {
    for (clang::Decl *Child : cast<clang::DeclContext>(D)->decls())
      requestMissingInstances(S, Child);
  }
}

static bool isKernel(const clang::FunctionDecl &F) {
  return F.hasAttr<clang::CUDAGlobalAttr>() ||
         F.hasAttr<clang::DeviceKernelAttr>();
}

bool KernelConsumer::isDevice(const clang::FunctionDecl &F) const {
  return !Context->getLangOpts().CUDA || F.hasAttr<clang::CUDADeviceAttr>() ||
         isKernel(F);
}

std::string KernelConsumer::positionOf(const clang::Decl &D) const {
  clang::PresumedLoc Loc =
      Context->getSourceManager().getPresumedLoc(D.getLocation());
  if (Loc.isInvalid())
    return "";
  return (Twine(Loc.getFilename()) + ":" + Twine(Loc.getLine())).str();
}

static std::string nameOf(const clang::FunctionDecl &F) {
  std::string Name;
  raw_string_ostream Stream(Name);
  clang::PrintingPolicy Policy(F.getASTContext().getLangOpts());
  F.getNameForDiagnostic(Stream, Policy, /*Qualified=*/true);
  return Name;
}

void KernelConsumer::Initialize(clang::ASTContext &Given) {
  Context = &Given;
  MultiplexConsumer::Initialize(Given);
}

void KernelConsumer::InitializeSema(clang::Sema &S) {
  TheSema = &S;
  MultiplexConsumer::InitializeSema(S);
}

void KernelConsumer::ForgetSema() {
  TheSema = nullptr;
  MultiplexConsumer::ForgetSema();
}

void KernelConsumer::addFunctions(clang::Decl *D) {
  if (auto *F = dyn_cast<clang::FunctionDecl>(D)) {
    if (F->doesThisDeclarationHaveABody() && !F->isDependentContext())
      Functions.push_back(F);
  } else if (auto *T = dyn_cast<clang::FunctionTemplateDecl>(D)) {
    if (isKernel(*T->getTemplatedDecl()) && T->isThisDeclarationADefinition())
      KernelTemplates.push_back(T->getTemplatedDecl());
    for (clang::FunctionDecl *F : T->specializations())
      if (F->doesThisDeclarationHaveABody() && !is_contained(Functions, F))
        Functions.push_back(F);
  } else if (isa<clang::NamespaceDecl, clang::LinkageSpecDecl,
                 clang::CXXRecordDecl>(D)) {
    for (clang::Decl *Child : cast<clang::DeclContext>(D)->decls())
      addFunctions(Child);
  }
}

/// CUDA's texture and surface references are written like host variables.
static void moveToDevice(clang::Decl *D) {
  auto *V = dyn_cast<clang::VarDecl>(D);
  if (!V || V->hasAttr<clang::CUDADeviceAttr>() || V->isInvalidDecl())
    return;
  const clang::CXXRecordDecl *Record = V->getType()->getAsCXXRecordDecl();
  if (Record && isa<clang::ClassTemplateSpecializationDecl>(Record) &&
      Record->getDeclContext()->isTranslationUnit() &&
      (Record->getName() == "texture" || Record->getName() == "surface"))
    V->addAttr(clang::CUDADeviceAttr::CreateImplicit(V->getASTContext()));
}

bool KernelConsumer::HandleTopLevelDecl(clang::DeclGroupRef Group) {
  Log.forget();
  if (Context->getLangOpts().CUDA)
    for (clang::Decl *D : Group)
      moveToDevice(D);
  if (TheSema && Context->getLangOpts().CUDA &&
      Log.errors().size() > ErrorsSeen) {
    ErrorsSeen = Log.errors().size();
    for (clang::Decl *D : Group)
      requestMissingInstances(*TheSema, D);
  }
  Held.push_back([this, Group] {
    // A declaration that is not whole leaves no code.
    SmallVector<clang::Decl *, 4> Whole;
    for (clang::Decl *D : Group) {
      bool IsWhole = !D->isInvalidDecl();
      if (auto *V = dyn_cast<clang::VarDecl>(D))
        IsWhole &= !V->getInit() || !V->getInit()->containsErrors();
      if (IsWhole)
        Whole.push_back(D);
    }
    for (clang::Decl *D : Whole)
      Consumers.front()->HandleTopLevelDecl(clang::DeclGroupRef(D));
  });
  return true;
}

void KernelConsumer::HandleInlineFunctionDefinition(clang::FunctionDecl *D) {
  Log.forget();
  Held.push_back([this, D] {
    if (!D->isInvalidDecl())
      Consumers.front()->HandleInlineFunctionDefinition(D);
  });
}

void KernelConsumer::HandleInterestingDecl(clang::DeclGroupRef Group) {
  HandleTopLevelDecl(Group);
}

void KernelConsumer::HandleTagDeclDefinition(clang::TagDecl *D) {
  Held.push_back([this, D] { Consumers.front()->HandleTagDeclDefinition(D); });
}

void KernelConsumer::HandleTagDeclRequiredDefinition(const clang::TagDecl *D) {
  Held.push_back(
      [this, D] { Consumers.front()->HandleTagDeclRequiredDefinition(D); });
}

void KernelConsumer::HandleCXXImplicitFunctionInstantiation(
    clang::FunctionDecl *D) {
  Held.push_back([this, D] {
    Consumers.front()->HandleCXXImplicitFunctionInstantiation(D);
  });
}

void KernelConsumer::HandleCXXStaticMemberVarInstantiation(clang::VarDecl *D) {
  Held.push_back([this, D] {
    if (!D->isInvalidDecl())
      Consumers.front()->HandleCXXStaticMemberVarInstantiation(D);
  });
}

void KernelConsumer::CompleteTentativeDefinition(clang::VarDecl *D) {
  Held.push_back([this, D] {
    if (!D->isInvalidDecl())
      Consumers.front()->CompleteTentativeDefinition(D);
  });
}

void KernelConsumer::CompleteExternalDeclaration(clang::DeclaratorDecl *D) {
  Held.push_back([this, D] {
    if (!D->isInvalidDecl())
      Consumers.front()->CompleteExternalDeclaration(D);
  });
}

void KernelConsumer::AssignInheritanceModel(clang::CXXRecordDecl *D) {
  Held.push_back([this, D] { Consumers.front()->AssignInheritanceModel(D); });
}

void KernelConsumer::HandleVTable(clang::CXXRecordDecl *D) {
  Held.push_back([this, D] { Consumers.front()->HandleVTable(D); });
}

bool KernelConsumer::shouldSkipFunctionBody(clang::Decl *D) {
  const clang::FunctionDecl *F = D->getAsFunction();
  return F && Context->getLangOpts().CUDA && !isDevice(*F) &&
         Context->getSourceManager().isInSystemHeader(F->getLocation());
}

/// Takes the bodies of functions that must not reach code generation.
void KernelConsumer::findBroken() {
  for (clang::Decl *D : Context->getTranslationUnitDecl()->decls())
    addFunctions(D);
  BrokenFunctions Broken(Context->getSourceManager(), Log);
  SmallVector<clang::FunctionDecl *, 8> Bad;
  for (clang::FunctionDecl *F : Functions) {
    if (!isDevice(*F))
      continue;
    bool IsExcluded = Excluded.contains(positionOf(*F));
    if (!IsExcluded && (Log.errors().empty() || !Broken.isBroken(F)))
      continue;
    Bad.push_back(F);
    if (isKernel(*F)) {
      RefusedSource &R = Refused.emplace_back(
          RefusedSource{nameOf(*F), positionOf(*F), {}, false});
      if (!IsExcluded)
        append_range(R.Errors, Broken.reasons(F));
    }
  }
  for (unsigned I = 0; I < Log.errors().size(); ++I)
    ConcernsKernel.push_back(Broken.concernsKernel(I));
  for (clang::FunctionDecl *F : Bad)
    F->setBody(nullptr);
  for (const clang::FunctionDecl *Pattern : KernelTemplates) {
    auto Instances = Pattern->getDescribedFunctionTemplate()->specializations();
    if (none_of(Instances,
                [](const clang::FunctionDecl *F) {
                  return F->getTemplateSpecializationKind() !=
                             clang::TSK_Undeclared &&
                         F->isDefined();
                }) &&
        none_of(Refused, [&](const RefusedSource &R) {
          return R.Position == positionOf(*Pattern);
        })) {
      Refused.emplace_back(
          RefusedSource{nameOf(*Pattern), positionOf(*Pattern), {}, true});
    }
  }
}

void KernelConsumer::HandleTranslationUnit(clang::ASTContext &Given) {
  Log.forget();
  findBroken();
  for (const std::function<void()> &Event : Held)
    Event();
  Held.clear();
  MultiplexConsumer::HandleTranslationUnit(Given);
}

std::string KernelConsumer::functionAt(clang::SourceLocation Loc) const {
  const clang::SourceManager &Sources = Context->getSourceManager();
  for (const clang::FunctionDecl *F : Functions) {
    clang::SourceRange Range = F->getSourceRange();
    if (Loc.isValid() && Range.isValid() &&
        !Sources.isBeforeInTranslationUnit(Loc, Range.getBegin()) &&
        !Sources.isBeforeInTranslationUnit(Range.getEnd(), Loc))
      return positionOf(*F);
  }
  return "";
}

} // namespace heddle
