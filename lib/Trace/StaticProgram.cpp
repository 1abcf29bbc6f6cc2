//===- StaticProgram.cpp - A kernel decoded for evaluation ----------------===//

#include "StaticProgram.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle::statics {

namespace {

class Decoder {
public:
  Decoder(const Function &F, const KernelNumbering &Numbering,
          const KernelLayout &Layout, const GlobalAddresses &Globals)
      : F(F), Numbering(Numbering), Layout(Layout), Globals(Globals),
        DL(F.getDataLayout()) {}
  Program run();

private:
  uint32_t slot(const Value *V);
  Operand operand(const Value *V);
  void fillConstant(const Constant *C, Lanes &Into);
  void addArguments();
  void findData();
  bool readsKnown(const LoadInst &Load) const;
  Node decode(const Instruction &I);
  void decodeGEP(const GetElementPtrInst &GEP, Node &N);
  void decodeObject(const Value *Pointer, Node &N);
  void decodeEnd(const BasicBlock &From, Block &B);
  Edge edge(const BasicBlock &From, const BasicBlock &To);
  void describeLoops();

  const Function &F;
  const KernelNumbering &Numbering;
  const KernelLayout &Layout;
  const GlobalAddresses &Globals;
  const DataLayout &DL;
  Program P;
  DenseMap<const Value *, uint32_t> Slots;
  SmallPtrSet<const Value *, 32> Data; ///< values that hang on loaded data
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

bool Decoder::readsKnown(const LoadInst &Load) const {
  if (kindOf(Load.getType()) == Kind::Other)
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

/// What loads, atomics and exchanges between lanes yield, and all that comes of
/// it.
void Decoder::findData() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Instruction &I : instructions(F)) {
      if (I.getType()->isVoidTy() || Data.contains(&I))
        continue;
      bool IsData = isa<AtomicRMWInst, AtomicCmpXchgInst>(I);
      if (const auto *Load = dyn_cast<LoadInst>(&I))
        IsData = !readsKnown(*Load);
      for (const Value *Op : I.operands())
        IsData |= Data.contains(Op);
      if (IsData)
        Changed |= Data.insert(&I).second;
    }
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
  } else if (N.Record != HEDDLE_NO_MEMORY) {
    const Value *Pointer = Numbering.memory()[N.Record].Pointer;
    N.Ops.push_back(operand(Pointer));
    decodeObject(Pointer, N);
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
    N.ReadsKnown = readsKnown(*Load);
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

/// Which branches leave loops, and which loops data alone can end.
void Decoder::describeLoops() {
  DominatorTree DT(const_cast<Function &>(F));
  LoopInfo LI(DT);
  PostDominatorTree PDT(const_cast<Function &>(F));
  for (const BasicBlock &BB : F) {
    Block &B = P.Blocks[Numbering.number(&BB)];
    if (const auto *Node = PDT.getNode(&BB);
        Node && Node->getIDom() && Node->getIDom()->getBlock())
      B.Join = Numbering.number(Node->getIDom()->getBlock());
    const Loop *L = LI.getLoopFor(&BB);
    if (!L)
      continue;
    B.Loop = Numbering.number(L->getHeader());
    if (B.End != Block::Branch)
      continue;
    bool Inside[2];
    for (unsigned N = 0; N < 2; ++N)
      Inside[N] = L->contains(BB.getTerminator()->getSuccessor(N));
    if (Inside[0] == Inside[1])
      continue;
    B.StaysOn = Inside[0] ? 0 : 1;
    SmallVector<BasicBlock *, 4> Exiting;
    L->getExitingBlocks(Exiting);
    B.OnlyDataEnds = all_of(Exiting, [&](const BasicBlock *From) {
      const auto *Br = dyn_cast<BranchInst>(From->getTerminator());
      return Br && Br->isConditional() && Data.contains(Br->getCondition());
    });
  }
}

Program Decoder::run() {
  P.NumRecords = Numbering.memory().size();
  P.Blocks.resize(Numbering.numBlocks());
  addArguments();
  findData();
  for (const BasicBlock &BB : F) {
    Block &B = P.Blocks[Numbering.number(&BB)];
    B.FirstInst = Numbering.number(&BB.front());
    for (const Instruction &I : BB)
      if (!isa<PHINode>(I) && !I.isTerminator() && !I.isDebugOrPseudoInst() &&
          !I.isLifetimeStartOrEnd())
        B.Nodes.push_back(decode(I));
    decodeEnd(BB, B);
  }
  describeLoops();
  return std::move(P);
}

Expected<Program> decode(const Function &Kernel,
                         const KernelNumbering &Numbering,
                         const KernelLayout &Layout,
                         const GlobalAddresses &Globals) {
  return Decoder(Kernel, Numbering, Layout, Globals).run();
}

} // namespace heddle::statics
