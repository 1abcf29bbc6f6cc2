//===- ByteCode.h - The byte code of a warp's trace -------------*- C++ -*-===//
//
// Numbers that WarpEncoder, WarpCursor and TraceVerifier share, and the reading
// and writing of bytes. docs/TraceFormat.md describes the byte code.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRACE_BYTECODE_H
#define HEDDLE_TRACE_BYTECODE_H

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace heddle::trace::bytecode {

/// A token is a varint: (block + 1) << 2 | flags, or TokenRepeat followed by
/// the length of the bytes to repeat, which end here, and how often.
enum TokenFlags : uint64_t {
  TokenMaskChanged = 1, ///< a mask code follows
  TokenPredicted = 2,   ///< all memory records are KindPredicted: no codes
};
constexpr uint64_t TokenRepeat = 0;
constexpr unsigned MaxRepeatDepth = 32;
/// Events in the bytes that one token repeats, those of inner repeats not
/// counted: what encoder and verifier have to remember.
constexpr size_t MaxRepeatedEvents = 1 << 16;

/// How a new mask is derived from the current and the one before.
enum MaskCode : uint8_t {
  MaskFull = 0, ///< that of the warp's first event
  MaskPrevious = 1,
  MaskElse = 2,       ///< Previous & ~Current
  MaskJoin = 3,       ///< Previous | Current
  MaskElseOfFull = 4, ///< Full & ~Current
  MaskRaw = 5,        ///< four bytes, little endian
  MaskSubset1 = 6,    ///< one byte: which of Current's lanes, lowest first
  MaskSubset2 = 7,
  MaskSubset3 = 8,
  MaskWithout = 0x20, ///< | lane
  MaskOnly = 0x40,    ///< | lane
  MaskWith = 0x60,    ///< | lane
};

/// The low three bits of a record's code; the flags follow.
enum RecordKind : uint8_t {
  KindPredicted = 0, ///< moved as the last time
  KindMoved = 1,     ///< same shape, base delta follows
  KindAffine = 2,    ///< base delta, lane stride
  KindSpatial = 3,   ///< base delta, form, offsets of the lanes
  KindTemporal = 4,  ///< form, distance of each lane from its last address
  KindCopied = 5,    ///< base delta, offsets of another record scaled
  KindAbsent = 6,    ///< not executed
};
constexpr uint8_t RecordSpace = 8; ///< a byte with the space follows
/// Four bytes follow: the lanes are not all that execute the block.
constexpr uint8_t RecordMask = 16;
/// The base delta is in bytes, not in access sizes.
constexpr uint8_t RecordUnscaled = 32;
/// First execution: the base is the next of Bases.
constexpr uint8_t RecordFirst = 64;

/// Form byte of spatial and temporal records: mode, packing, shift << 3.
enum SpatialMode : uint8_t {
  ModeOffsets = 0, ///< distance of each lane from the lowest address
  ModeSteps = 1,   ///< distance of each lane from the lane before
  ModeRuns = 2,    ///< as steps, runs of equal ones
};
constexpr uint8_t FormRice = 4; ///< Rice code instead of fixed width

inline uint64_t zigzag(int64_t V) {
  return uint64_t(V) << 1 ^ uint64_t(V >> 63);
}
inline int64_t unzigzag(uint64_t V) { return int64_t(V >> 1 ^ (0 - (V & 1))); }

/// How far base deltas of a record are shifted: the power of two in the size.
inline unsigned scaleShift(unsigned AccessBytes) {
  return AccessBytes ? std::countr_zero(AccessBytes) : 0;
}

inline void putVarint(std::vector<uint8_t> &Out, uint64_t V) {
  for (; V >= 128; V >>= 7)
    Out.push_back(uint8_t(V) | 128);
  Out.push_back(uint8_t(V));
}
inline void putRaw32(std::vector<uint8_t> &Out, uint32_t V) {
  for (int I = 0; I < 4; ++I)
    Out.push_back(uint8_t(V >> 8 * I));
}
/// Bytes of putVarint.
inline unsigned varintSize(uint64_t V) {
  return (std::bit_width(V | 1) + 6) / 7;
}

/// Reads bytes up to an end; past it all is zero and Failed is set.
struct ByteReader {
  const uint8_t *P = nullptr, *End = nullptr;
  bool Failed = false;

  uint8_t byte() {
    if (P == End) [[unlikely]] {
      Failed = true;
      return 0;
    }
    return *P++;
  }
  uint64_t varint() {
    uint64_t V = byte();
    if (V < 128) [[likely]]
      return V;
    V &= 127;
    for (unsigned Shift = 7; Shift < 64; Shift += 7) {
      uint64_t B = byte();
      V |= (B & 127) << Shift;
      if (B < 128)
        return V;
    }
    Failed = true;
    return 0;
  }
  int64_t signedVarint() { return unzigzag(varint()); }
  uint32_t raw32() {
    uint32_t V = 0;
    for (int I = 0; I < 4; ++I)
      V |= uint32_t(byte()) << 8 * I;
    return V;
  }
};

/// The masks that mask codes refer to.
struct MaskState {
  uint32_t Current = ~0u, Previous = ~0u, Full = ~0u;
  bool operator==(const MaskState &) const = default;

  void set(uint32_t Mask) {
    Previous = Current;
    Current = Mask;
  }
};

/// The lanes of \p Mask that \p Bits picks, lowest lane first.
inline uint32_t expandBits(uint32_t Bits, uint32_t Mask) {
  uint32_t R = 0;
  for (; Mask && Bits; Mask &= Mask - 1, Bits >>= 1)
    if (Bits & 1)
      R |= Mask & -Mask;
  return R;
}
inline uint32_t collectBits(uint32_t Lanes, uint32_t Mask) {
  uint32_t R = 0;
  for (unsigned I = 0; Mask; Mask &= Mask - 1, ++I)
    if (Lanes & Mask & -Mask)
      R |= 1u << I;
  return R;
}

/// Reads a mask code; 0 (never a valid mask) if there is no such code.
inline uint32_t readMask(ByteReader &R, const MaskState &S) {
  uint8_t Code = R.byte();
  switch (Code & 0xe0) {
  case MaskWithout:
    return S.Current & ~(1u << (Code & 31));
  case MaskOnly:
    return 1u << (Code & 31);
  case MaskWith:
    return S.Current | 1u << (Code & 31);
  case 0:
    break;
  default:
    return 0;
  }
  switch (Code) {
  case MaskFull:
    return S.Full;
  case MaskPrevious:
    return S.Previous;
  case MaskElse:
    return S.Previous & ~S.Current;
  case MaskJoin:
    return S.Previous | S.Current;
  case MaskElseOfFull:
    return S.Full & ~S.Current;
  case MaskRaw:
    return R.raw32();
  case MaskSubset1:
  case MaskSubset2:
  case MaskSubset3: {
    uint32_t Bits = 0;
    for (int I = 0; I <= Code - MaskSubset1; ++I)
      Bits |= uint32_t(R.byte()) << 8 * I;
    return expandBits(Bits, S.Current);
  }
  default:
    return 0;
  }
}

} // namespace heddle::trace::bytecode

#endif // HEDDLE_TRACE_BYTECODE_H
