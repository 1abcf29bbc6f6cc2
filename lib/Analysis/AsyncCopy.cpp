//===- AsyncCopy.cpp - Asynchronous copies in IR --------------------------===//

#include "heddle/Analysis/AsyncCopy.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle {

std::optional<AsyncCopy> asyncCopy(const CallBase &Call) {
  unsigned Bytes = 0;
  switch (Call.getIntrinsicID()) {
  case Intrinsic::nvvm_cp_async_ca_shared_global_4:
  case Intrinsic::nvvm_cp_async_ca_shared_global_4_s:
    Bytes = 4;
    break;
  case Intrinsic::nvvm_cp_async_ca_shared_global_8:
  case Intrinsic::nvvm_cp_async_ca_shared_global_8_s:
    Bytes = 8;
    break;
  case Intrinsic::nvvm_cp_async_ca_shared_global_16:
  case Intrinsic::nvvm_cp_async_ca_shared_global_16_s:
  case Intrinsic::nvvm_cp_async_cg_shared_global_16:
  case Intrinsic::nvvm_cp_async_cg_shared_global_16_s:
    Bytes = 16;
    break;
  default:
    return std::nullopt;
  }
  const Value *Read = Call.arg_size() > 2 ? Call.getArgOperand(2) : nullptr;
  if (const auto *Constant = dyn_cast_or_null<ConstantInt>(Read))
    if (Constant->getZExtValue() >= Bytes)
      Read = nullptr;
  return AsyncCopy{Call.getArgOperand(0), Call.getArgOperand(1), Bytes, Read};
}

std::optional<uint64_t> groupsInFlight(const CallBase &Call) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::nvvm_cp_async_commit_group:
    return GroupEnds;
  case Intrinsic::nvvm_cp_async_wait_group:
    return cast<ConstantInt>(Call.getArgOperand(0))->getZExtValue();
  case Intrinsic::nvvm_cp_async_wait_all:
    return 0;
  default:
    return std::nullopt;
  }
}

bool isCopyGroup(const CallBase &Call) {
  return groupsInFlight(Call).has_value();
}

} // namespace heddle
