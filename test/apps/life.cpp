//===- life.cpp - Conway's game of life on a torus ------------------------===//
//
// usage: life [SIZE] [GENERATIONS]. Each generation is one launch; every
// tenth the living are counted by another kernel.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

#include <utility>

using namespace apps;

static const char *Source = R"(
__kernel void generation(__global const uchar *from, __global uchar *to,
                         int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy)
        neighbours += from[(y + dy + height) % height * width +
                           (x + dx + width) % width];
  uchar alive = from[y * width + x];
  to[y * width + x] = neighbours == 3 || (alive && neighbours == 2);
}

__kernel void count(__global const uchar *cells, __global int *total,
                    __local int *partial) {
  int lane = get_local_id(0);
  partial[lane] = cells[get_global_id(0)];
  for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < step)
      partial[lane] += partial[lane + step];
  }
  if (lane == 0)
    atomic_add(total, partial[0]);
}
)";

int main(int Argc, char **Argv) {
  const int Size = argument(Argc, Argv, 1, 256),
            Generations = argument(Argc, Argv, 2, 200);
  Host H;
  cl_program P = H.build(Source, "-cl-std=CL1.2");
  cl_kernel Generation = H.kernel(P, "generation"),
            Count = H.kernel(P, "count");
  Numbers N(7);
  std::vector<uint8_t> Cells(size_t(Size) * Size);
  for (uint8_t &C : Cells)
    C = N.below(3) == 0;
  cl_mem From = H.buffer(Cells), To = H.empty(Cells.size()),
         Total = H.empty(sizeof(int));
  for (int G = 1; G <= Generations; ++G) {
    H.launch(Generation, {size_t(Size), size_t(Size)}, {16, 16}, From, To, Size,
             Size);
    std::swap(From, To);
    if (G % 10)
      continue;
    H.fill(Total, 0, 1);
    H.launch(Count, {Cells.size()}, {128}, From, Total,
             Local{128 * sizeof(int)});
    std::printf("generation %d: %d alive\n", G, H.readOne<int>(Total));
  }
  const auto Last = H.read<uint8_t>(From, Cells.size());
  int Alive = 0;
  for (uint8_t C : Last)
    Alive += C;
  require(Generations % 10 || Alive == H.readOne<int>(Total), "count");
}
