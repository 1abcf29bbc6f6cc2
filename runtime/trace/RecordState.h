//===- RecordState.h - What the byte code refers back to --------*- C++ -*-===//
//
// Addresses are coded relative to the last access of the same memory record.
// WarpEncoder and WarpCursor keep the same state and change it alike.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRACE_RECORDSTATE_H
#define HEDDLE_TRACE_RECORDSTATE_H

#include "trace/ByteCode.h"
#include "trace/CodeTable.h"
#include "trace/MemoryAccess.h"

#include <memory>

namespace heddle::trace {

/// The last access of a memory record and how it is predicted to move. One line
/// of the host's cache.
struct alignas(64) RecordState {
  MemoryAccess Access;
  uint64_t Delta = 0; ///< Base minus the Base before
  uint32_t Valid = 0; ///< lanes whose Offsets are known, unless Affine
  /// Another number whenever the lanes' distances may have changed, also by
  /// RecordStates::reset().
  uint32_t Shape = 0;
  bool Seen = false;

  /// Offset of \p Lane from Base, whatever the shape.
  uint64_t offset(unsigned Lane) const {
    return Access.Affine ? Lane * uint64_t(Access.Stride)
                         : uint64_t(Access.Offsets[Lane]);
  }
  uint32_t knownLanes() const { return Access.Affine ? ~0u : Valid; }
  void moveTo(uint64_t Base) {
    Delta = Base - Access.Base;
    Access.Base = Base;
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Access, Delta, Valid, Shape, Seen] = *this;
    A(Access, Delta, Valid, Shape, Seen);
  }
};

/// The states of all records of a kernel. Lane offsets are allocated for the
/// records that need them and kept for the next warp.
class RecordStates {
public:
  /// Forgets everything; every record is in its static space.
  void reset(const CodeTable &Code);
  RecordState &operator[](uint32_t Record) { return States[Record]; }
  const RecordState &operator[](uint32_t Record) const {
    return States[Record];
  }
  size_t size() const { return States.size(); }

  /// Turns \p Record into one with offsets and returns them, zero if it had
  /// none before.
  int64_t *makeGeneral(uint32_t Record);

  /// Of a saved state, after reset().
  template <class Archive> void serialize(Archive &A) {
    auto &[States, Lanes] = *this;
    for (uint32_t R = 0; R != States.size(); ++R) {
      A(States[R]);
      if (!States[R].Access.Affine)
        for (int64_t *L = makeGeneral(R), *End = L + 32; L != End; ++L)
          A(*L);
    }
  }

private:
  std::vector<RecordState> States;
  std::vector<std::unique_ptr<int64_t[]>> Lanes; ///< by record
};

/// What the codes of a warp are read from.
struct CodeReader {
  bytecode::ByteReader Control, Numbers;
  const uint64_t *NextBase = nullptr, *EndBase = nullptr;

  bool failed() const { return Control.Failed || Numbers.Failed; }
};

/// Reads the code of \p Record, executed in a block with \p BlockMask, and
/// brings its state up to date. Safe on any bytes; returns what is wrong with
/// them, or null.
const char *decodeRecord(CodeReader &R, const CodeTable &Code,
                         RecordStates &States, uint32_t Record,
                         uint32_t BlockMask);

/// The same without the offsets of lanes, for who only checks the bytes.
const char *checkRecord(CodeReader &R, const CodeTable &Code,
                        RecordStates &States, uint32_t Record,
                        uint32_t BlockMask);

} // namespace heddle::trace

#endif // HEDDLE_TRACE_RECORDSTATE_H
