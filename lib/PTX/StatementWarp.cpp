//===- StatementWarp.cpp - What PTX does between threads -----------------===//

#include "heddle/PTX/StatementLowering.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

bool StatementLowering::lowerWarp(const PTXStatement &S, Type *T) {
  Type *I32 = B.getInt32Ty();
  StringRef N = S.Name;
  if (N == "bar" || N == "barrier") {
    if (S.has("warp"))
      return call(Intrinsic::nvvm_bar_warp_sync, {B.getInt32(-1)});
    // The barrier of all threads only.
    if (!S.has("sync") || S.Operands.size() != 1 || S.Operands[0].trim() != "0")
      return false;
    return call(Intrinsic::nvvm_barrier_cta_sync_aligned_all, {B.getInt32(0)});
  }
  if (N == "membar" || N == "fence") {
    bool Block = S.has("cta") || S.Suffix == "cta";
    return call(Block ? Intrinsic::nvvm_membar_cta : Intrinsic::nvvm_membar_gl,
                {});
  }
  if (N == "nanosleep" || N == "prefetch" || N == "prefetchu" ||
      N == "discard" || N == "applypriority")
    return true;
  if (N == "trap")
    return call(Intrinsic::trap, {});
  if (N == "activemask")
    return assign(S.Operands[0], call(Intrinsic::nvvm_activemask, {}));
  if (N == "shfl" && S.has("sync") && S.Operands.size() == 5) {
    Value *V = operand(S.Operands[1], I32), *Lane = operand(S.Operands[2], I32),
          *Clamp = operand(S.Operands[3], I32),
          *Mask = operand(S.Operands[4], I32);
    if (!V || !Lane || !Clamp || !Mask ||
        StringRef(S.Operands[0]).contains('|'))
      return false;
    Intrinsic::ID ID = S.has("idx")    ? Intrinsic::nvvm_shfl_sync_idx_i32
                       : S.has("up")   ? Intrinsic::nvvm_shfl_sync_up_i32
                       : S.has("down") ? Intrinsic::nvvm_shfl_sync_down_i32
                                       : Intrinsic::nvvm_shfl_sync_bfly_i32;
    return assign(S.Operands[0], call(ID, {Mask, V, Lane, Clamp}));
  }
  if (N == "vote" && S.has("sync") && S.Operands.size() == 3) {
    Value *P = operand(S.Operands[1], B.getInt1Ty()),
          *Mask = operand(S.Operands[2], I32);
    if (!P || !Mask)
      return false;
    Intrinsic::ID ID = S.has("ballot") ? Intrinsic::nvvm_vote_ballot_sync
                       : S.has("all")  ? Intrinsic::nvvm_vote_all_sync
                       : S.has("any")  ? Intrinsic::nvvm_vote_any_sync
                                       : Intrinsic::nvvm_vote_uni_sync;
    return assign(S.Operands[0], call(ID, {Mask, P}));
  }
  return false;
}

} // namespace heddle
