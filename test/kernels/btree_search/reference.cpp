#include "Reference.h"

#include <map>

void heddle::reference::btree_search(Arguments &Args) {
  auto Nodes = Args.buffer<int>(0), Queries = Args.buffer<int>(1);
  auto Found = Args.buffer<int>(2);
  std::map<int, int> Positions;
  for (int I = 0; I < int(Nodes.size()); ++I)
    Positions[Nodes[I]] = I;
  for (int Q = 0, N = Args.scalar<int>(4); Q < N; ++Q) {
    auto Position = Positions.find(Queries[Q]);
    Found[Q] = Position == Positions.end() ? -1 : Position->second;
  }
}
