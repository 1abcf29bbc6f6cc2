//===- LoopForest.cpp - Natural loops of the executed graph ---------------===//

#include "behavior/LoopForest.h"

#include <algorithm>

namespace heddle::behavior {

using Matrix = std::vector<std::vector<bool>>;

/// Dominates[b][d]: d is on every path from the entry to b. The graphs have
/// tens of blocks, so sets of bits and a fixed point do.
static Matrix dominators(unsigned N,
                         const std::vector<std::vector<unsigned>> &Preds) {
  Matrix Dom(N, std::vector<bool>(N, true));
  if (!N)
    return Dom;
  Dom[0].assign(N, false);
  Dom[0][0] = true;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned B = 1; B < N; ++B) {
      std::vector<bool> New(N, true);
      for (unsigned P : Preds[B])
        for (unsigned D = 0; D < N; ++D)
          New[D] = New[D] && Dom[P][D];
      New[B] = true;
      if (New != Dom[B]) {
        Dom[B] = std::move(New);
        Changed = true;
      }
    }
  }
  return Dom;
}

static std::vector<std::vector<unsigned>>
predecessors(unsigned NumBlocks,
             const std::set<std::pair<unsigned, unsigned>> &Edges) {
  std::vector<std::vector<unsigned>> Preds(NumBlocks);
  for (auto [From, To] : Edges)
    Preds[To].push_back(From);
  return Preds;
}

Matrix findDominators(unsigned NumBlocks,
                      const std::set<std::pair<unsigned, unsigned>> &Edges) {
  return dominators(NumBlocks, predecessors(NumBlocks, Edges));
}

std::vector<Loop>
findLoops(unsigned NumBlocks,
          const std::set<std::pair<unsigned, unsigned>> &Edges) {
  const auto Preds = predecessors(NumBlocks, Edges);
  Matrix Dom = dominators(NumBlocks, Preds);
  std::vector<std::set<unsigned>> Bodies(NumBlocks);
  for (auto [From, Header] : Edges) {
    if (!Dom[From][Header])
      continue;
    std::set<unsigned> &Body = Bodies[Header];
    Body.insert(Header);
    std::vector<unsigned> Work = {From};
    while (!Work.empty()) {
      unsigned B = Work.back();
      Work.pop_back();
      if (Body.insert(B).second)
        Work.insert(Work.end(), Preds[B].begin(), Preds[B].end());
    }
  }
  std::vector<Loop> Loops;
  for (unsigned H = 0; H < NumBlocks; ++H)
    if (!Bodies[H].empty()) {
      Loop L;
      L.Header = H;
      L.Blocks.assign(Bodies[H].begin(), Bodies[H].end());
      Loops.push_back(std::move(L));
    }
  std::stable_sort(Loops.begin(), Loops.end(),
                   [](const Loop &A, const Loop &B) {
                     return A.Blocks.size() > B.Blocks.size();
                   });
  for (unsigned I = 0; I < Loops.size(); ++I)
    for (unsigned P = I; P-- > 0;)
      if (std::binary_search(Loops[P].Blocks.begin(), Loops[P].Blocks.end(),
                             Loops[I].Header)) {
        Loops[I].Parent = P;
        Loops[I].Depth = Loops[P].Depth + 1;
        break;
      }
  return Loops;
}

/// The blocks that can be reached from \p From, but not through \p Not.
static std::vector<bool>
reachable(unsigned From, unsigned Not, unsigned NumBlocks,
          const std::set<std::pair<unsigned, unsigned>> &Edges) {
  std::vector<bool> Seen(NumBlocks);
  std::vector<unsigned> Work = {From};
  while (!Work.empty()) {
    const unsigned B = Work.back();
    Work.pop_back();
    if (B == Not || Seen[B])
      continue;
    Seen[B] = true;
    for (auto It = Edges.lower_bound({B, 0});
         It != Edges.end() && It->first == B; ++It)
      Work.push_back(It->second);
  }
  return Seen;
}

void findEarlier(std::vector<Loop> &Loops, unsigned NumBlocks,
                 const std::set<std::pair<unsigned, unsigned>> &Edges) {
  std::vector<std::vector<bool>> Reached;
  for (const Loop &L : Loops)
    Reached.push_back(
        reachable(L.Header, L.Parent == None ? None : Loops[L.Parent].Header,
                  NumBlocks, Edges));
  for (unsigned I = 0; I < Loops.size(); ++I)
    for (unsigned J = 0; J < Loops.size(); ++J) {
      if (J == I || Loops[J].Parent != Loops[I].Parent ||
          !Reached[J][Loops[I].Header] || Reached[I][Loops[J].Header])
        continue;
      unsigned &After = Loops[I].After;
      if (After == None || Reached[After][Loops[J].Header])
        After = J;
    }
}

unsigned continuedFrom(const std::vector<Loop> &Loops, unsigned Loop) {
  while (Loop != None && Loops[Loop].After == None)
    Loop = Loops[Loop].Parent;
  return Loop;
}

} // namespace heddle::behavior
