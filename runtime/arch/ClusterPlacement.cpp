//===- ClusterPlacement.cpp - Which SMs a cluster starts on ---------------===//

#include "arch/ClusterPlacement.h"

#include "base/Fail.h"

#include <algorithm>
#include <functional>
#include <numeric>

using namespace heddle;
using namespace heddle::arch;

std::vector<unsigned> heddle::arch::placeCluster(const GPUSpec &Spec,
                                                 unsigned Size,
                                                 std::span<unsigned> Free) {
  std::span<unsigned> Best;
  unsigned Most = Size - 1; // CTA slots of a GPC
  for (unsigned G = 0; G < Spec.Cluster.GPCs; ++G) {
    const auto [First, End] = smsOfGPC(Spec, G);
    const auto Its = Free.subspan(First, End - First);
    const unsigned Sum = std::accumulate(Its.begin(), Its.end(), 0u);
    if (Sum <= Most)
      continue;
    Most = Sum;
    Best = Its;
  }
  std::vector<unsigned> Places;
  while (!Best.empty() && Places.size() < Size) {
    const auto SM = std::ranges::max_element(Best);
    --*SM;
    Places.push_back(unsigned(&*SM - Free.data()));
  }
  return Places;
}

/// Blocks of each SM, most first, if all clusters are resident at once.
static std::vector<unsigned> blocksBySM(const GPUSpec &Spec, unsigned Size,
                                        uint64_t NumClusters,
                                        unsigned BlocksPerSM) {
  if (NumClusters * Size > uint64_t(Spec.SM.Count) * BlocksPerSM)
    return {};
  std::vector<unsigned> Free(Spec.SM.Count, BlocksPerSM);
  for (uint64_t C = 0; C < NumClusters; ++C)
    if (placeCluster(Spec, Size, Free).empty())
      return {};
  for (unsigned &N : Free)
    N = BlocksPerSM - N;
  std::ranges::sort(Free, std::greater<>());
  return Free;
}

Result<SMGroups> heddle::arch::groupsOf(const GPUSpec &Spec,
                                        const std::string &Kernel,
                                        const Dim3 &Cluster,
                                        uint64_t NumClusters,
                                        unsigned BlocksPerSM) {
  const auto Size = unsigned(Cluster.count());
  if (Size == 1)
    return SMGroups{1, Spec.SM.Count, {}};
  unsigned Resident = 0, Most = 0; // clusters, SMs of a GPC
  for (unsigned G = 0; G < Spec.Cluster.GPCs; ++G) {
    const auto [First, End] = smsOfGPC(Spec, G);
    Resident += (End - First) * BlocksPerSM / Size;
    Most = std::max(Most, End - First);
  }
  if (Size > Most)
    return fail("kernel '{}' is launched in clusters of {} blocks, more than "
                "the {} SMs of a GPC of machine '{}'; the fast models know "
                "clusters of one block for each SM, `heddle simulate` takes it",
                Kernel, Size, Most, Spec.Name);
  SMGroups G{Size, std::max(1u, Resident / std::max(1u, BlocksPerSM)), {}};
  const std::vector<unsigned> Blocks =
      blocksBySM(Spec, Size, NumClusters, BlocksPerSM);
  if (Blocks.empty())
    return G;
  uint64_t Left = NumClusters;
  for (unsigned N = 0; N < G.Count; ++N) {
    G.Clusters.push_back(unsigned(std::min<uint64_t>(Left, Blocks[N * Size])));
    Left -= G.Clusters.back();
  }
  for (; Left; --Left) // the SMs that no group stands for
    ++G.Clusters[G.Count - 1 - Left % G.Count];
  return G;
}
