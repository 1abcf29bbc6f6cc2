//===- StatementAsync.cpp - mbarriers -------------------------------------===//

#include "heddle/PTX/StatementLowering.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

/// Of a barrier of any block of the cluster.
static Intrinsic::ID remoteIntrinsicOf(const PTXStatement &S) {
  using namespace Intrinsic;
  const bool Drops = S.has("arrive_drop");
  if (S.has("arrive") || Drops) {
    if (S.has("expect_tx"))
      return Drops
                 ? nvvm_mbarrier_arrive_drop_expect_tx_scope_cluster_space_cluster
                 : nvvm_mbarrier_arrive_expect_tx_scope_cluster_space_cluster;
    return Drops ? nvvm_mbarrier_arrive_drop_scope_cluster_space_cluster
                 : nvvm_mbarrier_arrive_scope_cluster_space_cluster;
  }
  return S.has("expect_tx")
             ? nvvm_mbarrier_expect_tx_scope_cluster_space_cluster
             : nvvm_mbarrier_complete_tx_scope_cluster_space_cluster;
}

/// The intrinsic of sm_80 where there is one, else that of sm_90.
static Intrinsic::ID intrinsicOf(const PTXStatement &S, bool HasNumber) {
  using namespace Intrinsic;
  const bool Drops = S.has("arrive_drop");
  if (S.Name == "cp")
    return S.has("noinc") ? nvvm_cp_async_mbarrier_arrive_noinc_shared
                          : nvvm_cp_async_mbarrier_arrive_shared;
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
  const bool IsRemote = S.has("shared::cluster");
  const bool Returns =
      S.Name != "cp" && (Waits || S.has("arrive") || S.has("arrive_drop"));
  ArrayRef<StringRef> Operands = S.Operands;
  if (Operands.size() < 1u + Returns)
    return false;
  if (Returns)
    Operands = Operands.drop_front();
  Value *Barrier =
      pointer(Operands[0], IsRemote ? NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER
                                    : NVPTXAS::ADDRESS_SPACE_SHARED);
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
  if (IsRemote) { // returns nothing
    if (!HasNumber)
      Args.push_back(B.getInt32(1));
    return (!Returns || S.Operands[0].trim() == "_") &&
           call(remoteIntrinsicOf(S), Args);
  }
  Value *Result = B.CreateIntrinsic(intrinsicOf(S, HasNumber), {}, Args);
  return !Returns || assign(S.Operands[0], Result);
}

/// The bytes that st.async or red.async \p S writes.
static unsigned asyncWriteBytes(const PTXStatement &S) {
  const unsigned Count = S.has("v4") ? 4 : S.has("v2") ? 2 : 1;
  return Count * (S.Suffix.ends_with("64") ? 8 : 4);
}

/// The store or reduction that is part of \p S.
static std::string writeOf(const PTXStatement &S) {
  std::string Text = S.Name == "st" ? "st.weak.shared::cluster."
                                    : "red.relaxed.cluster.shared::cluster.";
  for (StringRef Word :
       {"v2", "v4", "add", "min", "max", "inc", "dec", "and", "or", "xor"})
    if (S.has(Word))
      Text += (Word + ".").str();
  return (Text + S.Suffix + " " + S.Operands[0] + ", " + S.Operands[1]).str();
}

bool StatementLowering::lowerAsyncWrite(const PTXStatement &S) {
  if (S.Operands.size() != 3)
    return false;
  const std::string Text = writeOf(S);
  const auto Write = parseStatement(Text);
  Value *Barrier =
      pointer(S.Operands[2], NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER);
  return Write &&
         (S.Name == "st" ? lowerMemory(*Write) : lowerAtomic(*Write)) &&
         Barrier &&
         call(Intrinsic::nvvm_mbarrier_complete_tx_scope_cluster_space_cluster,
              {Barrier, B.getInt32(asyncWriteBytes(S))});
}

std::string splitAsyncWrites(StringRef Text) {
  const std::string Clean = ptx::blankComments(Text);
  std::string Out;
  size_t Done = 0;
  for (size_t At = Clean.find(".async"); At != std::string::npos;
       At = Clean.find(".async", At + 1)) {
    const size_t End = Clean.find(';', At);
    if (End == std::string::npos)
      break;
    size_t Begin = Clean.find_last_of(";{}:\n", At);
    Begin = Begin == std::string::npos ? 0 : Begin + 1;
    const auto S = parseStatement(StringRef(Clean).slice(Begin, End).trim());
    if (!S || (S->Name != "st" && S->Name != "red") || S->Operands.size() != 3)
      continue;
    const std::string Guard =
        StringRef(Clean).slice(Begin, At - S->Name.size()).str();
    Out += Text.slice(Done, Begin);
    Out += Guard + writeOf(*S) + ";" + Guard +
           "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 " +
           S->Operands[2].str() + ", " + std::to_string(asyncWriteBytes(*S));
    Done = End;
  }
  Out += Text.substr(Done);
  return Out;
}

} // namespace heddle
