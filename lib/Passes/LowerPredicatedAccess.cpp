//===- LowerPredicatedAccess.cpp - Guarded loads and stores as branches ---===//
//
// Triton writes its accesses as inline assembly under a predicate:
//   mov.u32 $0, 0x0; @$2 ld.global.b32 { $0 }, [ $1 + 0 ];
// Such a call becomes a branch on the predicate around the access alone; what
// the first statements put into the results is what lanes without the
// predicate get.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <map>

using namespace llvm;

namespace heddle {

namespace {
/// The call taken apart.
struct GuardedAccess {
  CallInst *Call;
  unsigned NumOutputs = 0;
  Value *Guard = nullptr;
  bool Negated = false;
  std::string Access;                  ///< the guarded statement alone
  std::map<unsigned, Value *> Initial; ///< of outputs, for the other lanes
};
} // namespace

/// The argument that "$N" names; null for outputs and anything else.
static Value *argument(const GuardedAccess &G, StringRef Name) {
  unsigned Number;
  Name = Name.trim();
  if (!Name.consume_front("$") || Name.getAsInteger(10, Number) ||
      Number < G.NumOutputs || Number - G.NumOutputs >= G.Call->arg_size())
    return nullptr;
  return G.Call->getArgOperand(Number - G.NumOutputs);
}

static Type *outputType(const GuardedAccess &G, unsigned Number) {
  Type *T = G.Call->getType();
  if (auto *S = dyn_cast<StructType>(T))
    return S->getElementType(Number);
  return T;
}

/// "mov.u32 $0, 0x0": what output 0 holds first.
static bool addInitial(GuardedAccess &G, StringRef Operands) {
  auto [To, From] = Operands.split(',');
  unsigned Output;
  To = To.trim();
  if (!To.consume_front("$") || To.getAsInteger(10, Output) ||
      Output >= G.NumOutputs)
    return false;
  Type *T = outputType(G, Output);
  uint64_t Number;
  if (!From.trim().getAsInteger(0, Number) && T->isIntegerTy()) {
    G.Initial[Output] = ConstantInt::get(T, Number);
    return true;
  }
  Value *V = argument(G, From);
  if (!V || !CastInst::isBitCastable(V->getType(), T))
    return false;
  G.Initial[Output] = V;
  return true;
}

static bool parse(CallInst &Call, GuardedAccess &G) {
  const auto &Asm = *cast<InlineAsm>(Call.getCalledOperand());
  G.Call = &Call;
  for (const InlineAsm::ConstraintInfo &C : Asm.ParseConstraints()) {
    if (C.Type == InlineAsm::isOutput)
      ++G.NumOutputs;
    if (C.hasMatchingInput() || C.isIndirect)
      return false; // operands are then numbered in another way
  }
  SmallVector<StringRef, 4> Statements;
  Asm.getAsmString().split(Statements, ';', -1, /*KeepEmpty=*/false);
  for (StringRef S : Statements) {
    S = S.trim();
    if (S.empty())
      continue;
    if (!G.Access.empty())
      return false; // one access, and it comes last
    if (S.consume_front("@")) {
      G.Negated = S.consume_front("!");
      auto [Guard, Access] = S.split(' ');
      G.Guard = argument(G, Guard);
      Access = Access.trim();
      if (!G.Guard || !G.Guard->getType()->isIntegerTy(1) ||
          !(Access.starts_with("ld.") || Access.starts_with("st.")))
        return false;
      G.Access = Access.str() + ";";
      continue;
    }
    auto [Opcode, Operands] = S.split(' ');
    if (!Opcode.starts_with("mov.") || !addInitial(G, Operands))
      return false;
  }
  return !G.Access.empty();
}

/// Triton hands scalars over as vectors of one.
static Value *scalar(Value *V, IRBuilderBase &B) {
  auto *T = dyn_cast<FixedVectorType>(V->getType());
  return T && T->getNumElements() == 1 ? B.CreateExtractElement(V, uint64_t(0))
                                       : V;
}

static void lower(const GuardedAccess &G) {
  CallInst &Call = *G.Call;
  const auto &Asm = *cast<InlineAsm>(Call.getCalledOperand());
  BasicBlock *Head = Call.getParent();
  IRBuilder<> B(&Call);
  Value *Guard = G.Negated ? B.CreateNot(G.Guard) : G.Guard;
  // Before the branch, so that it dominates the merge.
  SmallVector<Value *, 4> Otherwise;
  for (unsigned N = 0; N < G.NumOutputs; ++N) {
    auto It = G.Initial.find(N);
    Type *T = outputType(G, N);
    Otherwise.push_back(It == G.Initial.end() ? Constant::getNullValue(T)
                                              : B.CreateBitCast(It->second, T));
  }
  Instruction *Then = SplitBlockAndInsertIfThen(Guard, &Call, false);
  Then->setDebugLoc(Call.getDebugLoc());
  B.SetInsertPoint(Then);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  SmallVector<Value *, 6> Args;
  SmallVector<Type *, 6> Types;
  for (Value *Arg : Call.args()) {
    Args.push_back(scalar(Arg, B));
    Types.push_back(Args.back()->getType());
  }
  auto *Type = FunctionType::get(Call.getType(), Types, false);
  CallInst *Access =
      B.CreateCall(Type,
                   InlineAsm::get(Type, G.Access, Asm.getConstraintString(),
                                  Asm.hasSideEffects()),
                   Args);
  SmallVector<Value *, 4> Loaded;
  for (unsigned N = 0; N < G.NumOutputs; ++N)
    Loaded.push_back(Call.getType()->isStructTy()
                         ? B.CreateExtractValue(Access, N)
                         : Access);
  BasicBlock *From = Then->getParent();
  B.SetInsertPoint(Call.getParent(), Call.getParent()->begin());
  SmallVector<PHINode *, 4> Merged;
  for (unsigned N = 0; N < G.NumOutputs; ++N) {
    PHINode *Phi = B.CreatePHI(outputType(G, N), 2);
    Phi->addIncoming(Loaded[N], From);
    Phi->addIncoming(Otherwise[N], Head);
    Merged.push_back(Phi);
  }
  B.SetInsertPoint(&Call);
  if (!Call.getType()->isVoidTy()) {
    Value *Result = G.NumOutputs ? Merged[0] : nullptr;
    if (Call.getType()->isStructTy()) {
      Result = PoisonValue::get(Call.getType());
      for (unsigned N = 0; N < G.NumOutputs; ++N)
        Result = B.CreateInsertValue(Result, Merged[N], N);
    }
    Call.replaceAllUsesWith(Result);
  }
  Call.eraseFromParent();
  lowerInlineAsm(*Access);
}

PreservedAnalyses LowerPredicatedAccessPass::run(Module &M,
                                                 ModuleAnalysisManager &) {
  SmallVector<CallInst *, 8> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isInlineAsm())
        Calls.push_back(Call);
  bool Changed = false;
  for (CallInst *Call : Calls) {
    GuardedAccess G;
    if (!parse(*Call, G))
      continue;
    lower(G);
    Changed = true;
  }
  return preserved(Changed);
}

} // namespace heddle
