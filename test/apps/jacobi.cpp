//===- jacobi.cpp - Jacobi iterations with a test of convergence ----------===//
//
// usage: jacobi [SIZE] [MOST ITERATIONS]. The right side lies in a part of the
// buffer that holds the residuals, too.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

#include <algorithm>
#include <utility>

using namespace apps;

static const char *Source = R"(
__kernel void sweep(__global const float *from, __global float *to,
                   __global const float *right, int size) {
  int x = get_global_id(0), y = get_global_id(1);
  int at = y * size + x;
  float sum = right[at];
  sum += x > 0 ? from[at - 1] : 0.0f;
  sum += x < size - 1 ? from[at + 1] : 0.0f;
  sum += y > 0 ? from[at - size] : 0.0f;
  sum += y < size - 1 ? from[at + size] : 0.0f;
  to[at] = 0.25f * sum;
}

__kernel void largest(__global const float *a, __global const float *b,
                      __global float *change, __local float *partial) {
  int lane = get_local_id(0);
  partial[lane] = fabs(a[get_global_id(0)] - b[get_global_id(0)]);
  for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < step)
      partial[lane] = fmax(partial[lane], partial[lane + step]);
  }
  if (lane == 0)
    change[get_group_id(0)] = partial[0];
}
)";

int main(int Argc, char **Argv) {
  const int Size = argument(Argc, Argv, 1, 96),
            Most = argument(Argc, Argv, 2, 1500);
  Host H;
  cl_program P = H.build(Source);
  cl_kernel Step = H.kernel(P, "sweep"), Largest = H.kernel(P, "largest");
  const size_t Count = size_t(Size) * Size, Groups = Count / 64;
  // Both parts in one buffer, at the alignment that the device asks for.
  const size_t Apart = (Count * 4 + 4095) / 4096 * 4096;
  cl_mem Both = H.empty(Apart + Groups * 4), A = H.empty(Count * 4),
         B = H.empty(Count * 4);
  auto Part = [&](size_t Offset, size_t Bytes) {
    cl_buffer_region Region{Offset, Bytes};
    cl_int Status;
    cl_mem M =
        clCreateSubBuffer(Both, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                          &Region, &Status);
    check(Status, "clCreateSubBuffer");
    return M;
  };
  cl_mem Right = Part(0, Count * 4), Change = Part(Apart, Groups * 4);
  Numbers N(9);
  std::vector<float> Sources(Count);
  for (float &S : Sources)
    S = N.below(50) ? 0.0f : N.uniform(0, 4);
  H.write(Right, Sources);
  H.fill(A, 0.0f, Count);
  int I = 0;
  float Worst = 1;
  for (; I < Most && Worst > 1e-3f; ++I) {
    H.launch(Step, {size_t(Size), size_t(Size)}, {32, 4}, A, B, Right, Size);
    std::swap(A, B);
    if (I % 8 != 7)
      continue;
    H.launch(Largest, {Count}, {64}, A, B, Change, Local{64 * 4});
    const auto Changes = H.read<float>(Change, Groups);
    Worst = *std::max_element(Changes.begin(), Changes.end());
  }
  H.read<float>(A, Count);
  std::printf("change %g after %d iterations\n", double(Worst), I);
  clReleaseMemObject(Right);
  clReleaseMemObject(Change);
  require(Worst < 0.1f, "converges");
}
