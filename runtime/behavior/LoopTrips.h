//===- LoopTrips.h - What is recorded of loops' trip counts -----*- C++ -*-===//

#ifndef HEDDLE_BEHAVIOR_LOOPTRIPS_H
#define HEDDLE_BEHAVIOR_LOOPTRIPS_H

#include "behavior/SampleSet.h"

#include <map>
#include <span>

namespace heddle::behavior {

/// How many entries made so many trips.
using TripCounts = std::map<uint64_t, uint64_t>;

/// The trip counts at equal shares of all entries, from the least to the most.
void setQuantiles(const TripCounts &Counts, std::span<uint64_t> Out);
/// Means of equal shares of all entries, from the least to the most.
void setMeans(const TripCounts &Counts, std::span<double> Out);
/// Trips that follow from indices and outer iterations.
void fitTrips(const SampleSet &Samples, Loop &L);

/// The trips of each thread block, as long as all of its threads go around a
/// loop equally often. How long blocks take then decides how a launch ends.
class BlockTrips {
public:
  /// As many as a quarter of constant memory holds (64 KiB; CUDA C++
  /// Programming Guide, technical specifications).
  static constexpr size_t MostBlocks = 4096;

  /// Threads of block \p Block, which come in order, made from \p Least to
  /// \p Most trips.
  void add(uint64_t Block, uint32_t Least, uint32_t Most);
  /// Of all blocks of a \p Grid along x; empty if their threads differ, all
  /// blocks are alike, or some enter no loop.
  std::vector<uint32_t> of(Dim3 Grid) const;

private:
  std::vector<uint32_t> Trips;
  bool AreAlike = true;
};

} // namespace heddle::behavior

#endif // HEDDLE_BEHAVIOR_LOOPTRIPS_H
