//===- ProfileBuilder.h - A launch's profile from its counters --*- C++ -*-===//

#ifndef HEDDLE_SAMPLING_PROFILEBUILDER_H
#define HEDDLE_SAMPLING_PROFILEBUILDER_H

#include "sampling/LaunchProfile.h"
#include "trace/TraceSource.h"

#include <span>
#include <vector>

namespace heddle::sampling {

/// Turns the counters of WarpKernel.h, which the engines fill, into the profile
/// of a launch.
class ProfileBuilder {
public:
  /// \p Code outlives the builder.
  ProfileBuilder(const trace::TraceHeader &Header,
                 const trace::CodeTable &Code);

  /// Counters of thread block \p Index. Safe to call for different blocks at
  /// the same time.
  void block(uint64_t Index, std::span<const uint64_t> BlockCounters,
             std::span<const uint64_t> MemoryCounters);

  /// The counters are those of the whole launch.
  LaunchProfile finish(std::span<const uint64_t> BlockCounters,
                       std::span<const uint64_t> MemoryCounters);

private:
  const trace::CodeTable &Code;
  LaunchProfile Profile;
  std::vector<bool> Atomic; ///< by memory record
};

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_PROFILEBUILDER_H
