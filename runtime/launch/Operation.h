//===- Operation.h - What a program gives to the GPU ------------*- C++ -*-===//
//
// A recorded program's launches, copies and fills in the order in which it
// issued them, and which of them wait for which. What streams, events, graphs
// and queues mean is resolved into these waits when the program is recorded
// (record/StreamOrder.h).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LAUNCH_OPERATION_H
#define HEDDLE_LAUNCH_OPERATION_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::launch {

/// Numbers are part of the format of recordings.
enum class OperationKind : uint8_t {
  Launch = 0,
  ToDevice = 1, ///< copy from the host
  ToHost = 2,   ///< copy to the host
  InDevice = 3, ///< copy from device memory to device memory
  Fill = 4,
  Host = 5, ///< the host waits, or a function of it is called
};

struct Operation {
  OperationKind Kind = OperationKind::Launch;
  size_t Stream = 0;         ///< index into Operations::Streams
  uint64_t Bytes = 0;        ///< of a copy or fill
  std::vector<size_t> Waits; ///< operations before it that end first
  size_t Launch = 0;         ///< index among the application's launches
  size_t Range = 0;          ///< index into Operations::Ranges
};

/// A region that the program names (NVTX).
struct Range {
  std::string Path; ///< "outer/inner"
  size_t Outer = 0; ///< index into Operations::Ranges
};

struct Stream {
  std::string Name;      ///< "default stream", "queue 2"
  uint32_t Priority = 0; ///< above the lowest
};

struct Operations {
  std::vector<Stream> Streams;
  std::vector<Operation> All;
  /// The first is the whole program, without a name.
  std::vector<Range> Ranges = {{}};
};

} // namespace heddle::launch

#endif // HEDDLE_LAUNCH_OPERATION_H
