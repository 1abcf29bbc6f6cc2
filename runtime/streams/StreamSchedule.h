//===- StreamSchedule.h - Operations on the model's clock -------*- C++ -*-===//

#ifndef HEDDLE_STREAMS_STREAMSCHEDULE_H
#define HEDDLE_STREAMS_STREAMSCHEDULE_H

#include "arch/GPUSpec.h"
#include "arch/Occupancy.h"
#include "launch/Operation.h"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace heddle::streams {

/// A resource of the whole GPU, "dram" or a pipe, and the share of a launch's
/// time for which it is busy when the launch has the GPU to itself, 0 to 1.
using BusyShares = std::map<std::string, double>;

/// What a launch takes of the GPU when it has it to itself.
struct LaunchUse {
  double TimeUs = 0;
  uint64_t Blocks = 0;
  arch::Occupancy Occupancy; ///< the limits of blocks on an SM
  BusyShares Busy;
};

struct Span {
  double BeginUs = 0, EndUs = 0;
};

struct StreamSchedule {
  std::vector<Span> Operations;
  double EndUs = 0;    ///< of the last operation; the first begins at 0
  double SerialUs = 0; ///< all operations one after the other
};

/// Places operations on the clock. The host takes no time, so an operation is
/// ready when those that it waits for have ended.
///
/// Copies from the host go one at a time, and so do copies to it, at the
/// machine's host.bandwidth; where that is 0 they take no time. Copies in the
/// device and fills take DRAM's bandwidth.
///
/// Launches that are ready get CTA slots by priority and in the order in which
/// they were issued; while blocks of one wait for room, later ones start none
/// (Amert et al., GPU Scheduling on the NVIDIA TX2, RTSS 2017). So one that
/// takes part of the slots, and of what else limits residency, leaves the rest
/// to others; one of several waves leaves none before its last wave, blocks
/// being taken to be alike. Those that run together progress as fast
/// as alone, unless a resource would be busy for more than all of the time;
/// then its users share it max-min fairly (progressive filling; Bertsekas and
/// Gallager, Data Networks, 1992, section 6.5.2).
StreamSchedule scheduleStreams(const launch::Operations &Operations,
                               std::span<const LaunchUse> Launches,
                               const arch::GPUSpec &Spec);

} // namespace heddle::streams

#endif // HEDDLE_STREAMS_STREAMSCHEDULE_H
