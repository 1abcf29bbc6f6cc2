//===- InterpreterValues.cpp - Types, slots and constants -----------------===//

#include "InterpreterDecoder.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle::interp {

std::optional<Ty> containerOf(const Type *T) {
  if (T->isPointerTy())
    return Ty::U64;
  if (T->isHalfTy())
    return Ty::F16;
  if (T->isBFloatTy())
    return Ty::BF16;
  if (T->isFloatTy())
    return Ty::F32;
  if (T->isDoubleTy())
    return Ty::F64;
  if (!T->isIntegerTy())
    return std::nullopt;
  unsigned Width = T->getIntegerBitWidth();
  return Width <= 8     ? Ty::U8
         : Width <= 16  ? Ty::U16
         : Width <= 32  ? Ty::U32
         : Width <= 64  ? Ty::U64
         : Width <= 128 ? std::optional(Ty::U128)
                        : std::nullopt;
}

unsigned sizeOf(Ty T) {
  switch (T) {
  case Ty::U8:
    return 1;
  case Ty::U16:
  case Ty::F16:
  case Ty::BF16:
    return 2;
  case Ty::U32:
  case Ty::F32:
    return 4;
  case Ty::U64:
  case Ty::F64:
    return 8;
  case Ty::U128:
    return 16;
  }
  return 0;
}

void Decoder::flatten(Type *T, uint64_t Offset, SmallVectorImpl<Scalar> &Out) {
  if (auto *Struct = dyn_cast<StructType>(T)) {
    const StructLayout *Layout = DL.getStructLayout(Struct);
    for (unsigned I = 0; I < Struct->getNumElements(); ++I)
      flatten(Struct->getElementType(I), Offset + Layout->getElementOffset(I),
              Out);
  } else if (auto *Array = dyn_cast<ArrayType>(T)) {
    uint64_t Stride = DL.getTypeAllocSize(Array->getElementType());
    for (uint64_t I = 0; I < Array->getNumElements(); ++I)
      flatten(Array->getElementType(), Offset + I * Stride, Out);
  } else if (auto *Vector = dyn_cast<FixedVectorType>(T)) {
    // Elements of vectors are packed; i1 vectors have no bytes of their own.
    uint64_t Stride = DL.getTypeStoreSize(Vector->getElementType());
    for (unsigned I = 0; I < Vector->getNumElements(); ++I)
      flatten(Vector->getElementType(), Offset + I * Stride, Out);
  } else if (!T->isVoidTy()) {
    Out.push_back({T, Offset});
  }
}

SmallVector<Decoder::Scalar, 1> Decoder::scalars(Type *T) {
  SmallVector<Scalar, 1> Parts;
  flatten(T, 0, Parts);
  return Parts;
}

Ty Decoder::container(const Type *T) {
  if (std::optional<Ty> Found = containerOf(T))
    return *Found;
  std::string Text;
  raw_string_ostream(Text) << *T;
  refuse("the interpreter has no values of type '" + Text + "'");
  return Ty::U128; // the widest, so that decoding can go on to the message
}

Decoder::Slot Decoder::allocate(Ty T) {
  Slot At = Next;
  Next += 32 * std::max(sizeOf(T), 2u); // keeps slots 64-byte aligned
  return At;
}

Decoder::Slot Decoder::scratch(Ty T) {
  Slot At = ScratchNext;
  ScratchNext += 32 * std::max(sizeOf(T), 2u);
  ScratchEnd = std::max(ScratchEnd, ScratchNext);
  return At | ScratchArea;
}

/// A constant with a value of its own in every lane, or the same in all where
/// \p Lanes holds one.
Decoder::Slot Decoder::constantRow(Ty T, ArrayRef<uint64_t> Lanes,
                                   uint64_t High) {
  unsigned Size = sizeOf(T);
  if (Lanes.size() == 1) {
    auto [It, New] = ConstantSlots.try_emplace({Size, Lanes[0], High}, 0);
    if (!New)
      return It->second;
    It->second = Out.Constants.size() | ConstantArea;
  }
  Slot At = Out.Constants.size() | ConstantArea;
  Out.Constants.resize(Out.Constants.size() + 32 * std::max(Size, 2u));
  uint8_t *To = Out.Constants.data() + (At & ~ConstantArea);
  for (unsigned L = 0; L < 32; ++L) {
    uint64_t Words[2] = {Lanes[Lanes.size() == 1 ? 0 : L], High};
    std::memcpy(To + L * Size, Words, Size);
  }
  return At;
}

Decoder::Slot Decoder::constantInt(Ty T, uint64_t Value) {
  return constantRow(T, Value);
}

/// The address that \p C names. Shared variables move with the block's window,
/// so theirs is computed when a warp starts.
Decoder::Slot Decoder::constantAddress(const Constant *C) {
  APInt Offset(64, 0);
  const Value *Base = C;
  while (true) {
    APInt Step(DL.getIndexTypeSizeInBits(Base->getType()), 0);
    const Value *Below =
        Base->stripAndAccumulateConstantOffsets(DL, Step, true);
    Offset += Step.sextOrTrunc(64);
    const auto *Cast = dyn_cast<ConstantExpr>(Below);
    if (Cast && (Cast->getOpcode() == Instruction::AddrSpaceCast))
      Below = Cast->getOperand(0);
    if (Below == Base)
      break;
    Base = Below;
  }
  if (isa<ConstantPointerNull>(Base) || isa<UndefValue>(Base))
    return constantInt(Ty::U64, Offset.getZExtValue());
  const auto *GV = dyn_cast<GlobalVariable>(Base);
  if (!GV) {
    std::string Text;
    raw_string_ostream(Text) << *C;
    refuse("the interpreter cannot take the address '" + Text + "'");
    return constantInt(Ty::U64, 0);
  }
  if (GV->getAddressSpace() != NVPTXAS::ADDRESS_SPACE_SHARED)
    return constantInt(Ty::U64, Globals.addressOf(GV->getName()) +
                                    Offset.getZExtValue());
  Slot At = allocate(Ty::U64);
  emitTo(Out.Prologue, OpKind::SharedAddress, Ty::U64, At, 0, 0, 0,
         Layout.Shared.lookup(GV) + Offset.getZExtValue());
  return At;
}

void Decoder::constantScalars(const Constant *C, Slots &Result) {
  Type *T = C->getType();
  if (T->isAggregateType() || T->isVectorTy()) {
    unsigned Count = T->isStructTy() ? T->getStructNumElements()
                     : T->isArrayTy()
                         ? T->getArrayNumElements()
                         : cast<FixedVectorType>(T)->getNumElements();
    for (unsigned I = 0; I < Count; ++I)
      constantScalars(C->getAggregateElement(I), Result);
    return;
  }
  if (const auto *Cast = dyn_cast<ConstantExpr>(C);
      Cast && Cast->getOpcode() == Instruction::PtrToInt &&
      T->getIntegerBitWidth() == 64) {
    Result.push_back(constantAddress(Cast->getOperand(0)));
    return;
  }
  if (T->isPointerTy()) {
    Result.push_back(constantAddress(C));
    return;
  }
  Ty Kind = container(T);
  if (isa<UndefValue>(C)) {
    Result.push_back(constantInt(Kind, 0));
    return;
  }
  APInt Bits;
  if (const auto *Int = dyn_cast<ConstantInt>(C)) {
    Bits = Int->getValue();
  } else if (const auto *Float = dyn_cast<ConstantFP>(C)) {
    Bits = Float->getValueAPF().bitcastToAPInt();
  } else {
    std::string Text;
    raw_string_ostream(Text) << *C;
    refuse("the interpreter cannot evaluate '" + Text + "'");
    Bits = APInt(64, 0);
  }
  Bits = Bits.zextOrTrunc(128);
  Result.push_back(
      constantRow(Kind, Bits.getRawData()[0], Bits.getRawData()[1]));
}

const Decoder::Slots &Decoder::slots(const Value *V) {
  auto It = Values.find(V);
  if (It != Values.end())
    return It->second;
  Slots Found;
  if (const auto *Const = dyn_cast<Constant>(V))
    constantScalars(Const, Found);
  else
    refuse("the interpreter met a value before its definition");
  if (Found.empty())
    Found.assign(std::max<size_t>(scalars(V->getType()).size(), 1), 0);
  return Values[V] = std::move(Found);
}

/// Whether \p I only gives new names to scalars of its operands.
bool Decoder::renames(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
  case Instruction::ShuffleVector:
  case Instruction::Freeze:
  case Instruction::AddrSpaceCast:
    return true;
  case Instruction::IntToPtr:
    return I.getOperand(0)->getType()->isIntegerTy(64);
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
    return I.getType()->isIntegerTy(64);
  case Instruction::ExtractElement:
    return isa<ConstantInt>(I.getOperand(1));
  case Instruction::InsertElement:
    return isa<ConstantInt>(I.getOperand(2));
  case Instruction::BitCast: {
    // Scalars of equal size keep their slot, as bits are what slots hold.
    Type *From = I.getOperand(0)->getType(), *To = I.getType();
    auto Count = [](Type *T) {
      auto *V = dyn_cast<FixedVectorType>(T);
      return V ? V->getNumElements() : 1;
    };
    return Count(From) == Count(To);
  }
  default:
    return false;
  }
}

/// Whether a value must survive its block: then its slot is its own.
bool Decoder::escapes(const Instruction &I) {
  auto It = Escaping.find(&I);
  if (It != Escaping.end())
    return It->second;
  bool Found = false;
  for (const Use &U : I.uses()) {
    const auto *User = cast<Instruction>(U.getUser());
    if (const auto *Phi = dyn_cast<PHINode>(User))
      Found |= Phi->getIncomingBlock(U) != I.getParent();
    else
      Found |= User->getParent() != I.getParent() ||
               (renames(*User) && escapes(*User));
    if (Found)
      break;
  }
  return Escaping[&I] = Found;
}

} // namespace heddle::interp
