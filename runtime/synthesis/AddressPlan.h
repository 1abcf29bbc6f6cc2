//===- AddressPlan.h - What the accesses of a clone touch -------*- C++ -*-===//

#ifndef HEDDLE_SYNTHESIS_ADDRESSPLAN_H
#define HEDDLE_SYNTHESIS_ADDRESSPLAN_H

#include "synthesis/DrawnAccess.h"
#include "synthesis/IndexPlan.h"
#include "synthesis/PlannedCode.h"

#include <tuple>

namespace heddle::synthesis {

/// Gives each access its address. Accesses of an array that move alike share a
/// register and differ in the offset; one that loops move has a register that
/// their headers step. Irregular ones draw an address in their range, one for
/// all lanes that share a sector.
class AddressPlan {
public:
  AddressPlan(const ClonePlan &Plan, ChainBlocks &Blocks, PlannedCode &Code,
              const IndexPlan &Indices)
      : Plan(Plan), P(Plan.Profile), Blocks(Blocks), Code(Code),
        Indices(Indices) {}
  Result<void> plan();

  /// False for an access that was never executed with an address.
  bool has(const behavior::Instruction &I) const { return Places.contains(&I); }
  /// The memory operand of \p I, without brackets.
  std::string operand(const behavior::Instruction &I) const;
  std::vector<uint64_t> buffers() const { return BufferBytes; }
  /// What they hold.
  std::vector<IndexContents> contents() const;
  /// Declarations of the constant or local arrays.
  std::string variables(behavior::Space Where) const;

private:
  struct Place {
    std::string Base; ///< register or symbol
    int64_t Offset = 0;
  };
  void placeArrays();
  std::pair<int64_t, int64_t> rangeOf(const behavior::Access &A,
                                      unsigned Block) const;
  behavior::Access inBounds(const behavior::Access &A, unsigned Block) const;
  DrawnAccess drawn(const behavior::Access &A, unsigned Block) const;
  std::string arrayBase(unsigned Array);
  std::string offsetOf(const behavior::Keys &Coefficients);
  std::string addFields(std::string Start,
                        const std::vector<behavior::Field> &Fields,
                        unsigned At);
  Place affine(const behavior::Access &A, unsigned Block);
  PlannedCode::Sum distance(const behavior::Access &A, unsigned B,
                            ChainBlocks::Slot &S);
  Place around(const behavior::Access &A, unsigned B, ChainBlocks::Slot &S);
  Place irregular(const behavior::Access &A, unsigned B, ChainBlocks::Slot &S);
  /// The affine access that \p A, which is not affine, is near to.
  static behavior::Access sumOf(behavior::Access A);
  Place near(const behavior::Access &A, unsigned B, ChainBlocks::Slot &S);
  const Place *leaderOf(const behavior::Access &A, unsigned B) const;
  bool planIndexed(unsigned B, size_t Index);
  void planSlot(unsigned B, size_t Index);

  const ClonePlan &Plan;
  const behavior::Profile &P;
  ChainBlocks &Blocks;
  PlannedCode &Code;
  const IndexPlan &Indices;
  std::vector<unsigned> BufferOf; ///< by array
  std::vector<int64_t> Margins;   ///< bytes before offset 0, by array
  std::vector<uint64_t> SizeBytes;
  std::vector<uint64_t> BufferBytes;
  std::vector<std::string> Bases; ///< by array
  std::map<behavior::Keys, std::string> Offsets;
  /// By array, lanes of a group, bytes from lane to lane.
  std::map<std::tuple<unsigned, unsigned, int64_t>, std::string> LaneBases;
  /// By array, coefficients, innermost loop that moves it, constant's range,
  /// fields and the block that adds them.
  std::map<std::tuple<unsigned, behavior::Keys, unsigned, int64_t,
                      std::vector<behavior::Field>, unsigned>,
           Place>
      Groups;
  /// Distances that went around, and the slot before which: by what they were
  /// before, what was added, the modulus, and the block.
  std::map<std::tuple<std::string, uint64_t, uint64_t, unsigned>,
           std::pair<size_t, std::string>>
      Distances;
  std::vector<std::vector<bool>> Dominators; ///< [block][dominator]
  /// Bits of an index, by key, shift and number, and sums with a field; both by
  /// the block that computes them.
  using Bits = std::pair<unsigned, std::pair<unsigned, unsigned>>;
  std::map<std::pair<Bits, unsigned>, std::string> BitsOf;
  using Sum = std::pair<std::string, behavior::Field>;
  std::map<std::pair<Sum, unsigned>, std::string> FieldSums;
  std::map<const behavior::Instruction *, Place> Places;
  /// Of neighbourhoods, by array, loop, places, lanes of a group.
  std::map<std::tuple<unsigned, unsigned, unsigned, unsigned>, std::string>
      Origins;
  std::map<std::pair<unsigned, unsigned>, Place> Drawn; ///< by block, access
  std::map<unsigned, unsigned> BlockOf; ///< the first of an access
  std::map<const ChainBlocks::Slot *, std::string> Carried;
};

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_ADDRESSPLAN_H
