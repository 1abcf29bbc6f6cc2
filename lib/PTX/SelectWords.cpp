//===- SelectWords.cpp - Parts of words that no instruction makes ---------===//

#include "heddle/PTX/BackEnd.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle {

/// Two words put together by a shift and an OR, as shuffles of 64 bits end, are
/// a pair of registers, which no instruction makes.
static void selectPairs(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    Value *Low, *High;
    if (!I.getType()->isIntegerTy(64) ||
        !match(&I, m_c_Or(m_ZExt(m_Value(Low)),
                          m_Shl(m_ZExt(m_Value(High)), m_SpecificInt(32)))) ||
        !Low->getType()->isIntegerTy(32) || !High->getType()->isIntegerTy(32))
      continue;
    IRBuilder<> B(&I);
    Value *Pair = B.CreateIntrinsic(Intrinsic::nvvm_lohi_i2d, {}, {Low, High});
    I.replaceAllUsesWith(B.CreateBitCast(Pair, I.getType()));
    I.eraseFromParent();
  }
}

/// Both halves of a word come out of it in one statement, as in nvcc's code,
/// and not one by a conversion and the other by a shift.
static void selectHalves(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    Value *Bits, *Word;
    if (!I.getType()->isHalfTy() || !match(&I, m_BitCast(m_Value(Bits))) ||
        !match(Bits, m_Trunc(m_Value(Word))))
      continue;
    const bool IsUpper = match(Word, m_LShr(m_Value(Word), m_SpecificInt(16)));
    if (!Word->getType()->isIntegerTy(32))
      continue;
    IRBuilder<> B(&I);
    Value *Pair = B.CreateBitCast(Word, FixedVectorType::get(I.getType(), 2));
    I.replaceAllUsesWith(B.CreateExtractElement(Pair, uint64_t(IsUpper)));
    RecursivelyDeleteTriviallyDeadInstructions(&I);
  }
}

void selectWords(Function &F) {
  selectPairs(F);
  selectHalves(F);
}

} // namespace heddle
