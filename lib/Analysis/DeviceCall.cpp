//===- DeviceCall.cpp - Device intrinsics as functions of a table ---------===//

#include "heddle/Analysis/DeviceCall.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle {

DeviceCall deviceCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return {};
  DeviceCall Result{Callee->getName().str(),
                    to_vector<3>(seq(Call.arg_size()))};
  switch (Call.getIntrinsicID()) {
  case Intrinsic::nvvm_idp2a_s_s:
  case Intrinsic::nvvm_idp2a_s_u:
  case Intrinsic::nvvm_idp2a_u_s:
  case Intrinsic::nvvm_idp2a_u_u:
    Result.Name +=
        cast<ConstantInt>(Call.getArgOperand(2))->isOne() ? ".hi" : ".lo";
    Result.Arguments = {0, 1, 3};
    break;
  case Intrinsic::nvvm_fshl_clamp:
  case Intrinsic::nvvm_fshr_clamp:
  case Intrinsic::nvvm_flo_s:
  case Intrinsic::nvvm_flo_u:
    if (Call.getArgOperand(0)->getType()->isIntegerTy(32))
      Result.Name = Intrinsic::getBaseName(Call.getIntrinsicID());
    break;
  default:
    break;
  }
  return Result;
}

} // namespace heddle
