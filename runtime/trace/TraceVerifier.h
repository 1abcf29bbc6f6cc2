//===- TraceVerifier.h - Whether a trace can be replayed --------*- C++ -*-===//
//
// What a WarpCursor and the models behind it rely on, checked for code tables
// and warps that come from outside.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRACE_TRACEVERIFIER_H
#define HEDDLE_TRACE_TRACEVERIFIER_H

#include "trace/RecordState.h"
#include "trace/TraceSource.h"

#include <span>

namespace heddle::trace {

/// How much a stretch of a trace says when it is expanded.
struct TraceCounts {
  uint64_t Events = 0;             ///< executed blocks
  uint64_t WarpInstructions = 0;   ///< instructions of the code table
  uint64_t IssuedInstructions = 0; ///< with the expansion of each one
  uint64_t ThreadInstructions = 0; ///< WarpInstructions times active lanes
  uint64_t Accesses = 0;           ///< executed memory records

  void add(const TraceCounts &Other, uint64_t Times = 1);
  bool operator==(const TraceCounts &) const = default;
};

/// What verification found out about the body of a warp.
struct BodySummary {
  TraceCounts Counts;
  uint32_t Lanes = 0; ///< that ever execute
  /// The records whose first addresses stand in Bases, in that order.
  std::vector<uint32_t> BaseRecords;
  uint64_t NumberBytes = 0; ///< that it takes from the stream of numbers
};

/// Grid and block within what any GPU takes.
Result<void> verifyHeader(const TraceHeader &Header);

/// Every index within its table, blocks and records partitioned by the basic
/// blocks, registers and enumerators in range.
Result<void> verifyCode(const CodeTable &Code);

/// Checks bodies against a verified code table. Errors name the byte.
class BodyVerifier {
public:
  /// More block events than this in one warp are refused: at a nanosecond
  /// each they would take a quarter of an hour to step through.
  static constexpr uint64_t MaxEvents = uint64_t(1) << 40;

  explicit BodyVerifier(const CodeTable &Code);
  Result<BodySummary> verify(std::span<const uint8_t> Body);
  /// The same for streams that lie elsewhere, of numbers perhaps more than the
  /// body takes.
  Result<BodySummary> verify(const bytecode::BodyStreams &Body);

private:
  struct Boundary {
    size_t Position;
    bytecode::MaskState Masks;
    unsigned Depth;     ///< of the repeats that begin here
    size_t NumBases;    ///< first executions so far
    size_t ApartMasks;  ///< masks from the numbers so far
    uint64_t Numbers;   ///< their bytes so far
    TraceCounts Counts; ///< before here
  };

  const char *readEvent(CodeReader &R, uint64_t Token, bool First,
                        BodySummary &Out);
  const char *readRepeat(CodeReader &R, size_t Position, BodySummary &Out);
  uint64_t numbersUsed(const CodeReader &R) const {
    return uint64_t(R.Numbers.P - FirstNumber);
  }

  const CodeTable &Code;
  std::vector<TraceCounts> PerBlock; ///< one execution by one lane
  std::vector<uint64_t> Zeros;       ///< bases do not matter here
  RecordStates States;
  const uint8_t *FirstNumber = nullptr;
  bytecode::MaskState Masks;
  size_t ApartMasks = 0;
  std::vector<Boundary> Boundaries;
};

/// The whole warp: its body, the number of bases, and that no lane outside
/// \p Live executes.
Result<TraceCounts> verifyWarp(const CodeTable &Code, const WarpTrace &Warp,
                               uint32_t Live);

} // namespace heddle::trace

#endif // HEDDLE_TRACE_TRACEVERIFIER_H
