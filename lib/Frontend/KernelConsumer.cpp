//===- KernelConsumer.cpp - Only whole kernels reach code gen -------------===//

#include "KernelConsumer.h"
#include "ClangInvocation.h"
#include "ErrorLog.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/TemplateDeduction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace heddle {

namespace {
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
} // namespace

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
  // An error of the template is one of all its instances; another instance's is
  // not.
  auto IsOfF = [&](const clang::FunctionDecl *Around) {
    return Around->getCanonicalDecl() == F->getCanonicalDecl() ||
           Around->getCanonicalDecl() == Pattern->getCanonicalDecl();
  };
  auto IsOfOther = [&](const clang::FunctionDecl *Around) {
    return patternOf(Around)->getCanonicalDecl() == Pattern->getCanonicalDecl();
  };
  for (const auto &[Index, E] : enumerate(Log.errors())) {
    bool Inside = any_of(E.Functions, IsOfF);
    if (!Inside && any_of(E.Functions, IsOfOther))
      continue;
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
    // Clang leaves an instance without a body where a statement has an error.
    for (clang::FunctionDecl *F : T->specializations())
      if ((F->doesThisDeclarationHaveABody() || F->isInvalidDecl()) &&
          !is_contained(Functions, F))
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
  if (isa_and_nonnull<clang::ClassTemplateSpecializationDecl>(Record) &&
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
  for (clang::Decl *D : Group)
    addEmitted(D);
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
  addEmitted(D);
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
  addEmitted(D);
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

/// Whether \p F is of the host's own headers, or of ours for the API. Host
/// functions in others, which a build may call system headers too, launch
/// kernels of their own, and the bodies say which instances there are. So do
/// those of Thrust and CUB wherever they lie.
static bool isOfHost(StringRef File) {
  if (File.contains("/thrust/") || File.contains("/cub/"))
    return false;
  return File.starts_with(VirtualFolder) ||
         (File.starts_with("/usr/") &&
          !File.starts_with("/usr/local/include/"));
}

bool KernelConsumer::shouldSkipFunctionBody(clang::Decl *D) {
  const clang::FunctionDecl *F = D->getAsFunction();
  const clang::SourceManager &Sources = Context->getSourceManager();
  if (!F || !Context->getLangOpts().CUDA || isDevice(*F) ||
      !Sources.isInSystemHeader(F->getLocation()))
    return false;
  const StringRef File =
      Sources.getFilename(Sources.getFileLoc(F->getLocation()));
  // A function that is no template names kernels whether it is called or not,
  // which are of interest in programs alone.
  const bool IsProgram =
      TheSema && TheSema->getPreprocessor().isMacroDefined("__HEDDLE_CC__");
  return isOfHost(File) || (!IsProgram && !File.starts_with(VirtualFolder) &&
                            !F->isDependentContext());
}

namespace {
/// nvcc aligns an access through a cast as the type that is cast to. Clang
/// takes the alignment of the variable where it sees one, so that a float4 of
/// an array of float is four loads. A cast by way of void, which no variable is
/// seen through, has the type's.
class CastAlignment {
public:
  explicit CastAlignment(clang::ASTContext &Context) : Context(Context) {}
  void visit(clang::Stmt *S) {
    if (!S)
      return;
    for (clang::Stmt *Child : S->children())
      visit(Child);
    if (auto *Cast = dyn_cast<clang::ExplicitCastExpr>(S))
      align(*Cast);
  }

private:
  void align(clang::ExplicitCastExpr &Cast) const {
    const clang::QualType To = Cast.getType();
    clang::Expr *Of = Cast.getSubExpr();
    if (Cast.getCastKind() == clang::CK_BitCast && To->isPointerType() &&
        isStricter(To->getPointeeType(), Of->getType()->getPointeeType()))
      Cast.setSubExpr(byVoid(Of));
    else if (Cast.getCastKind() == clang::CK_LValueBitCast &&
             isStricter(To, Of->getType()))
      Cast.setSubExpr(referenceByVoid(Of, To));
  }
  bool isStricter(clang::QualType To, clang::QualType From) const {
    auto known = [](clang::QualType T) {
      return !T.isNull() && !T->isIncompleteType() && !T->isFunctionType() &&
             !T->isDependentType();
    };
    return known(To) && known(From) &&
           Context.getTypeAlign(To) > Context.getTypeAlign(From);
  }
  clang::Expr *cast(clang::Expr *E, clang::QualType T) const {
    return clang::ImplicitCastExpr::Create(Context, T, clang::CK_BitCast, E,
                                           nullptr, clang::VK_PRValue,
                                           clang::FPOptionsOverride());
  }
  clang::Expr *byVoid(clang::Expr *E) const {
    return cast(E, Context.getPointerType(Context.getQualifiedType(
                       Context.VoidTy,
                       E->getType()->getPointeeType().getQualifiers())));
  }
  /// *(T *)(void *)&E
  clang::Expr *referenceByVoid(clang::Expr *E, clang::QualType T) const {
    clang::Expr *Place = clang::UnaryOperator::Create(
        Context, E, clang::UO_AddrOf, Context.getPointerType(E->getType()),
        clang::VK_PRValue, clang::OK_Ordinary, E->getExprLoc(), false,
        clang::FPOptionsOverride());
    return clang::UnaryOperator::Create(
        Context, cast(byVoid(Place), Context.getPointerType(T)),
        clang::UO_Deref, T, clang::VK_LValue, clang::OK_Ordinary,
        E->getExprLoc(), false, clang::FPOptionsOverride());
  }

  clang::ASTContext &Context;
};
} // namespace

void KernelConsumer::addEmitted(clang::Decl *D) {
  if (auto *F = dyn_cast<clang::FunctionDecl>(D))
    Emitted.push_back(F);
  else if (isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(D))
    for (clang::Decl *Child : cast<clang::DeclContext>(D)->decls())
      addEmitted(Child);
}

void KernelConsumer::alignCasts() {
  CastAlignment Casts(*Context);
  const clang::SourceManager &Sources = Context->getSourceManager();
  // Host functions of the user's may hold kernels' lambdas.
  for (clang::FunctionDecl *F : Emitted)
    if (F->doesThisDeclarationHaveABody() && !F->isDependentContext() &&
        (isDevice(*F) || !Sources.isInSystemHeader(F->getLocation())))
      Casts.visit(F->getBody());
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
  if (Given.getLangOpts().CUDA)
    alignCasts();
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
