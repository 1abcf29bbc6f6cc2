//===- RegionTable.cpp - Homogeneous regions of thread blocks -------------===//

#include "sampling/paper/RegionTable.h"

#include "sampling/Statistics.h"
#include "sampling/paper/HierarchicalClustering.h"

#include <algorithm>
#include <span>

namespace heddle::sampling {

/// Mean over the blocks of requests per warp instruction.
static double stallProbability(std::span<const BlockWork> Epoch) {
  double Sum = 0;
  for (const BlockWork &B : Epoch)
    if (B.WarpInstructions)
      Sum += double(B.MemoryRequests) / double(B.WarpInstructions);
  return Sum / double(Epoch.size());
}

static double variationFactor(std::span<const BlockWork> Epoch) {
  std::vector<double> Requests, Instructions;
  for (const BlockWork &B : Epoch) {
    Requests.push_back(double(B.MemoryRequests));
    Instructions.push_back(double(B.WarpInstructions));
  }
  return std::max(coefficientOfVariation(Requests),
                  coefficientOfVariation(Instructions));
}

RegionTable RegionTable::identify(const LaunchProfile &Profile,
                                  uint64_t SystemOccupancy,
                                  const RegionOptions &Options) {
  RegionTable Table;
  Table.EpochBlocks = std::max<uint64_t>(1, SystemOccupancy);
  std::span<const BlockWork> Blocks = Profile.Blocks;

  Points Features;
  std::vector<bool> Outlier;
  for (size_t At = 0; At < Blocks.size(); At += Table.EpochBlocks) {
    auto Epoch = Blocks.subspan(
        At, std::min<size_t>(Table.EpochBlocks, Blocks.size() - At));
    Features.push_back({stallProbability(Epoch)});
    Outlier.push_back(variationFactor(Epoch) > Options.VariationFactor);
  }
  std::vector<size_t> Clusters =
      clusterHierarchically(Features, Options.ClusterDistance);

  size_t Own = Clusters.empty() ? 0 : *std::ranges::max_element(Clusters) + 1;
  for (size_t E = 0; E < Clusters.size(); ++E) {
    uint64_t First = E * Table.EpochBlocks;
    uint64_t End = std::min<uint64_t>(First + Table.EpochBlocks, Blocks.size());
    size_t Cluster = Outlier[E] ? Own++ : Clusters[E];
    if (!Table.Regions.empty() && Table.Regions.back().Cluster == Cluster)
      Table.Regions.back().End = End;
    else
      Table.Regions.push_back({Cluster, First, End});
  }
  return Table;
}

const Region &RegionTable::of(uint64_t Block) const {
  auto After = std::ranges::upper_bound(Regions, Block, {}, &Region::First);
  return *std::prev(After);
}

} // namespace heddle::sampling
