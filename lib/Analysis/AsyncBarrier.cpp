//===- AsyncBarrier.cpp - mbarriers in IR ---------------------------------===//

#include "heddle/Analysis/AsyncBarrier.h"

#include "heddle/Analysis/BulkOperation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace heddle {

/// Of the words of an intrinsic's name behind "mbarrier.".
static std::optional<HeddleBarrierAction> actionOf(ArrayRef<StringRef> Words) {
  const auto has = [&](StringRef Word) { return is_contained(Words, Word); };
  const bool Drops = has("drop"), HasBytes = has("tx");
  if (Words[0] == "init")
    return HEDDLE_MBARRIER_INIT;
  if (Words[0] == "inval")
    return HEDDLE_MBARRIER_INVAL;
  if (Words[0] == "expect")
    return HEDDLE_MBARRIER_EXPECT;
  if (Words[0] == "complete")
    return HEDDLE_MBARRIER_COMPLETE;
  if (Words[0] == "arrive" && HasBytes)
    return Drops ? HEDDLE_MBARRIER_DROP_EXPECT : HEDDLE_MBARRIER_ARRIVE_EXPECT;
  if (Words[0] == "arrive")
    return Drops ? HEDDLE_MBARRIER_DROP : HEDDLE_MBARRIER_ARRIVE;
  if (has("wait"))
    return has("parity") ? HEDDLE_MBARRIER_TEST_PARITY
                         : HEDDLE_MBARRIER_TEST_STATE;
  return std::nullopt; // pending.count
}

std::optional<BarrierOperation> barrierOperation(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? Callee->getName() : "";
  if (Name.consume_front("llvm.nvvm.cp.async.mbarrier.arrive"))
    return BarrierOperation{Name.starts_with(".noinc")
                                ? HEDDLE_MBARRIER_COPIES_NOINC
                                : HEDDLE_MBARRIER_COPIES,
                            Call.getArgOperand(0), nullptr, false};
  if (!Name.consume_front("llvm.nvvm.mbarrier."))
    return std::nullopt;
  SmallVector<StringRef, 8> Words;
  Name.split(Words, '.');
  const auto Action = actionOf(Words);
  if (!Action)
    return std::nullopt;
  return BarrierOperation{*Action, Call.getArgOperand(0),
                          Call.arg_size() > 1 ? Call.getArgOperand(1) : nullptr,
                          Name.ends_with(".space.cluster")};
}

} // namespace heddle
