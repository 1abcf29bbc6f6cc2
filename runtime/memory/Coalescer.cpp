//===- Coalescer.cpp - From lane addresses to lines and sectors -----------===//

#include "memory/Coalescer.h"

#include <algorithm>
#include <bit>

namespace heddle::memory {

using trace::MemoryAccess;

Coalescer::Coalescer(uint32_t LineBytes, uint32_t SectorBytes)
    : LineShift(std::countr_zero(LineBytes)),
      SectorShift(std::countr_zero(SectorBytes)) {}

Coalescer::Coalescer(const arch::CacheSpec &Cache, const arch::CacheSpec &Below,
                     bool Coalesced)
    : Coalescer((Cache.Size ? Cache : Below).Line,
                (Cache.Size ? Cache : Below).Sector) {
  this->Coalesced = Coalesced;
}

namespace {

/// Mask of the sectors that [First, Last] touches, in-line offsets.
uint16_t sectorRange(uint64_t First, uint64_t Last, uint32_t SectorShift) {
  unsigned From = unsigned(First >> SectorShift);
  unsigned To = unsigned(Last >> SectorShift);
  return uint16_t(((2u << To) - 1) & ~((1u << From) - 1));
}

/// Appends the lines of one contiguous range of bytes.
unsigned contiguous(uint64_t Begin, uint64_t End, unsigned Lanes,
                    uint64_t LaneBytes, uint32_t LineShift,
                    uint32_t SectorShift, LineAccess *Out) {
  const uint64_t LineBytes = uint64_t(1) << LineShift;
  const uint64_t SectorBytes = uint64_t(1) << SectorShift;
  unsigned Count = 0;
  for (uint64_t Line = Begin & ~(LineBytes - 1); Line < End;
       Line += LineBytes) {
    uint64_t First = std::max(Begin, Line) - Line;
    uint64_t Bytes = std::min(End, Line + LineBytes) - Line - First;
    LineAccess &L = Out[Count++];
    L.Line = Line;
    L.Sectors = sectorRange(First, First + Bytes - 1, SectorShift);
    L.FullSectors = L.Sectors;
    if (First & (SectorBytes - 1))
      L.FullSectors &= ~(1u << (First >> SectorShift));
    uint64_t Last = First + Bytes;
    if (Last & (SectorBytes - 1))
      L.FullSectors &= ~(1u << (Last >> SectorShift));
    L.Lanes =
        uint8_t(std::min<uint64_t>(Lanes, (Bytes + LaneBytes - 1) / LaneBytes));
    L.SameAddress = 1;
  }
  return Count;
}

/// Numbers lines in the order in which they turn up, the last one first of all.
class LineNumbers {
public:
  explicit LineNumbers(uint32_t LineShift) : LineShift(LineShift) {}

  /// The number of \p Line; \p Count of them are in \p Known already.
  unsigned find(uint64_t Line, const LineAccess *Known, unsigned Count) {
    if (Recent < Count && Known[Recent].Line == Line)
      return Recent;
    unsigned At = unsigned(Line >> LineShift) % Size;
    for (; Slots[At]; At = (At + 1) % Size)
      if (Known[Slots[At] - 1].Line == Line)
        return Recent = Slots[At] - 1;
    if (Count < Coalescer::MaxLines)
      Slots[At] = uint8_t(Count + 1);
    return Recent = Count;
  }

private:
  static constexpr unsigned Size = 2 * Coalescer::MaxLines;
  uint8_t Slots[Size] = {}; ///< number + 1
  uint32_t LineShift;
  unsigned Recent = 0;
};

/// Most lanes of \p Mask that share one address.
unsigned mostOnOneAddress(const MemoryAccess &A, uint32_t Mask) {
  uint64_t Sorted[32];
  unsigned Count = 0;
  for (uint32_t Left = Mask; Left; Left &= Left - 1)
    Sorted[Count++] = A.address(std::countr_zero(Left));
  std::sort(Sorted, Sorted + Count);
  unsigned Most = 0;
  for (unsigned I = 0; I != Count;) {
    unsigned J = I;
    while (J != Count && Sorted[J] == Sorted[I])
      ++J;
    Most = std::max(Most, J - I);
    I = J;
  }
  return Most;
}

} // namespace

unsigned Coalescer::coalesce(const MemoryAccess &A, int64_t ByteOffset,
                             uint32_t AccessBytes, bool Atomic,
                             LineAccess *Out) const {
  const unsigned Count = touched(A, ByteOffset, AccessBytes, Atomic, Out);
  return Coalesced && !Atomic
             ? asIfCoalesced(A, ByteOffset, AccessBytes, Out, Count)
             : Count;
}

unsigned Coalescer::coalesceReads(const MemoryAccess &A, int64_t ByteOffset,
                                  uint32_t AccessBytes, LineAccess *Out) const {
  const unsigned Count = touchedByReads(A, ByteOffset, AccessBytes, Out);
  return Coalesced ? asIfCoalesced(A, ByteOffset, AccessBytes, Out, Count)
                   : Count;
}

/// As many sectors as the bytes of the lanes fill, side by side in the lines of
/// \p Out. The first lane's place in its line says which ones, so that accesses
/// that share lines (the fields of a structure, the columns of a row) take
/// different ones, and between them all. Whole lines go, as they would with
/// neighbouring addresses: the channels and rows of DRAM see no stride.
unsigned Coalescer::asIfCoalesced(const MemoryAccess &A, int64_t ByteOffset,
                                  uint32_t AccessBytes, LineAccess *Out,
                                  unsigned Count) const {
  const unsigned SectorBytes = 1u << SectorShift;
  const unsigned PerLine = 1u << (LineShift - SectorShift);
  unsigned All = 0;
  for (unsigned I = 0; I != Count; ++I)
    All += std::popcount(Out[I].Sectors);
  const unsigned Bytes = differentWords(A) * AccessBytes;
  const unsigned Need = (Bytes + SectorBytes - 1) / SectorBytes;
  if (All <= Need)
    return Count;
  const uint64_t First =
      A.address(std::countr_zero(A.Mask)) + uint64_t(ByteOffset);
  const unsigned Slot =
      unsigned(First & ((uint64_t(1) << LineShift) - 1)) / AccessBytes;
  const unsigned Places = Count * PerLine;
  const unsigned Begin = Slot * Need % Places;
  unsigned Kept = 0;
  for (unsigned I = 0; I != Count; ++I) {
    LineAccess L = Out[I];
    L.Sectors = 0;
    for (unsigned Sector = 0; Sector != PerLine; ++Sector)
      if ((I * PerLine + Sector + Places - Begin) % Places < Need)
        L.Sectors |= uint16_t(1u << Sector);
    L.FullSectors = L.Sectors;
    if (L.Sectors)
      Out[Kept++] = L;
  }
  return Kept;
}

unsigned Coalescer::touched(const MemoryAccess &A, int64_t ByteOffset,
                            uint32_t AccessBytes, bool Atomic,
                            LineAccess *Out) const {
  if (A.Mask == 0)
    return 0;
  const uint64_t LineBytes = uint64_t(1) << LineShift;
  const unsigned FirstLane = std::countr_zero(A.Mask);
  const unsigned LastLane = 31 - std::countl_zero(A.Mask);
  const unsigned Lanes = std::popcount(A.Mask);

  if (A.Affine) {
    uint64_t Begin = A.address(FirstLane) + uint64_t(ByteOffset);
    if (A.Stride == 0) {
      unsigned Count = contiguous(Begin, Begin + AccessBytes, 1, AccessBytes,
                                  LineShift, SectorShift, Out);
      for (unsigned I = 0; I != Count; ++I)
        Out[I].Lanes = Out[I].SameAddress = uint8_t(Lanes);
      return Count;
    }
    bool NoHoles = Lanes == LastLane - FirstLane + 1;
    if (A.Stride == int64_t(AccessBytes) && NoHoles)
      return contiguous(Begin, Begin + uint64_t(Lanes) * AccessBytes, Lanes,
                        AccessBytes, LineShift, SectorShift, Out);
  }

  // Which bytes of a sector are written matters for writes only; a line of at
  // most 512 bytes needs eight words of bits.
  unsigned Count = 0;
  uint32_t LaneMasks[MaxLines];
  uint64_t Bytes[MaxLines][8];
  LineNumbers Numbers(LineShift);
  for (uint32_t Left = A.Mask; Left; Left &= Left - 1) {
    unsigned Lane = std::countr_zero(Left);
    uint64_t Begin = A.address(Lane) + uint64_t(ByteOffset);
    uint64_t End = Begin + AccessBytes;
    while (Begin < End) {
      uint64_t Line = Begin & ~(LineBytes - 1);
      uint64_t Stop = std::min(End, Line + LineBytes);
      const unsigned Recent = Numbers.find(Line, Out, Count);
      if (Recent == Count) {
        if (Count == MaxLines)
          return Count;
        Out[Count] = LineAccess{Line, 0, 0, 0, 1};
        LaneMasks[Count] = 0;
        std::fill(Bytes[Count], Bytes[Count] + 8, 0);
        ++Count;
      }
      unsigned First = unsigned(Begin - Line), Last = unsigned(Stop - Line) - 1;
      Out[Recent].Sectors |= sectorRange(First, Last, SectorShift);
      LaneMasks[Recent] |= 1u << Lane;
      for (unsigned Word = First / 64; Word <= Last / 64; ++Word) {
        unsigned From = Word == First / 64 ? First % 64 : 0;
        unsigned To = Word == Last / 64 ? Last % 64 : 63;
        Bytes[Recent][Word] |= (~uint64_t(0) >> (63 - (To - From))) << From;
      }
      Begin = Stop;
    }
  }
  const unsigned SectorBytes = 1u << SectorShift;
  for (unsigned I = 0; I != Count; ++I) {
    LineAccess &L = Out[I];
    L.Lanes = uint8_t(std::popcount(LaneMasks[I]));
    if (Atomic)
      L.SameAddress = uint8_t(mostOnOneAddress(A, LaneMasks[I]));
    for (uint32_t Left = L.Sectors; Left; Left &= Left - 1) {
      unsigned Sector = std::countr_zero(Left);
      unsigned Set = 0;
      for (unsigned Byte = Sector * SectorBytes;
           Byte < (Sector + 1) * SectorBytes; Byte += 16)
        Set += std::popcount((Bytes[I][Byte / 64] >> (Byte % 64)) & 0xffff);
      if (Set == SectorBytes)
        L.FullSectors |= uint16_t(1u << Sector);
    }
  }
  return Count;
}

unsigned Coalescer::touchedByReads(const MemoryAccess &A, int64_t ByteOffset,
                                   uint32_t AccessBytes,
                                   LineAccess *Out) const {
  const bool NoHoles = (A.Mask & (A.Mask + (A.Mask & -A.Mask))) == 0;
  if (A.Affine &&
      (A.Stride == 0 || (NoHoles && A.Stride == int64_t(AccessBytes))))
    return touched(A, ByteOffset, AccessBytes, false, Out);
  if (!A.Affine)
    return scatteredReads(A.Mask, A.Base + uint64_t(ByteOffset), AccessBytes,
                          Out, [Offsets = A.Offsets](unsigned Lane) {
                            return uint64_t(Offsets[Lane]);
                          });
  return scatteredReads(
      A.Mask, A.Base + uint64_t(ByteOffset), AccessBytes, Out,
      [Stride = uint64_t(A.Stride)](unsigned Lane) { return Lane * Stride; });
}

/// \p OffsetOf(lane) is its distance from \p Base.
template <typename OffsetT>
unsigned Coalescer::scatteredReads(uint32_t Mask, uint64_t Base,
                                   uint32_t AccessBytes, LineAccess *Out,
                                   OffsetT &&OffsetOf) const {
  const uint64_t InLine = (uint64_t(1) << LineShift) - 1;
  unsigned Count = 0;
  LineNumbers Numbers(LineShift);
  // False if there is no room for another line.
  auto add = [&](uint64_t Line, uint16_t Sectors) {
    const unsigned Number = Numbers.find(Line, Out, Count);
    if (Number == Count) {
      if (Count == MaxLines)
        return false;
      Out[Count++] = LineAccess{Line, 0, 0, 0, 0};
    }
    Out[Number].Sectors |= Sectors;
    return true;
  };
  for (uint32_t Left = Mask; Left; Left &= Left - 1) {
    uint64_t Begin = Base + OffsetOf(unsigned(std::countr_zero(Left)));
    const uint64_t Last = Begin + AccessBytes - 1;
    if (Begin >> SectorShift == Last >> SectorShift) [[likely]] {
      if (!add(Begin & ~InLine,
               uint16_t(1 << ((Begin & InLine) >> SectorShift))))
        return Count;
      continue;
    }
    for (; Begin <= Last; Begin = (Begin | InLine) + 1) {
      const uint64_t Line = Begin & ~InLine;
      if (!add(Line,
               sectorRange(Begin & InLine, std::min(Last, Line + InLine) - Line,
                           SectorShift)))
        return Count;
    }
  }
  return Count;
}

unsigned Coalescer::coalesceLocal(const MemoryAccess &A, int64_t ByteOffset,
                                  uint32_t AccessBytes, uint64_t WarpBase,
                                  LineAccess *Out) const {
  if (A.Mask == 0)
    return 0;
  const unsigned Words = (AccessBytes + 3) / 4;
  MemoryAccess Word;
  int64_t Offsets[32];
  Word.Mask = A.Mask;
  unsigned Count = 0;
  for (unsigned W = 0; W != Words; ++W) {
    if (A.Affine && A.Stride == 0) {
      uint64_t Offset = A.Base + uint64_t(ByteOffset) + W * 4;
      Word.Affine = true;
      Word.Base = WarpBase + Offset / 4 * 128;
      Word.Stride = 4;
    } else {
      Word.Affine = false;
      Word.Base = WarpBase;
      Word.Offsets = Offsets;
      for (uint32_t Left = A.Mask; Left; Left &= Left - 1) {
        unsigned Lane = std::countr_zero(Left);
        uint64_t Offset = A.address(Lane) + uint64_t(ByteOffset) + W * 4;
        Offsets[Lane] = int64_t((Offset / 4 * 32 + Lane) * 4);
      }
    }
    LineAccess Lines[MaxLines];
    unsigned Found = touched(Word, 0, 4, false, Lines);
    for (unsigned I = 0; I != Found; ++I) {
      unsigned At = 0;
      while (At != Count && Out[At].Line != Lines[I].Line)
        ++At;
      if (At == Count) {
        if (Count == MaxLines)
          return Count;
        Out[Count++] = Lines[I];
      } else {
        Out[At].Sectors |= Lines[I].Sectors;
        Out[At].FullSectors |= Lines[I].FullSectors;
        Out[At].Lanes = std::max(Out[At].Lanes, Lines[I].Lanes);
      }
    }
  }
  return Count;
}

} // namespace heddle::memory
