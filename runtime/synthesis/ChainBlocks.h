//===- ChainBlocks.h - Blocks of a clone while it is written ----*- C++ -*-===//

#ifndef HEDDLE_SYNTHESIS_CHAINBLOCKS_H
#define HEDDLE_SYNTHESIS_CHAINBLOCKS_H

#include "synthesis/ClonePlan.h"
#include "synthesis/PTXOperands.h"

#include <map>
#include <string>
#include <string_view>

namespace heddle::synthesis {

/// The opcode chains of a profile. Planned instructions replace some of their
/// integer instructions, so that each block keeps its number of instructions.
class ChainBlocks {
public:
  explicit ChainBlocks(const behavior::Profile &P);

  struct Slot {
    const behavior::Instruction *From;
    Operands Shape;
    /// What it reads: From's registers, or where the instruction that wrote one
    /// was replaced, one which that had read.
    std::vector<unsigned> Reads;
    bool Removed = false; ///< a planned instruction took its place
    bool Pinned = false;  ///< needed for an address or a branch
    /// Of an addition of 64 bits: the planned address that it forwards, and
    /// which of its sources, zero or an index, it adds. A zero of 32 bits is
    /// one that a replaced instruction widened.
    std::string PassedOn;
    unsigned ZeroSource = 0;
    /// Of a multiplication or shift that a loaded index passes through: what
    /// it multiplies by, a power of two; or 0.
    unsigned Scale = 0;
    std::vector<std::string> Before; ///< planned instructions in front of it
  };
  struct Block {
    std::vector<Slot> Slots;
    std::vector<std::string> Start;   ///< planned, before the chain
    std::vector<std::string> End;     ///< planned, before the jumps
    unsigned Branches = 0, Jumps = 0; ///< bra and bra.uni of the chain
  };

  Block &operator[](unsigned B) { return Blocks[B]; }
  size_t size() const { return Blocks.size(); }

  /// Removes an instruction like \p Opcode from block \p B, or from one that
  /// runs as often; false if there is none left.
  bool takeOut(unsigned B, std::string_view Opcode);
  /// Whether it would take out an integer multiplication for one.
  bool hasMultiplication(unsigned B) const;
  /// The last slot before \p Before in block \p B that writes \p Register;
  /// null if there is none.
  Slot *producer(unsigned B, size_t Before, unsigned Register);

  /// The comparison that makes the condition of the original's last jump in
  /// block \p B: the last one there; null if there is none.
  Slot *lastComparison(unsigned B);

  Kind kind(unsigned Register) const { return Kinds[Register]; }
  /// Whether the clone's register is always zero.
  bool isZero(unsigned Register) const { return Zero[Register]; }
  /// Decides isZero; \p Stored are the arrays that the clone writes.
  void findZeroes(const std::vector<bool> &Stored);

  /// Readers of what a replaced instruction wrote wait for what it waited for:
  /// in their block, where that keeps zero what has to be.
  void passBy();

  /// Registers without remaining writers: literals replace them.
  void setUnwritten(std::vector<bool> Registers) {
    Unwritten = std::move(Registers);
  }
  /// The name of a register of the chains.
  std::string name(unsigned Register) const;
  /// \p S as PTX; \p Address is the memory operand without brackets.
  std::string text(const Slot &S, const std::string &Address) const;
  /// True if the first register that \p S reads is an address.
  bool readsAddress(const Slot &S) const;

private:
  void inferKinds();
  void widenLoads();
  bool runsAlike(unsigned B, unsigned Other) const;
  bool isPlainZero(unsigned Register) const;
  void passBy(std::vector<Slot> &Slots, bool OfStores) const;
  bool takeOutOf(unsigned B, std::string_view Opcode, bool OnlyAlike);

  const behavior::Profile &P;
  std::vector<Block> Blocks;
  std::vector<Kind> Kinds;
  std::vector<bool> Zero;
  std::vector<bool> Unwritten;
};

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_CHAINBLOCKS_H
