//===- sort.cpp - Bitonic sort of keys with values ------------------------===//
//
// usage: sort [LOG2 OF KEYS] [ARRAYS]. Small strides are sorted in local
// memory. The result comes by a read that the host does not wait for at once.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

#include <algorithm>

using namespace apps;

static const char *Source = R"(
void order(uint2 *a, uint2 *b, int up) {
  if ((a->x > b->x) == up) {
    uint2 swap = *a;
    *a = *b;
    *b = swap;
  }
}

__kernel void stage(__global uint2 *keys, uint size, uint stride) {
  uint i = get_global_id(0), low = i & (stride - 1);
  uint left = ((i - low) << 1) + low;
  uint2 a = keys[left], b = keys[left + stride];
  order(&a, &b, (left & size) == 0);
  keys[left] = a;
  keys[left + stride] = b;
}

// All stages of strides below the work-group's size, from `size` on to `last`.
__kernel void inside(__global uint2 *keys, __local uint2 *tile, uint size,
                     uint last) {
  uint lane = get_local_id(0), group = get_local_size(0);
  uint base = get_group_id(0) * group * 2;
  tile[lane] = keys[base + lane];
  tile[lane + group] = keys[base + lane + group];
  for (; size <= last; size *= 2)
    for (uint stride = min(size / 2, group); stride > 0; stride /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint low = lane & (stride - 1), left = ((lane - low) << 1) + low;
      uint2 a = tile[left], b = tile[left + stride];
      order(&a, &b, ((base + left) & size) == 0);
      tile[left] = a;
      tile[left + stride] = b;
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  keys[base + lane] = tile[lane];
  keys[base + lane + group] = tile[lane + group];
}
)";

int main(int Argc, char **Argv) {
  const int Log = argument(Argc, Argv, 1, 15),
            Arrays = argument(Argc, Argv, 2, 2);
  constexpr cl_uint Group = 64;
  Host H;
  cl_program P = H.build(Source);
  cl_kernel Stage = H.kernel(P, "stage"), Inside = H.kernel(P, "inside");
  const cl_uint Count = cl_uint(1) << Log;
  Numbers N(31);
  std::vector<cl_uint> Keys(size_t(Count) * 2), Got(Keys.size());
  cl_mem M = H.empty(Keys.size() * 4);
  const Local Tile{Group * 2 * 8};
  for (int A = 0; A < Arrays; ++A) {
    for (cl_uint I = 0; I < Count; ++I) {
      Keys[2 * I] = N.next();
      Keys[2 * I + 1] = I;
    }
    H.write(M, Keys);
    H.launch(Inside, {Count / 2}, {Group}, M, Tile, cl_uint(2),
             cl_uint(2 * Group));
    for (cl_uint Size = 4 * Group; Size <= Count; Size *= 2) {
      for (cl_uint Stride = Size / 2; Stride > Group; Stride /= 2)
        H.launch(Stage, {Count / 2}, {Group}, M, Size, Stride);
      H.launch(Inside, {Count / 2}, {Group}, M, Tile, Size, Size);
    }
    cl_event Done;
    check(clEnqueueReadBuffer(H.Queue, M, CL_FALSE, 0, Got.size() * 4,
                              Got.data(), 0, nullptr, &Done),
          "clEnqueueReadBuffer");
    check(clWaitForEvents(1, &Done), "clWaitForEvents");
    clReleaseEvent(Done);
    std::printf("smallest %u, largest %u\n", Got[0], Got[2 * (Count - 1)]);
    for (cl_uint I = 1; I < Count; ++I)
      require(Got[2 * I - 2] <= Got[2 * I], "order");
    for (cl_uint I = 0; I < Count; ++I)
      require(Keys[2 * size_t(Got[2 * I + 1])] == Got[2 * I], "values");
  }
}
