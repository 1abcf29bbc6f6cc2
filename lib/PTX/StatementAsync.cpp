//===- StatementAsync.cpp - mbarriers -------------------------------------===//

#include "heddle/PTX/StatementLowering.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

/// The intrinsic of sm_80 where there is one, else that of sm_90.
static Intrinsic::ID intrinsicOf(const PTXStatement &S, bool HasNumber) {
  using namespace Intrinsic;
  const bool Drops = S.has("arrive_drop");
  if (S.has("init"))
    return nvvm_mbarrier_init_shared;
  if (S.has("inval"))
    return nvvm_mbarrier_inval_shared;
  if (S.has("test_wait"))
    return S.has("parity") ? nvvm_mbarrier_test_wait_parity_scope_cta_space_cta
                           : nvvm_mbarrier_test_wait_shared;
  if (S.has("try_wait"))
    return S.has("parity") ? nvvm_mbarrier_try_wait_parity_scope_cta_space_cta
                           : nvvm_mbarrier_try_wait_scope_cta_space_cta;
  if (S.has("arrive") || Drops) {
    if (S.has("expect_tx"))
      return Drops ? nvvm_mbarrier_arrive_drop_expect_tx_scope_cta_space_cta
                   : nvvm_mbarrier_arrive_expect_tx_scope_cta_space_cta;
    if (S.has("noComplete"))
      return Drops ? nvvm_mbarrier_arrive_drop_noComplete_shared
                   : nvvm_mbarrier_arrive_noComplete_shared;
    if (HasNumber)
      return Drops ? nvvm_mbarrier_arrive_drop_scope_cta_space_cta
                   : nvvm_mbarrier_arrive_scope_cta_space_cta;
    return Drops ? nvvm_mbarrier_arrive_drop_shared
                 : nvvm_mbarrier_arrive_shared;
  }
  return S.has("expect_tx") ? nvvm_mbarrier_expect_tx_scope_cta_space_cta
                            : nvvm_mbarrier_complete_tx_scope_cta_space_cta;
}

/// A time limit of a wait is a hint.
bool StatementLowering::lowerBarrierAction(const PTXStatement &S) {
  const bool Waits = S.has("test_wait") || S.has("try_wait");
  const bool Returns = Waits || S.has("arrive") || S.has("arrive_drop");
  ArrayRef<StringRef> Operands = S.Operands;
  if (Operands.size() < 1u + Returns)
    return false;
  if (Returns)
    Operands = Operands.drop_front();
  Value *Barrier = pointer(Operands[0], NVPTXAS::ADDRESS_SPACE_SHARED);
  if (!Barrier)
    return false;
  SmallVector<Value *, 2> Args = {Barrier};
  const bool HasNumber = Operands.size() > 1;
  if (HasNumber)
    Args.push_back(operand(Operands[1], Waits && !S.has("parity")
                                            ? B.getInt64Ty()
                                            : B.getInt32Ty()));
  if (!Args.back())
    return false;
  Value *Result = B.CreateIntrinsic(intrinsicOf(S, HasNumber), {}, Args);
  return !Returns || assign(S.Operands[0], Result);
}

} // namespace heddle
