//===- SplitMemberMasks.cpp - Operations of several groups of lanes -------===//
//
// A vote, match or reduction names its members, and lanes that execute it
// together may name different ones: tiles of 8 lanes vote with four masks at
// once. The engines (and IR that says one result for all lanes) know one mask
// for each execution. So where a mask may differ between lanes,
//   ballot(m, p)    is ballot(all, p) & m,
//   any, all, uni   compare that with 0 and with the members that run,
//   match.any(m, v) is match.any(all, v) & m, match.all compares that,
//   redux(m, v)     is a loop with a round for each mask, as a device does it;
// or, where the blocks of a PTX file must stay, each lane takes the values of
// its members from all lanes, one by one.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heddle {

/// Operand of \p Call that names the members; -1 if it has none.
static int memberOperand(const IntrinsicInst &Call) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::nvvm_vote_all_sync:
  case Intrinsic::nvvm_vote_any_sync:
  case Intrinsic::nvvm_vote_uni_sync:
  case Intrinsic::nvvm_vote_ballot_sync:
  case Intrinsic::nvvm_match_any_sync_i32:
  case Intrinsic::nvvm_match_any_sync_i64:
  case Intrinsic::nvvm_match_all_sync_i32p:
  case Intrinsic::nvvm_match_all_sync_i64p:
  case Intrinsic::nvvm_elect_sync:
    return 0;
  case Intrinsic::nvvm_redux_sync_add:
  case Intrinsic::nvvm_redux_sync_and:
  case Intrinsic::nvvm_redux_sync_or:
  case Intrinsic::nvvm_redux_sync_xor:
  case Intrinsic::nvvm_redux_sync_max:
  case Intrinsic::nvvm_redux_sync_min:
  case Intrinsic::nvvm_redux_sync_umax:
  case Intrinsic::nvvm_redux_sync_umin:
    return 1;
  default:
    return -1;
  }
}

/// Whether lanes that come to \p At together have the same \p V: what is the
/// same for all threads, what lanes have voted on, and arithmetic on that.
/// Values that join at a phi, or leave a loop, may be of different rounds.
static bool isSameInAll(const Value *V, const Instruction &At,
                        const LoopInfo &Loops, unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 8;
  if (isa<Constant, Argument>(V))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == MaxDepth)
    return false;
  if (const Loop *L = Loops.getLoopFor(I->getParent()); L && !L->contains(&At))
    return false;
  auto SameOperands = [&] {
    return all_of(I->operands(), [&](const Use &U) {
      return isSameInAll(U, At, Loops, Depth + 1);
    });
  };
  if (auto *Call = dyn_cast<IntrinsicInst>(I)) {
    switch (Call->getIntrinsicID()) {
    case Intrinsic::nvvm_activemask:
      return true;
    case Intrinsic::nvvm_vote_all_sync:
    case Intrinsic::nvvm_vote_any_sync:
    case Intrinsic::nvvm_vote_uni_sync:
    case Intrinsic::nvvm_vote_ballot_sync:
      return isSameInAll(Call->getArgOperand(0), At, Loops, Depth + 1);
    case Intrinsic::ctpop:
    case Intrinsic::ctlz:
    case Intrinsic::cttz:
    case Intrinsic::fshl:
    case Intrinsic::fshr:
      return SameOperands();
    default:
      return false;
    }
  }
  return isa<BinaryOperator, CastInst, CmpInst, SelectInst, FreezeInst>(I) &&
         SameOperands();
}

static Value *ballot(IRBuilder<> &B, Value *Holds) {
  return B.CreateIntrinsic(Intrinsic::nvvm_vote_ballot_sync, {},
                           {B.getInt32(~0u), Holds});
}

static Value *pair(IRBuilder<> &B, Type *T, Value *First, Value *Second) {
  Value *Result = B.CreateInsertValue(PoisonValue::get(T), First, 0);
  return B.CreateInsertValue(Result, Second, 1);
}

/// A loop that executes \p Call for the members that its first lane names
/// until each lane has had its turn.
static void splitRounds(IntrinsicInst &Call, unsigned Operand) {
  Value *Members = Call.getArgOperand(Operand);
  BasicBlock *Before = Call.getParent();
  BasicBlock *Round = SplitBlock(Before, Call.getIterator());
  BasicBlock *After = SplitBlock(Round, std::next(Call.getIterator()));
  IRBuilder<> B(&Call);
  PHINode *Left = B.CreatePHI(B.getInt32Ty(), 2);
  PHINode *Last = B.CreatePHI(Call.getType(), 2);
  Value *First = B.CreateBinaryIntrinsic(Intrinsic::cttz, Left, B.getTrue());
  Value *Chosen =
      B.CreateIntrinsic(Intrinsic::nvvm_shfl_sync_idx_i32, {},
                        {B.getInt32(~0u), Members, First, B.getInt32(31)});
  Value *Mine = B.CreateICmpEQ(Members, Chosen);
  Call.setArgOperand(Operand, Chosen);
  B.SetInsertPoint(Round->getTerminator());
  Value *Result = B.CreateSelect(Mine, &Call, Last);
  Call.replaceUsesWithIf(Result, [&](Use &U) { return U.getUser() != Result; });
  Value *Rest = B.CreateAnd(Left, B.CreateNot(ballot(B, Mine)));
  B.CreateCondBr(B.CreateICmpNE(Rest, B.getInt32(0)), Round, After);
  Round->getTerminator()->eraseFromParent();
  Left->addIncoming(Rest, Round);
  Last->addIncoming(Result, Round);
  IRBuilder<> Entry(Before->getTerminator());
  Entry.SetCurrentDebugLocation(Call.getDebugLoc());
  Left->addIncoming(Entry.CreateIntrinsic(Intrinsic::nvvm_activemask, {}),
                    Before);
  Last->addIncoming(Constant::getNullValue(Call.getType()), Before);
}

/// How reduction \p Which joins two values: an intrinsic function, or none and
/// an operation.
static std::pair<Intrinsic::ID, Instruction::BinaryOps>
joinOf(Intrinsic::ID Which) {
  switch (Which) {
  case Intrinsic::nvvm_redux_sync_and:
    return {Intrinsic::not_intrinsic, Instruction::And};
  case Intrinsic::nvvm_redux_sync_or:
    return {Intrinsic::not_intrinsic, Instruction::Or};
  case Intrinsic::nvvm_redux_sync_xor:
    return {Intrinsic::not_intrinsic, Instruction::Xor};
  case Intrinsic::nvvm_redux_sync_max:
    return {Intrinsic::smax, {}};
  case Intrinsic::nvvm_redux_sync_min:
    return {Intrinsic::smin, {}};
  case Intrinsic::nvvm_redux_sync_umax:
    return {Intrinsic::umax, {}};
  case Intrinsic::nvvm_redux_sync_umin:
    return {Intrinsic::umin, {}};
  default:
    return {Intrinsic::not_intrinsic, Instruction::Add};
  }
}

/// \p Call is a reduction: its result for members of each lane's own, in the
/// block where it stands.
static Value *reduceInLine(IntrinsicInst &Call) {
  constexpr unsigned NumLanes = 32;
  IRBuilder<> B(&Call);
  Value *V = Call.getArgOperand(0), *Members = Call.getArgOperand(1);
  const auto [Function, Op] = joinOf(Call.getIntrinsicID());
  Value *Running =
      B.CreateAnd(B.CreateIntrinsic(Intrinsic::nvvm_activemask, {}), Members);
  Value *Sum = Function
                   ? ConstantExpr::getIntrinsicIdentity(Function, V->getType())
                   : ConstantExpr::getBinOpIdentity(Op, V->getType());
  for (unsigned Lane = 0; Lane != NumLanes; ++Lane) {
    Value *Other = B.CreateIntrinsic(
        Intrinsic::nvvm_shfl_sync_idx_i32, {},
        {B.getInt32(~0u), V, B.getInt32(Lane), B.getInt32(NumLanes - 1)});
    Value *Next = Function ? B.CreateBinaryIntrinsic(Function, Sum, Other)
                           : B.CreateBinOp(Op, Sum, Other);
    Value *Bit = B.CreateAnd(Running, B.getInt32(1u << Lane));
    Sum = B.CreateSelect(B.CreateICmpNE(Bit, B.getInt32(0)), Next, Sum);
  }
  return B.CreateSelect(B.CreateICmpNE(Running, B.getInt32(0)), Sum,
                        B.getInt32(0));
}

/// The value of \p Call without a mask that differs; null for a reduction.
static Value *withoutMembers(IntrinsicInst &Call) {
  IRBuilder<> B(&Call);
  Value *Members = Call.getArgOperand(0);
  auto Active = [&] {
    return B.CreateAnd(B.CreateIntrinsic(Intrinsic::nvvm_activemask, {}),
                       Members);
  };
  auto Peers = [&](Intrinsic::ID Match) {
    return B.CreateAnd(
        B.CreateIntrinsic(Match, {}, {B.getInt32(~0u), Call.getArgOperand(1)}),
        Members);
  };
  auto Votes = [&] {
    return B.CreateAnd(ballot(B, Call.getArgOperand(1)), Members);
  };
  auto AllMatch = [&](Intrinsic::ID Match) {
    Value *Running = Active();
    Value *All = B.CreateICmpEQ(Peers(Match), Running);
    return pair(B, Call.getType(), B.CreateSelect(All, Running, B.getInt32(0)),
                All);
  };
  switch (Call.getIntrinsicID()) {
  case Intrinsic::nvvm_vote_ballot_sync:
    return Votes();
  case Intrinsic::nvvm_vote_any_sync:
    return B.CreateICmpNE(Votes(), B.getInt32(0));
  case Intrinsic::nvvm_vote_all_sync:
    return B.CreateICmpEQ(Votes(), Active());
  case Intrinsic::nvvm_vote_uni_sync: {
    Value *Holds = Votes();
    return B.CreateOr(B.CreateICmpEQ(Holds, B.getInt32(0)),
                      B.CreateICmpEQ(Holds, Active()));
  }
  case Intrinsic::nvvm_match_any_sync_i32:
  case Intrinsic::nvvm_match_any_sync_i64:
    return Peers(Call.getIntrinsicID());
  case Intrinsic::nvvm_match_all_sync_i32p:
    return AllMatch(Intrinsic::nvvm_match_any_sync_i32);
  case Intrinsic::nvvm_match_all_sync_i64p:
    return AllMatch(Intrinsic::nvvm_match_any_sync_i64);
  case Intrinsic::nvvm_elect_sync: {
    Value *First =
        B.CreateBinaryIntrinsic(Intrinsic::cttz, Active(), B.getFalse());
    First = B.CreateAnd(First, B.getInt32(31));
    Value *Lane = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
    return pair(B, Call.getType(), First, B.CreateICmpEQ(Lane, First));
  }
  default:
    return nullptr;
  }
}

PreservedAnalyses SplitMemberMasksPass::run(Function &F,
                                            FunctionAnalysisManager &AM) {
  SmallVector<IntrinsicInst *> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<IntrinsicInst>(&I);
        Call && memberOperand(*Call) >= 0 &&
        !isa<Constant>(Call->getArgOperand(memberOperand(*Call))))
      Calls.push_back(Call);
  if (Calls.empty())
    return PreservedAnalyses::all();
  const auto &Loops = AM.getResult<LoopAnalysis>(F);
  erase_if(Calls, [&](IntrinsicInst *Call) {
    return isSameInAll(Call->getArgOperand(memberOperand(*Call)), *Call, Loops);
  });
  bool KeepsFlow = true;
  for (IntrinsicInst *Call : Calls) {
    Value *V = withoutMembers(*Call);
    if (!V && !KeepBlocks) {
      KeepsFlow = false;
      splitRounds(*Call, memberOperand(*Call));
      continue;
    }
    if (!V)
      V = reduceInLine(*Call);
    Call->replaceAllUsesWith(V);
    Call->eraseFromParent();
  }
  return preserved(!Calls.empty(), KeepsFlow);
}

} // namespace heddle
