//===- WarpEncoder.h - Encodes what one warp does ---------------*- C++ -*-===//

#ifndef HEDDLE_TRACE_WARPENCODER_H
#define HEDDLE_TRACE_WARPENCODER_H

#include "trace/LoopFolder.h"
#include "trace/RecordState.h"
#include "trace/TraceSource.h"

namespace heddle::trace {

/// Turns the events of one warp into a WarpTrace. Feed block() on entry of a
/// basic block, then memory() for each of its memory records in order, then
/// finish(). Iterations of a loop that do the same at addresses moved by a
/// constant stride fold into a repeat, nested loops too.
///
/// The result depends on the events alone, so that every producer of the same
/// events writes the same bytes. docs/TraceFormat.md describes the byte code.
/// The code table must outlive the encoder.
class WarpEncoder {
public:
  explicit WarpEncoder(const CodeTable &Code);

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

  void encodeMask(uint32_t Mask);
  void flush();
  void skipRecordsBefore(uint32_t Record);
  bool encodeMoved(const Access &A);
  bool encodeAffine(const Access &A);
  bool encodeCopied(const Access &A);
  void encodeGeneral(const Access &A);
  void putHeader(const Access &A, uint8_t Kind);
  void putHeaderAndBase(const Access &A, uint8_t Kind, uint64_t Base);
  void noteGeneral(uint32_t Record);

  const CodeTable &Code;
  WarpTrace Trace;
  LoopFolder Folder;
  RecordStates States;
  bytecode::MaskState Masks;

  // The block event that waits for its memory records.
  bool Pending = false;
  bool AllPredicted = true;
  uint32_t Block = 0;
  uint32_t NextRecord = 0;
  std::vector<uint8_t> MaskCode;
  std::vector<uint8_t> Records;
  std::vector<uint8_t> Runs; ///< of encodeGeneral

  /// Records that got lane offsets of their own last: candidates for copies.
  static constexpr unsigned NumRecent = 4;
  uint32_t Recent[NumRecent];
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_WARPENCODER_H
