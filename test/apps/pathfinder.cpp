//===- pathfinder.cpp - Cheapest ways through a grid, row by row ----------===//
//
// usage: pathfinder [COLUMNS] [ROWS] [ROWS PER LAUNCH]. A launch goes down
// several rows in local memory; blocks overlap by a halo.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

#include <algorithm>
#include <utility>

using namespace apps;

static const char *Source = R"(
__kernel void rows(__global const uchar *cost, __global const int *from,
                   __global int *to, __local int *a, __local int *b,
                   int columns, int first, int count) {
  int lane = get_local_id(0), inside = get_local_size(0) - 2 * count;
  int x = (int)get_group_id(0) * inside + lane - count;
  int clamped = clamp(x, 0, columns - 1);
  a[lane] = from[clamped];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int r = 0; r < count; ++r) {
    if (lane >= 1 && lane < (int)get_local_size(0) - 1) {
      int best = a[lane];
      if (x > 0)
        best = min(best, a[lane - 1]);
      if (x < columns - 1)
        best = min(best, a[lane + 1]);
      b[lane] = best + cost[(first + r) * columns + clamped];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    __local int *swap = a;
    a = b;
    b = swap;
  }
  if (lane >= count && lane < count + inside && x < columns)
    to[x] = a[lane];
}
)";

int main(int Argc, char **Argv) {
  const int Columns = argument(Argc, Argv, 1, 20000),
            Rows = argument(Argc, Argv, 2, 600),
            Step = argument(Argc, Argv, 3, 6);
  Host H;
  cl_program P = H.build(Source);
  cl_kernel K = H.kernel(P, "rows");
  Numbers N(3);
  std::vector<uint8_t> Cost(size_t(Columns) * Rows);
  for (uint8_t &C : Cost)
    C = uint8_t(N.below(10));
  std::vector<int> Best(Cost.begin(), Cost.begin() + Columns);
  cl_mem CostM = H.buffer(Cost, CL_MEM_READ_ONLY), From = H.buffer(Best),
         To = H.empty(Best.size() * 4);
  for (int Row = 1; Row < Rows; Row += Step) {
    const int Count = std::min(Step, Rows - Row), Inside = 128 - 2 * Count;
    const size_t Groups = size_t((Columns + Inside - 1) / Inside);
    H.launch(K, {Groups * 128}, {128}, CostM, From, To, Local{512}, Local{512},
             Columns, Row, Count);
    std::swap(From, To);
  }
  const auto Got = H.read<int>(From, Best.size());
  std::vector<int> Next(Best.size());
  for (int Row = 1; Row < Rows; ++Row, std::swap(Best, Next))
    for (int X = 0; X < Columns; ++X)
      Next[X] = Cost[size_t(Row) * Columns + X] +
                std::min({Best[std::max(X - 1, 0)], Best[X],
                          Best[std::min(X + 1, Columns - 1)]});
  std::printf("cheapest %d\n", *std::min_element(Got.begin(), Got.end()));
  require(Got == Best, "costs");
}
