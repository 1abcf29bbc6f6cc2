//===- WarpGroup.cpp - Matrix instructions of warp groups in IR -----------===//

#include "heddle/Analysis/WarpGroup.h"

#include "heddle/Analysis/MatrixOperation.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {

static bool isFloat8(unsigned Type) {
  return Type == HEDDLE_MATRIX_E4M3 || Type == HEDDLE_MATRIX_E5M2;
}
static bool isInteger8(unsigned Type) {
  return Type == HEDDLE_MATRIX_S8 || Type == HEDDLE_MATRIX_U8;
}
static bool isHalf(unsigned Type) {
  return Type == HEDDLE_MATRIX_F16 || Type == HEDDLE_MATRIX_BF16;
}

/// Whether wgmma has these types of D, A and B.
static bool hasTypes(unsigned D, unsigned A, unsigned B) {
  if (isFloat8(A))
    return isFloat8(B) && (D == HEDDLE_MATRIX_F16 || D == HEDDLE_MATRIX_F32);
  if (isInteger8(A))
    return isInteger8(B) && D == HEDDLE_MATRIX_S32;
  if (A != B)
    return false;
  if (A == HEDDLE_MATRIX_F16)
    return D == HEDDLE_MATRIX_F16 || D == HEDDLE_MATRIX_F32;
  if (A == HEDDLE_MATRIX_BF16 || A == HEDDLE_MATRIX_TF32)
    return D == HEDDLE_MATRIX_F32;
  return A == HEDDLE_MATRIX_B1 && D == HEDDLE_MATRIX_S32;
}

/// Multiples of 8 up to 256; integers have those of 16 from 32 on, and 24.
static bool hasColumns(unsigned N, bool IsInteger) {
  return N && N <= 256 && N % 8 == 0 && (!IsInteger || N <= 32 || N % 16 == 0);
}

std::optional<GroupProduct> parseGroupProduct(StringRef Opcode) {
  if (!Opcode.consume_front("wgmma.mma_async.sync.aligned.m64n"))
    return std::nullopt;
  GroupProduct P = {};
  HeddleGroupShape &S = P.Shape;
  unsigned N, K;
  if (Opcode.consumeInteger(10, N) || !Opcode.consume_front("k") ||
      Opcode.consumeInteger(10, K))
    return std::nullopt;
  SmallVector<StringRef, 8> Words;
  Opcode.split(Words, '.', -1, false);
  SmallVector<unsigned, 3> Types;
  bool Counts = false;
  for (StringRef Word : Words) {
    if (const auto Type = matrixType(Word))
      Types.push_back(*Type);
    else if (Word == "satfinite")
      S.Flags |= HEDDLE_GROUP_SATURATES;
    else if (Word == "and" || Word == "popc")
      Counts = true;
    else
      return std::nullopt;
  }
  if (Types.size() != 3 || !hasTypes(Types[0], Types[1], Types[2]) ||
      Counts != (Types[1] == HEDDLE_MATRIX_B1) ||
      K * HeddleMatrixBits[Types[1]] != 256 ||
      !hasColumns(N, Types[0] == HEDDLE_MATRIX_S32) ||
      (S.Flags && !isInteger8(Types[1])))
    return std::nullopt;
  S.N = N;
  S.K = K;
  S.D = Types[0];
  S.A = Types[1];
  S.B = Types[2];
  return P;
}

bool setGroupOperands(GroupProduct &P, ArrayRef<int> Literals) {
  HeddleGroupShape &S = P.Shape;
  if (S.D == HEDDLE_MATRIX_S32)
    return Literals.empty();
  const bool HasOrder = isHalf(S.A);
  const size_t Count = 2 + (HasOrder ? 1 + P.isShared() : 0);
  if (Literals.size() != Count)
    return false;
  for (int Sign : Literals.take_front(2))
    if (Sign != 1 && Sign != -1)
      return false;
  for (int Order : Literals.drop_front(2))
    if (Order != 0 && Order != 1)
      return false;
  S.Flags |= Literals[0] < 0 ? HEDDLE_GROUP_NEGATES_A : 0;
  S.Flags |= Literals[1] < 0 ? HEDDLE_GROUP_NEGATES_B : 0;
  if (!HasOrder)
    return true;
  S.Flags |= P.isShared() && Literals[2] ? HEDDLE_GROUP_A_TRANSPOSED : 0;
  S.Flags |= Literals.back() ? HEDDLE_GROUP_B_TRANSPOSED : 0;
  return true;
}

/// The text is "OPCODE {$0, ...}, $4, $5, $6, 1, 1, 0, 0;": the literals are
/// what follows the last operand.
std::optional<GroupProduct> groupProduct(const CallBase &Call) {
  const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  if (!Asm)
    return std::nullopt;
  StringRef Text = Asm->getAsmString();
  if (!Text.starts_with("wgmma.mma_async."))
    return std::nullopt;
  auto P = parseGroupProduct(Text.split(' ').first);
  StringRef Last = Text.rsplit('$').second;
  if (!P || !Last.consume_back(";"))
    return std::nullopt;
  SmallVector<StringRef, 5> Parts;
  Last.split(Parts, ',');
  SmallVector<int, 4> Literals;
  for (StringRef Part : ArrayRef(Parts).drop_front())
    if (Part.trim().getAsInteger(10, Literals.emplace_back()))
      return std::nullopt;
  if (Call.arg_size() < P->numArgs()) // A is one descriptor
    P->Shape.Flags |= HEDDLE_GROUP_A_SHARED;
  if (!setGroupOperands(*P, Literals) || Call.arg_size() != P->numArgs())
    return std::nullopt;
  return P;
}

StringRef ptxTarget(const Module &M) {
  const NamedMDNode *PTX = M.getNamedMetadata(PTXTargetMetadata);
  if (!PTX)
    return "";
  return cast<MDString>(PTX->getOperand(0)->getOperand(0))
      ->getString()
      .split(',')
      .first.trim();
}

bool hasWarpGroups(const Function &F) {
  StringRef Name = ptxTarget(*F.getParent());
  if (Name.empty())
    Name = F.getFnAttribute("target-cpu").getValueAsString();
  return Name.empty() || Name == "sm_90a";
}

uint16_t registerChange(const CallBase &Call) {
  const Intrinsic::ID ID = Call.getIntrinsicID();
  const bool Takes = ID == Intrinsic::nvvm_setmaxnreg_inc_sync_aligned_u32;
  if (!Takes && ID != Intrinsic::nvvm_setmaxnreg_dec_sync_aligned_u32)
    return 0;
  const auto *Count = cast<ConstantInt>(Call.getArgOperand(0));
  return (Takes ? HEDDLE_REGISTERS_INC : HEDDLE_REGISTERS_DEC) |
         (Count->getZExtValue() & HEDDLE_REGISTERS_COUNT);
}

/// PTX ISA 8.8, "setmaxnreg".
std::string registerChangeProblem(uint64_t Count, const Function &F) {
  if (!hasWarpGroups(F))
    return "uses setmaxnreg, an instruction of sm_90a alone; compile it with "
           "--arch sm_90a";
  if (Count < 24 || Count > 256 || Count % 8)
    return ("uses setmaxnreg with " + Twine(Count) +
            " registers; it takes multiples of 8 from 24 to 256")
        .str();
  return "";
}

bool isGroupFence(const CallBase &Call) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::nvvm_wgmma_fence_sync_aligned:
  case Intrinsic::nvvm_wgmma_commit_group_sync_aligned:
  case Intrinsic::nvvm_wgmma_wait_group_sync_aligned:
    return true;
  default:
    return false;
  }
}

} // namespace heddle
