//===- RecordState.cpp - Decoding of one memory record --------------------===//

#include "trace/RecordState.h"

#include "trace/LanePacking.h"

namespace heddle::trace {

using namespace bytecode;

void RecordStates::reset(const CodeTable &Code) {
  States.assign(Code.Memory.size(), RecordState());
  Lanes.resize(Code.Memory.size());
  for (size_t R = 0; R < States.size(); ++R) {
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

/// Where the offsets of lanes go.
struct KeepLanes {
  int64_t *Offsets;
  void set(unsigned Lane, uint64_t Offset) { Offsets[Lane] = int64_t(Offset); }
  /// One number for each lane of \p Mask, which \p Each takes.
  template <typename EachT>
  void unpack(ByteReader &R, bool Rice, uint32_t Mask, EachT &&Each) {
    uint64_t Values[32];
    unpackLanes(R, Rice, std::span(Values, unsigned(std::popcount(Mask))));
    const uint64_t *V = Values;
    for (uint32_t M = Mask; M; M &= M - 1)
      Each(unsigned(std::countr_zero(M)), *V++);
  }
};
/// For who only checks the bytes: nothing is unpacked.
struct SkipLanes {
  void set(unsigned, uint64_t) {}
  template <typename EachT>
  void unpack(ByteReader &R, bool Rice, uint32_t Mask, EachT &&) {
    skipLanes(R, Rice, unsigned(std::popcount(Mask)));
  }
};

/// The offsets of a spatial record; \p R stands at its form byte.
template <typename LanesT>
const char *readSpatial(ByteReader &R, uint32_t Mask, LanesT Lanes) {
  const uint8_t Form = R.byte();
  const unsigned Shift = Form >> 3, First = unsigned(std::countr_zero(Mask));
  const bool Rice = Form & FormRice;
  const uint32_t Others = Mask & (Mask - 1);
  switch (Form & 3) {
  case ModeOffsets:
    Lanes.unpack(R, Rice, Mask, [&](unsigned Lane, uint64_t V) {
      Lanes.set(Lane, V << Shift);
    });
    return nullptr;
  case ModeSteps: {
    const uint64_t Least = uint64_t(R.signedVarint());
    uint64_t Offset = 0;
    Lanes.set(First, 0);
    Lanes.unpack(R, Rice, Others, [&](unsigned Lane, uint64_t V) {
      Lanes.set(Lane, Offset += (Least + V) << Shift);
    });
    return nullptr;
  }
  case ModeRuns: {
    uint64_t Offset = 0;
    Lanes.set(First, 0);
    for (uint32_t M = Others; M;) {
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
  default:
    return "an unknown form of lane offsets";
  }
}

/// Distances from the last offsets, which are in \p Lanes if they are kept.
template <typename LanesT>
void readTemporal(ByteReader &R, uint32_t Mask, RecordState &S, LanesT Lanes) {
  const uint8_t Form = R.byte();
  const unsigned Shift = Form >> 3;
  const uint64_t Least = uint64_t(R.signedVarint());
  S.moveTo(S.Access.Base + (Least << Shift));
  Lanes.unpack(R, Form & FormRice, Mask, [&](unsigned Lane, uint64_t V) {
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

template <bool Keep>
const char *readRecord(ByteReader &R, const CodeTable &Code,
                       RecordStates &States, uint32_t Record,
                       uint32_t BlockMask, const uint64_t *&NextBase,
                       const uint64_t *EndBase) {
  RecordState &S = States[Record];
  MemoryAccess &A = S.Access;
  uint8_t C = R.byte();
  uint8_t Kind = C & 7;
  uint32_t Mask = BlockMask;
  if (C & 128)
    return "an unknown record code";
  if (!BlockMask)
    return "a record that no lane executes";
  if (Kind == KindAbsent) {
    A.Mask = 0;
    return C == KindAbsent ? nullptr
                           : "flags on a record that was not executed";
  }
  if (C & RecordSpace) {
    uint8_t Space = R.byte();
    if (Space == HEDDLE_SPACE_NONE || Space >= HEDDLE_SPACE_GENERIC)
      return "an unknown memory space";
    A.Space = HeddleMemorySpace(Space);
  }
  if (C & RecordMask) {
    Mask = R.raw32();
    if (!Mask || (Mask & ~BlockMask))
      return "a record with lanes that its block does not have";
  }
  A.Mask = Mask;

  if (C & RecordFirst) {
    if (S.Seen)
      return "a second first execution of a record";
    if (Kind != KindAffine && Kind != KindSpatial && Kind != KindCopied)
      return "a first execution without a shape";
    if (NextBase == EndBase)
      return "more first executions than bases";
    if (A.Space == HEDDLE_SPACE_NONE || A.Space == HEDDLE_SPACE_GENERIC)
      return "a record without a memory space";
    S.Seen = true;
    A.Base = *NextBase++;
    S.Delta = 0;
  } else {
    if (!S.Seen)
      return "a record that refers to its last execution but has none";
    if (Kind == KindPredicted) {
      A.Base += S.Delta;
      return C & RecordUnscaled ? "an unknown record code" : nullptr;
    }
    if (Kind != KindTemporal) {
      unsigned Shift =
          C & RecordUnscaled ? 0 : scaleShift(Code.Memory[Record].AccessBytes);
      S.moveTo(A.Base + (uint64_t(R.signedVarint()) << Shift));
    }
  }

  switch (Kind) {
  case KindMoved:
    return nullptr;
  case KindAffine:
    A.Stride = R.signedVarint();
    A.Affine = true;
    return nullptr;
  case KindSpatial:
    if constexpr (!Keep)
      return readSpatial(R, Mask, SkipLanes());
    S.Valid = Mask;
    return readSpatial(R, Mask, KeepLanes{States.makeGeneral(Record)});
  case KindTemporal: {
    if constexpr (!Keep) {
      readTemporal(R, Mask, S, SkipLanes());
      return nullptr;
    }
    bool WasAffine = A.Affine;
    int64_t *Offsets = States.makeGeneral(Record);
    if (WasAffine) {
      for (unsigned L = 0; L < 32; ++L)
        Offsets[L] = int64_t(L * uint64_t(A.Stride));
      S.Valid = ~0u;
    }
    readTemporal(R, Mask, S, KeepLanes{Offsets});
    return nullptr;
  }
  case KindCopied: {
    uint64_t Other = R.varint();
    uint64_t Factor = uint64_t(R.signedVarint());
    unsigned Shift = R.byte() & 63;
    if (Other >= States.size() || Other == Record)
      return "a copy of a record that does not exist";
    const RecordState &From = States[uint32_t(Other)];
    if (!From.Seen)
      return "a copy of a record that was not executed";
    if constexpr (Keep)
      copyLanes(States, Record, From, Mask, Factor, Shift);
    return nullptr;
  }
  default:
    return "an unknown record code";
  }
}

} // namespace

const char *decodeRecord(ByteReader &R, const CodeTable &Code,
                         RecordStates &States, uint32_t Record,
                         uint32_t BlockMask, const uint64_t *&NextBase,
                         const uint64_t *EndBase) {
  return readRecord<true>(R, Code, States, Record, BlockMask, NextBase,
                          EndBase);
}

const char *checkRecord(ByteReader &R, const CodeTable &Code,
                        RecordStates &States, uint32_t Record,
                        uint32_t BlockMask, const uint64_t *&NextBase,
                        const uint64_t *EndBase) {
  return readRecord<false>(R, Code, States, Record, BlockMask, NextBase,
                           EndBase);
}

} // namespace heddle::trace
