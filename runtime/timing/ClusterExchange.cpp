//===- ClusterExchange.cpp - What SMs tell each other of clusters ---------===//

#include "timing/ClusterExchange.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::timing;

void ClusterExchange::openBarriers(
    std::span<const std::unique_ptr<SMContext>> SMs, Cycle Now) {
  Arrivals.clear();
  for (const auto &SM : SMs)
    SM->takeArrivals(Arrivals);
  for (const ClusterArrival &A : Arrivals) {
    Meeting &Its = Meetings[A.Cluster];
    Its.Times.resize(M.Launch.Cluster.count());
    Its.Times[A.Rank] = A.Times;
    Its.Last = std::max(Its.Last, A.At);
    const uint64_t Opens = std::ranges::min(Its.Times);
    if (Opens == UINT64_MAX) {
      Meetings.erase(A.Cluster);
      continue;
    }
    if (Opens == std::exchange(Its.Opened, Opens))
      continue;
    const Cycle At = std::max(Now, Its.Last + M.Spec.Cluster.Latency);
    for (const auto &SM : SMs)
      SM->openCluster({At, A.Cluster, Opens});
  }
}

void ClusterExchange::passMessages(
    std::span<const std::unique_ptr<SMContext>> SMs) {
  Messages.clear();
  for (const auto &SM : SMs)
    SM->takeMessages(Messages);
  for (const ClusterMessage &Each : Messages)
    for (const auto &SM : SMs)
      SM->hear(Each);
}
