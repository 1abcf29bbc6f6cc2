//===- groups.cpp - Work-groups that are no multiple of a warp ------------===//
//
// Prime sizes, three dimensions, sizes that the device chooses, and a global
// offset.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

using namespace apps;

static const char *Source = R"(
__kernel void line(__global int *out) {
  __local int last;
  size_t i = get_global_id(0);
  if (get_local_id(0) == get_local_size(0) - 1)
    last = (int)i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = last * 2 - (int)i;
}
__kernel void box(__global int *out, int width, int height) {
  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  out[(z * height + y) * width + x] =
      (int)(x + 100 * y + 10000 * z + get_local_id(0) + get_local_id(1) * 3 +
            get_local_id(2) * 5);
}
__kernel void shifted(__global int *out) {
  size_t first = get_global_offset(0);
  out[get_global_id(0) - first] = (int)(get_global_id(0) * 3);
}
)";

int main() {
  Host H;
  cl_program P = H.build(Source);
  cl_kernel Line = H.kernel(P, "line"), Box = H.kernel(P, "box"),
            Shifted = H.kernel(P, "shifted");
  for (int Local : {1, 7, 37, 100}) {
    const int N = Local * 9;
    cl_mem Out = H.empty(size_t(N) * sizeof(int));
    H.launch(Line, {size_t(N)}, {size_t(Local)}, Out);
    std::vector<int> Wanted(N);
    for (int I = 0; I < N; ++I)
      Wanted[I] = (I / Local * Local + Local - 1) * 2 - I;
    require(H.read<int>(Out, Wanted.size()) == Wanted, "line");
  }
  const int W = 15, D = 6, Height = 14, L[] = {5, 7, 3};
  cl_mem Out = H.empty(W * Height * D * sizeof(int));
  H.launch(Box, {W, Height, D}, {5, 7, 3}, Out, W, Height);
  std::vector<int> Wanted;
  for (int Z = 0; Z < D; ++Z)
    for (int Y = 0; Y < Height; ++Y)
      for (int X = 0; X < W; ++X)
        Wanted.push_back(X + 100 * Y + 10000 * Z + X % L[0] + Y % L[1] * 3 +
                         Z % L[2] * 5);
  require(H.read<int>(Out, Wanted.size()) == Wanted, "box");
  // A size of which no group of a warp is a part; the device chooses.
  const size_t N = 211, First = 1000;
  cl_mem Far = H.empty(N * sizeof(int));
  check(clSetKernelArg(Shifted, 0, sizeof(Far), &Far), "clSetKernelArg");
  check(clEnqueueNDRangeKernel(H.Queue, Shifted, 1, &First, &N, nullptr, 0,
                               nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  std::vector<int> Tripled;
  for (size_t I = 0; I < N; ++I)
    Tripled.push_back(int(First + I) * 3);
  require(H.read<int>(Far, N) == Tripled, "shifted");
}
