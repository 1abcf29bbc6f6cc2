//===- InstructionClass.cpp - What an IR instruction does -----------------===//

#include "heddle/Analysis/KernelInfo.h"

#include "heddle/ABI/PTXInstructions.h"
#include "heddle/Analysis/AsyncBarrier.h"
#include "heddle/Analysis/AsyncCopy.h"
#include "heddle/Analysis/Barriers.h"
#include "heddle/Analysis/BulkOperation.h"
#include "heddle/Analysis/DeviceCall.h"
#include "heddle/Analysis/MatrixOperation.h"
#include "heddle/Analysis/WarpGroup.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle {

static HeddleOpClass classOf(const BulkOperation &O) {
  return O.Shape.Kind == HEDDLE_BULK_STORE    ? HEDDLE_OP_STORE
         : O.Shape.Kind == HEDDLE_BULK_REDUCE ? HEDDLE_OP_REDUCTION
                                              : HEDDLE_OP_LOAD;
}

static HeddleOpClass classOfIntrinsic(const IntrinsicInst &Call) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return HEDDLE_OP_MAD;
  case Intrinsic::sqrt:
    return Call.hasApproxFunc() ? HEDDLE_OP_SFU : HEDDLE_OP_SQRT;
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::exp2:
  case Intrinsic::log2:
    return Call.hasApproxFunc() ? HEDDLE_OP_SFU : HEDDLE_OP_MATH;
  case Intrinsic::abs:
  case Intrinsic::fabs:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::minimumnum:
  case Intrinsic::maximumnum:
  case Intrinsic::sadd_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::uadd_sat:
  case Intrinsic::usub_sat:
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::usub_with_overflow:
    return HEDDLE_OP_ADD;
  case Intrinsic::smul_with_overflow:
  case Intrinsic::umul_with_overflow:
    return HEDDLE_OP_MUL;
  case Intrinsic::copysign:
    return HEDDLE_OP_LOGIC;
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
    return HEDDLE_OP_CONVERT;
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    return HEDDLE_OP_SHIFT;
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::bitreverse:
  case Intrinsic::bswap:
  case Intrinsic::nvvm_prmt:
  case Intrinsic::nvvm_prmt_f4e:
  case Intrinsic::nvvm_prmt_b4e:
  case Intrinsic::nvvm_prmt_rc8:
  case Intrinsic::nvvm_prmt_ecl:
  case Intrinsic::nvvm_prmt_ecr:
  case Intrinsic::nvvm_prmt_rc16:
    return HEDDLE_OP_BITS;
  case Intrinsic::is_fpclass:
    return HEDDLE_OP_COMPARE;
  case Intrinsic::trap:
    return HEDDLE_OP_EXIT;
  default:
    break;
  }
  StringRef Name = Call.getCalledFunction()->getName();
  if (!Name.consume_front("llvm.nvvm."))
    return HEDDLE_OP_MATH;
  if (Name.starts_with("barrier") || Name.starts_with("bar.sync"))
    return HEDDLE_OP_BARRIER;
  if (Name.starts_with("bar.warp"))
    return HEDDLE_OP_WARP_SYNC;
  if (isCopyGroup(Call) || isGroupFence(Call) || bulkFence(Call) ||
      registerChange(Call) || Name.starts_with("membar") ||
      Name.starts_with("fence"))
    return HEDDLE_OP_FENCE;
  if (Name.starts_with("shfl"))
    return HEDDLE_OP_SHUFFLE;
  if (Name.starts_with("vote") || Name.starts_with("match") ||
      Name.starts_with("activemask"))
    return HEDDLE_OP_VOTE;
  if (Name.starts_with("read.ptx.sreg") || Name == "is_explicit_cluster")
    return HEDDLE_OP_SPECIAL;
  if (Name.starts_with("mapa") || Name.starts_with("getctarank"))
    return HEDDLE_OP_CONVERT;
  if (Name.starts_with("isspacep"))
    return HEDDLE_OP_COMPARE;
  if (Name.starts_with("fma") || Name.starts_with("idp"))
    return HEDDLE_OP_MAD;
  if (Name.starts_with("mul"))
    return HEDDLE_OP_MUL;
  if (Name.starts_with("add") || Name.starts_with("saturate") ||
      Name.starts_with("sad."))
    return HEDDLE_OP_ADD;
  if (Name.starts_with("fshl.") || Name.starts_with("fshr."))
    return HEDDLE_OP_SHIFT;
  if (Name.starts_with("flo.") || Name.starts_with("fns"))
    return HEDDLE_OP_BITS;
  if (Name.starts_with("div"))
    return HEDDLE_OP_DIV;
  if (Name.starts_with("wmma") || Name.starts_with("mma."))
    return HEDDLE_OP_TENSOR;
  if (barrierOperation(Call))
    return HEDDLE_OP_ATOMIC;
  if (Name == "mbarrier.pending.count")
    return HEDDLE_OP_BITS;
  if (const auto O = bulkOperation(Call))
    return classOf(*O);
  if (Name.starts_with("ldmatrix") || asyncCopy(Call))
    return HEDDLE_OP_LOAD;
  if (Name.starts_with("stmatrix"))
    return HEDDLE_OP_STORE;
  if (Name.starts_with("tex") || Name.starts_with("suld") ||
      Name.starts_with("tld4"))
    return HEDDLE_OP_TEXTURE;
  if (Name.starts_with("sust"))
    return HEDDLE_OP_STORE;
  if (Name.starts_with("txq") || Name.starts_with("suq"))
    return HEDDLE_OP_SPECIAL;
  if (Name.contains(".approx"))
    return HEDDLE_OP_SFU;
  if (Name.starts_with("sqrt"))
    return HEDDLE_OP_SQRT;
  if (Name.starts_with("rcp"))
    return HEDDLE_OP_RCP;
  return HEDDLE_OP_MATH;
}

static HeddleOpClass classOfCall(const CallInst &Call) {
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    return Intrinsic->isAssumeLikeIntrinsic() ? HEDDLE_OP_NOP
                                              : classOfIntrinsic(*Intrinsic);
  const Function *Callee = Call.getCalledFunction();
  if (!Callee) // inline assembly
    return isMatrixMove(Call)    ? HEDDLE_OP_SHUFFLE
           : groupProduct(Call)  ? HEDDLE_OP_TENSOR
           : bulkOperation(Call) ? HEDDLE_OP_REDUCTION
                                 : HEDDLE_OP_CALL;
  StringRef Instruction = Callee->getName();
  if (HeddlePTXForm Form;
      Instruction.consume_front(InstructionPrefix) &&
      heddleFindPTX(Instruction.data(), Instruction.size(), &Form))
    return HeddleOpClass(Form.Row->Class);
  if (Callee->getName().starts_with("heddle.special."))
    return HEDDLE_OP_SPECIAL;
  if (Callee->getName().starts_with("heddle.print."))
    return HEDDLE_OP_NOP;
  if (isGridBarrier(Call))
    return HEDDLE_OP_BARRIER;
  return Callee->getName().starts_with("heddle.math.") ? HEDDLE_OP_MATH
                                                       : HEDDLE_OP_CALL;
}

HeddleOpClass classOf(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FNeg:
  case Instruction::GetElementPtr:
    return I.getOpcode() == Instruction::GetElementPtr &&
                   cast<GetElementPtrInst>(I).hasAllZeroIndices()
               ? HEDDLE_OP_NOP
               : HEDDLE_OP_ADD;
  case Instruction::Mul:
  case Instruction::FMul:
    return HEDDLE_OP_MUL;
  case Instruction::UDiv:
  case Instruction::SDiv:
    return HEDDLE_OP_DIV;
  case Instruction::FDiv:
    return HEDDLE_OP_DIV;
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::FRem:
    return HEDDLE_OP_REM;
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return HEDDLE_OP_LOGIC;
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return HEDDLE_OP_SHIFT;
  case Instruction::ICmp:
  case Instruction::FCmp:
    return HEDDLE_OP_COMPARE;
  case Instruction::Select:
    return HEDDLE_OP_MOVE;
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::FPTrunc:
  case Instruction::FPExt:
  case Instruction::FPToSI:
  case Instruction::FPToUI:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return HEDDLE_OP_CONVERT;
  case Instruction::Load:
    return HEDDLE_OP_LOAD;
  case Instruction::Store:
    return HEDDLE_OP_STORE;
  case Instruction::AtomicRMW:
    return I.use_empty() ? HEDDLE_OP_REDUCTION : HEDDLE_OP_ATOMIC;
  case Instruction::AtomicCmpXchg:
    return HEDDLE_OP_ATOMIC;
  case Instruction::Fence:
    return HEDDLE_OP_FENCE;
  case Instruction::Br:
    return HEDDLE_OP_BRANCH;
  case Instruction::Ret:
    return HEDDLE_OP_EXIT;
  case Instruction::Call:
    return classOfCall(cast<CallInst>(I));
  default: // phi, casts without effect, vectors taken apart, freeze, alloca
    return HEDDLE_OP_NOP;
  }
}

bool commutes(const AtomicRMWInst &RMW) {
  if (!RMW.use_empty())
    return false;
  switch (RMW.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
    return true;
  default:
    return false;
  }
}

} // namespace heddle
