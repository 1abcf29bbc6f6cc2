//===- StatementMatrix.cpp - Matrix instructions of PTX as IR -------------===//
//
// Each is the one call that Analysis/MatrixOperation.h knows. wmma.load and
// wmma.store, which hardware does not have, are the loads and stores that they
// consist of.
//
//===----------------------------------------------------------------------===//

#include "heddle/PTX/FragmentAccess.h"
#include "heddle/PTX/StatementLowering.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
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

/// \p V, which has as many bits, as \p T.
static Value *bitsAs(IRBuilder<> &B, Value *V, Type *T) {
  return V->getType() == T ? V : B.CreateBitCast(V, T);
}

/// Calls \p Name with the registers of \p Sources; an address is a pointer of
/// its own. False if there is no such intrinsic or it has other operands.
bool StatementLowering::callMatrix(StringRef Name, StringRef Results,
                                   ArrayRef<StringRef> Sources) {
  const Intrinsic::ID ID = Intrinsic::lookupIntrinsicID(Name);
  if (ID == Intrinsic::not_intrinsic)
    return false;
  Type *Shared = B.getPtrTy(NVPTXAS::ADDRESS_SPACE_SHARED);
  SmallVector<Value *, 32> Args;
  SmallVector<Type *, 1> Overloaded;
  if (Intrinsic::isOverloaded(ID))
    Overloaded.push_back(Shared);
  const FunctionType *Type = Intrinsic::getType(B.getContext(), ID, Overloaded);
  for (StringRef Source : Sources) {
    if (Source.starts_with("[")) {
      Args.push_back(pointer(Source, NVPTXAS::ADDRESS_SPACE_SHARED));
      if (!Args.back())
        return false;
      continue;
    }
    for (StringRef Register : registersOf(Source)) {
      if (Args.size() >= Type->getNumParams())
        return false;
      llvm::Type *T = Type->getParamType(Args.size());
      Value *V = operand(Register, T->isVectorTy() ? B.getInt32Ty() : T);
      if (!V)
        return false;
      Args.push_back(bitsAs(B, V, T));
    }
  }
  const SmallVector<StringRef, 4> Names =
      Results.empty() ? SmallVector<StringRef, 4>() : registersOf(Results);
  const auto *Struct = dyn_cast<StructType>(Type->getReturnType());
  const size_t NumResults = Struct ? Struct->getNumElements()
                            : Type->getReturnType()->isVoidTy() ? 0
                                                                : 1;
  if (Args.size() != Type->getNumParams() || Names.size() != NumResults)
    return false;
  Value *Result = B.CreateIntrinsic(ID, Overloaded, Args);
  for (auto [N, To] : enumerate(Names)) {
    Value *V = Struct ? B.CreateExtractValue(Result, N) : Result;
    if (V->getType()->isVectorTy())
      V = B.CreateBitCast(V, B.getInt32Ty());
    if (!assign(To, V))
      return false;
  }
  return true;
}

/// mma, mma.sp and wmma.mma: the intrinsic has the words of the opcode in
/// another order and leaves out the types that follow from the others.
bool StatementLowering::lowerMatrixProduct(const PTXStatement &S) {
  const bool IsSparse = S.has("sp") || S.has("sp::ordered_metadata");
  if (S.Operands.size() != (IsSparse ? 6 : 4))
    return false;
  SmallVector<StringRef, 16> Words;
  S.Opcode.split(Words, '.');
  const bool IsWMMA = Words.front() == "wmma";
  std::string Shape, Operation, Layouts, Saturates, Rounding;
  SmallVector<StringRef, 4> Types;
  HeddleMatrixShape Parsed = {};
  for (StringRef Word : ArrayRef(Words).drop_front()) {
    if (matrixType(Word))
      Types.push_back(Word);
    else if (Word == "row" || Word == "col")
      Layouts += ("." + Word).str();
    else if (Word == "xor" || Word == "and")
      Operation = ("." + Word + ".popc").str();
    else if (Word == "satfinite")
      Saturates = ".satfinite";
    else if (Word == "rn")
      Rounding = ".rn";
    else if (parseMatrixShape(Word, Parsed))
      Shape = ("." + Word).str();
  }
  // D, A, B and C; wmma on f16 names D and C alone.
  if (Types.size() == 2)
    Types = {Types[0], "f16", "f16", Types[1]};
  if (Types.size() != 4)
    return false;
  std::string Named;
  if (Types[1] == "f16")
    Named = ("." + Types[0] + "." + Types[3]).str();
  else if (Types[1].starts_with("e"))
    Named = "." + join(Types, ".");
  else
    Named = ("." + Types[1]).str() +
            (Types[1] == Types[2] ? "" : ("." + Types[2]).str());
  const std::string Sparse = S.has("sp") ? ".sp"
                             : IsSparse  ? ".sp.ordered.metadata"
                                         : "";
  const std::string Name = IsWMMA
                               ? "llvm.nvvm.wmma" + Shape + ".mma" + Operation +
                                     Layouts + Rounding + Named + Saturates
                               : "llvm.nvvm.mma" + Sparse + Operation + Shape +
                                     Layouts + Saturates + Named;
  return callMatrix(Name, S.Operands[0], ArrayRef(S.Operands).drop_front());
}

/// ldmatrix.sync.aligned.m8n8.xN[.trans].shared.b16 {d...}, [address] and
/// stmatrix with [address], {s...}.
bool StatementLowering::lowerMatrixAccess(const PTXStatement &S) {
  if (S.Operands.size() != 2)
    return false;
  const bool IsStore = S.Name == "stmatrix";
  const StringRef Count = S.has("x4") ? "x4" : S.has("x2") ? "x2" : "x1";
  const std::string Name = ("llvm.nvvm." + S.Name + ".sync.aligned.m8n8." +
                            Count + (S.has("trans") ? ".trans" : "") + ".b16")
                               .str();
  return IsStore ? callMatrix(Name, "", S.Operands)
                 : callMatrix(Name, S.Operands[0], S.Operands[1]);
}

bool StatementLowering::lowerMatrixMove(const PTXStatement &S) {
  Type *I32 = B.getInt32Ty();
  Value *V = S.Operands.size() == 2 ? operand(S.Operands[1], I32) : nullptr;
  if (!V)
    return false;
  auto *Asm = InlineAsm::get(FunctionType::get(I32, {I32}, false),
                             MoveMatrixText, "=r,r", false);
  CallInst *Call = B.CreateCall(Asm, {V});
  Call->setConvergent();
  Call->setDoesNotAccessMemory();
  return assign(S.Operands[0], Call);
}

/// Says of the accesses built since \p Pointer that they are one statement.
static void markFragment(Value *Pointer, IRBuilder<> &B) {
  LLVMContext &C = B.getContext();
  MDNode *One = MDNode::getDistinct(C, {});
  for (Instruction &I : reverse(*B.GetInsertBlock())) {
    if (&I == Pointer || I.hasMetadata(FragmentMetadata))
      return;
    if (I.mayReadOrWriteMemory())
      I.setMetadata(FragmentMetadata, One);
  }
}

/// wmma.load.USE.sync.aligned.LAYOUT.SHAPE[.SPACE].TYPE r, [p][, stride] and
/// wmma.store.d with [p], r[, stride].
bool StatementLowering::lowerFragmentAccess(const PTXStatement &S) {
  const bool IsStore = S.has("store");
  Fragment F;
  for (StringRef Word : S.Modifiers)
    if (parseMatrixShape(Word, F.Shape))
      break;
  F.Use = S.has("a") ? 'a' : S.has("b") ? 'b' : 'c';
  const auto Element = matrixType(S.Suffix);
  if (!Element || S.Operands.size() < 2 || S.Operands.size() > 3)
    return false;
  F.Type = *Element;
  F.IsRowMajor = S.has("row");
  const unsigned Space = S.has("global")   ? NVPTXAS::ADDRESS_SPACE_GLOBAL
                         : S.has("shared") ? NVPTXAS::ADDRESS_SPACE_SHARED
                                           : NVPTXAS::ADDRESS_SPACE_GENERIC;
  F.Pointer = pointer(S.Operands[!IsStore], Space);
  F.Stride =
      S.Operands.size() == 3 ? operand(S.Operands[2], B.getInt32Ty()) : nullptr;
  if (!F.Pointer || !F.isKnown() || (S.Operands.size() == 3 && !F.Stride))
    return false;
  const SmallVector<StringRef, 4> Names = registersOf(S.Operands[IsStore]);
  if (!IsStore) {
    const auto Registers = F.load(B, Names.size(), hasArchitecture(75));
    markFragment(F.Pointer, B);
    for (auto [To, V] : zip(Names, Registers))
      if (!assign(To, V))
        return false;
    return true;
  }
  SmallVector<Value *, 8> Registers;
  for (StringRef Name : Names) {
    Registers.push_back(operand(Name, F.registerType(B)));
    if (!Registers.back())
      return false;
  }
  F.store(B, Registers);
  markFragment(F.Pointer, B);
  return true;
}

} // namespace heddle
