//===- FragmentAccess.cpp - wmma.load and wmma.store ----------------------===//
//
// Hardware has no such instructions: ptxas makes them loads and stores of
// registers and, for 16-bit elements in shared memory, ldmatrix.
//
//===----------------------------------------------------------------------===//

#include "heddle/PTX/FragmentAccess.h"

#include "heddle/Analysis/KernelNumbering.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

bool Fragment::isKnown() const {
  return Shape.M && Use && (isAlong() || bits() >= 8);
}

llvm::Type *Fragment::registerType(IRBuilder<> &B) const {
  return Type == HEDDLE_MATRIX_F64 ? B.getDoubleTy()
                                   : static_cast<llvm::Type *>(B.getInt32Ty());
}

/// Where the cores begin, in the order of their registers.
SmallVector<Fragment::Core, 8> Fragment::cores() const {
  const unsigned Step = Use == 'c' ? 8 : heddleCoreDepth(Type);
  const unsigned Group = Use != 'b' && lines() >= 16 ? 16 : 8;
  SmallVector<Core, 8> Result;
  for (unsigned First = 0; First < lines(); First += Group)
    for (unsigned At = 0; At < length(); At += Step)
      for (unsigned Line = First; Line < First + Group; Line += 8)
        Result.push_back({Line, At});
  return Result;
}

/// Of element \p At of line \p Line.
Value *Fragment::address(IRBuilder<> &B, Value *Line, Value *At) const {
  llvm::Type *I64 = B.getInt64Ty();
  Value *Apart = Stride ? Stride : B.getInt32(isAlong() ? length() : lines());
  Value *Far = B.CreateMul(B.CreateZExt(isAlong() ? Line : At, I64),
                           B.CreateZExt(Apart, I64));
  Value *Index = B.CreateAdd(Far, B.CreateZExt(isAlong() ? At : Line, I64));
  Value *Bits = B.CreateMul(Index, B.getInt64(bits()));
  return B.CreateGEP(B.getInt8Ty(), Pointer, B.CreateLShr(Bits, 3));
}

static Value *laneOf(IRBuilder<> &B) {
  return B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
}

static Value *plus(IRBuilder<> &B, Value *V, unsigned N) {
  return B.CreateAdd(V, B.getInt32(N));
}

/// By ldmatrix, up to four cores at a time. Lane 8 i + l has the address of
/// line l of core i in memory.
SmallVector<Value *, 8> Fragment::loadMatrices(IRBuilder<> &B,
                                               ArrayRef<Core> Cores) const {
  static constexpr Intrinsic::ID IDs[2][3] = {
      {Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x1_b16,
       Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x2_b16,
       Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x4_b16},
      {Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x1_trans_b16,
       Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x2_trans_b16,
       Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x4_trans_b16}};
  llvm::Type *Shared = B.getPtrTy(NVPTXAS::ADDRESS_SPACE_SHARED);
  Value *Lane = laneOf(B), *InCore = B.CreateAnd(Lane, 7);
  SmallVector<Value *, 8> Result;
  while (!Cores.empty()) {
    const unsigned Count = Cores.size() >= 4 ? 4 : Cores.size() >= 2 ? 2 : 1;
    Value *Line = B.getInt32(Cores[0].Line), *At = B.getInt32(Cores[0].At);
    for (unsigned I = 1; I < Count; ++I) {
      Value *Here = B.CreateICmpUGE(Lane, B.getInt32(8 * I));
      Line = B.CreateSelect(Here, B.getInt32(Cores[I].Line), Line);
      At = B.CreateSelect(Here, B.getInt32(Cores[I].At), At);
    }
    (isAlong() ? Line : At) = B.CreateAdd(isAlong() ? Line : At, InCore);
    Value *P = B.CreateAddrSpaceCast(address(B, Line, At), Shared);
    Value *All = B.CreateIntrinsic(IDs[!isAlong()][Count / 2], {Shared}, {P});
    for (unsigned I = 0; I < Count; ++I)
      Result.push_back(Count == 1 ? All : B.CreateExtractValue(All, I));
    Cores = Cores.drop_front(Count);
  }
  return Result;
}

SmallVector<Value *, 8> Fragment::load(IRBuilder<> &B, unsigned Count,
                                       bool HasLoadMatrix) const {
  const auto Cores = cores();
  SmallVector<Value *, 8> Result;
  Value *Lane = laneOf(B);
  Value *Row = B.CreateLShr(Lane, 2), *Quarter = B.CreateAnd(Lane, 3);
  const unsigned PerRegister = std::max(32 / bits(), 1u);
  const Align Element(std::max(bits() / 8, 1u));
  auto loadElement = [&](Value *Line, Value *At) -> Value * {
    llvm::Type *T = bits() == 64
                        ? B.getDoubleTy()
                        : static_cast<llvm::Type *>(B.getIntNTy(bits()));
    return B.CreateAlignedLoad(T, address(B, Line, At), Element);
  };
  /// Elements at \p At and behind it, in one register.
  auto joined = [&](Value *Line, Value *At) {
    Value *All = B.getInt32(0);
    for (unsigned E = 0; E < PerRegister; ++E)
      All = B.CreateOr(
          All, B.CreateShl(B.CreateZExt(loadElement(Line, plus(B, At, E)),
                                        B.getInt32Ty()),
                           E * bits()));
    return All;
  };
  if (Use != 'c' && bits() == 16 && HasLoadMatrix &&
      memorySpaceOf(Pointer) == HEDDLE_SPACE_SHARED) {
    Result = loadMatrices(B, Cores);
  } else if (Use != 'c') {
    for (const Core &C : Cores) {
      Value *Line = plus(B, Row, C.Line);
      Value *At = plus(B, B.CreateMul(Quarter, B.getInt32(PerRegister)), C.At);
      if (bits() >= 32)
        Result.push_back(loadElement(Line, At));
      else if (isAlong())
        Result.push_back(B.CreateAlignedLoad(B.getInt32Ty(),
                                             address(B, Line, At), Align(4)));
      else
        Result.push_back(joined(Line, At));
    }
  } else {
    for (const Core &C : Cores) {
      Value *Line = plus(B, Row, C.Line);
      Value *At = plus(B, B.CreateShl(Quarter, 1), C.At);
      if (bits() == 16 && isAlong()) {
        Result.push_back(B.CreateAlignedLoad(B.getInt32Ty(),
                                             address(B, Line, At), Align(4)));
      } else if (bits() == 16) {
        Result.push_back(joined(Line, At));
      } else if (isAlong()) {
        Value *Pair =
            B.CreateAlignedLoad(FixedVectorType::get(registerType(B), 2),
                                address(B, Line, At), Align(bits() / 4));
        Result.push_back(B.CreateExtractElement(Pair, uint64_t(0)));
        Result.push_back(B.CreateExtractElement(Pair, 1));
      } else {
        Result.push_back(loadElement(Line, At));
        Result.push_back(loadElement(Line, plus(B, At, 1)));
      }
    }
  }
  const size_t Once = Result.size();
  while (Result.size() < Count)
    Result.push_back(Result[Result.size() - Once]);
  return Result;
}

void Fragment::store(IRBuilder<> &B, ArrayRef<Value *> Registers) const {
  Value *Lane = laneOf(B);
  Value *Row = B.CreateLShr(Lane, 2);
  Value *Column = B.CreateShl(B.CreateAnd(Lane, 3), 1);
  auto storeAt = [&](Value *V, Value *Line, Value *At) {
    B.CreateAlignedStore(V, address(B, Line, At),
                         Align(V->getType()->getPrimitiveSizeInBits() / 8));
  };
  for (const Core &C : cores()) {
    Value *Line = plus(B, Row, C.Line), *At = plus(B, Column, C.At);
    Value *Next = plus(B, At, 1);
    if (bits() == 16) {
      Value *Both = Registers.front();
      Registers = Registers.drop_front();
      if (isAlong()) {
        storeAt(Both, Line, At);
        continue;
      }
      storeAt(B.CreateTrunc(Both, B.getInt16Ty()), Line, At);
      storeAt(B.CreateTrunc(B.CreateLShr(Both, 16), B.getInt16Ty()), Line,
              Next);
      continue;
    }
    if (isAlong()) {
      Value *Pair = PoisonValue::get(FixedVectorType::get(registerType(B), 2));
      for (unsigned I = 0; I < 2; ++I)
        Pair = B.CreateInsertElement(Pair, Registers[I], I);
      storeAt(Pair, Line, At);
    } else {
      storeAt(Registers[0], Line, At);
      storeAt(Registers[1], Line, Next);
    }
    Registers = Registers.drop_front(2);
  }
}

} // namespace heddle
