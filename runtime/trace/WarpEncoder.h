//===- WarpEncoder.h - Encodes what one warp does ---------------*- C++ -*-===//

#ifndef HEDDLE_TRACE_WARPENCODER_H
#define HEDDLE_TRACE_WARPENCODER_H

#include "trace/LaneNumbers.h"
#include "trace/LoopFolder.h"
#include "trace/RecordState.h"
#include "trace/Recurrence.h"
#include "trace/TraceSource.h"

namespace heddle::trace {

/// Turns the events of one warp into a WarpTrace. Feed block() on entry of a
/// basic block, then memory() for each of its memory records in order, then
/// finish(). Iterations of a loop that do the same at addresses moved by a
/// constant stride fold into a repeat, nested loops too; where data decide only
/// addresses, the loop folds and the addresses are numbers beside it.
///
/// The assignment of shared-memory addresses to lanes is dropped where that
/// makes the trace smaller, unless \p Order says otherwise.
///
/// The result depends on the events alone, so that every producer of the same
/// events writes the same bytes. docs/TraceFormat.md describes the byte code.
/// The code table must outlive the encoder.
class WarpEncoder {
public:
  explicit WarpEncoder(const CodeTable &Code,
                       LaneOrder Order = LaneOrder::Kept);

  /// \p Mask must not be 0.
  void block(uint32_t Block, uint32_t Mask);

  /// \p Space is where the addresses really point (never GENERIC). Addresses
  /// of the lanes in \p Mask are valid: device addresses for global and
  /// constant memory, offsets into the block's window for shared memory,
  /// offsets into the thread's frame for local memory. \p Mask is a subset of
  /// the block's; records of the block that are left out count as not executed.
  void memory(uint32_t Record, HeddleMemorySpace Space, uint32_t Mask,
              const uint64_t *Addresses);

  /// Returns the trace and makes the encoder ready for another warp.
  WarpTrace finish();

private:
  /// One execution of a record, being encoded.
  struct Access {
    uint32_t Record;
    HeddleMemorySpace Space;
    uint32_t Mask;
    const uint64_t *Addresses;
  };

  /// State of a record that only the encoder keeps.
  struct History {
    Recurrence Moves, Shapes;
    unsigned Shift = 31; ///< that the numbers of its lanes allowed so far
  };
  enum class Shape { Offsets, Steps, Runs, Temporal, Ascending };
  struct Choice;

  void encodeMask(uint32_t Mask);
  void putMask(uint8_t Code, uint32_t Bits, unsigned Bytes);
  void flush();
  void skipRecordsBefore(uint32_t Record);
  bool encodePattern(const Access &A);
  bool encodeMoved(const Access &A);
  bool encodeAffine(const Access &A);
  bool encodeCopied(const Access &A);
  void encodeGeneral(const Access &A);
  void considerSteps(const Access &A, std::span<const uint64_t> Addresses,
                     Choice &Best);
  void considerTimes(const Access &A, std::span<const uint64_t> Addresses,
                     Choice &Best) const;
  bool encodeSorted(const Access &A, unsigned CostBits);
  bool needsOrder(const Access &A) const;
  unsigned moveCost(uint32_t Record, uint64_t Base) const;
  void putHeader(const Access &A, uint8_t Kind);
  void putRecord(const Access &A, uint8_t Kind, uint64_t Base,
                 std::span<const uint8_t> Detail = {},
                 const LaneNumbers *Lanes = nullptr);
  void putLanes(const Access &A, Shape Form, uint64_t Base,
                const LaneNumbers &Lanes);
  bool decidedByData(uint32_t Record, uint64_t Delta, const LaneNumbers *Lanes);
  void noteGeneral(uint32_t Record);

  const CodeTable &Code;
  const LaneOrder Order;
  std::vector<uint8_t> Control, Numbers;
  std::vector<uint64_t> Bases;
  LoopFolder Folder;
  RecordStates States;
  std::vector<History> Histories;        ///< by record
  std::vector<Recurrence> MaskHistories; ///< by block
  bytecode::MaskState Masks;

  // The block event that waits for its memory records.
  bool Pending = false;
  bool AllPredicted = true;
  uint32_t Block = 0;
  uint32_t NextRecord = 0;
  bool ApartMask = false;
  std::vector<uint8_t> MaskCode;
  std::vector<uint8_t> Records;
  std::vector<uint8_t> Detail; ///< of the record being written

  /// Records that got lane offsets of their own last: candidates for copies.
  static constexpr unsigned NumRecent = 4;
  uint32_t Recent[NumRecent];
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_WARPENCODER_H
