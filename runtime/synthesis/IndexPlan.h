//===- IndexPlan.h - Addresses that loaded indices decide -------*- C++ -*-===//

#ifndef HEDDLE_SYNTHESIS_INDEXPLAN_H
#define HEDDLE_SYNTHESIS_INDEXPLAN_H

#include "synthesis/ChainBlocks.h"

#include <map>

namespace heddle::synthesis {

/// What the buffer of an array of indices holds: pseudo-random numbers below
/// Limit, each of the given size; zeroes if Limit is 0.
struct IndexContents {
  unsigned Bytes = 0;
  uint64_t Limit = 0;
};

/// The share of lanes that goes to the first successor of \p Branch, if its
/// executions are mixed at least \p Alike times as often as those of
/// independent lanes would be; else 0.
double shareOfLanes(const behavior::Profile &P, const behavior::Branch &Branch,
                    double Alike);

/// Gathers and scatters whose address the original computes from a loaded
/// number, by at most a multiplication and an addition, and that touch their
/// footprint evenly. The clone loads pseudo-random numbers there and computes
/// the address in the same way, so no instruction is planned for it. Branches
/// at which lanes part independently, and whose condition the original computes
/// from a loaded number, wait for that load here too: it loads pseudo-random
/// numbers.
class IndexPlan {
public:
  IndexPlan(const behavior::Profile &P, ChainBlocks &Blocks)
      : P(P), Blocks(Blocks), Contents(P.Arrays.size()) {}
  /// Finds them and pins the instructions that compute their addresses.
  void plan();

  /// The register that \p Add adds to the base of the array that \p I
  /// accesses; 0 if no loaded index decides its address.
  unsigned indexOf(const behavior::Instruction &I) const {
    auto It = Indexed.find(&I);
    return It == Indexed.end() ? 0 : It->second;
  }
  /// How often executions must be mixed, relative to lanes that decide
  /// independently, for loaded numbers to decide.
  static constexpr double LeastMixed = 0.5;
  /// A register of 16 or 32 bits with a loaded number, written in each
  /// execution of \p Block, and its upper limit; 0 if there is none.
  struct Loaded {
    unsigned Register = 0;
    uint64_t Limit = 0;
    /// Another such register of 32 bits, the same limit, or 0.
    unsigned Second = 0;
    unsigned Array = behavior::None; ///< from which the first is loaded
  };
  Loaded loadedIn(unsigned Block) const;
  /// By array of the profile.
  const std::vector<IndexContents> &contents() const { return Contents; }

private:
  struct Chain {
    unsigned Array = behavior::None; ///< of the indices
    unsigned Bytes = 0;              ///< of an index
    unsigned Register = 0;           ///< that it is loaded to
    unsigned Block = 0;              ///< in which it is loaded
    std::vector<ChainBlocks::Slot *> Slots;
    ChainBlocks::Slot *Scaling = nullptr;
  };
  struct Definition {
    unsigned Count = 0, Block = 0;
    size_t Index = 0;
  };
  bool isUniform(const behavior::Access &A, unsigned Block) const;
  bool follow(unsigned Block, size_t Before, unsigned Register,
              Chain &Out) const;
  void planAccess(unsigned Block, size_t Index);
  void planDecision(const behavior::Branch &Branch);
  bool holdsNumber(const ChainBlocks::Slot &S) const;

  const behavior::Profile &P;
  ChainBlocks &Blocks;
  std::vector<IndexContents> Contents;
  std::vector<bool> Stored; ///< by array
  std::vector<Definition> Definitions;
  std::map<const behavior::Instruction *, unsigned> Indexed;
  std::map<unsigned, Chain> LoadedIn;  ///< by block, the last
  std::map<unsigned, Loaded> Deciding; ///< by block
};

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_INDEXPLAN_H
