//===- LoopRotated.cpp - Asking ScalarEvolution once more -----------------===//
//
// Rotation turns a loop that is tested at the top into a guarded one that is
// tested at the bottom. ScalarEvolution understands some loops only before,
// others only after. The copy lives in a module of its own, so that nothing of
// it shows.
//
//===----------------------------------------------------------------------===//

#include "LoopExits.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace heddle {

/// Kernels of more instructions are not copied.
static constexpr unsigned MaxInstructions = 20000;
static constexpr char Mark[] = "heddle.loop";

static void markLoops(Function &F, KernelExpressions &X,
                      ValueToValueMapTy &Map) {
  LLVMContext &Context = F.getContext();
  for (unsigned N = 0; N < X.numLoops(); ++N) {
    const BasicBlock *Latch = X.loop(N)->getLoopLatch();
    if (!Latch)
      continue;
    auto *Number =
        ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(Context), N));
    MDNode *Property =
        MDNode::get(Context, {MDString::get(Context, Mark), Number});
    MDNode *Id = MDNode::getDistinct(Context, {nullptr, Property});
    Id->replaceOperandWith(0, Id);
    cast<BasicBlock>(Map[Latch])
        ->getTerminator()
        ->setMetadata(LLVMContext::MD_loop, Id);
  }
}

static std::optional<unsigned> markOf(const Loop &L) {
  const MDNode *Id = L.getLoopID();
  for (unsigned I = 1; Id && I < Id->getNumOperands(); ++I) {
    const auto *Property = dyn_cast<MDNode>(Id->getOperand(I));
    if (!Property || Property->getNumOperands() != 2)
      continue;
    const auto *Name = dyn_cast<MDString>(Property->getOperand(0));
    if (Name && Name->getString() == Mark)
      return mdconst::extract<ConstantInt>(Property->getOperand(1))
          ->getZExtValue();
  }
  return std::nullopt;
}

/// \p E of the copy's pool as a formula of the kernel's; null if it depends
/// on anything of the copy itself.
static const Expr *import(const Expr *E, const std::vector<int> &LoopOf,
                          ExprPool &Pool, unsigned Depth = 0) {
  if (E->dependsOn(OnData | OnOpaque | OnState) || Depth > 100)
    return nullptr;
  switch (E->Op) {
  case ExprOp::Constant:
    return Pool.constant(E->Payload, E->Bits, E->IsFloat);
  case ExprOp::Argument:
  case ExprOp::Field:
    return Pool.leaf(E->Op, E->Payload, E->Bits, E->IsFloat);
  case ExprOp::Special:
    return Pool.special(SpecialValue(E->Payload), E->Bits);
  case ExprOp::Iteration:
    return LoopOf[E->Payload] < 0 ? nullptr
                                  : Pool.iteration(LoopOf[E->Payload]);
  case ExprOp::Object:
  case ExprOp::StateAt:
  case ExprOp::FirstTrue:
    return nullptr;
  default:
    break;
  }
  SmallVector<const Expr *, 3> Operands;
  for (const Expr *Operand : E->Operands) {
    const Expr *New = import(Operand, LoopOf, Pool, Depth + 1);
    if (!New)
      return nullptr;
    Operands.push_back(New);
  }
  if (Operands.size() == 2 && !E->IsFloat && E->Op != ExprOp::Compare)
    return Pool.binary(E->Op, Operands[0], Operands[1]);
  return Pool.node(E->Op, E->Bits, E->IsFloat, Operands, E->Payload);
}

/// \p Count, or 0 where the test at the top of \p L does not hold at first: the
/// copy has a guard in its place.
static const Expr *ifEntered(const Expr *Count, const Loop &L, unsigned Number,
                             KernelExpressions &X) {
  const BasicBlock *Top = L.getHeader();
  if (!L.isLoopExiting(Top))
    return Count;
  const Expr *Stay = X.pool().constant(0, 1);
  for (const BasicBlock *S : successors(Top))
    if (L.contains(S))
      Stay = X.pool().binary(ExprOp::Or, Stay, X.edgeCondition(Top, S));
  const Expr *First =
      X.pool().replaceIteration(Stay, Number, X.pool().constant(0, 64));
  if (!First || First->dependsOn(OnData | OnOpaque | OnState))
    return Count;
  return X.pool().select(First, Count, X.pool().constant(0, 64));
}

std::vector<const Expr *> boundsAfterRotation(KernelExpressions &X) {
  std::vector<const Expr *> Bounds(X.numLoops());
  if (X.function().getInstructionCount() > MaxInstructions)
    return Bounds;
  ValueToValueMapTy Map;
  std::unique_ptr<Module> Copy =
      CloneModule(*X.function().getParent(), Map,
                  [&](const GlobalValue *G) { return G == &X.function(); });
  auto &F = *cast<Function>(Map[&X.function()]);
  markLoops(F, X, Map);

  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  FunctionPassManager FPM;
  FPM.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
  FPM.addPass(createFunctionToLoopPassAdaptor(IndVarSimplifyPass()));
  FPM.run(F, FAM);

  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  KernelExpressions Rotated(F, FAM.getResult<DominatorTreeAnalysis>(F), LI, SE);
  std::vector<int> LoopOf(Rotated.numLoops(), -1);
  for (unsigned N = 0; N < Rotated.numLoops(); ++N)
    if (std::optional<unsigned> Number = markOf(*Rotated.loop(N)))
      LoopOf[N] = *Number;
  for (unsigned N = 0; N < Rotated.numLoops(); ++N) {
    if (LoopOf[N] < 0)
      continue;
    const Expr *E = Rotated.get(SE.getBackedgeTakenCount(Rotated.loop(N)));
    if (!E)
      continue;
    const Expr *In = import(E, LoopOf, X.pool());
    if (!In || In->dependsOnLoop(LoopOf[N]))
      continue;
    // The copy goes around once less where the test stood at the top.
    const Loop *L = X.loop(LoopOf[N]);
    bool TopTested = !L->isLoopExiting(L->getLoopLatch());
    bool NowBottom =
        Rotated.loop(N)->isLoopExiting(Rotated.loop(N)->getLoopLatch());
    In = X.pool().resize(In, 64, false);
    if (TopTested && NowBottom) {
      // With other exits, which are not tested later than before, the sum would
      // be one too high.
      if (!L->getExitingBlock())
        continue;
      In = X.pool().binary(ExprOp::Add, In, X.pool().constant(1, 64));
      In = ifEntered(In, *L, LoopOf[N], X);
    }
    Bounds[LoopOf[N]] = In;
  }
  return Bounds;
}

} // namespace heddle
