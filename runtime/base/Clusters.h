//===- Clusters.h - Thread-block clusters of a grid -------------*- C++ -*-===//

#ifndef HEDDLE_BASE_CLUSTERS_H
#define HEDDLE_BASE_CLUSTERS_H

#include "base/Dim3.h"

#include <cstdint>

namespace heddle {

/// Most blocks of a cluster that any GPU to date launches: 8 everywhere, 16 on
/// H100 with cudaFuncAttributeNonPortableClusterSizeAllowed (CUDA C++
/// Programming Guide, "Thread Block Clusters").
inline constexpr unsigned MaxClusterBlocks = 16;
inline constexpr unsigned MaxPortableClusterBlocks = 8;

/// Which blocks of a grid form a cluster. The grid is a multiple of it in each
/// dimension. Blocks and clusters are numbered with x fastest, and so are the
/// blocks of a cluster by their rank.
struct Clusters {
  Dim3 Grid;
  Dim3 Size; ///< blocks

  unsigned blocksPerCluster() const { return unsigned(Size.count()); }
  Dim3 grid() const {
    return {Grid.X / Size.X, Grid.Y / Size.Y, Grid.Z / Size.Z};
  }
  uint64_t count() const { return grid().count(); }
  /// The linear index of block \p Rank of cluster \p Cluster.
  uint64_t block(uint64_t Cluster, unsigned Rank) const {
    const Dim3 C = grid().at(Cluster), In = Size.at(Rank);
    return C.X * Size.X + In.X +
           uint64_t(Grid.X) *
               (C.Y * Size.Y + In.Y + uint64_t(Grid.Y) * (C.Z * Size.Z + In.Z));
  }
  uint64_t clusterOf(uint64_t Block) const {
    const Dim3 B = Grid.at(Block), G = grid();
    return B.X / Size.X +
           uint64_t(G.X) * (B.Y / Size.Y + uint64_t(G.Y) * (B.Z / Size.Z));
  }
  unsigned rankOf(uint64_t Block) const {
    const Dim3 B = Grid.at(Block);
    return B.X % Size.X + Size.X * (B.Y % Size.Y + Size.Y * (B.Z % Size.Z));
  }
};

} // namespace heddle

#endif // HEDDLE_BASE_CLUSTERS_H
