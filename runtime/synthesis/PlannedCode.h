//===- PlannedCode.h - Instructions that the plan adds ----------*- C++ -*-===//
//
// Thread indices, iteration counters, trip counts and pseudo-random numbers of
// a clone. Each planned instruction replaces another.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SYNTHESIS_PLANNEDCODE_H
#define HEDDLE_SYNTHESIS_PLANNEDCODE_H

#include "synthesis/ChainBlocks.h"

#include <span>
#include <tuple>

namespace heddle::synthesis {

class PlannedCode {
public:
  PlannedCode(const ClonePlan &Plan, ChainBlocks &Blocks)
      : Plan(Plan), P(Plan.Profile), Blocks(Blocks), Iterations(P.Loops.size()),
        Limits(P.Loops.size()) {}

  static constexpr unsigned Entry = 0; ///< the block that begins

  /// Appends \p Text to the start of block \p B in place of another.
  void start(unsigned B, const std::string &Text);
  /// The same right before \p S.
  void before(unsigned B, ChainBlocks::Slot &S, const std::string &Text);
  /// The same at the end of \p B.
  void end(unsigned B, const std::string &Text);

  /// In block \p B: \p Before plus \p Factor times the 32 bits of \p Index,
  /// which is at most \p Most, as 64 bits; \p Before may be empty. A shift
  /// multiplies where the blocks have no multiplication to replace, since some
  /// machines take several times as long for one.
  std::string addProduct(unsigned B, const std::string &Before,
                         const std::string &Index, int64_t Factor,
                         uint64_t Most);

  std::string newRegister(Kind K);
  /// The register of a thread or block index, 32 bits.
  std::string key(unsigned K);
  /// blockIdx * blockDim + threadIdx along dimension \p D.
  std::string globalIndex(unsigned D);
  /// The block that initialises what loop \p L counts: the header of the loop
  /// around it, or the entry.
  unsigned outside(unsigned L) const;
  /// Executions of the header of loop \p L since it was entered, from 1.
  std::string iteration(unsigned L);
  /// A register of 32 bits and what must be added to it to give a sum of keys.
  struct Sum {
    std::string Register;
    int64_t Bias = 0;
  };
  /// Sum of Coefficients[k] * Keys[k], kept up to date by the headers of the
  /// loops around blocks of \p Loop. If \p Stretched, iterations count as many
  /// as they stand for in the original.
  Sum sumOf(const behavior::Keys &Coefficients, unsigned Loop, bool Stretched);
  /// Executions of the header of \p L: a literal or a register.
  std::string limit(unsigned L);
  /// The most that limit can be.
  uint64_t maxTrips(unsigned L) const { return Plan.Loops[L].maxTrips(); }
  /// A register of 32 bits, hashed at the entry from the index of the warp, or
  /// of the group of lanes; users add WeylStep first. Its upper bits then walk
  /// evenly over their range.
  std::string warpRandom();
  std::string threadRandom(unsigned GroupLanes);
  /// A register of 64 bits, zero at the entry, with the same count in all
  /// threads.
  std::string commonCounter();
  /// The register with the address of \p Values, as numbers of 64 bits in
  /// constant memory.
  std::string table(const std::vector<int64_t> &Values);
  /// The same for addresses, 64 bits.
  std::string wideRandom(unsigned GroupLanes);
  /// 2^32 over the golden ratio, odd: steps that come round last.
  static constexpr uint32_t WeylStep = 2654435769u;

  std::string declarations() const;
  std::string variables() const { return Variables; }
  unsigned added() const { return Added; }

private:
  void pay(unsigned B, const std::string &Text);
  void entry(const std::string &Text) { start(Entry, Text); }
  void mix(const std::string &Register);
  std::string entrySum(const behavior::Keys &Coefficients);
  std::string affineLimit(unsigned L);
  std::string tripTable(unsigned L, std::span<const uint64_t> Trips);
  std::string blockLimit(unsigned L);
  std::string drawnLimit(unsigned L);

  const ClonePlan &Plan;
  const behavior::Profile &P;
  ChainBlocks &Blocks;
  std::map<unsigned, std::string> KeyRegisters, GlobalIndices;
  std::vector<std::string> Iterations, Limits;
  std::map<std::tuple<behavior::Keys, unsigned, bool>, Sum> Sums;
  std::string WarpState, CommonCounter;
  std::map<std::vector<int64_t>, std::string> Tables;
  std::map<unsigned, std::string> ThreadStates, WideStates;
  std::array<unsigned, 4> NumRegisters = {};
  std::string Variables;
  unsigned Added = 0;
};

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_PLANNEDCODE_H
