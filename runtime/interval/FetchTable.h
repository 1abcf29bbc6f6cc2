//===- FetchTable.h - Where an SM's fetches were served ---------*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_FETCHTABLE_H
#define HEDDLE_INTERVAL_FETCHTABLE_H

#include "memory/LineMap.h"

#include <cstdint>
#include <vector>

namespace heddle::interval {

/// What one SM asked of L2, sector by sector in the order in which it asked,
/// whether DRAM had to deliver it and whether it came from the half of L2 that
/// is not the SM's. Lines and sectors are those of L2; reads and atomics are
/// kept apart.
class FetchTable {
public:
  enum class Kind : uint8_t { Read, Atomic };
  struct Origin {
    bool DRAM = false;
    bool Across = false; ///< through the other half of L2
  };

  struct Added {
    uint32_t Fetch = 0; ///< for cameFrom()
    bool Again = false; ///< one of the sectors was asked for before
  };

  /// The sectors of \p Sectors (a mask) were asked for once more.
  Added add(Kind K, uint64_t Line, uint16_t Sectors, Origin From) {
    uint32_t Head = find(K, Line);
    if (Head == None) {
      Head = append(K, Line);
      Map.insert(numberOf(K, Line), Head);
    }
    const bool Again = Fetches[Head].Ever & Sectors;
    Fetches[Head].Ever |= Sectors;
    // Where a sector is there already, this is a later turn.
    if (Fetches[Fetches[Head].Last].Sectors & Sectors) {
      const uint32_t Next = append(K, Line);
      Fetches[Fetches[Head].Last].Next = Next;
      Fetches[Head].Last = Next;
    }
    Fetch &F = Fetches[Fetches[Head].Last];
    F.Sectors |= Sectors;
    F.Far |= From.DRAM ? Sectors : 0;
    F.Across |= From.Across ? Sectors : 0;
    return {uint32_t(&F - Fetches.data()), Again};
  }
  /// Says where \p Sectors of a fetch that was added came from.
  void cameFrom(uint32_t Fetch, uint16_t Sectors, Origin From) {
    Fetches[Fetch].Far |= From.DRAM ? Sectors : 0;
    Fetches[Fetch].Across |= From.Across ? Sectors : 0;
  }

  /// Steps through the table: each sector's fetches in their order, whichever
  /// order the sectors come in.
  class Cursor {
  public:
    explicit Cursor(const FetchTable &Table)
        : Table(Table), Turn(Table.Fetches.size()) {
      for (const Fetch &F : Table.Fetches)
        Left.push_back(F.Sectors);
      for (uint32_t I = 0; I < Turn.size(); ++I)
        Turn[I] = I;
    }
    struct Answer {
      bool Known = false;  ///< the SM asked for the line at all
      uint16_t Far = 0;    ///< sectors that DRAM delivers
      uint16_t Across = 0; ///< sectors from the other half of L2
    };
    /// The next fetch of each of \p Sectors. A sector that was fetched less
    /// often is in L2 by now.
    Answer take(Kind K, uint64_t Line, uint16_t Sectors) {
      const uint32_t Head = Table.find(K, Line);
      Answer A{Head != None, 0, 0};
      if (!A.Known)
        return A;
      for (uint32_t At = Turn[Head]; At != None && Sectors;) {
        const Fetch &F = Table.Fetches[At];
        const uint16_t Here = Sectors & Left[At];
        A.Far |= Here & F.Far;
        A.Across |= Here & F.Across;
        Left[At] &= ~Here;
        Sectors &= ~Here;
        if (At == Turn[Head] && !Left[At])
          Turn[Head] = F.Next;
        At = F.Next;
      }
      return A;
    }

  private:
    const FetchTable &Table;
    std::vector<uint16_t> Left;
    std::vector<uint32_t> Turn; ///< by a line's first fetch: one with any left
  };

private:
  static constexpr uint32_t None = memory::LineMap::None;
  struct Fetch {
    uint64_t Line = 0; ///< lowest bit: atomic
    uint16_t Sectors = 0, Far = 0, Across = 0;
    uint16_t Ever = 0; ///< sectors of all of the line's fetches; of its first
    uint32_t Next = None;
    uint32_t Last = None; ///< of the line; of its first fetch only
  };

  // Lines have 32 bytes or more.
  static uint64_t numberOf(Kind K, uint64_t Line) {
    return Line >> 4 | uint64_t(K);
  }
  uint32_t find(Kind K, uint64_t Line) const {
    return Map.find(numberOf(K, Line), [&](uint32_t I) {
      return Fetches[I].Line == (Line | uint64_t(K));
    });
  }
  uint32_t append(Kind K, uint64_t Line) {
    const auto Index = uint32_t(Fetches.size());
    Fetches.push_back({Line | uint64_t(K), 0, 0, 0, 0, None, Index});
    return Index;
  }

  std::vector<Fetch> Fetches;
  memory::LineMap Map{1024};
};

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_FETCHTABLE_H
