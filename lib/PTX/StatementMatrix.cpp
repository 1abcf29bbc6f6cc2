//===- StatementMatrix.cpp - Matrix operations of a warp as IR ------------===//
//
// mma.sync and ldmatrix as what they compute: elements travel between lanes by
// shuffles, products are summed in the order of k. Where a lane holds which
// element: PTX ISA 8.8, "Matrix Fragments for mma.m16n8k*", "ldmatrix".
//
//===----------------------------------------------------------------------===//

#include "heddle/PTX/StatementLowering.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

SmallVector<StringRef, 4> StatementLowering::registersOf(StringRef List) {
  SmallVector<StringRef, 4> Names;
  List = List.trim();
  if (List.consume_front("{"))
    List.consume_back("}");
  List.split(Names, ',');
  for (StringRef &Name : Names)
    Name = Name.trim();
  return Names;
}

/// \p V of lane \p Lane; all lanes take part.
Value *StatementLowering::fromLane(Value *V, Value *Lane) {
  return call(Intrinsic::nvvm_shfl_sync_idx_i32,
              {B.getInt32(-1), V, Lane, B.getInt32(31)});
}

/// Element \p E of a 32-bit register, as the type that sums have.
Value *StatementLowering::matrixElement(Value *Register, unsigned E,
                                        StringRef Type) {
  if (Type == "tf32") // the low 13 bits of the fraction do not count
    return B.CreateBitCast(B.CreateAnd(Register, 0xffffe000), B.getFloatTy());
  unsigned Width = Type.ends_with("8") ? 8 : 16;
  Value *Part =
      B.CreateTrunc(B.CreateLShr(Register, E * Width), B.getIntNTy(Width));
  if (Type == "s8")
    return B.CreateSExt(Part, B.getInt32Ty());
  if (Type == "u8")
    return B.CreateZExt(Part, B.getInt32Ty());
  if (Type == "bf16")
    return fromBrain(Part);
  return B.CreateFPExt(B.CreateBitCast(Part, B.getHalfTy()), B.getFloatTy());
}

/// mma.sync.aligned.m16n8kK.row.col.D.A.B.C d, a, b, c: lane 4 g + t holds rows
/// g and g + 8 of A and D, column g of B, and of each row and column the
/// elements that begin at t times those in a register.
bool StatementLowering::lowerMatrixProduct(const PTXStatement &S) {
  if (S.Operands.size() != 4)
    return false;
  ArrayRef<StringRef> Types = ArrayRef(S.Modifiers).take_back(3);
  StringRef D = Types[0], A = Types[1], BType = Types[2], C = S.Suffix;
  unsigned Packed = StringSwitch<unsigned>(A)
                        .Cases({"f16", "bf16"}, 2)
                        .Cases({"s8", "u8"}, 4)
                        .Case("tf32", 1)
                        .Default(0);
  unsigned K = 0;
  for (StringRef M : S.Modifiers)
    if (M.consume_front("m16n8k"))
      M.getAsInteger(10, K);
  bool Integer = Packed == 4, HalfSums = D == "f16";
  if (!Packed || !K || K % (4 * Packed) || D != C ||
      (Integer ? BType != "s8" && BType != "u8" : A != BType) ||
      D != (Integer    ? "s32"
            : HalfSums ? "f16"
                       : "f32"))
    return false;
  unsigned Parts = K / (4 * Packed);
  auto Read = [&](StringRef List, unsigned Count) {
    SmallVector<Value *, 8> Values;
    for (StringRef Name : registersOf(List))
      if (Value *V = operand(Name, B.getInt32Ty()))
        Values.push_back(V);
    if (Values.size() != Count)
      Values.clear();
    return Values;
  };
  SmallVector<Value *, 8> AR = Read(S.Operands[1], 2 * Parts),
                          BR = Read(S.Operands[2], Parts),
                          CR = Read(S.Operands[3], HalfSums ? 2 : 4);
  SmallVector<StringRef, 4> DNames = registersOf(S.Operands[0]);
  if (AR.empty() || BR.empty() || CR.empty() || DNames.size() != CR.size())
    return false;
  Value *Lane = call(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
  Value *Group = B.CreateAnd(Lane, ~3u), *InGroup = B.CreateAnd(Lane, 3);
  Type *SumType = Integer ? B.getInt32Ty() : B.getFloatTy();
  Value *Sums[4]; // rows g, g, g + 8, g + 8; columns 2 t, 2 t + 1
  for (unsigned I = 0; I < 4; ++I)
    Sums[I] = HalfSums ? matrixElement(CR[I / 2], I % 2, "f16")
                       : B.CreateBitCast(CR[I], SumType);
  for (unsigned Part = 0; Part < Parts; ++Part)
    for (unsigned Quad = 0; Quad < 4; ++Quad) {
      Value *Rows[2], *Columns[2];
      for (unsigned I = 0; I < 2; ++I) {
        Rows[I] =
            fromLane(AR[2 * Part + I], B.CreateAdd(Group, B.getInt32(Quad)));
        Value *Column = B.CreateAdd(B.CreateShl(InGroup, 1), B.getInt32(I));
        Columns[I] = fromLane(
            BR[Part], B.CreateAdd(B.CreateShl(Column, 2), B.getInt32(Quad)));
      }
      for (unsigned E = 0; E < Packed; ++E)
        for (unsigned I = 0; I < 4; ++I) {
          Value *X = matrixElement(Rows[I / 2], E, A),
                *Y = matrixElement(Columns[I % 2], E, BType);
          Sums[I] = Integer ? B.CreateAdd(Sums[I], B.CreateMul(X, Y))
                            : B.CreateIntrinsic(Intrinsic::fma, {SumType},
                                                {X, Y, Sums[I]});
        }
    }
  if (!HalfSums) {
    for (unsigned I = 0; I < 4; ++I)
      if (!assign(DNames[I], Sums[I]))
        return false;
    return true;
  }
  for (unsigned I = 0; I < 2; ++I) {
    Value *Both = B.getInt32(0);
    for (unsigned J = 0; J < 2; ++J) {
      Value *Bits = B.CreateBitCast(
          B.CreateFPTrunc(Sums[2 * I + J], B.getHalfTy()), B.getInt16Ty());
      Both = B.CreateOr(
          Both, B.CreateShl(B.CreateZExt(Bits, B.getInt32Ty()), 16 * J));
    }
    if (!assign(DNames[I], Both))
      return false;
  }
  return true;
}

/// ldmatrix.sync.aligned.m8n8.xN[.trans].shared.b16 {d...}, [address]: lanes
/// 8 i to 8 i + 7 have the addresses of the rows of matrix i.
bool StatementLowering::lowerMatrixLoad(const PTXStatement &S) {
  if (S.Operands.size() != 2)
    return false;
  SmallVector<StringRef, 4> Names = registersOf(S.Operands[0]);
  Value *P =
      pointer(S.Operands[1], S.has("shared") ? NVPTXAS::ADDRESS_SPACE_SHARED
                                             : NVPTXAS::ADDRESS_SPACE_GENERIC);
  if (!P || Names.size() > 4)
    return false;
  Type *I32 = B.getInt32Ty(), *I64 = B.getInt64Ty(), *Ptr = P->getType();
  Value *Address = B.CreatePtrToInt(P, I64);
  Value *Low = B.CreateTrunc(Address, I32),
        *High = B.CreateTrunc(B.CreateLShr(Address, 32), I32);
  Value *Lane = call(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
  Value *Row = B.CreateLShr(Lane, 2), *Quad = B.CreateAnd(Lane, 3);
  auto AddressOf = [&](Value *Source, Value *Offset) {
    Value *A =
        B.CreateOr(B.CreateZExt(fromLane(Low, Source), I64),
                   B.CreateShl(B.CreateZExt(fromLane(High, Source), I64), 32));
    A = B.CreateAdd(A, B.CreateZExt(Offset, I64));
    return B.CreateIntToPtr(A, Ptr);
  };
  for (auto [I, Name] : enumerate(Names)) {
    Value *V = nullptr;
    if (S.has("trans")) {
      V = B.getInt32(0);
      for (unsigned J = 0; J < 2; ++J) {
        Value *Source =
            B.CreateAdd(B.CreateShl(Quad, 1), B.getInt32(8 * I + J));
        Value *Half = B.CreateAlignedLoad(
            B.getInt16Ty(), AddressOf(Source, B.CreateShl(Row, 1)), Align(2));
        V = B.CreateOr(V, B.CreateShl(B.CreateZExt(Half, I32), 16 * J));
      }
    } else {
      Value *Source = B.CreateAdd(Row, B.getInt32(8 * I));
      V = B.CreateAlignedLoad(I32, AddressOf(Source, B.CreateShl(Quad, 2)),
                              Align(4));
    }
    if (!assign(Name, V))
      return false;
  }
  return true;
}

} // namespace heddle
