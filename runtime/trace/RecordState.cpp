//===- RecordState.cpp - Decoding of one memory record --------------------===//

#include "trace/RecordState.h"

#include <algorithm>

namespace heddle::trace {

using namespace bytecode;

void RecordStates::reset(const CodeTable &Code) {
  States.resize(Code.Memory.size());
  Lanes.resize(Code.Memory.size());
  for (size_t R = 0; R < States.size(); ++R) {
    const uint32_t Shape = States[R].Shape;
    States[R] = RecordState();
    States[R].Shape = Shape + 1;
    States[R].Access.Space = HeddleMemorySpace(Code.Memory[R].Space);
    States[R].Access.Offsets = Lanes[R].get();
  }
}

int64_t *RecordStates::makeGeneral(uint32_t Record) {
  MemoryAccess &A = States[Record].Access;
  if (!Lanes[Record]) {
    Lanes[Record] = std::make_unique<int64_t[]>(32);
    A.Offsets = Lanes[Record].get();
  }
  A.Affine = false;
  return Lanes[Record].get();
}

namespace {

/// Gives \p Each the numbers of \p Size bytes at \p P, one for each lane of
/// \p Mask. Eight bytes can be read from where each begins.
template <typename EachT>
void eachNumber(const uint8_t *P, unsigned Size, uint32_t Mask, EachT &&Each) {
  auto Load = [&]<typename T>(T V) {
    for (uint32_t M = Mask; M; M &= M - 1, P += sizeof(T)) {
      std::memcpy(&V, P, sizeof(T));
      Each(unsigned(std::countr_zero(M)), uint64_t(V));
    }
  };
  switch (Size) {
  case 0:
    for (uint32_t M = Mask; M; M &= M - 1)
      Each(unsigned(std::countr_zero(M)), uint64_t(0));
    return;
  case 1:
    return Load(uint8_t());
  case 2:
    return Load(uint16_t());
  case 8:
    return Load(uint64_t());
  default: {
    const unsigned Unused = 64 - 8 * Size;
    for (uint32_t M = Mask; M; M &= M - 1, P += Size) {
      uint64_t V;
      std::memcpy(&V, P, 8);
      Each(unsigned(std::countr_zero(M)), V << Unused >> Unused);
    }
  }
  }
}

/// Where the offsets of lanes go.
struct KeepLanes {
  int64_t *Offsets;
  void set(unsigned Lane, uint64_t Offset) { Offsets[Lane] = int64_t(Offset); }
  /// One number for each lane of \p Mask, which \p Each takes.
  template <typename EachT>
  void read(ByteReader &R, unsigned Size, uint32_t Mask, EachT &&Each) {
    const size_t Bytes = size_t(std::popcount(Mask)) * Size;
    const uint8_t *P = R.P;
    const size_t Left = size_t(R.End - R.P);
    R.skip(Bytes);
    if (Left >= Bytes + 8) [[likely]]
      return eachNumber(P, Size, Mask, Each);
    uint8_t Padded[32 * 8 + 8] = {};
    std::copy_n(P, std::min(Left, Bytes), Padded);
    eachNumber(Padded, Size, Mask, Each);
  }
};
/// For callers that only check the bytes: nothing is kept.
struct SkipLanes {
  void set(unsigned, uint64_t) {}
  template <typename EachT>
  void read(ByteReader &R, unsigned Size, uint32_t Mask, EachT &&) {
    R.skip(uint64_t(std::popcount(Mask)) * Size);
  }
};

/// The sizes byte: bytes of the base delta and of the number of a lane.
struct NumberSizes {
  unsigned Delta, Lane;
  explicit NumberSizes(uint8_t Byte) : Delta(Byte & 15), Lane(Byte >> 4) {}
  bool good() const { return Delta <= 8 && Lane <= 8; }
};

/// Runs of equal steps; they stand in the control stream.
template <typename LanesT>
const char *readRuns(ByteReader &R, unsigned Shift, uint32_t Mask,
                     LanesT Lanes) {
  uint64_t Offset = 0;
  Lanes.set(unsigned(std::countr_zero(Mask)), 0);
  for (uint32_t M = Mask & (Mask - 1); M;) {
    const uint64_t Step = uint64_t(R.signedVarint()) << Shift;
    uint64_t Left = R.varint();
    if (Left == 0)
      return "an empty run of lanes";
    for (; Left && M; M &= M - 1, --Left)
      Lanes.set(unsigned(std::countr_zero(M)), Offset += Step);
    if (Left)
      return "a run beyond the last lane";
  }
  return nullptr;
}

/// The offsets of a spatial record from \p R, which stands behind the base
/// delta.
template <typename LanesT>
void readSpatial(ByteReader &R, uint8_t Form, NumberSizes Sizes, uint32_t Mask,
                 LanesT Lanes) {
  const unsigned Shift = Form >> 3;
  uint64_t Offset = 0;
  switch (Form & 3) {
  case ModeOffsets:
    Lanes.read(R, Sizes.Lane, Mask,
               [&](unsigned Lane, uint64_t V) { Lanes.set(Lane, V << Shift); });
    return;
  case ModeAscending:
    Lanes.read(R, Sizes.Lane, Mask, [&](unsigned Lane, uint64_t V) {
      Lanes.set(Lane, Offset += V << Shift);
    });
    return;
  case ModeSteps: {
    const uint64_t Least = uint64_t(R.signedNumber(Sizes.Delta));
    Lanes.set(unsigned(std::countr_zero(Mask)), 0);
    Lanes.read(R, Sizes.Lane, Mask & (Mask - 1),
               [&](unsigned Lane, uint64_t V) {
                 Lanes.set(Lane, Offset += (Least + V) << Shift);
               });
  }
  }
}

/// Distances from the last offsets, which are in \p Lanes if they are kept.
template <typename LanesT>
void readTemporal(ByteReader &R, uint8_t Form, NumberSizes Sizes, uint32_t Mask,
                  RecordState &S, LanesT Lanes) {
  const unsigned Shift = Form >> 3;
  const uint64_t Least = uint64_t(R.signedNumber(Sizes.Delta));
  S.moveTo(S.Access.Base + (Least << Shift));
  Lanes.read(R, Sizes.Lane, Mask, [&](unsigned Lane, uint64_t V) {
    Lanes.set(Lane, S.offset(Lane) + (V << Shift));
  });
}

/// Offsets of \p From, scaled.
void copyLanes(RecordStates &States, uint32_t Record, const RecordState &From,
               uint32_t Mask, uint64_t Factor, unsigned Shift) {
  int64_t *Offsets = States.makeGeneral(Record);
  auto copy = [&](uint32_t Lanes, auto &&OffsetOf) {
    for (; Lanes; Lanes &= Lanes - 1) {
      const unsigned L = unsigned(std::countr_zero(Lanes));
      Offsets[L] = int64_t(OffsetOf(L) * Factor) >> Shift;
    }
  };
  if (From.Access.Affine)
    copy(Mask, [Stride = uint64_t(From.Access.Stride)](unsigned L) {
      return L * Stride;
    });
  else
    copy(Mask & From.Valid, [Known = From.Access.Offsets](unsigned L) {
      return uint64_t(Known[L]);
    });
  // Lanes that the other record does not know count as zero.
  for (uint32_t M = Mask & ~From.knownLanes(); M; M &= M - 1)
    Offsets[std::countr_zero(M)] = 0;
  States[Record].Valid = Mask;
}

/// Lanes, space and first execution: what stands before the kind's own. The
/// state has changed where null is returned.
[[gnu::always_inline]] inline const char *
readCommon(CodeReader &R, uint8_t C, RecordState &S, uint32_t BlockMask) {
  MemoryAccess &A = S.Access;
  const uint8_t Kind = C & 7;
  if (C & RecordSpace) {
    uint8_t Space = R.Control.byte();
    if (Space == HEDDLE_SPACE_NONE || Space >= HEDDLE_SPACE_GENERIC)
      return "an unknown memory space";
    A.Space = HeddleMemorySpace(Space);
  }
  A.Mask = BlockMask;
  if (C & RecordMask) {
    A.Mask = uint32_t(R.Control.number(4));
    if (!A.Mask || (A.Mask & ~BlockMask))
      return "a record with lanes that its block does not have";
  }
  if (!(C & RecordFirst))
    return S.Seen ? nullptr
                  : "a record that refers to its last execution but has none";
  if (S.Seen)
    return "a second first execution of a record";
  if (Kind != KindAffine && Kind != KindSpatial && Kind != KindCopied)
    return "a first execution without a shape";
  if (R.NextBase == R.EndBase)
    return "more first executions than bases";
  if (A.Space == HEDDLE_SPACE_NONE || A.Space == HEDDLE_SPACE_GENERIC)
    return "a record without a memory space";
  S.Seen = true;
  A.Base = *R.NextBase++;
  S.Delta = 0;
  return nullptr;
}

template <bool Keep, typename MoveT>
[[gnu::always_inline]] inline const char *
readCopied(ByteReader &Control, RecordStates &States, uint32_t Record,
           MoveT &&Move) {
  const uint64_t Other = Control.varint();
  const uint64_t Factor = uint64_t(Control.signedVarint());
  const unsigned Shift = Control.byte() & 63;
  if (Other >= States.size() || Other == Record)
    return "a copy of a record that does not exist";
  const RecordState &From = States[uint32_t(Other)];
  if (!From.Seen)
    return "a copy of a record that was not executed";
  Move();
  if constexpr (Keep)
    copyLanes(States, Record, From, States[Record].Access.Mask, Factor, Shift);
  return nullptr;
}

/// The offsets of \p Record, to be changed for single lanes.
int64_t *generalOffsets(RecordStates &States, uint32_t Record) {
  RecordState &S = States[Record];
  const bool WasAffine = S.Access.Affine;
  int64_t *Offsets = States.makeGeneral(Record);
  if (WasAffine) {
    for (unsigned L = 0; L < 32; ++L)
      Offsets[L] = int64_t(L * uint64_t(S.Access.Stride));
    S.Valid = ~0u;
  }
  return Offsets;
}

template <bool Keep>
const char *readRecord(CodeReader &R, const CodeTable &Code,
                       RecordStates &States, uint32_t Record,
                       uint32_t BlockMask) {
  RecordState &S = States[Record];
  MemoryAccess &A = S.Access;
  const uint8_t C = R.Control.byte(), Kind = C & 7;
  if (!BlockMask)
    return "a record that no lane executes";
  if (Kind == KindAbsent) {
    A.Mask = 0;
    return C == KindAbsent ? nullptr
                           : "flags on a record that was not executed";
  }
  if (const char *Wrong = readCommon(R, C, S, BlockMask))
    return Wrong;
  if (Kind == KindPredicted) {
    A.Base += S.Delta;
    return C & (RecordUnscaled | RecordApart) ? "an unknown record code"
                                              : nullptr;
  }
  if (Kind > KindCopied)
    return "an unknown record code";

  const bool HasLanes = Kind == KindSpatial || Kind == KindTemporal;
  // The sizes are missing where there is no number.
  const bool Any = HasLanes || !(C & RecordFirst);
  const NumberSizes Sizes(Any ? R.Control.byte() : 0);
  if (!Sizes.good())
    return "numbers of more than eight bytes";
  ByteReader &Numbers = C & RecordApart ? R.Numbers : R.Control;
  auto Move = [&] [[gnu::always_inline]] {
    if (C & RecordFirst)
      return;
    const unsigned Shift =
        C & RecordUnscaled ? 0 : scaleShift(Code.Memory[Record].AccessBytes);
    S.moveTo(A.Base + (uint64_t(Numbers.signedNumber(Sizes.Delta)) << Shift));
  };
  if (Kind == KindMoved) {
    Move();
    return nullptr;
  }
  ++S.Shape;
  if (Kind == KindAffine) {
    Move();
    A.Stride = C & RecordFirst ? R.Control.signedVarint()
                               : Numbers.signedNumber(Sizes.Lane);
    A.Affine = true;
    return nullptr;
  }
  if (Kind == KindCopied)
    return readCopied<Keep>(R.Control, States, Record, Move);

  const uint8_t Form = R.Control.byte();
  if (Form & 4)
    return "an unknown form of lane offsets";
  if (Kind == KindTemporal) {
    if constexpr (Keep)
      readTemporal(Numbers, Form, Sizes, A.Mask, S,
                   KeepLanes{generalOffsets(States, Record)});
    else
      readTemporal(Numbers, Form, Sizes, A.Mask, S, SkipLanes());
    return nullptr;
  }
  auto Spatial = [&](auto Lanes) -> const char * {
    if ((Form & 3) == ModeRuns) {
      const char *Wrong = readRuns(R.Control, Form >> 3, A.Mask, Lanes);
      Move();
      return Wrong;
    }
    Move();
    readSpatial(Numbers, Form, Sizes, A.Mask, Lanes);
    return nullptr;
  };
  if constexpr (Keep) {
    S.Valid = A.Mask;
    return Spatial(KeepLanes{States.makeGeneral(Record)});
  } else {
    return Spatial(SkipLanes());
  }
}

} // namespace

const char *decodeRecord(CodeReader &R, const CodeTable &Code,
                         RecordStates &States, uint32_t Record,
                         uint32_t BlockMask) {
  return readRecord<true>(R, Code, States, Record, BlockMask);
}

const char *checkRecord(CodeReader &R, const CodeTable &Code,
                        RecordStates &States, uint32_t Record,
                        uint32_t BlockMask) {
  return readRecord<false>(R, Code, States, Record, BlockMask);
}

} // namespace heddle::trace
