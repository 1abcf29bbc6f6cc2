//===- StatementCluster.cpp - Thread-block clusters in PTX ----------------===//

#include "heddle/PTX/StatementLowering.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

/// Special registers of the cluster (PTX ISA 8.8, "Special Registers").
Intrinsic::ID StatementLowering::clusterRegister(StringRef Name) {
  using namespace Intrinsic;
  return StringSwitch<ID>(Name)
      .Case("%clusterid.x", nvvm_read_ptx_sreg_clusterid_x)
      .Case("%clusterid.y", nvvm_read_ptx_sreg_clusterid_y)
      .Case("%clusterid.z", nvvm_read_ptx_sreg_clusterid_z)
      .Case("%nclusterid.x", nvvm_read_ptx_sreg_nclusterid_x)
      .Case("%nclusterid.y", nvvm_read_ptx_sreg_nclusterid_y)
      .Case("%nclusterid.z", nvvm_read_ptx_sreg_nclusterid_z)
      .Case("%cluster_ctaid.x", nvvm_read_ptx_sreg_cluster_ctaid_x)
      .Case("%cluster_ctaid.y", nvvm_read_ptx_sreg_cluster_ctaid_y)
      .Case("%cluster_ctaid.z", nvvm_read_ptx_sreg_cluster_ctaid_z)
      .Case("%cluster_nctaid.x", nvvm_read_ptx_sreg_cluster_nctaid_x)
      .Case("%cluster_nctaid.y", nvvm_read_ptx_sreg_cluster_nctaid_y)
      .Case("%cluster_nctaid.z", nvvm_read_ptx_sreg_cluster_nctaid_z)
      .Case("%cluster_ctarank", nvvm_read_ptx_sreg_cluster_ctarank)
      .Case("%cluster_nctarank", nvvm_read_ptx_sreg_cluster_nctarank)
      .Case("%is_explicit_cluster", nvvm_is_explicit_cluster)
      .Default(not_intrinsic);
}

/// mapa and getctarank: "sh", "sh+4" or a register that holds an address, of
/// 32 bits where it is one of shared memory.
bool StatementLowering::lowerClusterAddress(const PTXStatement &S) {
  const bool Maps = S.Name == "mapa", IsShared = S.has("shared::cluster");
  if (S.Operands.size() != 2u + Maps)
    return false;
  Value *P = pointer(("[" + S.Operands[1] + "]").str(),
                     IsShared ? NVPTXAS::ADDRESS_SPACE_SHARED
                              : NVPTXAS::ADDRESS_SPACE_GENERIC);
  if (!P)
    return false;
  if (!Maps)
    return assign(S.Operands[0],
                  call(Intrinsic::nvvm_getctarank,
                       {B.CreateAddrSpaceCast(
                           P, B.getPtrTy(NVPTXAS::ADDRESS_SPACE_GENERIC))}));
  Value *Rank = operand(S.Operands[2], B.getInt32Ty());
  return Rank && assign(S.Operands[0],
                        call(IsShared ? Intrinsic::nvvm_mapa_shared_cluster
                                      : Intrinsic::nvvm_mapa,
                             {P, Rank}));
}

bool StatementLowering::lowerSpaceTest(const PTXStatement &S) {
  if (S.Operands.size() != 2)
    return false;
  using namespace Intrinsic;
  Value *P = operand(S.Operands[1], B.getPtrTy());
  return P && assign(S.Operands[0], call(S.has("global")  ? nvvm_isspacep_global
                                         : S.has("local") ? nvvm_isspacep_local
                                         : S.has("shared::cluster")
                                             ? nvvm_isspacep_shared_cluster
                                             : nvvm_isspacep_shared,
                                         {P}));
}

/// Memory here is as if every arrival released and every wait acquired.
bool StatementLowering::lowerClusterBarrier(const PTXStatement &S) {
  using namespace Intrinsic;
  return call(S.has("wait")      ? nvvm_barrier_cluster_wait
              : S.has("relaxed") ? nvvm_barrier_cluster_arrive_relaxed
                                 : nvvm_barrier_cluster_arrive,
              {});
}

} // namespace heddle
