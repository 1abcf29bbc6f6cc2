//===- ArchitectureNeed.cpp - Which GPU an instruction needs --------------===//

#include "heddle/Analysis/ArchitectureNeed.h"

#include "heddle/Analysis/AsyncBarrier.h"
#include "heddle/Analysis/AsyncCopy.h"
#include "heddle/Analysis/BulkOperation.h"
#include "heddle/Analysis/MatrixOperation.h"
#include "heddle/Analysis/WarpGroup.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle {

namespace {

struct Need {
  unsigned Number = 0;
  StringLiteral Name = "";
};

} // namespace

/// A fragment of wmma has 16 x 16, 32 x 8 or 8 x 32 sums, one of mma 16 x 8 or
/// 8 x 8.
static unsigned archOf(const MatrixProduct &P) {
  const HeddleMatrixShape &S = P.Shape;
  const bool IsTall = S.M == 16 && S.N == 8;
  switch (S.A) {
  case HEDDLE_MATRIX_E4M3:
  case HEDDLE_MATRIX_E5M2:
    return 89;
  case HEDDLE_MATRIX_BF16:
  case HEDDLE_MATRIX_TF32:
    return 80;
  case HEDDLE_MATRIX_F64:
    return IsTall ? 90 : 80;
  case HEDDLE_MATRIX_F16:
    return P.IsSparse ? 80 : !IsTall ? 70 : S.K == 8 ? 75 : 80;
  case HEDDLE_MATRIX_S8:
  case HEDDLE_MATRIX_U8:
    return IsTall ? 80 : S.M == 8 && S.N == 8 ? 75 : 72;
  default:
    return IsTall ? 80 : 75;
  }
}

static Need needOf(const BarrierOperation &O, StringRef Callee) {
  switch (O.Action) {
  case HEDDLE_MBARRIER_EXPECT:
  case HEDDLE_MBARRIER_COMPLETE:
  case HEDDLE_MBARRIER_ARRIVE_EXPECT:
  case HEDDLE_MBARRIER_DROP_EXPECT:
    return {90, "mbarrier with expect_tx or complete_tx"};
  default:
    if (Callee.contains("try.wait"))
      return {90, "mbarrier.try_wait"};
    if (O.IsRemote)
      return {90, "mbarrier in .shared::cluster"};
    return {80, "mbarrier"};
  }
}

static Need needOfIntrinsic(const CallBase &Call) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::nvvm_mapa:
  case Intrinsic::nvvm_mapa_shared_cluster:
    return {90, "mapa"};
  case Intrinsic::nvvm_getctarank:
  case Intrinsic::nvvm_getctarank_shared_cluster:
    return {90, "getctarank"};
  case Intrinsic::nvvm_barrier_cluster_arrive:
  case Intrinsic::nvvm_barrier_cluster_arrive_aligned:
  case Intrinsic::nvvm_barrier_cluster_arrive_relaxed:
  case Intrinsic::nvvm_barrier_cluster_arrive_relaxed_aligned:
  case Intrinsic::nvvm_barrier_cluster_wait:
  case Intrinsic::nvvm_barrier_cluster_wait_aligned:
    return {90, "barrier.cluster"};
  case Intrinsic::nvvm_fence_mbarrier_init_release_cluster:
    return {90, "fence.mbarrier_init"};
  case Intrinsic::nvvm_fence_proxy_async:
  case Intrinsic::nvvm_fence_proxy_async_global:
  case Intrinsic::nvvm_fence_proxy_async_shared_cta:
  case Intrinsic::nvvm_fence_proxy_async_shared_cluster:
    return {90, "fence.proxy.async"};
  case Intrinsic::nvvm_elect_sync:
    return {90, "elect.sync"};
  default:
    return {};
  }
}

static Need needOf(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (const auto P = matrixProduct(Call))
    return {archOf(*P), P->IsSparse ? StringLiteral("mma.sp")
                                    : StringLiteral("mma of this shape and "
                                                    "type")};
  if (const auto A = matrixAccess(Call))
    return A->IsStore ? Need{90, "stmatrix"} : Need{75, "ldmatrix"};
  if (isMatrixMove(Call))
    return {75, "movmatrix"};
  if (asyncCopy(Call) || isCopyGroup(Call))
    return {80, "cp.async"};
  if (const auto O = barrierOperation(Call))
    return needOf(*O, Callee ? Callee->getName() : "");
  if (bulkOperation(Call) || bulkFence(Call))
    return {90, "cp.async.bulk"};
  if (groupProduct(Call) || isGroupFence(Call))
    return {90, "wgmma"};
  return needOfIntrinsic(Call);
}

std::optional<ArchitectureNeed> laterArchitecture(const Function &Kernel,
                                                  unsigned Given) {
  std::optional<ArchitectureNeed> Latest;
  for (const Instruction &I : instructions(Kernel))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      if (const Need N = needOf(*Call);
          N.Number > (Latest ? Latest->Number : Given))
        Latest = {&I, N.Number, N.Name.str()};
  return Latest;
}

} // namespace heddle
