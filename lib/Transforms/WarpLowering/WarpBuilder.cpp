//===- WarpBuilder.cpp - Writes the host function of a warp ---------------===//

#include "WarpBuilder.h"

#include "LaneLoops.h"
#include "SpecialRegisters.h"

#include "heddle/ABI/WarpKernel.h"
#include "heddle/Analysis/Barriers.h"
#include "heddle/Analysis/PollingLoops.h"
#include "heddle/Analysis/WorkLoops.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <cstddef>

using namespace llvm;

namespace heddle {

static const Value *pointerOf(const Instruction &I) {
  if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return RMW->getPointerOperand();
  return getLoadStorePointerOperand(&I);
}

/// Whether all lanes of a warp, if need be, run a loop around \p B one by one.
static bool runsLaneByLane(const BasicBlock *B, const LoopInfo &LI,
                           const LaneLoops &Loops) {
  for (const Loop *L = LI.getLoopFor(B); L; L = L->getParentLoop()) {
    const LaneLoop *Lanes = Loops.at(L->getHeader());
    if (Lanes && Lanes->MaxLanes == HEDDLE_WARP_SIZE)
      return true;
  }
  return false;
}

/// Whether \p F, lowered without counters, is faster on vectors of 256 bits:
/// because most of it runs one lane at a time, or because it streams through
/// memory.
static bool prefersNarrowVectors(Function &F, const LaneShapes &Shapes,
                                 const LaneLoops &Loops) {
  // How often a loop goes round, as is usual where nothing is known; two cache
  // lines from memory, in vector operations.
  constexpr uint64_t Rounds = 8, MostDepth = 8, StreamCost = 12;
  DominatorTree DT(F);
  LoopInfo LI(DT);
  uint64_t Vector = 0, Same = 0;
  for (const BasicBlock &B : F) {
    uint64_t Weight = 1;
    for (unsigned D = std::min<uint64_t>(LI.getLoopDepth(&B), MostDepth); D;
         --D)
      Weight *= Rounds;
    bool Alone = runsLaneByLane(&B, LI, Loops);
    for (const Instruction &I : B) {
      if (isa<PHINode, BranchInst>(I) || I.isDebugOrPseudoInst())
        continue;
      // Lanes change places fastest in 512 bits.
      const auto *Call = dyn_cast<CallBase>(&I);
      if (Call && Call->isConvergent())
        return false;
      const Value *Pointer = pointerOf(I);
      if (Alone)
        Same += Weight;
      else if (!Pointer)
        Vector += Shapes.of(&I).Kind == Shape::Lanes ? Weight : 0;
      else if (Shapes.of(Pointer).Kind == Shape::Lanes)
        Vector += Weight;
      else if (LI.empty() && Shapes.of(Pointer).Kind == Shape::Affine)
        Same += StreamCost;
    }
  }
  return Same > 5 * Vector;
}

WarpBuilder::WarpBuilder(const KernelClone &Clone, const LaneShapes &Shapes,
                         const WarpGeometry &Geometry,
                         const LaunchRanges &Ranges, const LaneLoops *Loops,
                         const WarpLoweringOptions &Options, Module &Host)
    : Clone(Clone), Shapes(Shapes), Flow(Shapes.flow()), Geometry(Geometry),
      Ranges(Ranges), Loops(Loops), Options(Options), Host(Host),
      Ctx(Host.getContext()), DL(Host.getDataLayout()), B(Ctx),
      I1(B.getInt1Ty()), I8(B.getInt8Ty()), I16(B.getInt16Ty()),
      I32(B.getInt32Ty()), I64(B.getInt64Ty()), Ptr(B.getPtrTy()) {
  HasScatter = Options.Target->getTargetFeatureString().contains("+avx512f");
  Narrow = Loops && prefersNarrowVectors(Clone.function(), Shapes, *Loops);
}

/// Remembers the first reason for which the kernel cannot be lowered.
void WarpBuilder::fail(const Instruction &I, const Twine &Reason) {
  if (Failure)
    return;
  std::string Text;
  raw_string_ostream OS(Text);
  if (const DebugLoc &Loc = I.getDebugLoc())
    if (const auto *Scope = dyn_cast_or_null<DIScope>(Loc.getScope()))
      OS << Scope->getFilename() << ':' << Loc.getLine() << ": ";
  OS << Reason << ": ";
  I.print(OS);
  Failure = Text;
}

AllocaInst *WarpBuilder::entryAlloca(Type *Ty, const Twine &Name,
                                     unsigned Alignment) {
  auto *A = new AllocaInst(Ty, 0, Name, Entry->getFirstInsertionPt());
  if (Alignment)
    A->setAlignment(Align(Alignment));
  return A;
}

Value *WarpBuilder::field(size_t Offset) {
  return B.CreateConstInBoundsGEP1_64(I8, Warp, Offset);
}
void WarpBuilder::setField(size_t Offset, Value *V) {
  B.CreateStore(V, field(Offset));
}
Value *WarpBuilder::loadField(size_t Offset, Type *Ty) {
  // A row of 32 is no more aligned than its elements.
  return B.CreateAlignedLoad(Ty, field(Offset), Align(4));
}

void WarpBuilder::createFunction(StringRef Name) {
  Fn = Function::Create(FunctionType::get(I32, {Ptr}, false),
                        GlobalValue::ExternalLinkage, Name, Host);
  Fn->addFnAttr(Attribute::NoUnwind);
  Fn->addFnAttr("target-cpu", Options.Target->getTargetCPU());
  Fn->addFnAttr("target-features", Options.Target->getTargetFeatureString());
  if (HasScatter) {
    StringRef Bits = Narrow ? "256" : "512";
    Fn->addFnAttr("prefer-vector-width", Bits);
    Fn->addFnAttr("min-legal-vector-width", Bits);
  }
  Warp = Fn->getArg(0);
  Fn->addParamAttr(0, Attribute::NoAlias);
  Entry = BasicBlock::Create(Ctx, "entry", Fn);
  Setup = BasicBlock::Create(Ctx, "setup", Fn);
  B.SetInsertPoint(Setup);

  MDBuilder MD(Ctx);
  MDNode *Scope =
      MD.createAnonymousAliasScope(MD.createAnonymousAliasScopeDomain());
  CounterScope = MDNode::get(Ctx, {Scope});

  MaskSlot = entryAlloca(I32, "mask");
  ExitedSlot = entryAlloca(I32, "exited");
  StepsSlot = entryAlloca(I64, "steps");
  LiveMask = loadField(offsetof(HeddleWarp, LiveMask), I32);
  Params = loadField(offsetof(HeddleWarp, Params), Ptr);
  Shared = loadField(offsetof(HeddleWarp, Shared), Ptr);
  Local = loadField(offsetof(HeddleWarp, Local), Ptr);
  LocalStride = loadField(offsetof(HeddleWarp, LocalStride), I64);
  Frame = loadField(offsetof(HeddleWarp, Frame), Ptr);
  BlockCounters = loadField(offsetof(HeddleWarp, BlockCounters), Ptr);
  MemoryCounters = loadField(offsetof(HeddleWarp, MemoryCounters), Ptr);
  Value *Exited = loadField(offsetof(HeddleWarp, ExitedMask), I32);
  B.CreateStore(Exited, ExitedSlot);
  B.CreateStore(B.CreateAnd(LiveMask, B.CreateNot(Exited)), MaskSlot);
  B.CreateStore(loadField(offsetof(HeddleWarp, StepsLeft), I64), StepsSlot);

  for (Argument &A : Clone.function().args()) {
    Value *At = B.CreateConstInBoundsGEP1_64(
        I8, Params, Options.ParamOffset(*cast<Argument>(Clone.original(&A))));
    if (A.hasByValAttr())
      Arguments[&A] = At;
    else if (!A.use_empty())
      Arguments[&A] = B.CreateAlignedLoad(hostType(A.getType()), At, Align(1));
  }
}

/// A slot for each value that another block, or a phi of a block that is not
/// next, uses.
void WarpBuilder::createSlots() {
  for (Instruction &I : instructions(Clone.function()))
    createSlot(I);
}

void WarpBuilder::createSlot(Instruction &I) {
  if (I.getType()->isVoidTy())
    return;
  bool Crosses = isa<PHINode>(I);
  for (const Use &U : I.uses()) {
    auto *User = cast<Instruction>(U.getUser());
    const BasicBlock *At = User->getParent();
    if (auto *Phi = dyn_cast<PHINode>(User))
      At = Phi->getIncomingBlock(U);
    Crosses |= At != I.getParent();
  }
  if (!Crosses)
    return;
  auto &Slot = Slots[&I];
  Shape S = shape(&I);
  if (S.Kind == Shape::Lanes)
    for (const Leaf &L : leavesOf(I.getType()))
      Slot.push_back(entryAlloca(lanesOf(L.Ty), I.getName()));
  else
    for (unsigned N = 0; N < (S.Kind == Shape::Affine ? Geometry.Segments : 1);
         ++N)
      Slot.push_back(entryAlloca(hostType(I.getType()), I.getName()));
}

/// Which slots hold something at the start of each block after a barrier.
void WarpBuilder::computeLiveness() {
  Function &F = Clone.function();
  DenseMap<const BasicBlock *, SmallPtrSet<Instruction *, 32>> Live;
  auto usedFrom = [&](BasicBlock &Block, SmallPtrSetImpl<Instruction *> &Out) {
    for (BasicBlock *S : successors(&Block)) {
      for (Instruction *I : Live[S])
        if (!isa<PHINode>(I) || I->getParent() != S)
          Out.insert(I);
      for (PHINode &Phi : S->phis())
        if (auto *I =
                dyn_cast<Instruction>(Phi.getIncomingValueForBlock(&Block)))
          Out.insert(I);
      // A mixed phi keeps what other lanes have already put into it.
      if (Flow.isMixed(S) || Flow.isOverrun(S))
        for (PHINode &Phi : S->phis())
          Out.insert(&Phi);
    }
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *Block : post_order(&F)) {
      SmallPtrSet<Instruction *, 32> In;
      usedFrom(*Block, In);
      for (Instruction &I : reverse(*Block)) {
        // Blended values are read by their own definition.
        if (!Flow.isOverrun(Block) && !isa<PHINode>(I))
          In.erase(&I);
        if (!isa<PHINode>(I))
          for (Value *Op : I.operands())
            if (auto *Def = dyn_cast<Instruction>(Op))
              In.insert(Def);
      }
      for (PHINode &Phi : Block->phis())
        In.insert(&Phi);
      if (In.size() != Live[Block].size()) {
        Live[Block] = std::move(In);
        Changed = true;
      }
    }
  }
  for (BasicBlock &Block : F) {
    if (Block.size() < 2 || !isBarrier(*Block.getTerminator()->getPrevNode()))
      continue;
    BasicBlock *After = Block.getSingleSuccessor();
    for (Instruction &I : instructions(F))
      if (Slots.contains(&I) && Live[After].contains(&I)) {
        LiveIn[After].push_back(&I);
        if (FrameOffsets.contains(&I))
          continue;
        for (AllocaInst *Slot : Slots[&I]) {
          FrameBytes = alignTo(FrameBytes, 64);
          FrameOffsets.try_emplace(&I, FrameBytes);
          FrameBytes +=
              alignTo(DL.getTypeAllocSize(Slot->getAllocatedType()), 64);
        }
      }
  }
}

void WarpBuilder::countBlock(const BasicBlock &Block) {
  unsigned Number = Clone.blockNumber(&Block);
  if (Number == KernelClone::None)
    return;
  Value *Steps = B.CreateSub(B.CreateLoad(I64, StepsSlot), B.getInt64(1));
  B.CreateStore(Steps, StepsSlot);
  // Every loop passes a block with two predecessors.
  if (Block.hasNPredecessorsOrMore(2)) {
    BasicBlock *Out = BasicBlock::Create(Ctx, "limit", Fn);
    BasicBlock *Go = BasicBlock::Create(Ctx, "", Fn);
    B.CreateCondBr(B.CreateICmpSLT(Steps, B.getInt64(0)), Out, Go,
                   MDBuilder(Ctx).createUnlikelyBranchWeights());
    B.SetInsertPoint(Out);
    failAtRunTime(HEDDLE_ERROR_STEP_LIMIT, &Block.front());
    B.SetInsertPoint(Go);
  }
  if (Options.Counters) {
    Value *Row = counterRow(BlockCounters, Number, 2);
    addCounter(Row, B.getInt64(1));
    Value *Count = B.CreateUnaryIntrinsic(Intrinsic::ctpop, Mask);
    addCounter(B.CreateConstGEP1_32(I64, Row, 1), B.CreateZExt(Count, I64));
  }
  if (Options.OnBlock)
    callHost(hostFunction("heddleOnBlock", Options.OnBlock), B.getVoidTy(),
             {Warp, B.getInt32(Number), Mask});
}

void WarpBuilder::lowerBlock(BasicBlock &Block) {
  B.SetInsertPoint(Blocks[&Block]);
  Lowered = &Block;
  Current.clear();
  Mask = B.CreateLoad(I32, MaskSlot, "mask");
  MaskVector = maskLanes(Mask);
  if (Loops && !Single)
    if (const LaneLoop *L = Loops->at(&Block))
      lowerLaneLoop(*L);
  countBlock(Block);
  if (TakingTurns.contains(&Block))
    lowerTurn();
  else if (Polling.contains(&Block))
    lowerPoll();
  for (Instruction &I : Block) {
    if (Failure)
      return;
    lower(I);
  }
}

void WarpBuilder::lower(Instruction &I) {
  if (isa<PHINode>(I) || isa<DbgInfoIntrinsic>(I))
    return;
  switch (I.getOpcode()) {
  case Instruction::Br:
    return lowerBranch(cast<BranchInst>(I));
  case Instruction::Ret:
    return lowerReturn(I.getParent());
  case Instruction::Unreachable:
    return failAtRunTime(HEDDLE_ERROR_TRAP, &I);
  case Instruction::Load:
    return lowerLoad(cast<LoadInst>(I));
  case Instruction::Store:
    return lowerStore(cast<StoreInst>(I));
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
    return lowerAtomic(I);
  case Instruction::Fence:
    B.CreateFence(cast<FenceInst>(I).getOrdering());
    return;
  case Instruction::Call:
    return lowerCall(cast<CallInst>(I));
  case Instruction::Alloca: {
    const auto *Original = cast<AllocaInst>(Clone.original(&I));
    if (!Original->getAllocationSize(DL))
      return fail(I, "local memory of a size that is not constant");
    // Lane l owns a stretch of LocalStride bytes.
    SmallVector<Constant *> Indices;
    for (unsigned L = 0; L < HEDDLE_WARP_SIZE; ++L)
      Indices.push_back(B.getInt64(L));
    Value *Offsets = B.CreateAdd(
        B.CreateMul(ConstantVector::get(Indices), splat(LocalStride)),
        splat(B.getInt64(Options.LocalOffset(*Original))));
    return setLanes(I, B.CreateGEP(I8, Local, Offsets));
  }
  case Instruction::GetElementPtr:
    return lowerGEP(cast<GetElementPtrInst>(I));
  case Instruction::BitCast:
    return lowerBitCast(cast<BitCastInst>(I));
  case Instruction::Select:
    return lowerSelect(cast<SelectInst>(I));
  default:
    break;
  }
  if (shape(&I).Kind == Shape::Affine)
    return lowerAffine(I);
  if (lowerAggregate(I))
    return;
  if (isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, FreezeInst>(I))
    return lowerElementwise(I);
  fail(I, "instruction that is not lowered");
}

static Error tooLarge(StringRef What) {
  return createStringError("it has too many " + What +
                           " to be compiled for this machine");
}

Expected<uint64_t> WarpBuilder::run(StringRef Name) {
  createFunction(Name);
  createSlots();
  computeLiveness();
  Function &F = Clone.function();
  for (BasicBlock &Block : F)
    Blocks[&Block] = BasicBlock::Create(Ctx, Block.getName(), Fn);

  for (auto &[Join, G] : Flow.groups()) {
    auto zeroed = [&](Type *Ty, const Twine &Text) {
      AllocaInst *A = entryAlloca(Ty, Text);
      B.CreateStore(Constant::getNullValue(Ty), A);
      return A;
    };
    if (Join)
      JoinMasks[Join] = zeroed(I32, "join");
    if (G.NeedsStack) {
      Type *Array = ArrayType::get(I32, HEDDLE_WARP_SIZE);
      Stacks[&G] = {entryAlloca(Array, "stack.masks"),
                    entryAlloca(Array, "stack.targets"),
                    zeroed(I32, "stack.depth")};
    } else {
      for (const DivergentBranch *D : G.Waiting)
        FalseMasks[D] = zeroed(I32, "false");
    }
  }

  const Function &Original = *Clone.numbering().block(0)->getParent();
  SmallPtrSet<const BasicBlock *, 4> Polls, Works;
  for (const PollingLoop &L : pollingLoops(Original))
    Polls.insert(L.Header);
  for (const WorkLoop &L : workLoops(Original))
    Works.insert(L.Header);
  for (BasicBlock &Block : F) {
    const unsigned N = Clone.blockNumber(&Block);
    if (N == KernelClone::None)
      continue;
    if (Polls.contains(Clone.numbering().block(N)))
      Polling.insert(&Block);
    if (Works.contains(Clone.numbering().block(N)))
      TakingTurns.insert(&Block);
  }
  if (!Polling.empty()) {
    PollsSlot = entryAlloca(I32, "polls");
    B.CreateStore(B.getInt32(0), PollsSlot);
  }
  if (!Polling.empty() || !TakingTurns.empty())
    placeState();

  // A function made for one shape of launch must see no other.
  BasicBlock *Go = BasicBlock::Create(Ctx, "go", Fn);
  if (Geometry.isKnown()) {
    Value *Same =
        Ranges.check(B, [&](size_t Offset) { return loadField(Offset, I32); });
    for (unsigned D = 0; D < 3; ++D)
      Same = B.CreateAnd(
          Same,
          B.CreateICmpEQ(loadField(offsetof(HeddleWarp, BlockDim) + 4 * D, I32),
                         B.getInt32(Geometry.BlockDim[D])));
    BasicBlock *Other = BasicBlock::Create(Ctx, "other.shape", Fn);
    B.CreateCondBr(Same, Go, Other);
    B.SetInsertPoint(Other);
    failAtRunTime(HEDDLE_ERROR_UNSUPPORTED, nullptr);
  } else {
    B.CreateBr(Go);
  }
  B.SetInsertPoint(Go);
  Resume = B.CreateSwitch(loadField(offsetof(HeddleWarp, ResumeBlock), I32),
                          Blocks[&F.getEntryBlock()]);

  for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&F)) {
    lowerBlock(*Block);
    if (Fn->size() > Options.MaxHostBlocks)
      return tooLarge("blocks");
  }
  B.SetInsertPoint(Entry);
  B.CreateBr(Setup);
  if (Failure)
    return createStringError(*Failure);
  std::string Broken;
  raw_string_ostream OS(Broken);
  if (verifyFunction(*Fn, &OS))
    return createStringError("lowering of " + F.getName() +
                             " gave invalid code: " + Broken);
  return FrameBytes;
}

Expected<LoweredWarp> lowerToWarp(const Function &Kernel,
                                  const WarpLoweringOptions &Options) {
  if (Kernel.getInstructionCount() > Options.MaxKernelInstructions)
    return tooLarge("instructions");
  LoweredWarp Result;
  Result.Module = std::make_unique<Module>("heddle.warp", Kernel.getContext());
  Result.Module->setDataLayout(Options.Target->createDataLayout());
  Result.Module->setTargetTriple(Options.Target->getTargetTriple());
  Result.FunctionName = "heddle_warp";

  KernelClone Clone(Kernel);
  WarpGeometry Geometry(Options.BlockDim);
  LaunchRanges Ranges(Clone.function(), Geometry, Options.SmallGrid);
  LaneShapes Shapes(Clone.function(), Geometry);
  // What counts or observes needs to see every round of the warp.
  bool Observes = Options.Counters || Options.OnBlock ||
                  any_of(instructions(Clone.function()), [](Instruction &I) {
                    auto *Call = dyn_cast<CallInst>(&I);
                    return Call && isClock(*Call);
                  });
  std::optional<LaneLoops> Loops;
  if (!Observes)
    Loops.emplace(Clone.function(), Shapes, Options.OverlappingArguments);
  WarpBuilder Builder(Clone, Shapes, Geometry, Ranges,
                      Loops ? &*Loops : nullptr, Options, *Result.Module);
  Expected<uint64_t> FrameBytes = Builder.run(Result.FunctionName);
  if (!FrameBytes)
    return FrameBytes.takeError();
  Result.FrameBytes = *FrameBytes;
  Result.HostFunctions = Builder.hostFunctions();
  return Result;
}

} // namespace heddle
