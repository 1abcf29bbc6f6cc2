//===- WarpPlan.h - The lines of warps that do the same ---------*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_WARPPLAN_H
#define HEDDLE_INTERVAL_WARPPLAN_H

#include "interval/FunctionalMemory.h"
#include "trace/WarpCursor.h"

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle::interval {

/// Block events that a warp runs without an access before the next one's turn.
inline constexpr unsigned MaxQuietEvents = 16;

/// The memory instructions of a basic block.
struct BlockAccesses {
  std::vector<uint32_t> All;     ///< instructions with addresses
  std::vector<uint32_t> OffChip; ///< of them, those that L1 may see
  /// How many of these a warp has asked for when it needs one of them to go on
  /// with its own memory. If L1 lacks any, others run meanwhile.
  std::vector<uint32_t> Waits;
};
/// By block of \p Table; \p Code is its decoded form.
std::vector<BlockAccesses> accessesOf(const trace::CodeTable &Table,
                                      const DecodedCode &Code);

/// What the caches see of a warp whose body others have too: accesses already
/// coalesced, lines relative to the warp's bases, turn by turn. Holds for warps
/// whose bases lie at the same place within a line.
struct WarpPlan {
  struct Access {
    uint32_t PC;
    uint32_t FirstLine;
    uint32_t Base; ///< number of the base that the lines are relative to
    uint16_t NumLines;
    uint8_t Space;
  };
  std::vector<uint64_t> Phases; ///< of the bases, within a line
  std::vector<uint32_t> Turns;  ///< the end of each in Accesses
  std::vector<Access> Accesses;
  std::vector<memory::LineAccess> Lines;
};

/// Makes plans of bodies that come again, within bounds of memory.
class WarpPlans {
public:
  WarpPlans(const trace::CodeTable &Table, const DecodedCode &Code,
            const std::vector<BlockAccesses> &Blocks, FunctionalMemory &Memory)
      : Table(Table), Code(Code), Blocks(Blocks), Memory(Memory) {}

  /// The plan of a warp with this body, whose number is \p Class, or null if
  /// it has to be decoded.
  const WarpPlan *find(size_t Class, std::span<const uint8_t> Body,
                       std::span<const uint64_t> Bases);
  /// What a plan's lines are relative to.
  uint64_t origin(uint64_t Base) const { return Base & ~(Memory.period() - 1); }

private:
  /// Warps of one body may begin at this many different offsets in a line.
  static constexpr size_t MaxPerClass = 16;
  static constexpr size_t MaxTurns = size_t(1) << 16;
  /// Accesses and lines of all plans together: some 64 MiB.
  static constexpr size_t MaxEntries = size_t(1) << 22;

  std::unique_ptr<WarpPlan> make(std::span<const uint8_t> Body,
                                 std::span<const uint64_t> Bases) const;

  struct OfClass {
    std::vector<std::unique_ptr<WarpPlan>> Plans;
    size_t Last = 0; ///< the one that was found last
    bool Hopeless = false;
  };
  const trace::CodeTable &Table;
  const DecodedCode &Code;
  const std::vector<BlockAccesses> &Blocks;
  FunctionalMemory &Memory;
  std::unordered_map<size_t, OfClass> Classes;
  size_t Entries = 0;
};

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_WARPPLAN_H
