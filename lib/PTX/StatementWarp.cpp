//===- StatementWarp.cpp - What PTX does between threads -----------------===//

#include "heddle/Analysis/Barriers.h"
#include "heddle/PTX/StatementLowering.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle {

/// shfl[.sync].MODE.b32 d[|p], a, b, c[, mask]; p says whether the lane read
/// from lies in the segment (PTX ISA 8.8, "shfl.sync").
bool StatementLowering::lowerShuffle(const PTXStatement &S) {
  Type *I32 = B.getInt32Ty();
  if (S.Operands.size() != (S.has("sync") ? 5 : 4))
    return false;
  Value *V = operand(S.Operands[1], I32), *Lane = operand(S.Operands[2], I32),
        *Clamp = operand(S.Operands[3], I32), *Mask = memberMask(S, 4);
  if (!V || !Lane || !Clamp || !Mask)
    return false;
  Intrinsic::ID ID = S.has("idx")    ? Intrinsic::nvvm_shfl_sync_idx_i32
                     : S.has("up")   ? Intrinsic::nvvm_shfl_sync_up_i32
                     : S.has("down") ? Intrinsic::nvvm_shfl_sync_down_i32
                                     : Intrinsic::nvvm_shfl_sync_bfly_i32;
  auto [Result, Predicate] = S.Operands[0].split('|');
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

/// The mask of members that \p S names; the active lanes where it is of the
/// time before there were any.
Value *StatementLowering::memberMask(const PTXStatement &S, unsigned Operand) {
  if (!S.has("sync"))
    return call(Intrinsic::nvvm_activemask, {});
  return Operand < S.Operands.size()
             ? operand(S.Operands[Operand], B.getInt32Ty())
             : nullptr;
}

/// Whether the function is compiled for sm_\p Number or later. Where that is
/// not said, as of a text that is lifted, the text decides.
bool StatementLowering::hasArchitecture(unsigned Number) const {
  StringRef Name = B.GetInsertBlock()
                       ->getParent()
                       ->getFnAttribute("target-cpu")
                       .getValueAsString();
  unsigned Have = 0;
  return !Name.consume_front("sm_") || Name.consumeInteger(10, Have) ||
         Have >= Number;
}

/// match.any.sync.TYPE d, a, mask; match.all.sync.TYPE d[|p], a, mask;
/// redux.sync.OP.TYPE d, a, mask.
bool StatementLowering::lowerMatch(const PTXStatement &S) {
  Type *T = typeOf(S.Suffix);
  if (S.Operands.size() != 3)
    return false;
  Value *V = operand(S.Operands[1], T), *Mask = memberMask(S, 2);
  if (!V || !Mask)
    return false;
  const bool Wide = T->isIntegerTy(64);
  if (S.Name == "redux") {
    const bool Signed = S.Suffix == "s32";
    const unsigned ID =
        S.has("add")   ? Intrinsic::nvvm_redux_sync_add
        : S.has("and") ? Intrinsic::nvvm_redux_sync_and
        : S.has("or")  ? Intrinsic::nvvm_redux_sync_or
        : S.has("xor") ? Intrinsic::nvvm_redux_sync_xor
        : S.has("min") ? (Signed ? Intrinsic::nvvm_redux_sync_min
                                 : Intrinsic::nvvm_redux_sync_umin)
        : S.has("max") ? (Signed ? Intrinsic::nvvm_redux_sync_max
                                 : Intrinsic::nvvm_redux_sync_umax)
                       : unsigned(Intrinsic::not_intrinsic);
    return ID && hasArchitecture(80) &&
           assign(S.Operands[0], call(ID, {V, Mask}));
  }
  if (!hasArchitecture(70))
    return false;
  if (S.has("any"))
    return assign(S.Operands[0], call(Wide ? Intrinsic::nvvm_match_any_sync_i64
                                           : Intrinsic::nvvm_match_any_sync_i32,
                                      {Mask, V}));
  Value *Pair = call(Wide ? Intrinsic::nvvm_match_all_sync_i64p
                          : Intrinsic::nvvm_match_all_sync_i32p,
                     {Mask, V});
  auto [Result, Predicate] = S.Operands[0].split('|');
  return assign(Result, B.CreateExtractValue(Pair, 0)) &&
         (Predicate.trim().empty() ||
          assign(Predicate, B.CreateExtractValue(Pair, 1)));
}

bool StatementLowering::lowerVote(const PTXStatement &S) {
  if (S.Operands.size() != (S.has("sync") ? 3 : 2))
    return false;
  Value *P = operand(S.Operands[1], B.getInt1Ty()), *Mask = memberMask(S, 2);
  if (!P || !Mask)
    return false;
  Intrinsic::ID ID = S.has("ballot") ? Intrinsic::nvvm_vote_ballot_sync
                     : S.has("all")  ? Intrinsic::nvvm_vote_all_sync
                     : S.has("any")  ? Intrinsic::nvvm_vote_any_sync
                                     : Intrinsic::nvvm_vote_uni_sync;
  return assign(S.Operands[0], call(ID, {Mask, P}));
}

/// elect.sync d|p, mask: the lowest lane of the mask.
/// barrier.grid.sync, which our emitter writes as a call of that name.
bool StatementLowering::lowerGridBarrier(const PTXStatement &) {
  Module &M = *B.GetInsertBlock()->getModule();
  B.CreateCall(M.getOrInsertFunction(GridBarrierName, B.getVoidTy()))
      ->setConvergent();
  return true;
}

bool StatementLowering::lowerElect(const PTXStatement &S) {
  Value *Mask = S.Operands.size() == 2 ? memberMask(S, 1) : nullptr;
  if (!Mask)
    return false;
  Value *Leader = B.CreateBinaryIntrinsic(Intrinsic::cttz, Mask, B.getTrue());
  Value *Lane = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
  const auto [Number, Chosen] = S.Operands[0].split('|');
  return assign(Number, Leader) &&
         (Chosen.empty() || assign(Chosen, B.CreateICmpEQ(Lane, Leader)));
}

bool StatementLowering::lowerActiveMask(const PTXStatement &S) {
  return S.Operands.size() == 1 &&
         assign(S.Operands[0], call(Intrinsic::nvvm_activemask, {}));
}

/// bar.sync a[, b]; bar.arrive a, b; bar.red.OP.TYPE d, a[, b], [!]c;
/// bar.warp.sync mask.
bool StatementLowering::lowerBarrier(const PTXStatement &S) {
  if (S.has("warp"))
    return call(Intrinsic::nvvm_bar_warp_sync, {B.getInt32(-1)});
  const bool Reduces = S.has("red");
  SmallVector<Value *, 3> Args;
  for (StringRef Text : drop_begin(S.Operands, Reduces))
    Args.push_back(operand(Text, Reduces && Text == S.Operands.back()
                                     ? B.getInt1Ty()
                                     : B.getInt32Ty()));
  const size_t Numbers = Args.size() - Reduces;
  if (Args.size() <= Reduces || Numbers > 2 || is_contained(Args, nullptr))
    return false;
  // With the number of threads or for all of the block.
  auto Barrier = [&](Intrinsic::ID Counted, Intrinsic::ID All) {
    return call(Numbers == 2 ? Counted : All, Args);
  };
  if (S.has("sync"))
    return Barrier(Intrinsic::nvvm_barrier_cta_sync_aligned_count,
                   Intrinsic::nvvm_barrier_cta_sync_aligned_all);
  if (S.has("arrive"))
    return Numbers == 2 &&
           call(Intrinsic::nvvm_barrier_cta_arrive_aligned_count, Args);
  Value *Result =
      S.has("popc")
          ? Barrier(Intrinsic::nvvm_barrier_cta_red_popc_aligned_count,
                    Intrinsic::nvvm_barrier_cta_red_popc_aligned_all)
      : S.has("and")
          ? Barrier(Intrinsic::nvvm_barrier_cta_red_and_aligned_count,
                    Intrinsic::nvvm_barrier_cta_red_and_aligned_all)
          : Barrier(Intrinsic::nvvm_barrier_cta_red_or_aligned_count,
                    Intrinsic::nvvm_barrier_cta_red_or_aligned_all);
  return assign(S.Operands[0], Result);
}

bool StatementLowering::lowerFence(const PTXStatement &S) {
  return call(S.has("cta") ? Intrinsic::nvvm_membar_cta
                           : Intrinsic::nvvm_membar_gl,
              {});
}

/// Those that other memory accesses do not wait for.
bool StatementLowering::lowerAsyncFence(const PTXStatement &S) {
  return call(S.has("mbarrier_init")
                  ? Intrinsic::nvvm_fence_mbarrier_init_release_cluster
              : S.has("global") ? Intrinsic::nvvm_fence_proxy_async_global
              : S.has("shared::cta")
                  ? Intrinsic::nvvm_fence_proxy_async_shared_cta
              : S.has("shared::cluster")
                  ? Intrinsic::nvvm_fence_proxy_async_shared_cluster
                  : Intrinsic::nvvm_fence_proxy_async,
              {});
}

bool StatementLowering::lowerTrap(const PTXStatement &S) {
  return call(Intrinsic::trap, {});
}

} // namespace heddle
