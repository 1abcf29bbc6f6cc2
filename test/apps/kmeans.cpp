//===- kmeans.cpp - Clusters points until few of them move ----------------===//
//
// usage: kmeans [POINTS] [CLUSTERS] [MOST ITERATIONS] [TRIALS]. The host
// decides by what it reads whether to go on; the assignment of a point is an
// integer. Each trial starts from other centres.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

using namespace apps;

static const char *Source = R"(
__kernel void assign(__global const float *points, __global const float *centres,
                     __global int *membership, __global int *moved, int count,
                     int clusters) {
  int i = get_global_id(0);
  if (i >= count)
    return;
  float best = INFINITY;
  int nearest = 0;
  for (int c = 0; c < clusters; ++c) {
    float sum = 0;
    for (int d = 0; d < DIMENSIONS; ++d) {
      float diff = points[d * count + i] - centres[c * DIMENSIONS + d];
      sum += diff * diff;
    }
    if (sum < best) {
      best = sum;
      nearest = c;
    }
  }
  if (membership[i] != nearest) {
    membership[i] = nearest;
    atomic_inc(moved);
  }
}

// Sums in thousandths, so that their order is of no consequence.
__kernel void gather(__global const float *points, __global const int *membership,
                     __global int *sums, __global int *sizes, int count) {
  int i = get_global_id(0);
  if (i >= count)
    return;
  int c = membership[i];
  atomic_inc(&sizes[c]);
  for (int d = 0; d < DIMENSIONS; ++d)
    atomic_add(&sums[c * DIMENSIONS + d],
               convert_int_rtn(points[d * count + i] * 1000.0f));
}

__kernel void centre(__global const int *sums, __global const int *sizes,
                     __global float *centres) {
  int i = get_global_id(0);
  int size = sizes[i / DIMENSIONS];
  if (size)
    centres[i] = (float)sums[i] / (1000.0f * (float)size);
}
)";

int main(int Argc, char **Argv) {
  constexpr int Dimensions = 4;
  const int Count = argument(Argc, Argv, 1, 20000),
            Clusters = argument(Argc, Argv, 2, 12),
            Most = argument(Argc, Argv, 3, 40),
            Trials = argument(Argc, Argv, 4, 2);
  Host H;
  cl_program P = H.build(Source, "-DDIMENSIONS=4");
  cl_kernel Assign = H.kernel(P, "assign"), Gather = H.kernel(P, "gather"),
            Centre = H.kernel(P, "centre");
  Numbers N(11);
  std::vector<float> Points(size_t(Count) * Dimensions);
  for (size_t I = 0; I < Points.size(); ++I)
    Points[I] = float(I % Clusters) + N.uniform(-1, 1);
  const size_t Centred = size_t(Clusters) * Dimensions;
  cl_mem PointsM = H.buffer(Points, CL_MEM_READ_ONLY),
         Centres = H.empty(Centred * 4),
         Membership = H.empty(size_t(Count) * sizeof(int)),
         Moved = H.empty(sizeof(int)), Sums = H.empty(Centred * 4),
         Sizes = H.empty(Clusters * sizeof(int));
  const size_t Global = (size_t(Count) + 127) / 128 * 128;
  for (int T = 0; T < Trials; ++T) {
    std::vector<float> First(Centred);
    for (float &F : First)
      F = N.uniform(0, float(Clusters));
    H.write(Centres, First);
    H.fill(Membership, -1, size_t(Count));
    for (int I = 0; I < Most; ++I) {
      H.fill(Moved, 0, 1);
      H.fill(Sums, 0, Centred);
      H.fill(Sizes, 0, size_t(Clusters));
      H.launch(Assign, {Global}, {128}, PointsM, Centres, Membership, Moved,
               Count, Clusters);
      H.launch(Gather, {Global}, {128}, PointsM, Membership, Sums, Sizes,
               Count);
      H.launch(Centre, {Centred}, {}, Sums, Sizes, Centres);
      const int Changed = H.readOne<int>(Moved);
      std::printf("trial %d, iteration %d: %d moved\n", T, I, Changed);
      if (Changed <= Count / 1000)
        break;
    }
    int Sum = 0;
    for (int Size : H.read<int>(Sizes, size_t(Clusters)))
      Sum += Size;
    H.read<float>(Centres, Centred);
    require(Sum == Count, "every point is in a cluster");
  }
}
