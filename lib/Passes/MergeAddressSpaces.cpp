//===- MergeAddressSpaces.cpp - No casts from one memory to another -------===//
//
// A local array that only ever holds a constant is replaced by that constant
// when its accesses are already known to be local. The cast that stands between
// them has no meaning. What it reaches goes through the generic space instead,
// from which address-space inference goes on.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

namespace {

/// Moves all that depends on a wrongly cast pointer to the generic space.
class Generaliser {
public:
  explicit Generaliser(Function &F)
      : Generic(
            PointerType::get(F.getContext(), NVPTXAS::ADDRESS_SPACE_GENERIC)) {}

  void run(AddrSpaceCastInst &Cast);

private:
  Value *generic(Value *V, Instruction *Before);
  void moveUser(Instruction &User, Value *Old);
  void replace(Instruction &Old, Value *New) {
    New->takeName(&Old);
    Moved[&Old] = New;
    Work.push_back(&Old);
  }

  PointerType *Generic;
  DenseMap<Value *, Value *> Moved; ///< to the generic pointer
  SmallVector<Instruction *, 16> Work;
};

} // namespace

/// \p V as a generic pointer, for use in front of \p Before.
Value *Generaliser::generic(Value *V, Instruction *Before) {
  if (V->getType() == Generic)
    return V;
  if (Value *New = Moved.lookup(V))
    return New;
  return IRBuilder<>(Before).CreateAddrSpaceCast(V, Generic);
}

void Generaliser::moveUser(Instruction &User, Value *Old) {
  Value *New = Moved[Old];
  if (Moved.contains(&User))
    return;
  IRBuilder<> B(&User);
  if (auto *GEP = dyn_cast<GetElementPtrInst>(&User)) {
    SmallVector<Value *, 4> Indices(GEP->indices());
    replace(User, B.CreateGEP(GEP->getSourceElementType(), New, Indices, "",
                              GEP->getNoWrapFlags()));
  } else if (auto *Phi = dyn_cast<PHINode>(&User)) {
    PHINode *Other = B.CreatePHI(Generic, Phi->getNumIncomingValues());
    replace(User, Other);
    for (unsigned N = 0; N < Phi->getNumIncomingValues(); ++N) {
      BasicBlock *From = Phi->getIncomingBlock(N);
      const int Known = Other->getBasicBlockIndex(From);
      Other->addIncoming(
          Known >= 0 ? Other->getIncomingValue(Known)
                     : generic(Phi->getIncomingValue(N), From->getTerminator()),
          From);
    }
  } else if (auto *Select = dyn_cast<SelectInst>(&User)) {
    replace(User, B.CreateSelect(Select->getCondition(),
                                 generic(Select->getTrueValue(), &User),
                                 generic(Select->getFalseValue(), &User)));
  } else if (isa<AddrSpaceCastInst>(User)) {
    // A phi of a loop may have asked for it before it was generic.
    if (User.getType() == Generic)
      User.replaceAllUsesWith(New);
    replace(User, New);
  } else if (isa<FreezeInst>(User)) {
    replace(User, B.CreateFreeze(New));
  } else if (auto *Compare = dyn_cast<ICmpInst>(&User)) {
    for (Use &U : Compare->operands())
      U.set(generic(U.get(), &User));
  } else if (auto *Copy = dyn_cast<MemIntrinsic>(&User)) {
    SmallVector<Value *, 4> Args(Copy->args());
    llvm::replace(Args, Old, New);
    SmallVector<Type *, 3> Types = {New->getType()};
    if (isa<MemTransferInst>(Copy))
      Types = {Args[0]->getType(), Args[1]->getType()};
    Types.push_back(Copy->getLength()->getType());
    CallInst *Same = B.CreateIntrinsic(Copy->getIntrinsicID(), Types, Args);
    Same->setAttributes(Copy->getAttributes());
    Copy->eraseFromParent();
  } else {
    // Loads, stores, atomics and conversions to a number take any pointer.
    User.replaceUsesOfWith(Old, New);
  }
}

void Generaliser::run(AddrSpaceCastInst &Cast) {
  Moved[&Cast] =
      IRBuilder<>(&Cast).CreateAddrSpaceCast(Cast.getPointerOperand(), Generic);
  Work.push_back(&Cast);
  for (size_t N = 0; N < Work.size(); ++N)
    for (User *U : make_early_inc_range(Work[N]->users()))
      moveUser(*cast<Instruction>(U), Work[N]);
  for (Instruction *Old : reverse(Work)) {
    Old->replaceAllUsesWith(PoisonValue::get(Old->getType()));
    Old->eraseFromParent();
  }
}

static bool isBetweenKnown(const AddrSpaceCastInst &Cast) {
  auto IsKnown = [](unsigned Space) {
    return Space == NVPTXAS::ADDRESS_SPACE_GLOBAL ||
           Space == NVPTXAS::ADDRESS_SPACE_SHARED ||
           Space == NVPTXAS::ADDRESS_SPACE_CONST ||
           Space == NVPTXAS::ADDRESS_SPACE_LOCAL;
  };
  return Cast.getSrcAddressSpace() != Cast.getDestAddressSpace() &&
         IsKnown(Cast.getSrcAddressSpace()) &&
         IsKnown(Cast.getDestAddressSpace());
}

static bool hasKnownCast(const Constant *C) {
  const auto *Expr = dyn_cast<ConstantExpr>(C);
  return Expr && any_of(Expr->operands(), [&](const Use &U) {
           const auto *Operand = cast<Constant>(U.get());
           return (Expr->getOpcode() == Instruction::AddrSpaceCast &&
                   Operand->getType()->getPointerAddressSpace() &&
                   Expr->getType()->getPointerAddressSpace()) ||
                  hasKnownCast(Operand);
         });
}

static bool mergeAddressSpaces(Function &F) {
  bool Changed = false;
  while (true) {
    auto Found = find_if(instructions(F), [](const Instruction &I) {
      const auto *Cast = dyn_cast<AddrSpaceCastInst>(&I);
      return Cast && isBetweenKnown(*Cast);
    });
    if (Found == inst_end(F))
      return Changed;
    Changed = true;
    Generaliser(F).run(cast<AddrSpaceCastInst>(*Found));
  }
}

PreservedAnalyses MergeAddressSpacesPass::run(Function &F,
                                              FunctionAnalysisManager &AM) {
  PreservedAnalyses Preserved = PreservedAnalyses::all();
  if (any_of(instructions(F), [](const Instruction &I) {
        return any_of(I.operands(), [](const Use &U) {
          const auto *C = dyn_cast<Constant>(U.get());
          return C && hasKnownCast(C);
        });
      })) {
    Preserved = ExpandConstantExpressionsPass().run(F, AM);
    AM.invalidate(F, Preserved);
  }
  if (!mergeAddressSpaces(F))
    return Preserved;
  AM.invalidate(F, PreservedAnalyses::none());
  InferAllAddressSpacesPass().run(F, AM);
  return PreservedAnalyses::none();
}

} // namespace heddle
