#include "Reference.h"

void heddle::reference::sssp_relax(Arguments &Args) {
  auto RowOffsets = Args.buffer<int>(0), Columns = Args.buffer<int>(1);
  auto Weights = Args.buffer<uint32_t>(2);
  auto Active = Args.buffer<uint8_t>(3);
  auto Distance = Args.buffer<uint32_t>(4), Lowered = Args.buffer<uint32_t>(5);
  for (int Node = 0, Nodes = Args.scalar<int>(6); Node < Nodes; ++Node) {
    if (!Active[Node])
      continue;
    for (int Edge = RowOffsets[Node]; Edge < RowOffsets[Node + 1]; ++Edge) {
      int Target = Columns[Edge];
      uint32_t Candidate = Distance[Node] + Weights[Edge];
      if (Candidate < Distance[Target])
        Lowered[Target] = std::min(Lowered[Target], Candidate);
    }
  }
}
