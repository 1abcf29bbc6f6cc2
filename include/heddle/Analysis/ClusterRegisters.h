//===- ClusterRegisters.h - What a block knows of its cluster ---*- C++ -*-===//

#ifndef HEDDLE_ANALYSIS_CLUSTERREGISTERS_H
#define HEDDLE_ANALYSIS_CLUSTERREGISTERS_H

#include "heddle/ABI/WarpKernel.h"

#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <optional>

namespace heddle {

/// Where the state of a warp holds the special register \p Name of LLVM's
/// intrinsics ("cluster.ctarank", "clusterid.x", ...): 32 bits at that offset.
/// None for the registers that have nothing to do with clusters.
inline std::optional<size_t> clusterRegister(llvm::StringRef Name) {
  if (Name == "cluster.ctarank")
    return offsetof(HeddleWarp, ClusterRank);
  if (Name == "cluster.nctarank")
    return offsetof(HeddleWarp, ClusterBlocks);
  const auto [Vector, Axis] = Name.rsplit('.');
  if (Axis.size() != 1 || Axis[0] < 'x' || Axis[0] > 'z')
    return std::nullopt;
  const size_t At = size_t(Axis[0] - 'x') * sizeof(uint32_t);
  if (Vector == "clusterid")
    return offsetof(HeddleWarp, ClusterIdx) + At;
  if (Vector == "nclusterid")
    return offsetof(HeddleWarp, NumClusters) + At;
  if (Vector == "cluster.ctaid")
    return offsetof(HeddleWarp, BlockInCluster) + At;
  if (Vector == "cluster.nctaid")
    return offsetof(HeddleWarp, ClusterDim) + At;
  return std::nullopt;
}

} // namespace heddle

#endif // HEDDLE_ANALYSIS_CLUSTERREGISTERS_H
