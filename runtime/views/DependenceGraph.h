//===- DependenceGraph.h - Who waits for whom -------------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_DEPENDENCEGRAPH_H
#define HEDDLE_VIEWS_DEPENDENCEGRAPH_H

#include "timing/SimulationResult.h"
#include "trace/CodeTable.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace heddle::views {

/// Register dependences of a code table, with the waiting that each one caused.
///
/// PTX from LLVM is nearly in SSA form: a register has one definition, or one
/// per value that a phi merges. So the producers of an operand are all
/// instructions that define its register, wherever they stand; that is exact
/// but for registers that two paths define, where it is a superset.
///
/// No one waits for an instruction that never issued, and code that did not run
/// produces nothing. One that is folded passes its own producers on to those
/// that use its result, of which it is a part, and what warps waited in front
/// of it to the next of them.
class DependenceGraph {
public:
  /// \p Expands: the machine issues what instructions expand to, so that some
  /// are folded.
  DependenceGraph(const trace::CodeTable &Code,
                  const timing::SimulationResult &Result, bool Expands);

  /// Instructions that issued and define what \p Inst reads, ascending.
  const std::vector<uint32_t> &producers(uint32_t Inst) const {
    return Producers[Inst];
  }

  /// The producer that made \p Inst wait in state \p State: of those whose
  /// results are waited for in that state the last one before it.
  std::optional<uint32_t> culprit(uint32_t Inst, timing::Stall State) const;

  /// Warp cycles in front of \p Inst, by state.
  const timing::StallCycles &waits(uint32_t Inst) const { return Waits[Inst]; }

  /// Warp cycles that others spent waiting for the result of \p Inst.
  uint64_t causedCycles(uint32_t Inst) const { return Caused[Inst]; }

  /// The costliest way from \p Inst back to an instruction without producers
  /// or, if the way closes, to the first that is on it already: the sum of
  /// executions and caused cycles decides, among producers that run about as
  /// often as the one that runs most. \p Inst comes first.
  struct Slice {
    std::vector<uint32_t> Insts;
    bool LoopCarried = false; ///< the last is an earlier one's own producer
  };
  Slice sliceOf(uint32_t Inst, unsigned MaxLength) const;

private:
  using Definitions =
      std::map<uint16_t, std::vector<uint32_t>>; ///< by register
  void addProducers(uint32_t Inst, const Definitions &Of,
                    std::set<uint32_t> &To) const;
  void moveWaitsOfFolded();
  bool isFolded(uint32_t Inst) const;
  uint64_t timesOf(uint32_t Inst) const;
  uint64_t costOf(uint32_t Inst) const;
  /// Of each instruction the costliest way of a few steps that begins with it.
  std::vector<uint64_t> costsAhead() const;

  const trace::CodeTable &Code;
  const timing::SimulationResult &Result;
  const bool Expands;
  std::vector<std::vector<uint32_t>> Producers;
  std::vector<timing::StallCycles> Waits;
  std::vector<uint64_t> Caused;
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_DEPENDENCEGRAPH_H
