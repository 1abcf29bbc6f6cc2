//===- WarpEncoder.cpp ----------------------------------------------------===//

#include "trace/WarpEncoder.h"

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

/// Puts 32 different keys in ascending order: each goes where the number of
/// smaller ones says.
HEDDLE_VECTORIZED void sortKeys(uint32_t *Keys) {
  uint32_t Rank[32] = {}, Sorted[32];
  for (unsigned J = 0; J < 32; ++J)
    for (unsigned I = 0; I < 32; ++I)
      Rank[I] += Keys[J] < Keys[I];
  for (unsigned I = 0; I < 32; ++I)
    Sorted[Rank[I]] = Keys[I];
  std::copy_n(Sorted, 32, Keys);
}

/// The lanes of \p Mask take the addresses of \p From in ascending order.
void sortLanes(uint32_t Mask, const uint64_t *From, uint64_t *To) {
  uint64_t Lowest = ~uint64_t(0), Highest = 0;
  for (uint32_t M = Mask; M; M &= M - 1) {
    Lowest = std::min(Lowest, From[firstLane(M)]);
    Highest = std::max(Highest, From[firstLane(M)]);
  }
  // The lane in the low bits makes keys different.
  constexpr unsigned KeyBits = 27;
  uint64_t Addresses[32];
  unsigned Count = 0;
  if ((Highest - Lowest) >> KeyBits == 0) {
    uint32_t Keys[32];
    for (unsigned L = 0; L < 32; ++L)
      Keys[L] = (Mask >> L & 1 ? uint32_t(From[L] - Lowest) << 5 : ~31u) | L;
    sortKeys(Keys);
    for (; Count < 32; ++Count)
      Addresses[Count] = Lowest + (Keys[Count] >> 5);
  } else {
    for (uint32_t M = Mask; M; M &= M - 1)
      Addresses[Count++] = From[firstLane(M)];
    std::sort(Addresses, Addresses + Count);
  }
  Count = 0;
  for (uint32_t M = Mask; M; M &= M - 1)
    To[firstLane(M)] = Addresses[Count++];
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

} // namespace

WarpEncoder::WarpEncoder(const CodeTable &Code, LaneOrder Order)
    : Code(Code), Order(Order), Folder(Code.Blocks.size()),
      Histories(Code.Memory.size()), MaskHistories(Code.Blocks.size()) {
  States.reset(Code);
  std::ranges::fill(Recent, NoRecord);
}

void WarpEncoder::block(uint32_t NewBlock, uint32_t Mask) {
  assert(NewBlock < Code.Blocks.size() && Mask && "no such event");
  flush();
  Folder.arrive(NewBlock, Masks, Control);
  Pending = true;
  AllPredicted = true;
  Block = NewBlock;
  NextRecord = Code.Blocks[NewBlock].FirstMemory;
  encodeMask(Mask);
}

/// A mask code with bytes that say which lanes.
void WarpEncoder::putMask(uint8_t MaskKind, uint32_t Bits, unsigned Bytes) {
  Recurrence &History = MaskHistories[Block];
  ApartMask =
      (!History.note(Bits) || History.decidedByData()) && !Control.empty();
  MaskCode.push_back(uint8_t(MaskKind | (ApartMask ? MaskApart : 0)));
  putNumber(ApartMask ? Numbers : MaskCode, Bits, Bytes);
}

void WarpEncoder::encodeMask(uint32_t Mask) {
  MaskCode.clear();
  ApartMask = false;
  const MaskState &S = Masks;
  if (Mask == S.Current)
    return;
  const bool First = Control.empty();
  const uint32_t Removed = S.Current & ~Mask, Added = Mask & ~S.Current;
  if (First) {
    putMask(MaskRaw, Mask, 4);
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
  } else if (!Added) {
    putMask(MaskSubset, collectBits(Mask, S.Current), subsetSize(S.Current));
  } else {
    putMask(MaskRaw, Mask, 4);
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
  putVarint(Control, Token);
  Control.insert(Control.end(), MaskCode.begin(), MaskCode.end());
  if (!AllPredicted)
    Control.insert(Control.end(), Records.begin(), Records.end());
  Records.clear();
  Pending = false;
  // Bytes around lanes that data decide do not mean the same each time.
  if (ApartMask)
    Folder.reset();
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
  if (!encodePattern(A))
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
    putNumber(Records, A.Mask, 4);
}

/// Whether the numbers of a record belong to the stream of numbers.
bool WarpEncoder::decidedByData(uint32_t Record, uint64_t Delta,
                                const LaneNumbers *Lanes) {
  History &H = Histories[Record];
  uint64_t Key = Delta;
  for (unsigned I = 0; Lanes && I < Lanes->Count; ++I)
    Key = Key * 0x100000001b3 ^ Lanes->Values[I];
  Recurrence &R = Lanes && Lanes->Count > 1 ? H.Shapes : H.Moves;
  return !R.note(Key) || R.decidedByData();
}

/// Writes what moves the base to \p Base, \p Detail, and the numbers.
void WarpEncoder::putRecord(const Access &A, uint8_t Kind, uint64_t Base,
                            std::span<const uint8_t> Detail,
                            const LaneNumbers *Lanes) {
  RecordState &S = States[A.Record];
  const bool First = !S.Seen;
  uint64_t Delta = 0, Least = 0;
  if (First) {
    Kind |= RecordFirst;
    Bases.push_back(Base);
  } else if ((Kind & 7) != KindTemporal) {
    const int64_t Bytes = int64_t(Base - S.Access.Base);
    unsigned Shift = scaleShift(Code.Memory[A.Record].AccessBytes);
    if (Bytes & ((int64_t(1) << Shift) - 1)) {
      Kind |= RecordUnscaled;
      Shift = 0;
    }
    Delta = zigzag(Bytes >> Shift);
  }
  if (Lanes)
    Least = zigzag(Lanes->Least);
  const unsigned MoveSize = numberSize(std::max(Delta, Least));
  const unsigned LaneSize = Lanes ? Lanes->Size : 0;
  const bool Apart =
      (MoveSize || LaneSize) && decidedByData(A.Record, Delta, Lanes);
  putHeader(A, uint8_t(Kind | (Apart ? RecordApart : 0)));
  if (!First || Lanes)
    Records.push_back(uint8_t(MoveSize | LaneSize << 4));
  Records.insert(Records.end(), Detail.begin(), Detail.end());
  std::vector<uint8_t> &Out = Apart ? Numbers : Records;
  if (!First && (Kind & 7) != KindTemporal)
    putNumber(Out, Delta, MoveSize);
  if (Lanes && Lanes->Signed)
    putNumber(Out, Least, MoveSize);
  if (Lanes)
    Lanes->write(Out);
  S.moveTo(Base);
  if (First)
    S.Delta = 0;
}

bool WarpEncoder::encodePattern(const Access &A) {
  return encodeMoved(A) || encodeAffine(A) || encodeCopied(A);
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
  putRecord(A, KindMoved, Base);
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
  if (!States[A.Record].Seen) {
    Detail.clear();
    putVarint(Detail, zigzag(Stride));
    putRecord(A, KindAffine, Base, Detail);
  } else {
    LaneNumbers Number;
    Number.add(zigzag(Stride));
    Number.pack(/*MaxShift=*/0);
    putRecord(A, KindAffine, Base, {}, &Number);
  }
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

    Detail.clear();
    putVarint(Detail, Other);
    putVarint(Detail, zigzag(Here));
    Detail.push_back(uint8_t(Shift));
    putRecord(A, KindCopied, Base, Detail);
    int64_t *Offsets = States.makeGeneral(A.Record);
    for (uint32_t M = A.Mask; M; M &= M - 1)
      Offsets[firstLane(M)] = int64_t(A.Addresses[firstLane(M)] - Base);
    States[A.Record].Valid = A.Mask;
    return true;
  }
  return false;
}

/// Bits that it takes to move the base of a record.
unsigned WarpEncoder::moveCost(uint32_t Record, uint64_t Base) const {
  // The first base is stored elsewhere.
  const RecordState &S = States[Record];
  return S.Seen ? unsigned(std::bit_width(
                      zigzag(int64_t(Base - S.Access.Base)) >>
                      scaleShift(Code.Memory[Record].AccessBytes)))
                : 0;
}

/// Writes \p Lanes, relative to \p Base, and keeps the offsets.
void WarpEncoder::putLanes(const Access &A, Shape Form, uint64_t Base,
                           const LaneNumbers &Lanes) {
  static constexpr uint8_t Modes[] = {ModeOffsets, ModeSteps, ModeRuns, 0,
                                      ModeAscending};
  const uint8_t Byte = uint8_t(Modes[unsigned(Form)] | Lanes.Shift << 3);
  RecordState &S = States[A.Record];
  Detail.insert(Detail.begin(), Byte);
  putRecord(A, Form == Shape::Temporal ? KindTemporal : KindSpatial, Base,
            Detail, &Lanes);
  if (Form != Shape::Runs)
    Histories[A.Record].Shift = Lanes.Shift;

  const bool WasAffine = S.Access.Affine;
  int64_t *Offsets = States.makeGeneral(A.Record);
  if (Form != Shape::Temporal) {
    S.Valid = A.Mask;
  } else if (WasAffine) {
    for (unsigned L = 0; L < 32; ++L)
      Offsets[L] = int64_t(L * uint64_t(S.Access.Stride));
    S.Valid = ~0u;
  }
  for (uint32_t M = A.Mask; M; M &= M - 1)
    Offsets[firstLane(M)] = int64_t(A.Addresses[firstLane(M)] - Base);
  noteGeneral(A.Record);
}

/// The cheapest way so far to write the lanes of an access.
struct WarpEncoder::Choice {
  Shape Form;
  uint64_t Base;
  unsigned CostBits;
  LaneNumbers Lanes;

  void consider(Shape NewForm, uint64_t NewBase, unsigned Cost,
                const LaneNumbers &Numbers) {
    if (Cost < CostBits)
      *this = {NewForm, NewBase, Cost, Numbers};
  }
};

void WarpEncoder::considerSteps(const Access &A,
                                std::span<const uint64_t> Addresses,
                                Choice &Best) {
  LaneNumbers Steps;
  uint64_t All = 0;
  for (size_t I = 1; I < Addresses.size(); ++I) {
    Steps.add(Addresses[I] - Addresses[I - 1]);
    All |= Addresses[I] - Addresses[I - 1];
  }
  const unsigned Move = moveCost(A.Record, Addresses[0]);
  LaneNumbers Runs;
  Runs.Shift = unsigned(std::min(std::countr_zero(All), 31));
  Detail.clear();
  unsigned NumRuns = 0, Begin = 0;
  while (Begin < Steps.Count && Detail.size() * 8 < Best.CostBits) {
    unsigned End = Begin + 1;
    while (End < Steps.Count && Steps.Values[End] == Steps.Values[Begin])
      ++End;
    putVarint(Detail, zigzag(int64_t(Steps.Values[Begin]) >> Runs.Shift));
    putVarint(Detail, End - Begin);
    Begin = End;
    ++NumRuns;
  }
  // A few long ones are a pattern, and come again.
  const unsigned BitsPerByte = NumRuns * 4 <= Addresses.size() ? 2 : 8;
  if (Begin == Steps.Count)
    Best.consider(Shape::Runs, Addresses[0],
                  unsigned(Detail.size()) * BitsPerByte + Move, Runs);
  Steps.packSigned(Histories[A.Record].Shift);
  Best.consider(Shape::Steps, Addresses[0], Steps.CostBits + Move, Steps);
}

void WarpEncoder::considerTimes(const Access &A,
                                std::span<const uint64_t> Addresses,
                                Choice &Best) const {
  const RecordState &S = States[A.Record];
  if (!S.Seen || (A.Mask & ~S.knownLanes()))
    return;
  LaneNumbers Times;
  for (uint32_t M = A.Mask; M; M &= M - 1)
    Times.add(Addresses[Times.Count] -
              (S.Access.Base + S.offset(firstLane(M))));
  Times.packSigned(Histories[A.Record].Shift);
  Best.consider(Shape::Temporal,
                S.Access.Base + (uint64_t(Times.Least) << Times.Shift),
                Times.CostBits, Times);
}

void WarpEncoder::encodeGeneral(const Access &A) {
  uint64_t Buffer[32], Lowest = ~uint64_t(0);
  unsigned Count = 0;
  for (uint32_t M = A.Mask; M; M &= M - 1) {
    Buffer[Count] = A.Addresses[firstLane(M)];
    Lowest = std::min(Lowest, Buffer[Count++]);
  }
  const std::span<const uint64_t> Addresses(Buffer, Count);
  LaneNumbers Offsets;
  for (uint64_t Address : Addresses)
    Offsets.add(Address - Lowest);
  Offsets.pack(Histories[A.Record].Shift);
  Choice Best{Shape::Offsets, Lowest,
              Offsets.CostBits + moveCost(A.Record, Lowest), Offsets};
  considerSteps(A, Addresses, Best);
  considerTimes(A, Addresses, Best);
  if (Best.Form != Shape::Runs) {
    if (!needsOrder(A) && encodeSorted(A, Best.CostBits))
      return;
    Detail.clear();
  }
  putLanes(A, Best.Form, Best.Base, Best.Lanes);
}

/// Whether some model may tell which lane takes which address. Of shared memory
/// they count banks, which take all lanes of accesses this small together.
bool WarpEncoder::needsOrder(const Access &A) const {
  const unsigned Bytes = Code.Memory[A.Record].AccessBytes;
  return Order == LaneOrder::Kept || A.Space != HEDDLE_SPACE_SHARED ||
         Bytes == 0 || Bytes > MaxFreeBytes;
}

/// The same addresses, ascending over the lanes, if that takes fewer bits.
bool WarpEncoder::encodeSorted(const Access &A, unsigned CostBits) {
  uint64_t Sorted[32];
  sortLanes(A.Mask, A.Addresses, Sorted);
  const Access Ascending{A.Record, A.Space, A.Mask, Sorted};
  if (encodePattern(Ascending))
    return true;

  const uint64_t Lowest = Sorted[firstLane(A.Mask)];
  uint64_t Before = Lowest;
  LaneNumbers Lanes;
  for (uint32_t M = A.Mask; M; M &= M - 1) {
    Lanes.add(Sorted[firstLane(M)] - Before);
    Before = Sorted[firstLane(M)];
  }
  Lanes.pack(Histories[A.Record].Shift);
  // The base stays below an array of that many elements, so that it moves
  // seldom and no number says so.
  constexpr uint64_t Window = 256;
  const uint64_t Unit = uint64_t(1) << Lanes.Shift;
  const RecordState &S = States[A.Record];
  uint64_t Base = S.Access.Base;
  if (!S.Seen || Lowest - Base >= Window * Unit || (Lowest - Base) % Unit)
    Base = Lowest - Lowest / Unit % Window * Unit;
  Lanes.setFirst((Lowest - Base) >> Lanes.Shift);
  if (Lanes.CostBits + moveCost(A.Record, Base) >= CostBits)
    return false;
  Detail.clear();
  putLanes(Ascending, Shape::Ascending, Base, Lanes);
  return true;
}

WarpTrace WarpEncoder::finish() {
  flush();
  WarpTrace Result;
  if (!Control.empty()) {
    Result.Body.reserve(Control.size() + Numbers.size() + 5);
    putBody(Result.Body, {Control, Numbers});
  }
  Result.Bases = std::move(Bases);
  Bases.clear();
  Control.clear();
  Numbers.clear();
  Folder.reset();
  States.reset(Code);
  std::ranges::fill(Histories, History());
  std::ranges::fill(MaskHistories, Recurrence());
  Masks = MaskState();
  std::ranges::fill(Recent, NoRecord);
  return Result;
}

} // namespace heddle::trace
