//===- SplitSharedOffsets.cpp - Constants of shared addresses -------------===//
//
//   tile[threadIdx.y + 8][threadIdx.x]
//
// Addresses of shared memory have 32 bits in nvcc's code: this is always 8 rows
// behind tile[threadIdx.y][threadIdx.x]. With pointers of 64 bits it is so only
// if the sum does not wrap, which may be unknown. But no shared memory is as
// large as 2^31 bytes: of a sum that wraps, only the other term can be
// negative.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle {

namespace {

/// Takes the constants out of sums of 32 bits.
class ConstantTerms {
public:
  explicit ConstantTerms(Instruction *Before) : B(Before) {}
  /// \p V, an index of 64 bits, as a sum of a constant and what is no constant;
  /// null if it has none within its extension.
  Value *split(Value *V);

private:
  static bool contains(Value *V, unsigned Depth = 0);
  Value *rest(Value *V, APInt &Constant, unsigned Depth = 0);

  IRBuilder<> B;
};

} // namespace

static constexpr unsigned MaxTerms = 6; // nested; an index has two or three

/// x + y, in whichever form.
static bool isSum(Value *V, Value *&X, Value *&Y) {
  return match(V, m_Add(m_Value(X), m_Value(Y))) ||
         match(V, m_DisjointOr(m_Value(X), m_Value(Y)));
}

bool ConstantTerms::contains(Value *V, unsigned Depth) {
  Value *X = nullptr, *Y = nullptr;
  if (isa<ConstantInt>(V))
    return true;
  if (Depth == MaxTerms)
    return false;
  if (isSum(V, X, Y) || match(V, m_Sub(m_Value(X), m_Value(Y))))
    return contains(X, Depth + 1) || contains(Y, Depth + 1);
  return match(V, m_Shl(m_Value(X), m_ConstantInt())) && contains(X, Depth + 1);
}

/// \p V less what is added to \p Constant; null is zero.
Value *ConstantTerms::rest(Value *V, APInt &Constant, unsigned Depth) {
  Value *X = nullptr, *Y = nullptr;
  const APInt *By = nullptr;
  if (const auto *C = dyn_cast<ConstantInt>(V)) {
    Constant += C->getValue();
    return nullptr;
  }
  if (!contains(V, Depth))
    return V;
  APInt Inner(Constant.getBitWidth(), 0);
  if (isSum(V, X, Y)) {
    X = rest(X, Constant, Depth + 1);
    Y = rest(Y, Constant, Depth + 1);
    return X && Y ? B.CreateAdd(X, Y) : X ? X : Y;
  }
  if (match(V, m_Sub(m_Value(X), m_Value(Y)))) {
    X = rest(X, Constant, Depth + 1);
    Y = rest(Y, Inner, Depth + 1);
    Constant -= Inner;
    if (!Y)
      return X;
    return X ? B.CreateSub(X, Y) : B.CreateNeg(Y);
  }
  if (!match(V, m_Shl(m_Value(X), m_APInt(By))))
    return V;
  X = rest(X, Inner, Depth + 1);
  Constant += Inner.shl(*By);
  return X ? B.CreateShl(X, *By) : nullptr;
}

Value *ConstantTerms::split(Value *V) {
  Value *Narrow = nullptr;
  if (!match(V, m_ZExtOrSExt(m_Value(Narrow))) ||
      !Narrow->getType()->isIntegerTy(32) || !contains(Narrow))
    return nullptr;
  APInt Constant(32, 0);
  Value *Rest = rest(Narrow, Constant);
  Constant = Constant.sext(64);
  return Rest
             ? B.CreateAdd(B.CreateSExt(Rest, V->getType()), B.getInt(Constant))
             : B.getInt(Constant);
}

PreservedAnalyses SplitSharedOffsetsPass::run(Function &F,
                                              FunctionAnalysisManager &) {
  bool Changed = false;
  for (Instruction &I : instructions(F)) {
    auto *GEP = dyn_cast<GetElementPtrInst>(&I);
    if (!GEP || GEP->getType()->isVectorTy() ||
        GEP->getAddressSpace() != NVPTXAS::ADDRESS_SPACE_SHARED)
      continue;
    for (Use &Index : GEP->indices())
      if (Value *Sum = ConstantTerms(GEP).split(Index)) {
        Index.set(Sum);
        Changed = true;
      }
  }
  return preserved(Changed, /*KeepsFlow=*/true);
}

} // namespace heddle
