//===- Timeline.h - What the program gives to the GPU -----------*- C++ -*-===//

#ifndef HEDDLE_CUDA_TIMELINE_H
#define HEDDLE_CUDA_TIMELINE_H

#include "arch/GPUSpec.h"
#include "record/StreamOrder.h"
#include "streams/StreamSchedule.h"

#include <optional>
#include <vector>

namespace heddle::cuda {

/// The operations of all streams and which of them wait for which, for a
/// recording, and for the times of events on the model's clock.
class Timeline {
public:
  /// Whose operations come now.
  struct Lane {
    const void *Stream = nullptr; ///< the legacy stream
    bool Async = false;           ///< copies do not make the host wait
    /// In a graph: what the next operation waits for, instead of the stream.
    std::optional<record::OperationSet> Node = std::nullopt;
  };
  /// A time of a stream: when operations have ended.
  struct Point {
    record::OperationSet After;
    std::optional<uint64_t> Host; ///< that the host waited for
  };

  /// \p Write, if given, gets the records of a recording. With \p HasTimes
  /// operations are kept, and times told.
  Timeline(const arch::GPUSpec &Machine, record::StreamOrder::Sink Write,
           bool HasTimes);

  Lane &lane() { return Now; }
  record::StreamOrder &order() { return Order; }
  /// The GPU gets a copy, a launch or the like from the program. With \p Waits
  /// the host goes on when it is done.
  void operation(launch::OperationKind Kind, uint64_t Bytes,
                 bool Waits = false);
  /// What the launch that was given last takes of the GPU.
  void took(streams::LaunchUse Use) { Uses.push_back(std::move(Use)); }
  Point point(record::OperationSet After) const {
    return {std::move(After), Order.lastHost()};
  }
  /// Microseconds from the first operation to \p At, as operations that were
  /// given so far share the GPU (streams/StreamSchedule.h). Later ones may
  /// still run beside those that the host has not waited for.
  double us(const Point &At);

private:
  void schedule();
  void settle();

  const arch::GPUSpec &Machine;
  launch::Operations Operations;
  record::StreamOrder Order;
  Lane Now;
  std::vector<streams::LaunchUse> Uses;
  std::vector<double> EndUs; ///< by operation; of those that are scheduled
  /// Operations that others do not share the GPU with any more, and launches
  /// among them.
  size_t Settled = 0, SettledLaunches = 0;
};

} // namespace heddle::cuda

#endif // HEDDLE_CUDA_TIMELINE_H
