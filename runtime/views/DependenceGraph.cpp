//===- DependenceGraph.cpp - Who waits for whom ---------------------------===//

#include "views/DependenceGraph.h"

#include "timing/DecodedCode.h"

#include <algorithm>
#include <functional>
#include <map>
#include <span>

using namespace heddle::timing;

namespace heddle::views {

DependenceGraph::DependenceGraph(const trace::CodeTable &Code,
                                 const SimulationResult &Result, bool Expands)
    : Code(Code), Result(Result), Expands(Expands),
      Producers(Code.Insts.size()), Waits(Code.Insts.size()),
      Caused(Code.Insts.size()) {
  Definitions Of;
  for (uint32_t I = 0; I < Code.Insts.size(); ++I)
    for (unsigned N = 0; N < Code.Insts[I].NumDefs; ++N)
      Of[Code.Insts[I].Registers[N]].push_back(I);
  for (uint32_t I = 0; I < Code.Insts.size(); ++I) {
    std::set<uint32_t> All;
    addProducers(I, Of, All);
    std::ranges::copy_if(
        All, std::back_inserter(Producers[I]),
        [&](uint32_t P) { return timesOf(P) && !isFolded(P); });
  }
  moveWaitsOfFolded();
  for (uint32_t I = 0; I < Waits.size(); ++I)
    for (unsigned S = 0; S < NumStalls; ++S)
      if (uint64_t Cycles = Waits[I][S])
        if (auto C = culprit(I, Stall(S)))
          Caused[*C] += Cycles;
}

/// Adds what defines the registers that \p Inst reads, and what stands behind
/// those of them that are folded.
void DependenceGraph::addProducers(uint32_t Inst, const Definitions &Of,
                                   std::set<uint32_t> &To) const {
  const HeddleInst &Reader = Code.Insts[Inst];
  for (unsigned N = 0; N < Reader.NumUses; ++N)
    if (auto It = Of.find(Reader.Registers[Reader.NumDefs + N]); It != Of.end())
      for (uint32_t P : It->second)
        if (To.insert(P).second && isFolded(P))
          addProducers(P, Of, To);
}

/// What a folded instruction waits for, the next that reads it waits for.
void DependenceGraph::moveWaitsOfFolded() {
  const auto reads = [this](uint32_t Inst, uint16_t Register) {
    const HeddleInst &I = Code.Insts[Inst];
    const std::span Uses = std::span(I.Registers).subspan(I.NumDefs, I.NumUses);
    return std::ranges::find(Uses, Register) != Uses.end();
  };
  const auto Num = uint32_t(std::min(Waits.size(), Result.Insts.size()));
  for (uint32_t I = 0; I < Num; ++I)
    Waits[I] = Result.Insts[I].Cycles;
  for (uint32_t I = 0; I < Num; ++I) {
    if (!isFolded(I) || !Code.Insts[I].NumDefs)
      continue;
    uint32_t Reader = I + 1;
    while (Reader < Num && !reads(Reader, Code.Insts[I].Registers[0]))
      ++Reader;
    if (Reader == Num)
      continue;
    std::ranges::transform(Waits[I], Waits[Reader], Waits[Reader].begin(),
                           std::plus());
    Waits[I] = {};
  }
}

bool DependenceGraph::isFolded(uint32_t Inst) const {
  return Expands && timing::isFolded(Code.Insts[Inst]);
}

std::optional<uint32_t> DependenceGraph::culprit(uint32_t Inst,
                                                 Stall State) const {
  std::optional<uint32_t> Before, After;
  for (uint32_t P : Producers[Inst]) {
    if (resultStall(Code.Insts[P]) != State)
      continue;
    (P < Inst ? Before : After) = P;
  }
  return Before ? Before : After;
}

uint64_t DependenceGraph::timesOf(uint32_t Inst) const {
  return Inst < Result.Insts.size() ? Result.Insts[Inst].Issued : 0;
}

uint64_t DependenceGraph::costOf(uint32_t Inst) const {
  // One cycle for each execution, so that of two ways without waits the one
  // that runs more often wins, then the longer.
  return 1 + timesOf(Inst) + Caused[Inst];
}

std::vector<uint64_t> DependenceGraph::costsAhead() const {
  constexpr unsigned LookAhead = 4;
  std::vector<uint64_t> Costs(Producers.size());
  for (uint32_t I = 0; I < Costs.size(); ++I)
    Costs[I] = costOf(I);
  for (unsigned Step = 0; Step < LookAhead; ++Step) {
    std::vector<uint64_t> Next(Costs.size());
    for (uint32_t I = 0; I < Costs.size(); ++I) {
      uint64_t Best = 0;
      for (uint32_t P : Producers[I])
        if (P != I)
          Best = std::max(Best, Costs[P]);
      Next[I] = costOf(I) + Best;
    }
    Costs = std::move(Next);
  }
  return Costs;
}

DependenceGraph::Slice DependenceGraph::sliceOf(uint32_t Inst,
                                                unsigned MaxLength) const {
  // The costliest simple way, greedily: at each step the producer behind which
  // the most waiting lies within a few steps.
  const std::vector<uint64_t> Ahead = costsAhead();
  Slice S;
  S.Insts.push_back(Inst);
  while (S.Insts.size() < MaxLength) {
    uint32_t Last = S.Insts.back();
    std::optional<uint32_t> Next;
    uint64_t Most = 0, Times = 0;
    for (uint32_t P : Producers[Last])
      Times = std::max(Times, timesOf(P));
    for (uint32_t P : Producers[Last]) {
      // What is computed once before a loop is there when the loop runs.
      if (timesOf(P) < Times / 2)
        continue;
      if (std::ranges::find(S.Insts, P) != S.Insts.end()) {
        S.LoopCarried = true;
        continue;
      }
      if (const uint64_t Cost = Ahead[P]; Cost > Most) {
        Most = Cost;
        Next = P;
      }
    }
    if (!Next || S.LoopCarried)
      break;
    S.Insts.push_back(*Next);
  }
  return S;
}

} // namespace heddle::views
