//===- InterpreterInstructions.cpp - Instructions other than calls --------===//

#include "InterpreterDecoder.h"

#include "heddle/Transforms/ControlSlice.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace heddle::interp {

/// The integer container of the same size: moves and bit operations.
static Ty bitsContainer(Ty T) {
  switch (sizeOf(T)) {
  case 1:
    return Ty::U8;
  case 2:
    return Ty::U16;
  case 4:
    return Ty::U32;
  case 8:
    return Ty::U64;
  default:
    return Ty::U128;
  }
}

static unsigned widthOf(const Type *T) {
  return T->isIntegerTy() ? T->getIntegerBitWidth() : 0;
}

/// \p A as a signed number in the whole container.
Decoder::Slot Decoder::signExtended(Slot A, Ty T, unsigned Width) {
  if (Width == sizeOf(T) * 8)
    return A;
  Slot D = scratch(T);
  emit(OpKind::SExtInReg, T, D, A, 0, 0, Width);
  return D;
}

namespace {
/// How a binary instruction is executed.
struct BinaryRow {
  unsigned Opcode;
  OpKind Kind;
  bool SignedA, SignedB; ///< operands are read as signed numbers
  bool Narrow;           ///< the result may have bits beyond the width
};
} // namespace

static constexpr BinaryRow BinaryRows[] = {
    {Instruction::Add, OpKind::Add, false, false, true},
    {Instruction::Sub, OpKind::Sub, false, false, true},
    {Instruction::Mul, OpKind::Mul, false, false, true},
    {Instruction::Shl, OpKind::Shl, false, false, true},
    {Instruction::And, OpKind::And, false, false, false},
    {Instruction::Or, OpKind::Or, false, false, false},
    {Instruction::Xor, OpKind::Xor, false, false, false},
    {Instruction::LShr, OpKind::LShr, false, false, false},
    {Instruction::UDiv, OpKind::UDiv, false, false, false},
    {Instruction::URem, OpKind::URem, false, false, false},
    {Instruction::AShr, OpKind::AShr, true, false, true},
    {Instruction::SDiv, OpKind::SDiv, true, true, true},
    {Instruction::SRem, OpKind::SRem, true, true, true},
    {Instruction::FAdd, OpKind::FAdd, false, false, false},
    {Instruction::FSub, OpKind::FSub, false, false, false},
    {Instruction::FMul, OpKind::FMul, false, false, false},
    {Instruction::FDiv, OpKind::FDiv, false, false, false},
    {Instruction::FRem, OpKind::FRem, false, false, false},
};

void Decoder::decodeBinary(const BinaryOperator &I) {
  const BinaryRow *Row = find_if(BinaryRows, [&](const BinaryRow &R) {
    return R.Opcode == I.getOpcode();
  });
  for (const auto &[P, Part] : enumerate(scalars(I.getType()))) {
    Ty T = container(Part.Type);
    Slot A = slot(I.getOperand(0), P), B = slot(I.getOperand(1), P);
    Slot D = define(I, P, T);
    unsigned Width = widthOf(Part.Type);
    if (Row->SignedA)
      A = signExtended(A, T, Width);
    if (Row->SignedB)
      B = signExtended(B, T, Width);
    emit(Row->Kind, T, D, A, B);
    if (Row->Narrow && Width)
      narrowTo(T, D, Width);
  }
}

void Decoder::decodeCast(const CastInst &I) {
  SmallVector<Scalar, 1> From = scalars(I.getSrcTy()),
                         To = scalars(I.getDestTy());
  for (unsigned P = 0; P < To.size(); ++P) {
    Ty A = container(From[P].Type), D = container(To[P].Type);
    unsigned WidthA = widthOf(From[P].Type), WidthD = widthOf(To[P].Type);
    Slot In = slot(I.getOperand(0), P);
    Slot Result = define(I, P, D);
    switch (I.getOpcode()) {
    case Instruction::ZExt:
    case Instruction::IntToPtr: // from another width than 64
      emit(OpKind::ZExt, A, Result, In, 0, 0, WidthA, D);
      break;
    case Instruction::SExt:
      emit(OpKind::SExt, A, Result, In, 0, 0, WidthA, D);
      narrowTo(D, Result, WidthD);
      break;
    case Instruction::Trunc:
    case Instruction::PtrToInt:
    case Instruction::PtrToAddr:
      emit(OpKind::TruncInt, A, Result, In, 0, 0, 0, D);
      narrowTo(D, Result, WidthD);
      break;
    case Instruction::FPTrunc:
      emit(OpKind::FPTrunc, A, Result, In, 0, 0, 0, D);
      break;
    case Instruction::FPExt:
      emit(OpKind::FPExt, A, Result, In, 0, 0, 0, D);
      break;
    case Instruction::FPToSI:
      emit(OpKind::FPToSI, A, Result, In, 0, 0, WidthD, D);
      break;
    case Instruction::FPToUI:
      emit(OpKind::FPToUI, A, Result, In, 0, 0, WidthD, D);
      break;
    case Instruction::SIToFP:
      emit(OpKind::SIToFP, A, Result, In, 0, 0, WidthA, D);
      break;
    case Instruction::UIToFP:
      emit(OpKind::UIToFP, A, Result, In, 0, 0, WidthA, D);
      break;
    default:
      return refuse(std::string("the interpreter cannot execute '") +
                    I.getOpcodeName() + "'");
    }
  }
}

void Decoder::decodeCompare(const CmpInst &I) {
  SmallVector<Scalar, 1> Parts = scalars(I.getOperand(0)->getType());
  for (unsigned P = 0; P < Parts.size(); ++P) {
    Ty T = container(Parts[P].Type);
    Slot A = slot(I.getOperand(0), P), B = slot(I.getOperand(1), P);
    Slot D = define(I, P, Ty::U8);
    // Both enumerations list the predicates in LLVM's order.
    if (isa<FCmpInst>(I)) {
      emit(OpKind(unsigned(OpKind::FCmpFalse) + I.getPredicate()), T, D, A, B);
      continue;
    }
    unsigned Width = widthOf(Parts[P].Type);
    if (I.isSigned() && Width) {
      A = signExtended(A, T, Width);
      B = signExtended(B, T, Width);
    }
    emit(OpKind(unsigned(OpKind::ICmpEQ) + I.getPredicate() - CmpInst::ICMP_EQ),
         T, D, A, B);
  }
}

/// \p V as a 64-bit signed number.
Decoder::Slot Decoder::index64(const Value *V) {
  Ty T = container(V->getType());
  if (V->getType()->isIntegerTy(64))
    return slot(V);
  Slot D = scratch(Ty::U64);
  emit(OpKind::SExt, T, D, slot(V), 0, 0, widthOf(V->getType()), Ty::U64);
  return D;
}

void Decoder::decodeGEP(const GetElementPtrInst &I) {
  if (I.getType()->isVectorTy())
    return refuse("the interpreter has no vectors of pointers");
  Slot At = slot(I.getPointerOperand());
  uint64_t Constant = 0;
  struct Term {
    const Value *Index;
    uint64_t Scale;
  };
  SmallVector<Term, 4> Terms;
  for (auto It = gep_type_begin(I), End = gep_type_end(I); It != End; ++It) {
    const Value *Index = It.getOperand();
    if (StructType *Struct = It.getStructTypeOrNull()) {
      unsigned Field = cast<ConstantInt>(Index)->getZExtValue();
      Constant += DL.getStructLayout(Struct)->getElementOffset(Field);
    } else if (const auto *Known = dyn_cast<ConstantInt>(Index)) {
      Constant +=
          uint64_t(Known->getSExtValue()) * It.getSequentialElementStride(DL);
    } else {
      Terms.push_back({Index, It.getSequentialElementStride(DL)});
    }
  }
  unsigned Steps = Terms.size() + (Constant || Terms.empty());
  Slot D = define(I, 0, Ty::U64);
  for (const Term &T : Terms) {
    bool Is32 = T.Index->getType()->isIntegerTy(32);
    Slot Index = Is32 ? slot(T.Index) : index64(T.Index);
    Slot To = --Steps ? scratch(Ty::U64) : D;
    emit(Is32 ? OpKind::GEPIndex32 : OpKind::GEPIndex64, Ty::U64, To, At, Index,
         0, T.Scale);
    At = To;
  }
  if (Steps)
    emit(OpKind::AddImm, Ty::U64, D, At, 0, 0, Constant);
}

void Decoder::decodeRenaming(const Instruction &I) {
  // Everything that slots() may insert comes before Values is indexed.
  Slots Result;
  if (const auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I)) {
    Slots A = slots(I.getOperand(0)), B = slots(I.getOperand(1));
    for (int Lane : Shuffle->getShuffleMask())
      Result.push_back(Lane < 0                    ? A[0]
                       : unsigned(Lane) < A.size() ? A[Lane]
                                                   : B[Lane - A.size()]);
  } else if (isa<ExtractElementInst>(I)) {
    uint64_t At = cast<ConstantInt>(I.getOperand(1))->getZExtValue();
    Slots A = slots(I.getOperand(0));
    Result.push_back(A[At < A.size() ? At : 0]);
  } else if (isa<InsertElementInst>(I)) {
    Result = slots(I.getOperand(0));
    uint64_t At = cast<ConstantInt>(I.getOperand(2))->getZExtValue();
    if (At < Result.size())
      Result[At] = slot(I.getOperand(1));
  } else if (isa<ExtractValueInst>(I) || isa<InsertValueInst>(I)) {
    const auto *Extract = dyn_cast<ExtractValueInst>(&I);
    ArrayRef<unsigned> Indices =
        Extract ? Extract->getIndices() : cast<InsertValueInst>(I).getIndices();
    // Scalars that stand before the part that is meant.
    Type *T = I.getOperand(0)->getType();
    unsigned First = 0;
    for (unsigned Index : Indices) {
      for (unsigned Before = 0; Before < Index; ++Before)
        First += scalars(T->isStructTy() ? T->getStructElementType(Before)
                                         : T->getArrayElementType())
                     .size();
      T = T->isStructTy() ? T->getStructElementType(Index)
                          : T->getArrayElementType();
    }
    unsigned Count = scalars(T).size();
    Slots Whole = slots(I.getOperand(0));
    if (Extract) {
      Result.assign(Whole.begin() + First, Whole.begin() + First + Count);
    } else {
      Result = Whole;
      Slots Part = slots(I.getOperand(1));
      for (unsigned P = 0; P < Count; ++P)
        Result[First + P] = Part[P];
    }
  } else {
    Result = slots(I.getOperand(0));
  }
  Values[&I] = std::move(Result);
}

/// A bitcast between numbers of elements: joins or cuts the bits.
void Decoder::decodeBitCast(const Instruction &I) {
  SmallVector<Scalar, 1> From = scalars(I.getOperand(0)->getType());
  SmallVector<Scalar, 1> To = scalars(I.getType());
  unsigned WidthA = From[0].Type->getScalarSizeInBits();
  unsigned WidthD = To[0].Type->getScalarSizeInBits();
  Ty A = bitsContainer(container(From[0].Type));
  Ty D = bitsContainer(container(To[0].Type));
  Slots In = slots(I.getOperand(0));
  if (!WidthA || !WidthD || (WidthA % WidthD && WidthD % WidthA))
    return refuse(
        "the interpreter cannot execute a bitcast between these widths");
  for (unsigned P = 0; P < To.size(); ++P) {
    Slot Result = define(I, P, D);
    if (WidthA > WidthD) {
      unsigned PerIn = WidthA / WidthD;
      Slot Shifted = scratch(A);
      emit(OpKind::LShr, A, Shifted, In[P / PerIn],
           constantInt(A, P % PerIn * WidthD));
      emit(OpKind::TruncInt, A, Result, Shifted, 0, 0, 0, D);
      narrowTo(D, Result, WidthD);
      continue;
    }
    unsigned Count = WidthD / WidthA;
    for (unsigned J = 0; J < Count; ++J) {
      Slot Part = J ? scratch(D) : Result;
      emit(OpKind::ZExt, A, Part, In[P * Count + J], 0, 0, WidthA, D);
      if (!J)
        continue;
      emit(OpKind::Shl, D, Part, Part, constantInt(D, J * WidthA));
      emit(OpKind::Or, D, Result, Result, Part);
    }
  }
}

/// extractelement and insertelement whose position is not constant.
void Decoder::decodeElement(const Instruction &I) {
  bool Inserts = isa<InsertElementInst>(I);
  const Value *Vector = I.getOperand(0);
  Slots In = slots(Vector);
  Ty T = bitsContainer(container(scalars(Vector->getType())[0].Type));
  Type *IndexType = I.getOperand(Inserts ? 2 : 1)->getType();
  Slot Index = slot(I.getOperand(Inserts ? 2 : 1));
  if (!IndexType->isIntegerTy(64)) { // positions are unsigned
    Slot Wide = scratch(Ty::U64);
    emit(OpKind::ZExt, container(IndexType), Wide, Index, 0, 0, 0, Ty::U64);
    Index = Wide;
  }
  // The elements side by side; slots of one byte leave gaps, so take two.
  Ty Packed = T == Ty::U8 ? Ty::U16 : T;
  Slots Row;
  for (unsigned P = 0; P < In.size(); ++P)
    Row.push_back(scratch(Packed));
  for (unsigned P = 0; P < In.size(); ++P)
    if (T == Packed)
      emit(OpKind::Copy, T, Row[P], In[P]);
    else
      emit(OpKind::ZExt, T, Row[P], In[P], 0, 0, 0, Packed);
  uint32_t Count = In.size();
  if (!Inserts) {
    Slot D = define(I, 0, T);
    Slot Found = T == Packed ? D : scratch(Packed);
    emit(OpKind::Extract, Packed, Found, Index, Row[0], Count);
    if (T != Packed)
      emit(OpKind::TruncInt, Packed, D, Found, 0, 0, 0, T);
    return;
  }
  Slot Element = slot(I.getOperand(1));
  if (T != Packed) {
    Slot Wide = scratch(Packed);
    emit(OpKind::ZExt, T, Wide, Element, 0, 0, 0, Packed);
    Element = Wide;
  }
  emit(OpKind::Insert, Packed, Row[0], Index, Element, Count);
  for (unsigned P = 0; P < In.size(); ++P) {
    Slot D = define(I, P, T);
    if (T == Packed)
      emit(OpKind::Copy, T, D, Row[P]);
    else
      emit(OpKind::TruncInt, Packed, D, Row[P], 0, 0, 0, T);
  }
}

void Decoder::beginAccess(const Instruction &I, Slot Addresses, unsigned Part) {
  unsigned Record = Numbering.memoryNumber(&I);
  if (Record == HEDDLE_NO_MEMORY)
    return;
  Record += Part;
  const MemoryRecord &M = Numbering.memory()[Record];
  bool Observes = Options.Counters || Options.OnMemory;
  if (!Observes && !Options.OnCheck)
    return;
  uint64_t Info = Out.Accesses.size();
  Out.Accesses.push_back({Record, M.AccessBytes, M.Space});
  if (Observes)
    emit(OpKind::Observe, Ty::U64, 0, Addresses, 0, 0, Info);
  if (Options.OnCheck)
    emit(OpKind::Check, Ty::U64, 0, Addresses, 0, 0, Info);
}

void Decoder::endAccess(const Instruction &I) {
  if (Options.OnCheck && Numbering.memoryNumber(&I) != HEDDLE_NO_MEMORY)
    emit(OpKind::CheckEnd, Ty::U8, 0);
}

void Decoder::decodeLoad(const LoadInst &I) {
  SmallVector<Scalar, 1> Parts = scalars(I.getType());
  // Lanes that --check leaves out read zero.
  Slots Results;
  for (unsigned P = 0; P < Parts.size(); ++P) {
    Ty T = container(Parts[P].Type);
    Slot D = define(I, P, T, /*WritesActiveLanesOnly=*/!Options.OnCheck);
    if (Options.OnCheck)
      emit(OpKind::Copy, T, D, constantInt(bitsContainer(T), 0));
    Results.push_back(D);
  }
  Slot At = slot(I.getPointerOperand());
  beginAccess(I, At);
  for (unsigned P = 0; P < Parts.size(); ++P) {
    Ty T = container(Parts[P].Type);
    unsigned Bytes = DL.getTypeStoreSize(Parts[P].Type);
    if (Bytes == sizeOf(T))
      emit(OpKind::Load, T, Results[P], At, 0, 0, Parts[P].Offset);
    else
      emit(OpKind::LoadBytes, T, Results[P], At, 0, Bytes, Parts[P].Offset);
    // Bits beyond the width are not the program's, but may be set.
    if (unsigned Width = widthOf(Parts[P].Type); Width % 8)
      narrowTo(T, Results[P], Width);
  }
  endAccess(I);
}

void Decoder::decodeStore(const StoreInst &I) {
  const Value *V = I.getValueOperand();
  SmallVector<Scalar, 1> Parts = scalars(V->getType());
  Slot At = slot(I.getPointerOperand());
  Slots In = slots(V);
  beginAccess(I, At);
  for (unsigned P = 0; P < Parts.size(); ++P) {
    Ty T = container(Parts[P].Type);
    unsigned Bytes = DL.getTypeStoreSize(Parts[P].Type);
    if (Bytes == sizeOf(T))
      emit(OpKind::Store, T, 0, At, In[P], 0, Parts[P].Offset);
    else
      emit(OpKind::StoreBytes, T, 0, At, In[P], Bytes, Parts[P].Offset);
  }
  endAccess(I);
}

static std::optional<OpKind> kindOf(AtomicRMWInst::BinOp Operation) {
  switch (Operation) {
#define HEDDLE_ATOMIC_INT(NAME, F)                                             \
  case AtomicRMWInst::NAME:                                                    \
    return OpKind::Atomic##NAME;
#define HEDDLE_ATOMIC_FLOAT(NAME, F) HEDDLE_ATOMIC_INT(NAME, F)
#include "InterpreterOps.def"
  default:
    return std::nullopt;
  }
}

void Decoder::decodeAtomic(const AtomicRMWInst &I) {
  std::optional<OpKind> Kind = kindOf(I.getOperation());
  // Two halves in one word: each half by itself, as its own atomic.
  SmallVector<Scalar, 1> Parts = scalars(I.getType());
  if (!Kind || Parts.size() > 1)
    return refuse("the interpreter cannot execute this atomic operation");
  Ty T = container(I.getType());
  if (DL.getTypeStoreSize(I.getType()) != sizeOf(T))
    return refuse("the interpreter has no atomics of this width");
  Slot D = define(I, 0, T, !Options.OnCheck);
  if (Options.OnCheck)
    emit(OpKind::Copy, T, D, constantInt(bitsContainer(T), 0));
  Slot At = slot(I.getPointerOperand()), V = slot(I.getValOperand());
  HeddleMemorySpace Space =
      Numbering.memory()[Numbering.memoryNumber(&I)].Space;
  // Only one host thread at a time works on a block.
  bool Alone = Space == HEDDLE_SPACE_SHARED || Space == HEDDLE_SPACE_CLUSTER ||
               Space == HEDDLE_SPACE_LOCAL;
  beginAccess(I, At);
  emit(*Kind, T, D, At, V, 0, Alone);
  endAccess(I);
}

void Decoder::decodeCmpXchg(const AtomicCmpXchgInst &I) {
  const Value *Expected = I.getCompareOperand();
  Ty T = bitsContainer(container(Expected->getType()));
  if (DL.getTypeStoreSize(Expected->getType()) != sizeOf(T))
    return refuse("the interpreter has no atomics of this width");
  Slot Old = define(I, 0, T), Success = define(I, 1, Ty::U8);
  if (Options.OnCheck)
    emit(OpKind::Copy, T, Old, constantInt(T, 0));
  Slot At = slot(I.getPointerOperand()), A = slot(Expected);
  Slot New = slot(I.getNewValOperand());
  beginAccess(I, At);
  emit(OpKind::CmpXchg, T, Old, At, A, New);
  endAccess(I);
  emit(OpKind::ICmpEQ, T, Success, Old, A);
}

void Decoder::decode(const Instruction &I) {
  if (I.isDebugOrPseudoInst())
    return;
  tellUses(I);
  if (isAddressOnly(I) && !isa<CallBase>(I))
    return beginAccess(
        I, slot(Numbering.memory()[Numbering.memoryNumber(&I)].Pointer));
  if (keepsRegister(I))
    return;
  if (renames(I))
    return decodeRenaming(I);
  switch (I.getOpcode()) {
  case Instruction::BitCast:
    return decodeBitCast(I);
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
    return decodeElement(I);
  case Instruction::GetElementPtr:
    return decodeGEP(cast<GetElementPtrInst>(I));
  case Instruction::Load:
    return decodeLoad(cast<LoadInst>(I));
  case Instruction::Store:
    return decodeStore(cast<StoreInst>(I));
  case Instruction::AtomicRMW:
    return decodeAtomic(cast<AtomicRMWInst>(I));
  case Instruction::AtomicCmpXchg:
    return decodeCmpXchg(cast<AtomicCmpXchgInst>(I));
  case Instruction::Call:
    return decodeCall(cast<CallInst>(I));
  case Instruction::Fence: // lanes run one instruction at a time
    return;
  case Instruction::ICmp:
  case Instruction::FCmp:
    return decodeCompare(cast<CmpInst>(I));
  case Instruction::FNeg:
    for (const auto &[P, Part] : enumerate(scalars(I.getType()))) {
      Ty T = container(Part.Type);
      Slot A = slot(I.getOperand(0), P);
      emit(OpKind::FNeg, T, define(I, P, T), A);
    }
    return;
  case Instruction::Select:
    for (const auto &[P, Part] : enumerate(scalars(I.getType()))) {
      bool OneCondition = !I.getOperand(0)->getType()->isVectorTy();
      Slot A = slot(I.getOperand(0), OneCondition ? 0 : P);
      Slot B = slot(I.getOperand(1), P), C = slot(I.getOperand(2), P);
      Ty T = container(Part.Type);
      emit(OpKind::Select, T, define(I, P, T), A, B, C);
    }
    return;
  case Instruction::Alloca: {
    auto It = Layout.Local.find(cast<AllocaInst>(&I));
    if (It == Layout.Local.end())
      return refuse(
          "the interpreter cannot execute an alloca of variable size");
    Slot At = allocate(Ty::U64);
    Values[&I].assign(1, At);
    emitTo(Out.Prologue, OpKind::LocalAddress, Ty::U64, At, 0, 0, 0,
           It->second);
    return;
  }
  default:
    if (const auto *Binary = dyn_cast<BinaryOperator>(&I))
      return decodeBinary(*Binary);
    if (const auto *Cast = dyn_cast<CastInst>(&I))
      return decodeCast(*Cast);
    refuse(std::string("the interpreter cannot execute '") + I.getOpcodeName() +
           "'");
  }
}

} // namespace heddle::interp
