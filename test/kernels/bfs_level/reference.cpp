#include "Reference.h"

void heddle::reference::bfs_level(Arguments &Args) {
  auto RowOffsets = Args.buffer<int>(0), Columns = Args.buffer<int>(1);
  auto Level = Args.buffer<int>(2), Found = Args.buffer<int>(4);
  auto Marks = Args.buffer<uint8_t>(3);
  int Current = Args.scalar<int>(6);
  for (int Node = 0, Nodes = Args.scalar<int>(5); Node < Nodes; ++Node) {
    if (Level[Node] != Current)
      continue;
    for (int Edge = RowOffsets[Node]; Edge < RowOffsets[Node + 1]; ++Edge)
      if (Level[Columns[Edge]] < 0)
        Marks[Columns[Edge]] = uint8_t(Found[0] = 1);
  }
}
