//===- StatementWarp.cpp - What PTX does between threads -----------------===//

#include "heddle/PTX/StatementLowering.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

/// shfl.sync.MODE.b32 d[|p], a, b, c, mask; p says whether the lane read from
/// lies in the segment (PTX ISA 8.8, "shfl.sync").
bool StatementLowering::lowerShuffle(const PTXStatement &S) {
  Type *I32 = B.getInt32Ty();
  if (S.Operands.size() != 5)
    return false;
  Value *V = operand(S.Operands[1], I32), *Lane = operand(S.Operands[2], I32),
        *Clamp = operand(S.Operands[3], I32),
        *Mask = operand(S.Operands[4], I32);
  if (!V || !Lane || !Clamp || !Mask)
    return false;
  Intrinsic::ID ID = S.has("idx")    ? Intrinsic::nvvm_shfl_sync_idx_i32
                     : S.has("up")   ? Intrinsic::nvvm_shfl_sync_up_i32
                     : S.has("down") ? Intrinsic::nvvm_shfl_sync_down_i32
                                     : Intrinsic::nvvm_shfl_sync_bfly_i32;
  auto [Result, Predicate] = StringRef(S.Operands[0]).split('|');
  if (!assign(Result, call(ID, {Mask, V, Lane, Clamp})))
    return false;
  if (Predicate.trim().empty())
    return true;
  Value *Own = call(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
  Value *Segment = B.CreateAnd(B.CreateLShr(Clamp, 8), 31),
        *Outside = B.CreateXor(Segment, 31);
  Value *First = B.CreateAnd(Own, Segment);
  Value *Limit =
      B.CreateOr(First, B.CreateAnd(B.CreateAnd(Clamp, 31), Outside));
  Value *Step = B.CreateAnd(Lane, 31), *Source = nullptr;
  if (S.has("up"))
    Source = B.CreateSub(Own, Step);
  else if (S.has("down"))
    Source = B.CreateAdd(Own, Step);
  else if (S.has("bfly"))
    Source = B.CreateXor(Own, Step);
  else
    Source = B.CreateOr(First, B.CreateAnd(Step, Outside));
  return assign(Predicate, S.has("up") ? B.CreateICmpSGE(Source, Limit)
                                       : B.CreateICmpSLE(Source, Limit));
}

bool StatementLowering::lowerWarp(const PTXStatement &S, Type *T) {
  Type *I32 = B.getInt32Ty();
  StringRef N = S.Name;
  if (N == "bar" || N == "barrier") {
    if (S.has("warp"))
      return call(Intrinsic::nvvm_bar_warp_sync, {B.getInt32(-1)});
    SmallVector<Value *, 2> Args;
    for (StringRef Text : S.Operands)
      if (Value *V = operand(Text, B.getInt32Ty()))
        Args.push_back(V);
    if (Args.empty() || Args.size() > 2 || Args.size() != S.Operands.size())
      return false;
    if (S.has("arrive"))
      return Args.size() == 2 &&
             call(Intrinsic::nvvm_barrier_cta_arrive_aligned_count, Args);
    return S.has("sync") &&
           call(Args.size() == 2
                    ? Intrinsic::nvvm_barrier_cta_sync_aligned_count
                    : Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                Args);
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
    return S.Operands.size() == 1 &&
           assign(S.Operands[0], call(Intrinsic::nvvm_activemask, {}));
  if (N == "shfl" && S.has("sync"))
    return lowerShuffle(S);
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
