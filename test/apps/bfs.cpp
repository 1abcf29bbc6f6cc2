//===- bfs.cpp - Breadth-first searches by levels -------------------------===//
//
// usage: bfs [NODES] [SEARCHES]. Each level is one launch; a flag that the host
// maps says whether there was another.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

#include <algorithm>

using namespace apps;

static const char *Source = R"(
__kernel void clear_levels(__global int *level, int source) {
  int i = get_global_id(0);
  level[i] = i == source ? 0 : -1;
}

__kernel void expand(__global const int *offsets, __global const int *edges,
                     __global int *level, __global int *more, int current) {
  int i = get_global_id(0);
  if (level[i] != current)
    return;
  for (int e = offsets[i]; e < offsets[i + 1]; ++e) {
    int to = edges[e];
    if (level[to] < 0) {
      level[to] = current + 1;
      *more = 1;
    }
  }
}
)";

int main(int Argc, char **Argv) {
  const int Nodes = argument(Argc, Argv, 1, 16384),
            Searches = argument(Argc, Argv, 2, 8);
  Host H;
  cl_program P = H.build(Source);
  cl_kernel Clear = H.kernel(P, "clear_levels"), Expand = H.kernel(P, "expand");
  // Few hubs, many leaves, and a ring so that all can be reached.
  Numbers N(5);
  std::vector<int> Offsets = {0}, Edges;
  for (int I = 0; I < Nodes; ++I) {
    Edges.push_back((I + 1) % Nodes);
    for (uint32_t E = N.below(64) ? N.below(4) : 60 + N.below(100); E; --E)
      Edges.push_back(int(N.below(uint32_t(Nodes))));
    Offsets.push_back(int(Edges.size()));
  }
  cl_mem OffsetsM = H.buffer(Offsets, CL_MEM_READ_ONLY),
         EdgesM = H.buffer(Edges, CL_MEM_READ_ONLY),
         Level = H.empty(size_t(Nodes) * 4), More = H.empty(4);
  for (int S = 0; S < Searches; ++S) {
    const int First = int(N.below(uint32_t(Nodes)));
    H.launch(Clear, {size_t(Nodes)}, {128}, Level, First);
    int Current = 0;
    for (bool Going = true; Going; ++Current) {
      H.fill(More, 0, 1);
      H.launch(Expand, {size_t(Nodes)}, {128}, OffsetsM, EdgesM, Level, More,
               Current);
      cl_int Status;
      auto *Flag = static_cast<int *>(
          clEnqueueMapBuffer(H.Queue, More, CL_TRUE, CL_MAP_READ, 0, 4, 0,
                             nullptr, nullptr, &Status));
      check(Status, "clEnqueueMapBuffer");
      Going = *Flag != 0;
      check(clEnqueueUnmapMemObject(H.Queue, More, Flag, 0, nullptr, nullptr),
            "clEnqueueUnmapMemObject");
    }
    const auto Levels = H.read<int>(Level, size_t(Nodes));
    std::printf("from %d: %d levels\n", First, Current - 1);
    require(*std::min_element(Levels.begin(), Levels.end()) == 0 &&
                *std::max_element(Levels.begin(), Levels.end()) == Current - 1,
            "every node has a level");
  }
}
