//===- LaunchClusters.cpp - Which launches stand for which ----------------===//

#include "sampling/LaunchClusters.h"

#include "sampling/Statistics.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>

namespace heddle::sampling {

static double sizeVariation(const LaunchProfile &Launch) {
  std::vector<double> Sizes;
  for (const BlockWork &B : Launch.Blocks)
    Sizes.push_back(double(B.ThreadInstructions));
  return coefficientOfVariation(Sizes);
}

Points interLaunchFeatures(const ApplicationProfile &Profile) {
  Points Features;
  std::vector<double> Sum(3, 0);
  for (const LaunchProfile &L : Profile.Launches) {
    BlockWork T = L.total();
    Features.push_back({double(T.ThreadInstructions),
                        double(T.WarpInstructions), double(T.MemoryRequests)});
    for (size_t D = 0; D < Sum.size(); ++D)
      Sum[D] += Features.back()[D];
    Features.back().push_back(sizeVariation(L));
  }
  for (std::vector<double> &F : Features)
    for (size_t D = 0; D < Sum.size(); ++D)
      F[D] = Sum[D] > 0 ? F[D] * double(Features.size()) / Sum[D] : 0;
  return Features;
}

static size_t nearestToCentre(const Points &Features,
                              const std::vector<size_t> &Members) {
  std::vector<double> Centre(Features.front().size(), 0);
  for (size_t M : Members)
    for (size_t D = 0; D < Centre.size(); ++D)
      Centre[D] += Features[M][D] / double(Members.size());
  size_t Best = Members.front();
  double Least = std::numeric_limits<double>::infinity();
  for (size_t M : Members) {
    double Distance = 0;
    for (size_t D = 0; D < Centre.size(); ++D)
      Distance += (Features[M][D] - Centre[D]) * (Features[M][D] - Centre[D]);
    // Not by the last bits of a sum: the first of equals represents.
    if (Distance < Least * (1 - 1e-9)) {
      Least = Distance;
      Best = M;
    }
  }
  return Best;
}

std::vector<LaunchCluster> clusterLaunches(const ApplicationProfile &Profile,
                                           double Distance) {
  const Points Features = interLaunchFeatures(Profile);
  std::map<std::string, std::vector<size_t>> ByKernel;
  for (size_t L = 0; L < Profile.Launches.size(); ++L)
    ByKernel[Profile.Launches[L].Kernel].push_back(L);

  std::vector<LaunchCluster> Clusters;
  for (const auto &[Kernel, Launches] : ByKernel) {
    Points OfKernel;
    for (size_t L : Launches)
      OfKernel.push_back(Features[L]);
    std::vector<size_t> Cluster = clusterHierarchically(OfKernel, Distance);
    size_t First = Clusters.size();
    Clusters.resize(First + *std::ranges::max_element(Cluster) + 1);
    for (size_t I = 0; I < Launches.size(); ++I)
      Clusters[First + Cluster[I]].Launches.push_back(Launches[I]);
  }
  for (LaunchCluster &C : Clusters)
    C.Representative = nearestToCentre(Features, C.Launches);
  std::ranges::sort(Clusters, {},
                    [](const LaunchCluster &C) { return C.Launches.front(); });
  return Clusters;
}

} // namespace heddle::sampling
