//===- AccessCounters.cpp - Cost of one warp-wide access ------------------===//

#include "heddle/ABI/AccessCounters.h"
#include "heddle/ABI/AddressMap.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace {

/// No access is wider than 128 bytes, so none touches more than 33 words.
constexpr unsigned MaxUnits = 32 * 33;

/// Distinct values of address >> Shift over the bytes of the active lanes.
unsigned distinctUnits(uint32_t Mask, const uint64_t *Addresses, uint32_t Bytes,
                       unsigned Shift) {
  // An access spans at most two units plus its whole units in between.
  uint64_t Units[MaxUnits];
  unsigned Count = 0;
  uint64_t Last = ~0ull;
  bool Sorted = true;
  for (uint32_t M = Mask; M; M &= M - 1) {
    uint64_t A = Addresses[std::countr_zero(M)];
    for (uint64_t U = A >> Shift, E = (A + Bytes - 1) >> Shift; U <= E; ++U) {
      if (Count && U == Last)
        continue;
      Sorted &= Count == 0 || U > Last;
      if (Count < std::size(Units))
        Units[Count++] = Last = U;
    }
  }
  if (Sorted)
    return Count;
  std::sort(Units, Units + Count);
  return std::unique(Units, Units + Count) - Units;
}

/// A set of at most 32 numbers, for accesses of which each lane touches one
/// unit.
class UnitSet {
public:
  /// True if \p Unit was not in the set.
  bool insert(uint64_t Unit) {
    unsigned At = unsigned((Unit * 0x9E3779B97F4A7C15ull) >> 58);
    while (Used >> At & 1) {
      if (Slots[At] == Unit)
        return false;
      At = (At + 1) & 63;
    }
    Used |= uint64_t(1) << At;
    Slots[At] = Unit;
    return true;
  }

private:
  uint64_t Used = 0, Slots[64];
};

/// Whether each lane's bytes lie within one unit of any kind: aligned, and no
/// larger than \p Most.
bool isSimple(uint32_t Mask, const uint64_t *Addresses, uint32_t Bytes,
              uint32_t Most) {
  if (!std::has_single_bit(Bytes) || Bytes > Most)
    return false;
  uint64_t Low = 0;
  for (uint32_t M = Mask; M; M &= M - 1)
    Low |= Addresses[std::countr_zero(M)];
  return (Low & (Bytes - 1)) == 0;
}

/// Bank cycles of one group of lanes: the most distinct words in one bank.
unsigned bankPasses(uint32_t Mask, const uint64_t *Addresses, uint32_t Bytes) {
  if (isSimple(Mask, Addresses, Bytes, 4)) {
    UnitSet Seen;
    uint8_t PerBank[32] = {}, Most = 0;
    for (uint32_t M = Mask; M; M &= M - 1) {
      uint64_t Word = Addresses[std::countr_zero(M)] >> 2;
      if (Seen.insert(Word))
        Most = std::max(Most, ++PerBank[Word & 31]);
    }
    return Most;
  }
  uint64_t Words[MaxUnits];
  unsigned Count = 0;
  for (uint32_t M = Mask; M; M &= M - 1) {
    uint64_t A = Addresses[std::countr_zero(M)];
    for (uint64_t W = A >> 2, E = (A + Bytes - 1) >> 2; W <= E; ++W)
      if (Count < std::size(Words) && (!Count || Words[Count - 1] != W))
        Words[Count++] = W;
  }
  std::sort(Words, Words + Count);
  Count = std::unique(Words, Words + Count) - Words;
  unsigned PerBank[32] = {}, Most = 0;
  for (unsigned I = 0; I < Count; ++I)
    Most = std::max(Most, ++PerBank[Words[I] & 31]);
  return Most;
}

void countShared(uint64_t *Row, uint32_t Mask, const uint64_t *Addresses,
                 uint32_t Bytes) {
  unsigned Groups = Bytes > 8 ? 4 : Bytes > 4 ? 2 : 1, Lanes = 32 / Groups;
  for (unsigned G = 0; G < Groups; ++G) {
    uint32_t Part =
        Lanes == 32 ? Mask : Mask & (((1u << Lanes) - 1) << G * Lanes);
    Row[HEDDLE_MEM_BANK_PASSES] += bankPasses(Part, Addresses, Bytes);
  }
}

void countLines(uint64_t *Row, uint32_t Mask, const uint64_t *Addresses,
                uint32_t Bytes) {
  if (isSimple(Mask, Addresses, Bytes, 32)) {
    UnitSet Sectors, Lines;
    unsigned NumSectors = 0, NumLines = 0;
    uint64_t Last = ~0ull;
    for (uint32_t M = Mask; M; M &= M - 1) {
      uint64_t Sector = Addresses[std::countr_zero(M)] >> 5;
      if (Sector == Last)
        continue;
      Last = Sector;
      if (Sectors.insert(Sector)) {
        ++NumSectors;
        NumLines += Lines.insert(Sector >> 2);
      }
    }
    Row[HEDDLE_MEM_SECTORS] += NumSectors;
    Row[HEDDLE_MEM_LINES] += NumLines;
    return;
  }
  Row[HEDDLE_MEM_SECTORS] += distinctUnits(Mask, Addresses, Bytes, 5);
  Row[HEDDLE_MEM_LINES] += distinctUnits(Mask, Addresses, Bytes, 7);
}

/// Word w of a frame lies at (w * 32 + lane) * 4: adjacent lanes are adjacent,
/// and an access of several words touches several interleaved rows.
void countLocal(const HeddleWarp *W, uint64_t *Row, uint32_t Mask,
                const uint64_t *Addresses, uint32_t Bytes) {
  uint64_t Sectors[MaxUnits], Lines[MaxUnits];
  unsigned Count = 0;
  for (uint32_t M = Mask; M; M &= M - 1) {
    unsigned Lane = std::countr_zero(M);
    uint64_t Offset =
        Addresses[Lane] - uint64_t(W->Local) - Lane * W->LocalStride;
    for (uint64_t Word = Offset >> 2, E = (Offset + Bytes - 1) >> 2; Word <= E;
         ++Word) {
      if (Count == std::size(Sectors))
        break;
      Sectors[Count] = (Word * 32 + Lane) >> 3;
      Lines[Count++] = Word;
    }
  }
  auto Distinct = [Count](uint64_t *Units) {
    std::sort(Units, Units + Count);
    return uint64_t(std::unique(Units, Units + Count) - Units);
  };
  Row[HEDDLE_MEM_SECTORS] += Distinct(Sectors);
  Row[HEDDLE_MEM_LINES] += Distinct(Lines);
}

} // namespace

extern "C" void heddleCountAccess(HeddleWarp *W, uint32_t Memory, uint32_t Mask,
                                  const uint64_t *Addresses, uint32_t Bytes,
                                  enum HeddleMemorySpace Space) {
  uint64_t *Row =
      W->MemoryCounters + uint64_t(Memory) * HEDDLE_NUM_MEMORY_COUNTERS;
  Row[HEDDLE_MEM_REQUESTS] += 1;
  Row[HEDDLE_MEM_LANES] += std::popcount(Mask);
  uint32_t Shared = 0, Local = 0;
  if (Space == HEDDLE_SPACE_SHARED || Space == HEDDLE_SPACE_CLUSTER)
    Shared = Mask;
  else if (Space == HEDDLE_SPACE_LOCAL)
    Local = Mask;
  else if (Space == HEDDLE_SPACE_GENERIC)
    for (uint32_t M = Mask; M; M &= M - 1) {
      unsigned Lane = std::countr_zero(M);
      HeddleMemorySpace Found = heddleSpaceOfAddress(Addresses[Lane]);
      Shared |= uint32_t(Found == HEDDLE_SPACE_SHARED) << Lane;
      Local |= uint32_t(Found == HEDDLE_SPACE_LOCAL) << Lane;
    }
  if (Shared)
    countShared(Row, Shared, Addresses, Bytes);
  if (Local)
    countLocal(W, Row, Local, Addresses, Bytes);
  if (uint32_t Global = Mask & ~Shared & ~Local)
    countLines(Row, Global, Addresses, Bytes);
}
