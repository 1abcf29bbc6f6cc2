//===- IntervalFeatures.h - Intervals of an application ---------*- C++ -*-===//
//
// GT-Pin's three ways to cut an application into intervals and its ten feature
// vectors (Kambadur et al., IISWC 2015, section V, table III).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SAMPLING_INTERVALFEATURES_H
#define HEDDLE_SAMPLING_INTERVALFEATURES_H

#include "sampling/LaunchProfile.h"
#include "sampling/paper/HierarchicalClustering.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle::sampling {

enum class IntervalKind {
  Sync,         ///< from one synchronisation call to the next
  Instructions, ///< about N thread instructions, launches whole
  Kernel        ///< every launch
};
inline constexpr std::array AllIntervalKinds = {
    IntervalKind::Sync, IntervalKind::Instructions, IntervalKind::Kernel};
std::string_view nameOf(IntervalKind Kind);

enum class Feature {
  KN,        ///< kernel
  KNArgs,    ///< kernel and arguments
  KNGws,     ///< kernel and global work size
  KNArgsGws, ///< all three
  KNRW,      ///< kernel, bytes read, bytes written
  BB,        ///< basic block
  BBR,       ///< basic block, bytes it reads
  BBW,       ///< basic block, bytes it writes
  BBRW,      ///< basic block, bytes it reads, bytes it writes
  BBRPlusW   ///< basic block, sum of bytes
};
inline constexpr std::array AllFeatures = {
    Feature::KN,   Feature::KNArgs,  Feature::KNGws, Feature::KNArgsGws,
    Feature::KNRW, Feature::BB,      Feature::BBR,   Feature::BBW,
    Feature::BBRW, Feature::BBRPlusW};
std::string_view nameOf(Feature F);

/// Launches [First, End).
struct LaunchInterval {
  size_t First = 0, End = 0;
  uint64_t Instructions = 0; ///< warp instructions
};

/// Cuts the application; intervals lie side by side and cover it.
/// \p Target: instructions of an interval of that kind (GT-Pin: 100 M).
std::vector<LaunchInterval> cutIntervals(const ApplicationProfile &Profile,
                                         IntervalKind Kind, uint64_t Target);

/// One vector per interval, each summing to 1. Dimensions are numbered by first
/// appearance; counts of kernels and basic blocks are weighted by instructions.
Points featureVectors(const ApplicationProfile &Profile,
                      const std::vector<LaunchInterval> &Intervals, Feature F);

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_INTERVALFEATURES_H
