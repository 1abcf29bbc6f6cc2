//===- StatementMemory.cpp - Memory accesses of PTX as IR ----------------===//

#include "heddle/PTX/PTXConstant.h"
#include "heddle/PTX/StatementLowering.h"

#include "heddle/Analysis/KernelInfo.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

/// Whether an instruction of \p F uses \p V, in an expression or by itself.
static bool isUsedIn(const Value &V, const Function &F, unsigned Depth = 0) {
  return any_of(V.users(), [&](const User *U) {
    if (const auto *I = dyn_cast<Instruction>(U))
      return I->getFunction() == &F;
    return Depth < 4 && isUsedIn(*U, F, Depth + 1);
  });
}

/// The upper half of shared memory's addresses. It is 0 on a GPU, where 32 bits
/// are an address; where kernels are executed here, it is that of any variable
/// there.
Value *StatementLowering::sharedWindow() {
  const Function &F = *B.GetInsertBlock()->getParent();
  auto IsSharedHere = [&](const GlobalVariable &G) {
    return G.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED &&
           isUsedIn(G, F);
  };
  auto Globals = B.GetInsertBlock()->getModule()->globals();
  if (!SharedVariable)
    if (auto At = find_if(Globals, IsSharedHere); At != Globals.end())
      SharedVariable = &*At;
  if (!SharedVariable)
    return B.getInt64(0);
  return B.CreateAnd(B.CreatePtrToInt(SharedVariable, B.getInt64Ty()),
                     ~0xffffffffull);
}

void StatementLowering::widenSharedAddresses(Function &F) {
  SmallVector<IntToPtrInst *, 8> Narrow;
  for (Instruction &I : instructions(F))
    if (auto *P = dyn_cast<IntToPtrInst>(&I);
        P && P->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED &&
        isa<ZExtInst>(P->getOperand(0)))
      Narrow.push_back(P);
  for (IntToPtrInst *P : Narrow) {
    B.SetInsertPoint(P);
    P->setOperand(0, B.CreateOr(P->getOperand(0), sharedWindow()));
  }
}

/// The address space that \p S names.
static unsigned spaceOf(const PTXStatement &S) {
  return S.has("shared::cluster") ? NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER
         : S.has("global")        ? NVPTXAS::ADDRESS_SPACE_GLOBAL
         : S.has("shared")        ? NVPTXAS::ADDRESS_SPACE_SHARED
         : S.has("const")         ? NVPTXAS::ADDRESS_SPACE_CONST
         : S.has("local")         ? NVPTXAS::ADDRESS_SPACE_LOCAL
                                  : NVPTXAS::ADDRESS_SPACE_GENERIC;
}

/// The address in brackets, in \p Space.
Value *StatementLowering::pointer(StringRef Text, unsigned Space) {
  Text = Text.trim();
  if (!Text.consume_front("[") || !Text.consume_back("]"))
    return nullptr;
  auto [Base, Offset] = Text.split('+');
  const auto Bytes = ptx::readInteger(Offset.trim().empty() ? "0" : Offset);
  if (!Bytes)
    return nullptr;
  Value *V = valueOf(Base.trim());
  if (!V || !(V->getType()->isPointerTy() || V->getType()->isIntegerTy()) ||
      V->getType()->getPrimitiveSizeInBits() > 64)
    return nullptr;
  Type *T = B.getPtrTy(Space);
  // Shared addresses often come as numbers made of a generic pointer.
  if (V->getType()->isPointerTy()) {
    V = B.CreateAddrSpaceCast(V, T);
  } else {
    Value *Address = B.CreateZExt(V, B.getInt64Ty());
    if ((Space == NVPTXAS::ADDRESS_SPACE_SHARED ||
         Space == NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER) &&
        V->getType()->isIntegerTy(32))
      Address = B.CreateOr(Address, sharedWindow());
    V = B.CreateIntToPtr(Address, T);
  }
  return *Bytes ? B.CreatePtrAdd(V, B.getInt64(*Bytes)) : V;
}

bool StatementLowering::lowerMemory(const PTXStatement &S) {
  Type *T = typeOf(S.Suffix);
  // What another warp may write meanwhile; past the L1 cache goes who asks for
  // that, if the text itself must not be moved.
  bool Volatile = S.has("volatile") || S.has("relaxed") || S.has("acquire") ||
                  S.has("release") || S.has("mmio") || S.has("cv") ||
                  (S.has("cg") && isVolatile());
  // A policy of the cache may stand last: a hint.
  if (!T || S.Operands.size() != (S.has("L2::cache_hint") ? 3 : 2))
    return false;
  const bool Loads = S.Name != "st";
  const SmallVector<StringRef, 4> Names = registersOf(S.Operands[!Loads]);
  if (!isPowerOf2_64(Names.size()) || Names.size() > 8)
    return false;
  Align A(std::max<uint64_t>(1, T->getPrimitiveSizeInBits() / 8));
  Value *P = pointer(S.Operands[Loads], spaceOf(S));
  if (!P)
    return false;
  if (Loads) {
    if (Names.size() == 1)
      return assignWide(Names[0], B.CreateAlignedLoad(T, P, A, Volatile),
                        S.Suffix);
    Value *V = B.CreateAlignedLoad(FixedVectorType::get(T, Names.size()), P,
                                   Align(A.value() * Names.size()), Volatile);
    for (unsigned I = 0; I < Names.size(); ++I)
      if (!assignWide(Names[I], B.CreateExtractElement(V, I), S.Suffix))
        return false;
    return true;
  }
  Type *Whole =
      Names.size() == 1
          ? T
          : static_cast<Type *>(FixedVectorType::get(T, Names.size()));
  Value *V = PoisonValue::get(Whole);
  for (unsigned I = 0; I < Names.size(); ++I) {
    Value *Part = operand(Names[I], T);
    if (!Part)
      return false;
    V = Names.size() == 1 ? Part : B.CreateInsertElement(V, Part, I);
  }
  B.CreateAlignedStore(V, P, Align(A.value() * Names.size()), Volatile);
  return true;
}

/// The last operand is the bytes that are read, or whether none is.
bool StatementLowering::lowerAsyncCopy(const PTXStatement &S) {
  const size_t Operands = S.Operands.size();
  const bool HasPolicy = S.has("L2::cache_hint");
  Value *Size = Operands == 3 || Operands == 4 || (Operands == 5 && HasPolicy)
                    ? operand(S.Operands[2], B.getInt32Ty())
                    : nullptr;
  auto *Constant = dyn_cast_or_null<ConstantInt>(Size);
  const uint64_t Bytes = Constant ? Constant->getZExtValue() : 0;
  if ((Bytes != 4 && Bytes != 8 && Bytes != 16) || (S.has("cg") && Bytes != 16))
    return false;
  Value *Target = pointer(S.Operands[0], NVPTXAS::ADDRESS_SPACE_SHARED),
        *Source = pointer(S.Operands[1], NVPTXAS::ADDRESS_SPACE_GLOBAL);
  if (!Target || !Source)
    return false;
  // A policy of the cache may stand last instead.
  const bool ReadsAll = Operands == (HasPolicy ? 4u : 3u);
  const unsigned Kind = S.has("cg") ? 3 : Log2_64(Bytes) - 2;
  static constexpr Intrinsic::ID IDs[2][4] = {
      {Intrinsic::nvvm_cp_async_ca_shared_global_4_s,
       Intrinsic::nvvm_cp_async_ca_shared_global_8_s,
       Intrinsic::nvvm_cp_async_ca_shared_global_16_s,
       Intrinsic::nvvm_cp_async_cg_shared_global_16_s},
      {Intrinsic::nvvm_cp_async_ca_shared_global_4,
       Intrinsic::nvvm_cp_async_ca_shared_global_8,
       Intrinsic::nvvm_cp_async_ca_shared_global_16,
       Intrinsic::nvvm_cp_async_cg_shared_global_16}};
  if (ReadsAll)
    return call(IDs[true][Kind], {Target, Source});
  Value *Read = valueOf(S.Operands[3]);
  if (!Read)
    Read = operand(S.Operands[3], B.getInt32Ty());
  if (Read && Read->getType()->isIntegerTy(1))
    Read = B.CreateSelect(Read, B.getInt32(0), B.getInt32(Bytes));
  else if (Read)
    Read = toType(Read, B.getInt32Ty());
  return Read && call(IDs[false][Kind], {Target, Source, Read});
}

bool StatementLowering::lowerCopyGroup(const PTXStatement &S) {
  if (S.Opcode == "cp.async.commit_group")
    return call(Intrinsic::nvvm_cp_async_commit_group, {});
  if (S.Opcode == "cp.async.wait_all")
    return call(Intrinsic::nvvm_cp_async_wait_all, {});
  Value *Left =
      S.Operands.size() == 1 ? operand(S.Operands[0], B.getInt32Ty()) : nullptr;
  return isa_and_nonnull<ConstantInt>(Left) &&
         call(Intrinsic::nvvm_cp_async_wait_group, {Left});
}

/// .f16x2 and .bf16x2: each half is atomic by itself.
bool StatementLowering::lowerPairAdd(const PTXStatement &S, Value *P, Value *V,
                                     Type *T) {
  Value *Old = B.getInt32(0);
  for (unsigned N = 0; N < 2; ++N) {
    Value *Part = B.CreateTrunc(B.CreateLShr(V, 16 * N), B.getInt16Ty());
    AtomicRMWInst *Its = B.CreateAtomicRMW(
        AtomicRMWInst::FAdd, N ? B.CreateConstGEP1_32(T, P, N) : P,
        B.CreateBitCast(Part, T), Align(2), AtomicOrdering::Monotonic);
    setPartsOfAtomic(*Its, 2);
    Old = B.CreateOr(
        Old, B.CreateShl(B.CreateZExt(B.CreateBitCast(Its, B.getInt16Ty()),
                                      B.getInt32Ty()),
                         16 * N));
  }
  return S.Name != "atom" || assign(S.Operands[0], Old);
}

bool StatementLowering::lowerAtomic(const PTXStatement &S) {
  Type *Bits = typeOf(S.Suffix);
  Type *T = Bits;
  const bool Pair = S.Suffix.ends_with("x2");
  // Types that registers do not have: .f16x2, .bf16 and .bf16x2.
  if (!T) {
    T = S.Suffix.starts_with("bf") ? B.getBFloatTy() : B.getHalfTy();
    Bits = B.getIntNTy(Pair ? 32 : 16);
  }
  unsigned First = S.Name == "atom";
  if (S.Operands.size() < First + 2)
    return false;
  Align A(std::max<uint64_t>(1, T->getPrimitiveSizeInBits() / 8));
  Value *P = pointer(S.Operands[First], spaceOf(S));
  Value *V = P ? operand(S.Operands[First + 1], Bits) : nullptr;
  if (!V)
    return false;
  if (Pair)
    return S.has("add") && lowerPairAdd(S, P, V, T);
  V = B.CreateBitCast(V, T);
  const bool Float = T->isFloatingPointTy();
  Value *Old = nullptr;
  if (S.has("cas")) {
    Value *New = S.Operands.size() == First + 3
                     ? operand(S.Operands[First + 2], T)
                     : nullptr;
    if (!New)
      return false;
    Old = B.CreateExtractValue(B.CreateAtomicCmpXchg(P, V, New, A,
                                                     AtomicOrdering::Monotonic,
                                                     AtomicOrdering::Monotonic),
                               0);
  } else {
    struct Meaning {
      StringLiteral Name;
      AtomicRMWInst::BinOp Signed, Unsigned, Float;
    };
    using RMW = AtomicRMWInst;
    static constexpr Meaning Meanings[] = {
        {"add", RMW::Add, RMW::Add, RMW::FAdd},
        {"exch", RMW::Xchg, RMW::Xchg, RMW::Xchg},
        {"min", RMW::Min, RMW::UMin, RMW::BAD_BINOP},
        {"max", RMW::Max, RMW::UMax, RMW::BAD_BINOP},
        {"and", RMW::And, RMW::And, RMW::BAD_BINOP},
        {"or", RMW::Or, RMW::Or, RMW::BAD_BINOP},
        {"xor", RMW::Xor, RMW::Xor, RMW::BAD_BINOP},
        {"inc", RMW::UIncWrap, RMW::UIncWrap, RMW::BAD_BINOP},
        {"dec", RMW::UDecWrap, RMW::UDecWrap, RMW::BAD_BINOP},
    };
    const Meaning *M =
        find_if(Meanings, [&](const Meaning &M) { return S.has(M.Name); });
    const auto Op = Float                       ? M->Float
                    : S.Suffix.starts_with("s") ? M->Signed
                                                : M->Unsigned;
    if (Op == RMW::BAD_BINOP)
      return false;
    Old = B.CreateAtomicRMW(Op, P, V, A, AtomicOrdering::Monotonic);
  }
  return !First || assign(S.Operands[0], B.CreateBitCast(Old, Bits));
}

} // namespace heddle
