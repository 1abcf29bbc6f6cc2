//===- DependenceGraph.cpp - Who waits for whom ---------------------------===//

#include "views/DependenceGraph.h"

#include "timing/DecodedCode.h"

#include <algorithm>
#include <map>

using namespace heddle::timing;

namespace heddle::views {

DependenceGraph::DependenceGraph(const trace::CodeTable &Code,
                                 const SimulationResult &Result)
    : Code(Code), Result(Result), Producers(Code.Insts.size()),
      Caused(Code.Insts.size()) {
  std::map<uint16_t, std::vector<uint32_t>> Definitions;
  for (uint32_t I = 0; I < Code.Insts.size(); ++I)
    for (unsigned N = 0; N < Code.Insts[I].NumDefs; ++N)
      Definitions[Code.Insts[I].Registers[N]].push_back(I);
  for (uint32_t I = 0; I < Code.Insts.size(); ++I) {
    const HeddleInst &Inst = Code.Insts[I];
    for (unsigned N = 0; N < Inst.NumUses; ++N)
      if (auto It = Definitions.find(Inst.Registers[Inst.NumDefs + N]);
          It != Definitions.end())
        Producers[I].insert(Producers[I].end(), It->second.begin(),
                            It->second.end());
    std::ranges::sort(Producers[I]);
    auto Rest = std::ranges::unique(Producers[I]);
    Producers[I].erase(Rest.begin(), Rest.end());
  }
  for (uint32_t I = 0; I < Result.Insts.size() && I < Code.Insts.size(); ++I)
    for (unsigned S = 0; S < NumStalls; ++S)
      if (uint64_t Cycles = Result.Insts[I].Cycles[S])
        if (auto C = culprit(I, Stall(S)))
          Caused[*C] += Cycles;
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

DependenceGraph::Slice DependenceGraph::sliceOf(uint32_t Inst,
                                                unsigned MaxLength) const {
  // The costliest simple way, greedily: at each step the producer behind which
  // the most waiting lies within a few steps.
  auto ahead = [this](auto &&Self, uint32_t At, unsigned Depth) -> uint64_t {
    uint64_t Best = 0;
    if (Depth)
      for (uint32_t P : Producers[At])
        if (P != At)
          Best = std::max(Best, Self(Self, P, Depth - 1));
    return costOf(At) + Best;
  };
  constexpr unsigned LookAhead = 4;
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
      if (uint64_t Cost = ahead(ahead, P, LookAhead); Cost > Most) {
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
