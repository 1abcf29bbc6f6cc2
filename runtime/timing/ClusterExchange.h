//===- ClusterExchange.h - What SMs tell each other of clusters -*- C++ -*-===//

#ifndef HEDDLE_TIMING_CLUSTEREXCHANGE_H
#define HEDDLE_TIMING_CLUSTEREXCHANGE_H

#include "timing/SMContext.h"

#include <map>
#include <memory>
#include <span>
#include <vector>

namespace heddle::timing {

/// Hands over between windows of time what blocks of clusters have done: that
/// they have come to a barrier, and what they did to mbarriers of others. No
/// window may be longer than cluster.latency, after which the SMs hear of it.
class ClusterExchange {
public:
  explicit ClusterExchange(const Machine &M) : M(M) {}

  /// Lets the blocks of clusters go on all of whose warps have come to the
  /// barrier; \p Now is the end of the last window.
  void openBarriers(std::span<const std::unique_ptr<SMContext>> SMs, Cycle Now);
  /// Hands over what blocks did to mbarriers of others of their clusters.
  void passMessages(std::span<const std::unique_ptr<SMContext>> SMs);
  /// Whether a cluster has blocks that have come to a barrier or have ended,
  /// and others that have not.
  bool awaits() const { return !Meetings.empty(); }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[M, Meetings, Arrivals, Messages] = *this;
    A(Meetings);
  }

private:
  /// A cluster whose blocks have not all ended.
  struct Meeting {
    std::vector<uint64_t> Times; ///< by rank: arrivals at its barrier
    uint64_t Opened = 0;
    Cycle Last = 0; ///< arrival

    template <class Archive> void serialize(Archive &A) {
      auto &[Times, Opened, Last] = *this;
      A(Times, Opened, Last);
    }
  };

  const Machine &M;
  std::map<uint64_t, Meeting> Meetings; ///< by cluster
  std::vector<ClusterArrival> Arrivals; ///< scratch of openBarriers()
  std::vector<ClusterMessage> Messages; ///< scratch of passMessages()
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_CLUSTEREXCHANGE_H
