//===- StreamOrder.h - Which operations wait for which ----------*- C++ -*-===//

#ifndef HEDDLE_RECORD_STREAMORDER_H
#define HEDDLE_RECORD_STREAMORDER_H

#include "launch/Operation.h"
#include "record/Format.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::record {

/// How a stream of CUDA or a queue of OpenCL orders what is given to it (CUDA
/// C++ Programming Guide, "Streams"; OpenCL 3.0, "Out-of-order Execution of
/// Kernels and Memory Object Commands").
enum class StreamKind {
  Legacy,      ///< waits for all blocking streams, and they for it
  Blocking,    ///< in order
  NonBlocking, ///< in order, apart from the legacy stream
  InOrder,     ///< a queue of OpenCL
  OutOfOrder,  ///< only events and barriers order it
};

/// Operations by number, of which an event or a wait consists.
using OperationSet = std::vector<uint64_t>;

/// Follows the streams and events of a program, and writes each operation with
/// those that it waits for to a recording, and to \p Kept. Handles are the
/// program's.
class StreamOrder {
public:
  /// Writes a record; may be empty.
  using Sink = std::function<void(RecordKind, Encoder)>;
  explicit StreamOrder(Sink Write, launch::Operations *Kept = nullptr)
      : Write(std::move(Write)), Kept(Kept) {}

  /// Declares \p Handle unless it is known.
  void stream(const void *Handle, StreamKind Kind, unsigned Priority = 0);
  /// The program has destroyed it; what it was given goes on.
  void drop(const void *Handle);

  /// An operation of \p Stream, which waits for \p Events besides. Its number.
  uint64_t operation(const void *Stream, launch::OperationKind Kind,
                     uint64_t Bytes, const OperationSet &Events = {});
  /// One that waits for \p Before and whatever the host waited for, and that
  /// the stream's next one does not wait for: a node of a graph.
  uint64_t node(const void *Stream, launch::OperationKind Kind, uint64_t Bytes,
                const OperationSet &Before);

  /// What an operation of \p Stream would wait for now.
  OperationSet before(const void *Stream) const;
  /// What the host waits for where it waits for \p Stream.
  OperationSet issued(const void *Stream) const;
  /// The next operation of \p Stream waits for \p Events, too.
  void wait(const void *Stream, const OperationSet &Events);
  bool isInOrder(const void *Stream) const {
    return Streams.at(Stream).Kind != StreamKind::OutOfOrder;
  }
  /// In an out-of-order queue all later operations wait for all earlier ones.
  void barrier(const void *Stream);

  /// The host copies \p Bytes to the device by itself and waits for that.
  void copiedByHost(uint64_t Bytes);
  /// The host waits for \p Events: all that it issues later begins after them.
  void hostWaits(const OperationSet &Events);
  /// The last time that it has waited.
  std::optional<uint64_t> lastHost() const { return LastHost; }
  /// What the host waits for where it waits for all streams.
  OperationSet all() const;

private:
  struct State {
    StreamKind Kind = StreamKind::Legacy;
    uint64_t Index = 0;
    std::optional<uint64_t> Last; ///< operation that was issued
    OperationSet Waits;           ///< of the next one
    OperationSet Open;            ///< since the last barrier; out of order
  };
  void begin();
  void declare(std::string Name, unsigned Priority);
  uint64_t add(uint64_t Stream, launch::OperationKind Kind, uint64_t Bytes,
               OperationSet Before);
  const State *legacy() const;

  const Sink Write;
  launch::Operations *const Kept; ///< or null
  std::map<const void *, State> Streams;
  OperationSet Dropped; ///< last operations of streams that are no more
  uint64_t NextStream = 0;
  uint64_t Next = 0; ///< operation
  uint64_t Launches = 0;
  std::vector<bool> Waited; ///< by the host, by operation
  std::optional<uint64_t> LastHost;
};

} // namespace heddle::record

#endif // HEDDLE_RECORD_STREAMORDER_H
