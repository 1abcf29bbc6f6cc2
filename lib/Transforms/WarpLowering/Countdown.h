//===- Countdown.h - Loops whose rounds are known before --------*- C++ -*-===//

#ifndef HEDDLE_TRANSFORMS_WARPLOWERING_COUNTDOWN_H
#define HEDDLE_TRANSFORMS_WARPLOWERING_COUNTDOWN_H

#include <optional>

namespace llvm {
class BasicBlock;
class PHINode;
} // namespace llvm

namespace heddle {

/// A phi of a loop of one block that goes down by 2^Shift in each round; the
/// loop ends when it comes to zero.
struct Countdown {
  llvm::PHINode *Phi = nullptr;
  unsigned Shift = 0;
};

/// The countdown of the loop that is \p Block, if it has one.
std::optional<Countdown> findCountdown(llvm::BasicBlock &Block);

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_WARPLOWERING_COUNTDOWN_H
