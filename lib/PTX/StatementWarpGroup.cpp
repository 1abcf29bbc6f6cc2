//===- StatementWarpGroup.cpp - wgmma of PTX as IR ------------------------===//

#include "heddle/Analysis/DeviceCall.h"
#include "heddle/Analysis/WarpGroup.h"
#include "heddle/PTX/StatementLowering.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {

/// A call that ends in an error with the user's line.
static void refuse(IRBuilder<> &B, StringRef Kind, StringRef Reason) {
  Module &M = *B.GetInsertBlock()->getModule();
  std::string Name = ("heddle.refused." + Kind).str();
  const Function *Known = M.getFunction(Name);
  for (unsigned N = 1;
       Known &&
       Known->getFnAttribute(RefusedReason).getValueAsString() != Reason;
       ++N) {
    Name = ("heddle.refused." + Kind + "." + Twine(N)).str();
    Known = M.getFunction(Name);
  }
  FunctionCallee Refused =
      M.getOrInsertFunction(Name, FunctionType::get(B.getVoidTy(), false));
  cast<Function>(Refused.getCallee())->setDoesNotThrow();
  cast<Function>(Refused.getCallee())->addFnAttr(RefusedReason, Reason);
  B.CreateCall(Refused);
}

static void refuseGroups(IRBuilder<> &B) {
  refuse(B, "wgmma",
         "uses wgmma, an instruction of sm_90a alone; compile it with --arch "
         "sm_90a");
}

/// tcgen05 stops the launch that meets it, not its kernel. What it reads is
/// anything.
bool StatementLowering::lowerTensorMemory(const PTXStatement &S) {
  refuse(
      B, "tcgen05",
      "uses tcgen05, the tensor cores and tensor memory of sm_100, which are "
      "not modelled; mma.sync is");
  if (!S.has("ld") || S.Operands.empty())
    return true;
  SmallVector<StringRef, 8> Registers;
  S.Operands[0].trim("{} ").split(Registers, ',');
  return all_of(Registers, [&](StringRef Register) {
    Type *T = registerType(Register.trim());
    return T && assign(Register, PoisonValue::get(T));
  });
}

bool StatementLowering::lowerRegisterChange(const PTXStatement &S) {
  auto *Count = S.Operands.size() == 1 ? dyn_cast_or_null<ConstantInt>(operand(
                                             S.Operands[0], B.getInt32Ty()))
                                       : nullptr;
  if (!Count)
    return false;
  const std::string Problem = registerChangeProblem(
      Count->getZExtValue(), *B.GetInsertBlock()->getParent());
  if (!Problem.empty()) {
    refuse(B, "setmaxnreg", Problem);
    return true;
  }
  using namespace Intrinsic;
  return call(S.has("inc") ? nvvm_setmaxnreg_inc_sync_aligned_u32
                           : nvvm_setmaxnreg_dec_sync_aligned_u32,
              {Count});
}

bool StatementLowering::lowerGroupFence(const PTXStatement &S) {
  if (!hasWarpGroups(*B.GetInsertBlock()->getParent())) {
    refuseGroups(B);
    return true;
  }
  if (S.has("fence"))
    return call(Intrinsic::nvvm_wgmma_fence_sync_aligned, {});
  if (S.has("commit_group"))
    return call(Intrinsic::nvvm_wgmma_commit_group_sync_aligned, {});
  Value *Left =
      S.Operands.size() == 1 ? operand(S.Operands[0], B.getInt64Ty()) : nullptr;
  return isa_and_nonnull<ConstantInt>(Left) &&
         call(Intrinsic::nvvm_wgmma_wait_group_sync_aligned, {Left});
}

/// wgmma.mma_async... {d...}, A, B, scale-d, literals...; A being registers in
/// braces or a descriptor.
bool StatementLowering::lowerGroupProduct(const PTXStatement &S) {
  auto P = parseGroupProduct(S.Opcode);
  if (!P || S.Operands.size() < 4)
    return false;
  if (!S.Operands[1].starts_with("{"))
    P->Shape.Flags |= HEDDLE_GROUP_A_SHARED;
  SmallVector<int, 4> Literals;
  for (StringRef Literal : ArrayRef(S.Operands).drop_front(4)) {
    auto *Value =
        dyn_cast_or_null<ConstantInt>(operand(Literal, B.getInt32Ty()));
    if (!Value)
      return false;
    Literals.push_back(int(Value->getSExtValue()));
  }
  const auto D = registersOf(S.Operands[0]), A = registersOf(S.Operands[1]);
  if (!setGroupOperands(*P, Literals) || D.size() != P->numD() ||
      A.size() != P->numA())
    return false;
  const bool IsSingle = P->Shape.D == HEDDLE_MATRIX_F32;
  Type *Sum = IsSingle ? B.getFloatTy() : B.getInt32Ty();
  if (!hasWarpGroups(*B.GetInsertBlock()->getParent())) {
    refuseGroups(B);
    return all_of(
        D, [&](StringRef To) { return assign(To, PoisonValue::get(Sum)); });
  }
  std::string Text = S.Opcode.str() + " {", Constraints;
  unsigned Number = 0;
  auto name = [&] { return "$" + std::to_string(Number++); };
  for (size_t N = 0; N < D.size(); ++N) {
    Text += (N ? ", " : "") + name();
    Constraints += IsSingle ? "=f," : "=r,";
  }
  Text += P->isShared() ? "}, " : "}, {";
  SmallVector<Value *, 140> Args;
  for (StringRef Register : A) {
    Args.push_back(
        operand(Register, P->isShared() ? B.getInt64Ty() : B.getInt32Ty()));
    Text += (Args.size() > 1 ? ", " : "") + name();
    Constraints += P->isShared() ? "l," : "r,";
  }
  Args.push_back(operand(S.Operands[2], B.getInt64Ty()));
  Args.push_back(operand(S.Operands[3], B.getInt1Ty()));
  Text += P->isShared() ? ", " : "}, ";
  Text += name() + ", ";
  Text += name();
  Constraints += "l,b";
  for (int Literal : Literals)
    Text += ", " + std::to_string(Literal);
  Text += ";";
  SmallVector<Type *, 128> Results(D.size(), Sum);
  for (auto [N, Register] : enumerate(D)) {
    // What is not written yet may be multiplied by scale-d's zero.
    Value *Old = valueOf(Register);
    Args.push_back(Old ? operand(Register, Sum) : PoisonValue::get(Sum));
    Constraints += "," + std::to_string(N);
  }
  SmallVector<Type *, 140> Types;
  for (Value *Arg : Args) {
    if (!Arg)
      return false;
    Types.push_back(Arg->getType());
  }
  auto *Type =
      FunctionType::get(StructType::get(B.getContext(), Results), Types, false);
  CallInst *Call = B.CreateCall(
      InlineAsm::get(Type, Text, Constraints, /*hasSideEffects=*/true), Args);
  Call->setConvergent();
  for (auto [N, Register] : enumerate(D))
    if (!assign(Register, B.CreateExtractValue(Call, N)))
      return false;
  return true;
}

} // namespace heddle
