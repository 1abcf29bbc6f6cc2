//===- WarpEncoder.cpp ----------------------------------------------------===//

#include "trace/WarpEncoder.h"

#include "trace/LanePacking.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace heddle::trace {

using namespace bytecode;

namespace {

constexpr uint32_t NoRecord = UINT32_MAX;

unsigned firstLane(uint32_t Mask) { return unsigned(std::countr_zero(Mask)); }

// The widest vectors of the host, chosen when the program starts. Sanitizers
// do not work in the functions that choose.
#if defined(__x86_64__) && !__has_feature(address_sanitizer)
#define HEDDLE_VECTORIZED                                                      \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define HEDDLE_VECTORIZED
#endif

/// Whether all 32 lanes are at Base + lane * Stride.
HEDDLE_VECTORIZED bool isAffine(const uint64_t *Addresses, uint64_t Base,
                                uint64_t Stride) {
  uint64_t Wrong = 0;
  for (unsigned L = 0; L < 32; ++L)
    Wrong |= Addresses[L] ^ (Base + L * Stride);
  return !Wrong;
}

/// Whether all 32 lanes are at Base + their offset.
HEDDLE_VECTORIZED bool isMoved(const uint64_t *Addresses, uint64_t Base,
                               const int64_t *Offsets) {
  uint64_t Wrong = 0;
  for (unsigned L = 0; L < 32; ++L)
    Wrong |= Addresses[L] ^ (Base + uint64_t(Offsets[L]));
  return !Wrong;
}

/// Whether the lanes of \p Mask access what \p S does after a move to \p Base.
bool fits(const RecordState &S, uint32_t Mask, const uint64_t *Addresses,
          uint64_t Base) {
  if (Mask & ~S.knownLanes())
    return false;
  // Most misfits show in the last lane already.
  const unsigned Last = 31 - unsigned(std::countl_zero(Mask));
  if (Addresses[Last] != Base + S.offset(Last))
    return false;
  uint64_t Wrong = 0;
  if (S.Access.Affine) {
    const uint64_t Stride = uint64_t(S.Access.Stride);
    if (Mask == ~0u)
      return isAffine(Addresses, Base, Stride);
    for (uint32_t M = Mask; M; M &= M - 1)
      Wrong |= Addresses[firstLane(M)] ^ (Base + firstLane(M) * Stride);
    return !Wrong;
  }
  if (Mask == ~0u)
    return isMoved(Addresses, Base, S.Access.Offsets);
  for (uint32_t M = Mask; M; M &= M - 1)
    Wrong |= Addresses[firstLane(M)] ^
             (Base + uint64_t(S.Access.Offsets[firstLane(M)]));
  return !Wrong;
}

/// How far all of \p Values can be shifted right without loss.
unsigned commonShift(std::span<const uint64_t> Values) {
  uint64_t All = 0;
  for (uint64_t V : Values)
    All |= V;
  return All ? std::min(std::countr_zero(All), 31) : 0;
}

/// Numbers for LanePacking with what it takes to get them back:
/// (Least + value) << Shift.
struct PackedLanes {
  uint64_t Values[32];
  unsigned Count = 0;
  unsigned Shift = 0;
  int64_t Least = 0;
  LanePacking Packing;

  std::span<uint64_t> values() { return {Values, Count}; }
  /// \p Values holds the plain numbers; \p KeepZero: Least shall be 0.
  void pack(bool KeepZero) {
    Shift = commonShift(values());
    Least = KeepZero ? 0 : INT64_MAX;
    for (uint64_t &V : values()) {
      V = KeepZero ? V >> Shift : uint64_t(int64_t(V) >> Shift);
      if (!KeepZero)
        Least = std::min(Least, int64_t(V));
    }
    if (Count == 0)
      Least = 0;
    for (uint64_t &V : values())
      V -= uint64_t(Least);
    Packing = LanePacking::choose(values());
  }
  uint8_t form(uint8_t Mode) const {
    return uint8_t(Mode | (Packing.Rice ? FormRice : 0) | Shift << 3);
  }
};

} // namespace

WarpEncoder::WarpEncoder(const CodeTable &Code)
    : Code(Code), Folder(Code.Blocks.size()) {
  States.reset(Code);
  std::ranges::fill(Recent, NoRecord);
}

void WarpEncoder::block(uint32_t NewBlock, uint32_t Mask) {
  assert(NewBlock < Code.Blocks.size() && Mask && "no such event");
  flush();
  Folder.arrive(NewBlock, Masks, Trace.Body);
  Pending = true;
  AllPredicted = true;
  Block = NewBlock;
  NextRecord = Code.Blocks[NewBlock].FirstMemory;
  encodeMask(Mask);
}

void WarpEncoder::encodeMask(uint32_t Mask) {
  MaskCode.clear();
  const MaskState &S = Masks;
  if (Mask == S.Current)
    return;
  const bool First = Trace.Body.empty();
  const uint32_t Removed = S.Current & ~Mask, Added = Mask & ~S.Current;
  const uint32_t Bits = Added ? ~0u : collectBits(Mask, S.Current);
  if (First) {
    MaskCode.push_back(MaskRaw);
    putRaw32(MaskCode, Mask);
  } else if (Mask == S.Full) {
    MaskCode.push_back(MaskFull);
  } else if (Mask == S.Previous) {
    MaskCode.push_back(MaskPrevious);
  } else if (Mask == (S.Previous & ~S.Current)) {
    MaskCode.push_back(MaskElse);
  } else if (Mask == (S.Previous | S.Current)) {
    MaskCode.push_back(MaskJoin);
  } else if (Mask == (S.Full & ~S.Current)) {
    MaskCode.push_back(MaskElseOfFull);
  } else if (!Added && std::has_single_bit(Removed)) {
    MaskCode.push_back(uint8_t(MaskWithout | firstLane(Removed)));
  } else if (std::has_single_bit(Mask)) {
    MaskCode.push_back(uint8_t(MaskOnly | firstLane(Mask)));
  } else if (!Removed && std::has_single_bit(Added)) {
    MaskCode.push_back(uint8_t(MaskWith | firstLane(Added)));
  } else if (!Added && Bits < 1u << 24) {
    const unsigned Bytes = (unsigned(std::bit_width(Bits)) + 7) / 8;
    MaskCode.push_back(uint8_t(MaskSubset1 + Bytes - 1));
    for (unsigned I = 0; I < Bytes; ++I)
      MaskCode.push_back(uint8_t(Bits >> 8 * I));
  } else {
    MaskCode.push_back(MaskRaw);
    putRaw32(MaskCode, Mask);
  }
  Masks.set(Mask);
  if (First)
    Masks.Full = Mask;
}

void WarpEncoder::flush() {
  if (!Pending)
    return;
  const HeddleBlock &B = Code.Blocks[Block];
  skipRecordsBefore(B.FirstMemory + B.NumMemory);
  uint64_t Token = (uint64_t(Block) + 1) << 2;
  if (!MaskCode.empty())
    Token |= TokenMaskChanged;
  if (AllPredicted)
    Token |= TokenPredicted;
  std::vector<uint8_t> &Body = Trace.Body;
  putVarint(Body, Token);
  Body.insert(Body.end(), MaskCode.begin(), MaskCode.end());
  if (!AllPredicted)
    Body.insert(Body.end(), Records.begin(), Records.end());
  Records.clear();
  Pending = false;
}

void WarpEncoder::skipRecordsBefore(uint32_t Record) {
  for (; NextRecord < Record; ++NextRecord) {
    Records.push_back(KindAbsent);
    AllPredicted = false;
  }
}

void WarpEncoder::memory(uint32_t Record, HeddleMemorySpace Space,
                         uint32_t Mask, const uint64_t *Addresses) {
  assert(Pending && Record >= NextRecord &&
         "records come in order, within their block");
  assert((Mask & ~Masks.Current) == 0 &&
         "a lane that does not execute the block");
  if (Mask == 0)
    return;
  skipRecordsBefore(Record);
  NextRecord = Record + 1;
  RecordState &S = States[Record];
  if (S.Seen && Mask == Masks.Current && Space == S.Access.Space &&
      fits(S, Mask, Addresses, S.Access.Base + S.Delta)) [[likely]] {
    S.Access.Base += S.Delta;
    Records.push_back(KindPredicted);
    return;
  }
  AllPredicted = false;
  Access A{Record, Space, Mask, Addresses};
  if (!encodeMoved(A) && !encodeAffine(A) && !encodeCopied(A))
    encodeGeneral(A);
  S.Access.Space = Space;
  S.Seen = true;
}

void WarpEncoder::putHeader(const Access &A, uint8_t Kind) {
  const RecordState &S = States[A.Record];
  uint8_t C = Kind;
  if (A.Space != S.Access.Space)
    C |= RecordSpace;
  if (A.Mask != Masks.Current)
    C |= RecordMask;
  Records.push_back(C);
  if (C & RecordSpace)
    Records.push_back(uint8_t(A.Space));
  if (C & RecordMask)
    putRaw32(Records, A.Mask);
}

void WarpEncoder::putHeaderAndBase(const Access &A, uint8_t Kind,
                                   uint64_t Base) {
  RecordState &S = States[A.Record];
  if (!S.Seen) {
    putHeader(A, Kind | RecordFirst);
    Trace.Bases.push_back(Base);
    S.Access.Base = Base;
    S.Delta = 0;
    return;
  }
  int64_t Delta = int64_t(Base - S.Access.Base);
  unsigned Shift = scaleShift(Code.Memory[A.Record].AccessBytes);
  if (Delta & ((int64_t(1) << Shift) - 1)) {
    Kind |= RecordUnscaled;
    Shift = 0;
  }
  putHeader(A, Kind);
  putVarint(Records, zigzag(Delta >> Shift));
  S.moveTo(Base);
}

bool WarpEncoder::encodeMoved(const Access &A) {
  RecordState &S = States[A.Record];
  if (!S.Seen)
    return false;
  if (fits(S, A.Mask, A.Addresses, S.Access.Base + S.Delta)) {
    putHeader(A, KindPredicted);
    S.Access.Base += S.Delta;
    return true;
  }
  const unsigned L = firstLane(A.Mask);
  const uint64_t Base = A.Addresses[L] - S.offset(L);
  if (!fits(S, A.Mask, A.Addresses, Base))
    return false;
  putHeaderAndBase(A, KindMoved, Base);
  return true;
}

bool WarpEncoder::encodeAffine(const Access &A) {
  const unsigned L0 = firstLane(A.Mask);
  int64_t Stride = 0;
  if (uint32_t Rest = A.Mask & (A.Mask - 1)) {
    const unsigned L1 = firstLane(Rest);
    const int64_t Distance = int64_t(A.Addresses[L1] - A.Addresses[L0]);
    if (Distance % int64_t(L1 - L0))
      return false;
    Stride = Distance / int64_t(L1 - L0);
  }
  const uint64_t Base = A.Addresses[L0] - L0 * uint64_t(Stride);
  RecordState New;
  New.Access.Stride = Stride;
  if (!fits(New, A.Mask, A.Addresses, Base))
    return false;
  putHeaderAndBase(A, KindAffine, Base);
  putVarint(Records, zigzag(Stride));
  RecordState &S = States[A.Record];
  S.Access.Stride = Stride;
  S.Access.Affine = true;
  return true;
}

void WarpEncoder::noteGeneral(uint32_t Record) {
  auto *It = std::find(Recent, Recent + NumRecent - 1, Record);
  std::copy_backward(Recent, It, It + 1);
  Recent[0] = Record;
}

bool WarpEncoder::encodeCopied(const Access &A) {
  const unsigned L0 = firstLane(A.Mask);
  for (uint32_t Other : Recent) {
    if (Other == NoRecord || Other == A.Record)
      continue;
    const RecordState &From = States[Other];
    if (From.Access.Affine || (A.Mask & ~From.Valid))
      continue;
    uint32_t Rest = A.Mask;
    while (Rest &&
           From.Access.Offsets[firstLane(Rest)] == From.Access.Offsets[L0])
      Rest &= Rest - 1;
    if (!Rest)
      continue;
    const unsigned L1 = firstLane(Rest);
    int64_t Here = int64_t(A.Addresses[L1] - A.Addresses[L0]);
    int64_t There = int64_t(uint64_t(From.Access.Offsets[L1]) -
                            uint64_t(From.Access.Offsets[L0]));
    if (Here == INT64_MIN || There == INT64_MIN)
      continue;
    const int64_t Common = std::gcd(Here, There) * (There < 0 ? -1 : 1);
    Here /= Common;
    There /= Common;
    if (!std::has_single_bit(uint64_t(There)))
      continue;
    const unsigned Shift = unsigned(std::countr_zero(uint64_t(There)));
    auto Scaled = [&](unsigned L) {
      return uint64_t(
          int64_t(uint64_t(From.Access.Offsets[L]) * uint64_t(Here)) >> Shift);
    };
    const uint64_t Base = A.Addresses[L0] - Scaled(L0);
    uint64_t Wrong = 0;
    for (uint32_t M = A.Mask; M; M &= M - 1)
      Wrong |= A.Addresses[firstLane(M)] ^ (Base + Scaled(firstLane(M)));
    if (Wrong)
      continue;

    putHeaderAndBase(A, KindCopied, Base);
    putVarint(Records, Other);
    putVarint(Records, zigzag(Here));
    Records.push_back(uint8_t(Shift));
    int64_t *Offsets = States.makeGeneral(A.Record);
    for (uint32_t M = A.Mask; M; M &= M - 1)
      Offsets[firstLane(M)] = int64_t(A.Addresses[firstLane(M)] - Base);
    States[A.Record].Valid = A.Mask;
    return true;
  }
  return false;
}

void WarpEncoder::encodeGeneral(const Access &A) {
  RecordState &S = States[A.Record];
  const unsigned Count = unsigned(std::popcount(A.Mask));
  uint64_t Address[32], Least = ~uint64_t(0);
  unsigned N = 0;
  for (uint32_t M = A.Mask; M; M &= M - 1) {
    Address[N] = A.Addresses[firstLane(M)];
    Least = std::min(Least, Address[N++]);
  }
  auto BaseSize = [&](uint64_t Base) {
    // The first base of a record stands elsewhere whatever it is.
    return S.Seen ? varintSize(zigzag(int64_t(Base - S.Access.Base)) >>
                               scaleShift(Code.Memory[A.Record].AccessBytes))
                  : 0;
  };

  PackedLanes Offsets;
  Offsets.Count = Count;
  for (unsigned I = 0; I < Count; ++I)
    Offsets.Values[I] = Address[I] - Least;
  Offsets.pack(/*KeepZero=*/true);
  unsigned BestSize = Offsets.Packing.sizeBytes() + BaseSize(Least);
  enum { ByOffsets, BySteps, ByRuns, ByTime } Best = ByOffsets;

  PackedLanes Steps;
  Steps.Count = Count - 1;
  for (unsigned I = 1; I < Count; ++I)
    Steps.Values[I - 1] = Address[I] - Address[I - 1];
  const unsigned RunShift = commonShift(Steps.values());
  Runs.clear();
  for (unsigned I = 0, E; I < Count - 1 && Runs.size() < BestSize; I = E) {
    for (E = I + 1; E < Count - 1 && Steps.Values[E] == Steps.Values[I];)
      ++E;
    putVarint(Runs, zigzag(int64_t(Steps.Values[I]) >> RunShift));
    putVarint(Runs, E - I);
  }
  Steps.pack(/*KeepZero=*/false);
  unsigned Size = Steps.Packing.sizeBytes() + varintSize(zigzag(Steps.Least)) +
                  BaseSize(Address[0]);
  if (Size < BestSize) {
    Best = BySteps;
    BestSize = Size;
  }
  Size = unsigned(Runs.size()) + BaseSize(Address[0]);
  if (Size < BestSize) {
    Best = ByRuns;
    BestSize = Size;
  }

  PackedLanes Times;
  if (S.Seen && (A.Mask & ~S.knownLanes()) == 0) {
    for (uint32_t M = A.Mask; M; M &= M - 1, ++Times.Count)
      Times.Values[Times.Count] =
          Address[Times.Count] - (S.Access.Base + S.offset(firstLane(M)));
    Times.pack(/*KeepZero=*/false);
    Size = Times.Packing.sizeBytes() + varintSize(zigzag(Times.Least));
    if (Size < BestSize)
      Best = ByTime;
  }

  uint64_t Base = 0;
  switch (Best) {
  case ByOffsets:
    Base = Least;
    putHeaderAndBase(A, KindSpatial, Base);
    Records.push_back(Offsets.form(ModeOffsets));
    Offsets.Packing.write(Records, Offsets.values());
    break;
  case BySteps:
    Base = Address[0];
    putHeaderAndBase(A, KindSpatial, Base);
    Records.push_back(Steps.form(ModeSteps));
    putVarint(Records, zigzag(Steps.Least));
    Steps.Packing.write(Records, Steps.values());
    break;
  case ByRuns:
    Base = Address[0];
    putHeaderAndBase(A, KindSpatial, Base);
    Records.push_back(uint8_t(ModeRuns | RunShift << 3));
    Records.insert(Records.end(), Runs.begin(), Runs.end());
    break;
  case ByTime:
    Base = S.Access.Base + (uint64_t(Times.Least) << Times.Shift);
    putHeader(A, KindTemporal);
    Records.push_back(Times.form(0));
    putVarint(Records, zigzag(Times.Least));
    Times.Packing.write(Records, Times.values());
    break;
  }

  const bool WasAffine = S.Access.Affine;
  int64_t *Lanes = States.makeGeneral(A.Record);
  if (Best == ByTime) {
    S.moveTo(Base);
    if (WasAffine) {
      for (unsigned L = 0; L < 32; ++L)
        Lanes[L] = int64_t(L * uint64_t(S.Access.Stride));
      S.Valid = ~0u;
    }
  } else {
    S.Valid = A.Mask;
  }
  for (uint32_t M = A.Mask; M; M &= M - 1)
    Lanes[firstLane(M)] = int64_t(A.Addresses[firstLane(M)] - Base);
  noteGeneral(A.Record);
}

WarpTrace WarpEncoder::finish() {
  flush();
  WarpTrace Result = std::move(Trace);
  Trace = WarpTrace();
  Folder.reset();
  States.reset(Code);
  Masks = MaskState();
  std::ranges::fill(Recent, NoRecord);
  return Result;
}

} // namespace heddle::trace
