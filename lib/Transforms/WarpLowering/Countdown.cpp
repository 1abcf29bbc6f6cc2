//===- Countdown.cpp - Loops whose rounds are known before ----------------===//

#include "Countdown.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle {

std::optional<Countdown> findCountdown(BasicBlock &Block) {
  BasicBlock *True, *False;
  CmpPredicate Predicate;
  Value *Next, *Before;
  const APInt *Step;
  if (!match(
          Block.getTerminator(),
          m_Br(m_ICmp(Predicate, m_Value(Next), m_ZeroInt()), True, False)) ||
      (True == &Block) == (False == &Block) ||
      Predicate != (True == &Block ? ICmpInst::ICMP_NE : ICmpInst::ICMP_EQ) ||
      !match(Next, m_Add(m_Value(Before), m_APInt(Step))))
    return std::nullopt;
  auto *Phi = dyn_cast<PHINode>(Before);
  if (!Phi || Phi->getParent() != &Block ||
      Phi->getIncomingValueForBlock(&Block) != Next ||
      Step->getBitWidth() > 64 || !(-*Step).isPowerOf2())
    return std::nullopt;
  return Countdown{Phi, (-*Step).logBase2()};
}

} // namespace heddle
