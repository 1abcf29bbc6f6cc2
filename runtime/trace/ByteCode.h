//===- ByteCode.h - The byte code of a warp's trace -------------*- C++ -*-===//
//
// Numbers that WarpEncoder, WarpCursor and TraceVerifier share, and the reading
// and writing of bytes. docs/TraceFormat.md describes the byte code.
//
// A body is two streams: control says what happens and how long each number is,
// numbers are what data decide. Control therefore repeats where data do not.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRACE_BYTECODE_H
#define HEDDLE_TRACE_BYTECODE_H

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
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
  MaskSubset = 6,     ///< which of Current's lanes, lowest first: a bit each
  MaskApart = 0x10,   ///< | 5 or 6: the bytes stand among the numbers
  MaskWithout = 0x20, ///< | lane
  MaskOnly = 0x40,    ///< | lane
  MaskWith = 0x60,    ///< | lane
};

/// The low three bits of a record's code; the flags follow.
enum RecordKind : uint8_t {
  KindPredicted = 0, ///< moved as the last time
  KindMoved = 1,     ///< same shape, the base moves
  KindAffine = 2,    ///< the base moves, lane stride
  KindSpatial = 3,   ///< the base moves, form, offsets of the lanes
  KindTemporal = 4,  ///< form, distance of each lane from its last address
  KindCopied = 5,    ///< the base moves, offsets of another record scaled
  KindAbsent = 6,    ///< not executed
};
constexpr uint8_t RecordSpace = 8; ///< a byte with the space follows
/// Four bytes follow: the lanes are not all that execute the block.
constexpr uint8_t RecordMask = 16;
/// The base delta is in bytes, not in access sizes.
constexpr uint8_t RecordUnscaled = 32;
/// First execution: the base is the next of Bases.
constexpr uint8_t RecordFirst = 64;
/// The record's numbers stand in the stream of numbers, not behind its code.
constexpr uint8_t RecordApart = 128;

/// Form byte of spatial and temporal records: mode, shift << 3.
enum SpatialMode : uint8_t {
  ModeOffsets = 0,   ///< distance of each lane from the base
  ModeSteps = 1,     ///< distance of each lane from the lane before
  ModeRuns = 2,      ///< as steps, runs of equal ones
  ModeAscending = 3, ///< as steps, none negative, the first from the base
};

/// Bytes of a number of fixed size; 0 needs none.
inline unsigned numberSize(uint64_t V) {
  return unsigned(std::bit_width(V) + 7) / 8;
}

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
/// A number of fixed size, low bytes first.
inline void putNumber(std::vector<uint8_t> &Out, uint64_t V, unsigned Size) {
  for (unsigned I = 0; I < Size; ++I)
    Out.push_back(uint8_t(V >> 8 * I));
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
  /// What putNumber wrote; \p Size is at most 8.
  [[gnu::always_inline]] uint64_t number(unsigned Size) {
    const size_t Left = size_t(End - P);
    uint64_t V = 0;
    if (Left >= 8) [[likely]] {
      std::memcpy(&V, P, 8);
      V = Size ? V << (64 - 8 * Size) >> (64 - 8 * Size) : 0;
    } else if (Left >= Size) {
      for (unsigned I = 0; I < Size; ++I)
        V |= uint64_t(P[I]) << 8 * I;
    }
    skip(Size);
    return V;
  }
  [[gnu::always_inline]] int64_t signedNumber(unsigned Size) {
    return unzigzag(number(Size));
  }
  void skip(uint64_t Size) {
    if (Size > uint64_t(End - P)) [[unlikely]] {
      Failed = true;
      P = End;
      return;
    }
    P += Size;
  }
};

/// The streams of a body, which holds the size of the first and then both.
struct BodyStreams {
  std::span<const uint8_t> Control, Numbers;
};

/// A body that is too short for what it says has an empty Control and all its
/// bytes in Numbers, which no reader of bodies accepts.
inline BodyStreams splitBody(std::span<const uint8_t> Body) {
  ByteReader R{Body.data(), Body.data() + Body.size()};
  const uint64_t Size = Body.empty() ? 0 : R.varint();
  if (R.Failed || Size > uint64_t(R.End - R.P))
    return {{}, Body};
  return {{R.P, Size}, {R.P + Size, R.End}};
}
inline void putBody(std::vector<uint8_t> &Out, const BodyStreams &Body) {
  putVarint(Out, Body.Control.size());
  Out.insert(Out.end(), Body.Control.begin(), Body.Control.end());
  Out.insert(Out.end(), Body.Numbers.begin(), Body.Numbers.end());
}

/// The masks that mask codes refer to.
struct MaskState {
  uint32_t Current = ~0u, Previous = ~0u, Full = ~0u;
  bool operator==(const MaskState &) const = default;

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Current, Previous, Full] = *this;
    A(Current, Previous, Full);
  }

  void set(uint32_t Mask) {
    Previous = Current;
    Current = Mask;
  }
};

/// The lanes of \p Mask that \p Bits picks, lowest lane first.
inline uint32_t expandBits(uint32_t Bits, uint32_t Mask) {
  if (Mask == ~0u)
    return Bits;
  uint32_t R = 0;
  for (; Mask && Bits; Mask &= Mask - 1, Bits >>= 1)
    if (Bits & 1)
      R |= Mask & -Mask;
  return R;
}
inline uint32_t collectBits(uint32_t Lanes, uint32_t Mask) {
  if (Mask == ~0u)
    return Lanes;
  uint32_t R = 0;
  for (unsigned I = 0; Mask; Mask &= Mask - 1, ++I)
    if (Lanes & Mask & -Mask)
      R |= 1u << I;
  return R;
}

/// Bytes that say which lanes of \p Mask.
inline unsigned subsetSize(uint32_t Mask) {
  return (unsigned(std::popcount(Mask)) + 7) / 8;
}

/// Reads a mask code; 0 (never a valid mask) if there is no such code.
inline uint32_t readMask(ByteReader &Control, ByteReader &Numbers,
                         const MaskState &S) {
  const uint8_t Code = Control.byte();
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
  default:
    break;
  }
  ByteReader &Bytes = Code & MaskApart ? Numbers : Control;
  switch (Code & ~MaskApart) {
  case MaskRaw:
    return uint32_t(Bytes.number(4));
  case MaskSubset:
    return expandBits(uint32_t(Bytes.number(subsetSize(S.Current))), S.Current);
  default:
    return 0;
  }
}

} // namespace heddle::trace::bytecode

#endif // HEDDLE_TRACE_BYTECODE_H
