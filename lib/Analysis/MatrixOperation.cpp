//===- MatrixOperation.cpp - Matrix instructions in IR --------------------===//

#include "heddle/Analysis/MatrixOperation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace heddle {

std::optional<HeddleMatrixType> matrixType(StringRef Name) {
  return StringSwitch<std::optional<HeddleMatrixType>>(Name)
      .Case("f16", HEDDLE_MATRIX_F16)
      .Case("bf16", HEDDLE_MATRIX_BF16)
      .Case("tf32", HEDDLE_MATRIX_TF32)
      .Case("f32", HEDDLE_MATRIX_F32)
      .Case("f64", HEDDLE_MATRIX_F64)
      .Case("s8", HEDDLE_MATRIX_S8)
      .Case("u8", HEDDLE_MATRIX_U8)
      .Case("s4", HEDDLE_MATRIX_S4)
      .Case("u4", HEDDLE_MATRIX_U4)
      .Case("b1", HEDDLE_MATRIX_B1)
      .Case("s32", HEDDLE_MATRIX_S32)
      .Case("e4m3", HEDDLE_MATRIX_E4M3)
      .Case("e5m2", HEDDLE_MATRIX_E5M2)
      .Default(std::nullopt);
}

bool parseMatrixShape(StringRef Text, HeddleMatrixShape &Shape) {
  unsigned M, N, K;
  if (!Text.consume_front("m") || Text.consumeInteger(10, M) ||
      !Text.consume_front("n") || Text.consumeInteger(10, N) ||
      !Text.consume_front("k") || Text.consumeInteger(10, K) || !Text.empty() ||
      M > 32 || N > 32 || K > 256)
    return false;
  Shape.M = M;
  Shape.N = N;
  Shape.K = K;
  return true;
}

unsigned coresOf(unsigned Lines, unsigned Depth, unsigned Type) {
  return Lines / 8 * (Depth / heddleCoreDepth(Type));
}

static unsigned registersIn(const Type *T) {
  const auto *Struct = dyn_cast<StructType>(T);
  return Struct ? Struct->getNumElements() : 1;
}

/// Types, in the order of the name, whether of mma or of wmma.
static bool setTypes(ArrayRef<HeddleMatrixType> Types, HeddleMatrixShape &S) {
  auto All = [&](unsigned D, unsigned A, unsigned B, unsigned C) {
    S.D = D, S.A = A, S.B = B, S.C = C;
    return true;
  };
  if (Types.size() == 4) // e4m3 and e5m2
    return All(Types[0], Types[1], Types[2], Types[3]);
  if (Types.empty() || Types.size() > 2)
    return false;
  const HeddleMatrixType First = Types.front(), Last = Types.back();
  if (First == HEDDLE_MATRIX_F16 || First == HEDDLE_MATRIX_F32)
    return Types.size() == 2 &&
           All(First, HEDDLE_MATRIX_F16, HEDDLE_MATRIX_F16, Last);
  const unsigned Sum =
      First == HEDDLE_MATRIX_F64 ? HEDDLE_MATRIX_F64
      : First == HEDDLE_MATRIX_BF16 || First == HEDDLE_MATRIX_TF32
          ? HEDDLE_MATRIX_F32
          : HEDDLE_MATRIX_S32;
  return All(Sum, First, Last, Sum);
}

static StringRef nvvmName(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? Callee->getName() : "";
  return Name.consume_front("llvm.nvvm.") ? Name : "";
}

std::optional<MatrixProduct> matrixProduct(const CallBase &Call) {
  StringRef Name = nvvmName(Call);
  const bool IsWMMA = Name.consume_front("wmma.");
  if (!IsWMMA && !Name.consume_front("mma."))
    return std::nullopt;
  SmallVector<StringRef, 10> Words;
  Name.split(Words, '.');
  MatrixProduct P = {};
  HeddleMatrixShape &S = P.Shape;
  SmallVector<HeddleMatrixType, 4> Types;
  SmallVector<StringRef, 2> Layouts;
  for (StringRef Word : Words) {
    if (const auto Type = matrixType(Word))
      Types.push_back(*Type);
    else if (Word == "row" || Word == "col")
      Layouts.push_back(Word);
    else if (Word == "xor" || Word == "and")
      S.Flags |= Word == "xor" ? HEDDLE_MATRIX_XOR : HEDDLE_MATRIX_AND;
    else if (Word == "satfinite")
      S.Flags |= HEDDLE_MATRIX_SATURATE;
    else if (Word == "sp")
      P.IsSparse = true;
    else if (Word != "ordered" && Word != "metadata" && Word != "mma" &&
             Word != "popc" && Word != "rn" && !parseMatrixShape(Word, S))
      return std::nullopt;
  }
  if (!S.M || Layouts.size() != 2 || !setTypes(Types, S))
    return std::nullopt;
  if (S.K == 4 && S.A == HEDDLE_MATRIX_F16) {
    S.Flags |= HEDDLE_MATRIX_QUADS;
    S.Flags |= Layouts[0] == "col" ? HEDDLE_MATRIX_A_COLUMNS : 0;
    S.Flags |= Layouts[1] == "row" ? HEDDLE_MATRIX_B_ROWS : 0;
  }
  P.NumD = registersIn(Call.getType());
  if (S.Flags & HEDDLE_MATRIX_QUADS) {
    P.NumA = P.NumB = 2;
  } else if (IsWMMA && S.A == HEDDLE_MATRIX_F16) {
    P.NumA = P.NumB = 8; // more than the matrices need
  } else {
    P.NumA = coresOf(S.M, S.K >> P.IsSparse, S.A);
    P.NumB = coresOf(S.N, S.K, S.B);
  }
  const unsigned NumAB = P.NumA + P.NumB + 2 * P.IsSparse;
  if (Call.arg_size() <= NumAB)
    return std::nullopt;
  P.NumC = Call.arg_size() - NumAB;
  if (P.IsSparse) {
    const auto *Selector =
        dyn_cast<ConstantInt>(Call.getArgOperand(Call.arg_size() - 1));
    if (!Selector || Selector->getZExtValue() > 3)
      return std::nullopt;
    S.Flags |= Selector->getZExtValue() * HEDDLE_MATRIX_SELECTOR;
  }
  return P;
}

std::optional<MatrixAccess> matrixAccess(const CallBase &Call) {
  StringRef Name = nvvmName(Call);
  const bool IsStore = Name.consume_front("stmatrix.sync.aligned.m8n8.x");
  if (!IsStore && !Name.consume_front("ldmatrix.sync.aligned.m8n8.x"))
    return std::nullopt;
  MatrixAccess A = {0, false, IsStore, Call.getArgOperand(0)};
  if (Name.consumeInteger(10, A.Count) || A.Count > 4)
    return std::nullopt;
  A.IsTransposed = Name.consume_front(".trans");
  if (!Name.starts_with(".b16"))
    return std::nullopt;
  return A;
}

bool isMatrixMove(const CallBase &Call) {
  const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  return Asm && Asm->getAsmString() == MoveMatrixText;
}

bool isMatrixOperation(const CallBase &Call) {
  return isMatrixMove(Call) || matrixProduct(Call) || matrixAccess(Call);
}

} // namespace heddle
