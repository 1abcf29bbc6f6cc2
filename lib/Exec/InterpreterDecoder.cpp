//===- InterpreterDecoder.cpp - Blocks and control flow -------------------===//

#include "InterpreterDecoder.h"

#include "heddle/Analysis/DivergencePolicy.h"
#include "heddle/Analysis/PollingLoops.h"
#include "heddle/Analysis/WorkLoops.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle::interp {

// Operands before relocation say in their top bits which area they lie in.
constexpr uint32_t AreaMask = ConstantArea | ScratchArea;
/// Rec, block and polls across barriers; aligned for the widest vectors.
constexpr uint32_t HeaderBytes = 64;

Decoder::Decoder(const Function &Kernel, const GlobalAddresses &Globals,
                 const EngineOptions &Options, const Core &C)
    : Kernel(Kernel), DL(Kernel.getDataLayout()), Globals(Globals),
      Options(Options), C(C), Numbering(Kernel), Layout(Kernel) {}

void Decoder::refuse(const std::string &What) {
  if (!Problem.empty())
    return;
  Problem = "kernel '" + Kernel.getName().str() + "'";
  if (Current)
    if (const DebugLoc &Loc = Current->getDebugLoc())
      Problem += (", " + Loc->getFilename() + ":" + Twine(Loc.getLine())).str();
  Problem += ": " + What;
}

void Decoder::emitTo(std::vector<Op> &List, OpKind Kind, Ty T, Slot D, Slot A,
                     Slot B, Slot C, uint64_t Imm, Ty To) {
  Handler H = this->C.Find(Kind, T, To);
  if (!H) {
    std::string Text;
    if (Current)
      raw_string_ostream(Text) << *Current;
    refuse("the interpreter cannot execute '" + StringRef(Text).trim().str() +
           "'");
  }
  List.push_back({H, D, A, B, C, Imm, CurrentInst});
}

void Decoder::emit(OpKind Kind, Ty T, Slot D, Slot A, Slot B, Slot C,
                   uint64_t Imm, Ty To) {
  emitTo(Out.Ops, Kind, T, D, A, B, C, Imm, To);
}

Decoder::Slot Decoder::define(const Instruction &I, unsigned Index, Ty T,
                              bool WritesActiveLanesOnly) {
  Slots &Own = Values[&I];
  if (Own.size() <= Index)
    Own.resize(Index + 1);
  if (!escapes(I))
    return Own[Index] = scratch(T);
  Own[Index] = allocate(T);
  if (WritesActiveLanesOnly)
    return Own[Index];
  Slot Temporary = scratch(T);
  Pending.push_back({T, Own[Index], Temporary});
  return Temporary;
}

void Decoder::commit() {
  for (const PendingCopy &P : Pending)
    emit(OpKind::MaskedCopy, P.T, P.D, P.A);
  Pending.clear();
}

void Decoder::narrowTo(Ty T, Slot D, unsigned Width) {
  if (Width != sizeOf(T) * 8)
    emit(OpKind::ZExtInReg, T, D, D, 0, 0, Width);
}

/// The phis of \p To take the values of the edge. Where one reads what another
/// writes, all inputs are read first.
uint32_t Decoder::addEdge(const BasicBlock &From, const BasicBlock &To) {
  struct Move {
    Ty T;
    Slot D, A;
  };
  SmallVector<Move, 8> Moves;
  SmallDenseSet<Slot, 8> Written;
  bool Overlap = false;
  auto move = [&](Move M) {
    if (M.D == M.A)
      return;
    Moves.push_back(M);
    Written.insert(M.D);
  };
  for (const PHINode &Phi : To.phis()) {
    const Value *In = Phi.getIncomingValueForBlock(&From);
    if (auto Sum = Sums.find(&Phi); Sum != Sums.end()) {
      const auto Made = Sums.find(In);
      move({Ty::U64, Sum->second,
            Made == Sums.end() ? constantInt(Ty::U64, 0) : Made->second});
    }
    if (isa<UndefValue>(In))
      continue;
    SmallVector<Scalar, 1> Parts = scalars(Phi.getType());
    for (unsigned I = 0; I < Parts.size(); ++I)
      move({container(Parts[I].Type), slot(&Phi, I), slot(In, I)});
    if (!Histories.contains(&Phi))
      continue;
    const History Old = historyOf(In), New = historyOf(&Phi);
    for (unsigned I = 0; I < Parts.size(); ++I) {
      move({container(Parts[I].Type), New.Shown[I], Old.Shown[I]});
      move({container(Parts[I].Type), New.Before[I], Old.Before[I]});
      move({Ty::U64, New.Sums[I], Old.Sums[I]});
    }
  }
  for (const Move &M : Moves)
    Overlap |= Written.contains(M.A);
  Edge E{Numbering.number(&To), uint32_t(Out.Copies.size()), 0};
  if (Overlap)
    for (Move &M : Moves) {
      Slot Temporary = scratch(M.T);
      emitTo(Out.Copies, OpKind::Copy, M.T, Temporary, M.A);
      M.A = Temporary;
    }
  for (const Move &M : Moves)
    emitTo(Out.Copies, OpKind::MaskedCopy, M.T, M.D, M.A);
  E.NumCopies = Out.Copies.size() - E.FirstCopy;
  Out.Edges.push_back(E);
  return Out.Edges.size() - 1;
}

void Decoder::decodeTerminator(const Instruction &I) {
  const BasicBlock &B = *I.getParent();
  if (const auto *Br = dyn_cast<BranchInst>(&I)) {
    if (Br->isUnconditional()) {
      emit(OpKind::Jump, Ty::U8, addEdge(B, *Br->getSuccessor(0)));
    } else {
      uint32_t True = addEdge(B, *Br->getSuccessor(0));
      uint32_t False = addEdge(B, *Br->getSuccessor(1));
      emit(OpKind::Branch, Ty::U8, True, slot(Br->getCondition()), 0, False);
    }
  } else if (isa<ReturnInst>(I)) {
    emit(OpKind::Return, Ty::U8, 0);
  } else if (isa<UnreachableInst>(I)) {
    emit(OpKind::Unreachable, Ty::U8, 0);
  } else {
    refuse(std::string("the interpreter cannot execute '") + I.getOpcodeName() +
           "'");
  }
}

void Decoder::decodeBlock(const BasicBlock &B) {
  Out.Blocks[Numbering.number(&B)].FirstOp = Out.Ops.size();
  ScratchNext = 0;
  if (Options.OnCheck && Out.Blocks[Numbering.number(&B)].Polls)
    tell(HEDDLE_CHECK_POLL, 0);
  for (const Instruction &I : B) {
    if (isa<PHINode>(I))
      continue;
    Current = &I;
    CurrentInst = Numbering.number(&I);
    if (I.isTerminator())
      decodeTerminator(I);
    else
      decode(I);
    endUses();
    tellWritten(I);
    commit();
  }
}

void Decoder::decodeArguments() {
  for (const KernelLayout::Param &P : Layout.Params) {
    Slots &Own = Values[P.Arg];
    if (P.Arg->hasByValAttr()) {
      Own.push_back(allocate(Ty::U64));
      emitTo(Out.Prologue, OpKind::ParamAddress, Ty::U64, Own[0], 0, 0, 0,
             P.Offset);
      continue;
    }
    for (const Scalar &S : scalars(P.Type)) {
      Ty T = container(S.Type);
      Slot At = allocate(T);
      Values[P.Arg].push_back(At);
      emitTo(Out.Prologue, OpKind::ParamLoad, T, At, 0, 0, 0,
             P.Offset + S.Offset);
    }
  }
}

/// Fixes the three areas of the frame: constants, permanent slots, scratch.
void Decoder::relocateConstants() {
  Out.StackOffset = HeaderBytes;
  // See docs/Rationale/Divergence.md for the bound.
  uint32_t StackBytes = (Numbering.numBlocks() + 64) * 12;
  Out.ConstantOffset = alignTo(HeaderBytes + StackBytes, 64);
  uint32_t Permanent = alignTo(Out.ConstantOffset + Out.Constants.size(), 64);
  uint32_t Scratch = alignTo(Permanent + Next, 64);
  Out.FrameBytes = alignTo(uint64_t(Scratch) + ScratchEnd, 64);
  auto Fix = [&](uint32_t &At) {
    uint32_t Offset = At & ~AreaMask;
    At = At & ConstantArea  ? Out.ConstantOffset + Offset
         : At & ScratchArea ? Scratch + Offset
                            : Permanent + Offset;
  };
  // Operands that are numbers rather than slots.
  Handler Jump = C.Find(OpKind::Jump, Ty::U8, Ty::U8);
  Handler Branch = C.Find(OpKind::Branch, Ty::U8, Ty::U8);
  auto CountInC = [&](const Op &O) {
    for (Ty T : {Ty::U8, Ty::U16, Ty::U32, Ty::U64, Ty::U128})
      for (OpKind Kind : {OpKind::Extract, OpKind::Insert, OpKind::LoadBytes,
                          OpKind::StoreBytes})
        if (O.Run == C.Find(Kind, T, Ty::U8))
          return true;
    return false;
  };
  for (std::vector<Op> *List : {&Out.Ops, &Out.Prologue, &Out.Copies})
    for (Op &O : *List) {
      if (O.Run == Jump)
        continue;
      Fix(O.A);
      if (O.Run == Branch)
        continue;
      Fix(O.D);
      Fix(O.B);
      if (!CountInC(O))
        Fix(O.C);
    }
}

Expected<DecodedKernel> Decoder::run() {
  Out.Blocks.resize(Numbering.numBlocks());
  DivergencePolicy Policy(Kernel);
  for (const BasicBlock &B : Kernel) {
    Block &To = Out.Blocks[Numbering.number(&B)];
    const BasicBlock *Join = Policy.join(&B);
    To.Join = Join ? int32_t(Numbering.number(Join)) : -1;
    To.FalseFirst = Policy.leavingSide(&B) == 1;
  }
  for (const PollingLoop &L : pollingLoops(Kernel))
    Out.Blocks[Numbering.number(L.Header)].Polls = true;
  for (const WorkLoop &L : workLoops(Kernel))
    Out.Blocks[Numbering.number(L.Header)].TakesTurns = true;
  decodeArguments();
  // Phis first: edges of earlier blocks write them.
  for (const BasicBlock &B : Kernel)
    for (const PHINode &Phi : B.phis())
      for (const Scalar &S : scalars(Phi.getType()))
        Values[&Phi].push_back(allocate(container(S.Type)));
  if (Options.OnCheck)
    followSums();
  // Definitions before uses: along the dominator tree, which reverse post-order
  // respects; ops stand in that order, blocks are found by number.
  for (const BasicBlock *B :
       ReversePostOrderTraversal<const Function *>(&Kernel))
    decodeBlock(*B);
  if (!Problem.empty())
    return createStringError(Problem);
  relocateConstants();
  Out.Prologue.push_back({});
  if (Out.FrameBytes > ConstantArea / 4)
    return createStringError("kernel '" + Kernel.getName() +
                             "' is too large for the interpreter");
  return std::move(Out);
}

} // namespace heddle::interp
