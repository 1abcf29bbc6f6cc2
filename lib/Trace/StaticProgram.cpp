//===- StaticProgram.cpp - A kernel decoded for evaluation ----------------===//

#include "StaticProgram.h"

#include "heddle/Analysis/AsyncBarrier.h"
#include "heddle/Analysis/AsyncCopy.h"
#include "heddle/Analysis/BulkOperation.h"
#include "heddle/Analysis/DivergencePolicy.h"
#include "heddle/Analysis/KernelNumbering.h"
#include "heddle/Analysis/MatrixOperation.h"
#include "heddle/Analysis/TextureOperation.h"
#include "heddle/Trace/StaticTrace.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle::statics {

namespace {
/// What loads, atomics and exchanges between lanes yield in a kernel, and all
/// that is computed from it. Parameters and constants are no data.
class DataValues {
public:
  DataValues(const llvm::Function &Kernel, const KernelNumbering &Numbering);
  bool contains(const llvm::Value *V) const { return Values.contains(V); }

private:
  llvm::SmallPtrSet<const llvm::Value *, 32> Values;
};
} // namespace

/// Whether \p Load reads a parameter or the initialiser of a constant. Of a
/// vector each use has to be of one element: neighbours that LLVM has joined.
static bool readsKnown(const LoadInst &Load, const KernelNumbering &Numbering) {
  auto TakesElement = [](const User *U) {
    const auto *Part = dyn_cast<ExtractElementInst>(U);
    return Part && isa<ConstantInt>(Part->getIndexOperand());
  };
  if (Load.getType()->isVectorTy() && !all_of(Load.users(), TakesElement))
    return false;
  const Type *T = Load.getType()->getScalarType();
  const bool Kept = (T->isIntegerTy() && T->getIntegerBitWidth() <= 64) ||
                    T->isPointerTy() || T->isFloatTy() || T->isDoubleTy();
  if (!Kept)
    return false;
  if (Numbering.memoryNumber(&Load) == HEDDLE_NO_MEMORY)
    return true; // parameters
  const auto *GV = dyn_cast<GlobalVariable>(
      getUnderlyingObject(Load.getPointerOperand(), 0));
  // __constant__ variables hold their initialisers: launches do not set them.
  return GV && GV->hasInitializer() &&
         (GV->isConstant() ||
          GV->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST);
}

DataValues::DataValues(const Function &Kernel,
                       const KernelNumbering &Numbering) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Instruction &I : instructions(Kernel)) {
      if (I.getType()->isVoidTy() || Values.contains(&I))
        continue;
      // Vectors that are put together are not kept.
      bool IsData = isa<AtomicRMWInst, AtomicCmpXchgInst, InsertElementInst,
                        ShuffleVectorInst>(I);
      if (const auto *Load = dyn_cast<LoadInst>(&I))
        IsData = !readsKnown(*Load, Numbering);
      if (const auto *Call = dyn_cast<CallBase>(&I))
        IsData |= textureOperation(*Call).has_value();
      for (const Value *Op : I.operands())
        IsData |= Values.contains(Op);
      if (IsData)
        Changed |= Values.insert(&I).second;
    }
  }
}

namespace {

class Decoder {
public:
  Decoder(const Function &F, const KernelNumbering &Numbering,
          const KernelLayout &Layout, const GlobalAddresses &Globals,
          const StaticTraceOptions &Options)
      : F(F), Numbering(Numbering), Layout(Layout), Globals(Globals),
        Options(Options), DL(F.getDataLayout()), Data(F, Numbering) {}
  Program run();

private:
  uint32_t slot(const Value *V);
  Operand operand(const Value *V);
  void fillConstant(const Constant *C, Lanes &Into);
  void addArguments();
  Node decode(const Instruction &I);
  void decodeGEP(const GetElementPtrInst &GEP, Node &N);
  void decodeObject(const Value *Pointer, Node &N);
  bool decodeElement(const Instruction &I, Node &N);
  bool decodeTexture(const Instruction &I, Node &N);
  bool decodeAsync(const Instruction &I, Node &N);
  void decodeTensorMap(const Value *Map, Node &N);
  void decodeEnd(const BasicBlock &From, Block &B);
  Edge edge(const BasicBlock &From, const BasicBlock &To);
  const uint64_t *iterationsOf(const BasicBlock *Header) const;
  bool entersSkipped(const LoopInfo &LI, const BasicBlock *From,
                     const BasicBlock *To) const;
  void describeBranches();

  const Function &F;
  const KernelNumbering &Numbering;
  const KernelLayout &Layout;
  const GlobalAddresses &Globals;
  const StaticTraceOptions &Options;
  const DataLayout &DL;
  Program P;
  DenseMap<const Value *, uint32_t> Slots;
  const DataValues Data;
};

Kind kindOf(const Type *T) {
  if (T->isIntegerTy() && T->getIntegerBitWidth() <= 64)
    return Kind::Int;
  if (T->isPointerTy())
    return Kind::Int;
  if (T->isFloatTy())
    return Kind::F32;
  if (T->isDoubleTy())
    return Kind::F64;
  return Kind::Other;
}

} // namespace

static uint8_t widthOf(const Type *T) {
  if (T->isIntegerTy())
    return std::min(64u, T->getIntegerBitWidth());
  if (T->isFloatTy())
    return 32;
  return 64;
}

Operand Decoder::operand(const Value *V) {
  return {slot(V), widthOf(V->getType()), kindOf(V->getType())};
}

void Decoder::fillConstant(const Constant *C, Lanes &Into) {
  Into.Valid = ~0u;
  if (const auto *Int = dyn_cast<ConstantInt>(C);
      Int && Int->getBitWidth() <= 64) {
    Into.V[0] = Int->getBitWidth() == 1 ? int64_t(Int->getZExtValue())
                                        : Int->getSExtValue();
  } else if (const auto *FP = dyn_cast<ConstantFP>(C);
             FP && kindOf(FP->getType()) != Kind::Other) {
    Into.V[0] = int64_t(FP->getValueAPF().bitcastToAPInt().getZExtValue());
  } else if (const auto *GV = dyn_cast<GlobalVariable>(C)) {
    auto Shared = Layout.Shared.find(GV);
    if (Shared != Layout.Shared.end())
      P.SharedVariables.push_back({Slots.lookup(C), Shared->second});
    else
      Into.V[0] = int64_t(Globals.addressOf(GV->getName()));
  } else if (!isa<ConstantPointerNull, UndefValue, ConstantAggregateZero>(C)) {
    Into.Unknown = ~0u;
  }
}

uint32_t Decoder::slot(const Value *V) {
  auto [It, New] = Slots.try_emplace(V, P.Start.size());
  if (!New)
    return It->second;
  const uint32_t Number = It->second;
  P.Start.emplace_back();
  if (const auto *C = dyn_cast<Constant>(V)) {
    // Prepared kernels have no constant expressions but casts of variables.
    if (const auto *CE = dyn_cast<ConstantExpr>(C);
        CE && CE->getOpcode() == Instruction::AddrSpaceCast &&
        isa<GlobalVariable>(CE->getOperand(0))) {
      const auto *GV = cast<GlobalVariable>(CE->getOperand(0));
      auto Shared = Layout.Shared.find(GV);
      P.Start[Number].Valid = ~0u;
      if (Shared != Layout.Shared.end())
        P.SharedVariables.push_back({Number, Shared->second});
      else
        P.Start[Number].V[0] = int64_t(Globals.addressOf(GV->getName()));
    } else {
      fillConstant(C, P.Start[Number]);
    }
  }
  return Number;
}

void Decoder::addArguments() {
  for (const KernelLayout::Param &Param : Layout.Params) {
    uint32_t Slot = slot(Param.Arg);
    P.Start[Slot].Valid = ~0u;
    if (Param.Arg->hasByValAttr()) {
      P.Structs.push_back({Slot, Param.Offset});
      continue;
    }
    P.Arguments.push_back({Slot, Param.Offset});
    Node Type{};
    Type.K = kindOf(Param.Arg->getType());
    Type.Width = widthOf(Param.Arg->getType());
    P.ArgumentTypes.push_back(Type);
    P.ArgumentBytes.push_back(Param.SizeBytes);
  }
}

void Decoder::decodeGEP(const GetElementPtrInst &GEP, Node &N) {
  N.Ops.push_back(operand(GEP.getPointerOperand()));
  for (auto It = gep_type_begin(GEP), E = gep_type_end(GEP); It != E; ++It) {
    if (StructType *S = It.getStructTypeOrNull()) {
      unsigned Field = cast<ConstantInt>(It.getOperand())->getZExtValue();
      N.Offset += int64_t(DL.getStructLayout(S)->getElementOffset(Field));
      continue;
    }
    int64_t Scale = int64_t(It.getSequentialElementStride(DL));
    if (const auto *C = dyn_cast<ConstantInt>(It.getOperand())) {
      N.Offset += C->getSExtValue() * Scale;
      continue;
    }
    N.Ops.push_back(operand(It.getOperand()));
    N.Scales.push_back(Scale);
  }
}

void Decoder::decodeObject(const Value *Pointer, Node &N) {
  const Value *Object = getUnderlyingObject(Pointer, 0);
  if (isa<Argument>(Object)) {
    N.Object = slot(Object);
  } else if (const auto *GV = dyn_cast<GlobalVariable>(Object)) {
    N.Object = slot(GV);
    N.ObjectBytes = DL.getTypeAllocSize(GV->getValueType());
  } else if (const auto *A = dyn_cast<AllocaInst>(Object)) {
    N.Object = slot(A);
    if (auto Size = A->getAllocationSize(DL))
      N.ObjectBytes = *Size;
  }
}

/// The load that \p V, or an element of it, comes from; else null.
static const LoadInst *loadBehind(const Value *V) {
  for (;;)
    if (const auto *Part = dyn_cast<ExtractElementInst>(V))
      V = Part->getVectorOperand();
    else if (const auto *Whole = dyn_cast<InsertElementInst>(V))
      V = Whole->getOperand(1);
    else
      return dyn_cast<LoadInst>(V);
}

/// An element of a vector of parameters or constants is a load by itself.
bool Decoder::decodeElement(const Instruction &I, Node &N) {
  const auto *Part = dyn_cast<ExtractElementInst>(&I);
  const auto *Load =
      Part ? dyn_cast<LoadInst>(Part->getVectorOperand()) : nullptr;
  if (!Load || !readsKnown(*Load, Numbering))
    return false;
  N.Opcode = Instruction::Load;
  N.ReadsKnown = true;
  N.Ops.push_back(operand(Load->getPointerOperand()));
  N.Offset =
      int64_t(cast<ConstantInt>(Part->getIndexOperand())->getZExtValue() *
              DL.getTypeStoreSize(I.getType()));
  return true;
}

/// The argument that \p Local is a copy of, as kernels have of structs whose
/// address they take; null if it is none.
static const Argument *copiedArgument(const AllocaInst &Local) {
  for (const Instruction &I : instructions(*Local.getFunction())) {
    const auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store || getUnderlyingObject(Store->getPointerOperand(), 0) != &Local)
      continue;
    const LoadInst *Load = loadBehind(Store->getValueOperand());
    const auto *From = Load ? dyn_cast<Argument>(getUnderlyingObject(
                                  Load->getPointerOperand(), 0))
                            : nullptr;
    if (From && From->hasByValAttr())
      return From;
  }
  return nullptr;
}

/// Where \p Map, a tensor map, lies: the argument itself for a copy of it.
void Decoder::decodeTensorMap(const Value *Map, Node &N) {
  APInt Offset(64, 0);
  const Value *Object =
      Map->stripAndAccumulateConstantOffsets(DL, Offset, true);
  if (const auto *Local = dyn_cast<AllocaInst>(Object))
    if (const Argument *From = copiedArgument(*Local)) {
      N.Ops[HEDDLE_BULK_GLOBAL] = operand(From);
      N.Offset = Offset.getSExtValue();
    }
}

/// An operation of an mbarrier, a bulk copy, or who elect.sync has elected.
bool Decoder::decodeAsync(const Instruction &I, Node &N) {
  if (const auto *Part = dyn_cast<ExtractValueInst>(&I)) {
    const auto *Call = dyn_cast<IntrinsicInst>(Part->getAggregateOperand());
    N.IsElected = Call && Call->getIntrinsicID() == Intrinsic::nvvm_elect_sync;
    return N.IsElected;
  }
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  Type *Word = Type::getInt32Ty(I.getContext());
  if (const auto O = barrierOperation(*Call)) {
    N.BarrierAction = O->Action;
    N.Ops = {operand(O->Barrier),
             operand(O->Number ? O->Number : ConstantInt::get(Word, 1))};
    return true;
  }
  const auto O = bulkOperation(*Call);
  if (!O)
    return false;
  N.Bulk = O->shapeBits();
  for (const Value *V : O->Operands)
    N.Ops.push_back(operand(V ? V : ConstantInt::get(Word, 0)));
  if (O->Shape.Rank)
    decodeTensorMap(O->operand(HEDDLE_BULK_GLOBAL), N);
  return true;
}

bool Decoder::decodeTexture(const Instruction &I, Node &N) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const auto O = Call ? textureOperation(*Call) : std::nullopt;
  if (!O)
    return false;
  N.Texture = O->shapeBits();
  const Value *Zero = ConstantInt::get(Type::getInt32Ty(I.getContext()), 0);
  N.Ops = {operand(O->Handle), operand(O->Sampler ? O->Sampler : Zero)};
  for (const Value *V : O->Coordinates)
    N.Ops.push_back(operand(V ? V : Zero));
  return true;
}

Node Decoder::decode(const Instruction &I) {
  Node N{};
  N.I = &I;
  N.Opcode = I.getOpcode();
  N.Record = Numbering.memoryNumber(&I);
  if (!I.getType()->isVoidTy()) {
    N.Dst = slot(&I);
    N.K = kindOf(I.getType());
    N.Width = widthOf(I.getType());
  }
  if (const auto *GEP = dyn_cast<GetElementPtrInst>(&I)) {
    decodeGEP(*GEP, N);
  } else if (decodeElement(I, N)) {
    // its vector is not read
  } else if (decodeTexture(I, N)) {
    // what it reads is data
  } else if (decodeAsync(I, N)) {
    // what it does is done as far as control needs it
  } else if (N.Record != HEDDLE_NO_MEMORY) {
    const Value *Pointer = Numbering.memory()[N.Record].Pointer;
    N.Ops.push_back(operand(Pointer));
    decodeObject(Pointer, N);
    if (const auto *Call = dyn_cast<CallBase>(&I)) {
      if (const auto A = matrixAccess(*Call))
        N.Matrices = A->Count;
      if (const auto C = asyncCopy(*Call)) {
        N.CopiesToNext = true;
        N.Ops.push_back(operand(C->To));
        if (C->Read)
          N.Ops.push_back(operand(C->Read));
      }
    }
  } else if (const auto *Call = dyn_cast<CallBase>(&I)) {
    N.Intrinsic = Call->getIntrinsicID();
    for (const Value *Arg : Call->args())
      if (!isa<MetadataAsValue>(Arg))
        N.Ops.push_back(operand(Arg));
  } else if (isa<AllocaInst>(I)) {
    N.Offset = int64_t(Layout.Local.lookup(cast<AllocaInst>(&I)));
  } else {
    for (const Value *Op : I.operands())
      N.Ops.push_back(operand(Op));
  }
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    N.ReadsKnown = N.K != Kind::Other && readsKnown(*Load, Numbering);
  return N;
}

Edge Decoder::edge(const BasicBlock &From, const BasicBlock &To) {
  Edge E;
  E.To = Numbering.number(&To);
  for (const PHINode &Phi : To.phis())
    E.Phis.push_back({slot(&Phi), slot(Phi.getIncomingValueForBlock(&From))});
  return E;
}

void Decoder::decodeEnd(const BasicBlock &From, Block &B) {
  const Instruction *End = From.getTerminator();
  if (isa<ReturnInst>(End)) {
    B.End = Block::Return;
  } else if (const auto *Br = dyn_cast<BranchInst>(End)) {
    bool Two =
        Br->isConditional() && Br->getSuccessor(0) != Br->getSuccessor(1);
    B.End = Two ? Block::Branch : Block::Jump;
    if (Two)
      B.Condition = slot(Br->getCondition());
    for (unsigned N = 0; N < (Two ? 2 : 1); ++N)
      B.Succ[N] = edge(From, *Br->getSuccessor(N));
  } else {
    B.End = Block::Trap;
  }
}

/// Iterations that are known for the loop of \p Header.
const uint64_t *Decoder::iterationsOf(const BasicBlock *Header) const {
  auto It = Options.Iterations.find(Numbering.number(Header));
  return It == Options.Iterations.end() ? nullptr : &It->second;
}

/// Whether an edge to \p To enters a loop that is known not to be entered.
bool Decoder::entersSkipped(const LoopInfo &LI, const BasicBlock *From,
                            const BasicBlock *To) const {
  if (!LI.isLoopHeader(To) && To->getSingleSuccessor())
    To = To->getSingleSuccessor();
  if (!LI.isLoopHeader(To) || LI.getLoopFor(To)->contains(From))
    return false;
  const uint64_t *N = iterationsOf(To);
  return N && *N == 0;
}

/// What lanes do at a branch that data decides: the guarded code runs; loops
/// go on until they have run as often as is known or assumed.
void Decoder::describeBranches() {
  DominatorTree DT(const_cast<Function &>(F));
  LoopInfo LI(DT);
  DivergencePolicy Policy(F);
  SmallPtrSet<const Loop *, 4> Counted;
  for (const BasicBlock &BB : F) {
    Block &B = P.Blocks[Numbering.number(&BB)];
    const int Leaving = Policy.leavingSide(&BB);
    if (const BasicBlock *Join = Policy.join(&BB))
      B.Join = Numbering.number(Join);
    B.FalseFirst = Leaving == 1;
    if (B.End != Block::Branch)
      continue;
    B.Taken = B.Succ[0].To == B.Join || Leaving == 0 ? 1 : 0;
    const Instruction *End = BB.getTerminator();
    for (unsigned N = 0; N < 2; ++N)
      if (entersSkipped(LI, &BB, End->getSuccessor(N)))
        B.Taken = 1 - N;
    const Loop *L = LI.getLoopFor(&BB);
    if (!L ||
        L->contains(End->getSuccessor(0)) == L->contains(End->getSuccessor(1)))
      continue;
    B.Taken = L->contains(End->getSuccessor(0)) ? 0 : 1;
    auto IsData = [&](const BasicBlock *From) {
      const auto *Br = dyn_cast<BranchInst>(From->getTerminator());
      return Br && Br->isConditional() && Data.contains(Br->getCondition());
    };
    SmallVector<BasicBlock *, 4> Exiting;
    L->getExitingBlocks(Exiting);
    if (const uint64_t *Known = iterationsOf(L->getHeader())) {
      // One exit counts; a test at the top is evaluated once more.
      const bool AtTop = &BB == L->getHeader() && &BB != L->getLoopLatch();
      if (IsData(&BB) && Counted.insert(L).second)
        B.Limit = std::max<uint64_t>(1, *Known + AtTop);
    } else if (all_of(Exiting, IsData)) {
      B.Limit = Options.DataIterations;
    } else if (IsData(&BB)) {
      B.MayEnd = true;
      for (const BasicBlock *Before : predecessors(L->getHeader()))
        if (!L->contains(Before))
          for (Edge &E : P.Blocks[Numbering.number(Before)].Succ)
            if (E.To == Numbering.number(L->getHeader()))
              E.Restarts.push_back(Numbering.number(&BB));
    }
  }
}

Program Decoder::run() {
  P.NumRecords = Numbering.memory().size();
  P.Blocks.resize(Numbering.numBlocks());
  addArguments();
  for (const BasicBlock &BB : F) {
    Block &B = P.Blocks[Numbering.number(&BB)];
    B.FirstInst = Numbering.number(&BB.front());
    for (const Instruction &I : BB)
      if (!isa<PHINode>(I) && !I.isTerminator() && !I.isDebugOrPseudoInst() &&
          !I.isLifetimeStartOrEnd())
        B.Nodes.push_back(decode(I));
    decodeEnd(BB, B);
  }
  describeBranches();
  return std::move(P);
}

Expected<Program> decode(const Function &Kernel,
                         const KernelNumbering &Numbering,
                         const KernelLayout &Layout,
                         const GlobalAddresses &Globals,
                         const StaticTraceOptions &Options) {
  return Decoder(Kernel, Numbering, Layout, Globals, Options).run();
}

} // namespace heddle::statics

namespace heddle {

const Instruction *firstDataDecision(const Function &Kernel) {
  const KernelNumbering Numbering(Kernel);
  const statics::DataValues Data(Kernel, Numbering);
  for (const Instruction &I : instructions(Kernel)) {
    if (const auto *Br = dyn_cast<BranchInst>(&I);
        Br && Br->isConditional() && Data.contains(Br->getCondition()))
      return &I;
    if (const unsigned Record = Numbering.memoryNumber(&I);
        Record != HEDDLE_NO_MEMORY &&
        Data.contains(Numbering.memory()[Record].Pointer))
      return &I;
    const auto *Call = dyn_cast<CallBase>(&I);
    if (const auto O = Call ? textureOperation(*Call) : std::nullopt;
        O && any_of(O->placeOperands(),
                    [&](const Value *V) { return Data.contains(V); }))
      return &I;
  }
  return nullptr;
}

} // namespace heddle
