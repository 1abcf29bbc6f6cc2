//===- particles.cpp - Particles in a box with a grid of cells ------------===//
//
// usage: particles [PARTICLES] [STEPS] [SCENES] [EXCHANGE]. Each step bins the
// particles, adds up the forces of neighbouring cells and moves them; walls
// change with time. Many steps are chaotic: no two devices agree on them,
// unless the host exchanges the particles after each step (1).
//
//===----------------------------------------------------------------------===//

#include "Host.h"

using namespace apps;

static const char *Source = R"(
#define SIDE 16
#define MOST 32

__kernel void clear_cells(__global int *count) { count[get_global_id(0)] = 0; }

__kernel void bin(__global const float4 *particles, __global int *count,
                  __global int *cells, int number) {
  int i = get_global_id(0);
  if (i >= number)
    return;
  int2 cell = clamp(convert_int2(particles[i].xy * (float)SIDE), 0, SIDE - 1);
  int at = cell.y * SIDE + cell.x;
  int slot = atomic_inc(&count[at]);
  if (slot < MOST)
    cells[at * MOST + slot] = i;
}

// Slots are in the order of arrival, which no two devices share: sort them.
__kernel void order_cells(__global const int *count, __global int *cells) {
  int at = get_global_id(0), n = min(count[at], MOST);
  for (int i = 1; i < n; ++i) {
    int v = cells[at * MOST + i], j = i;
    for (; j > 0 && cells[at * MOST + j - 1] > v; --j)
      cells[at * MOST + j] = cells[at * MOST + j - 1];
    cells[at * MOST + j] = v;
  }
}

__kernel void move(__global const float4 *from, __global float4 *to,
                   __global const int *count, __global const int *cells,
                   int number, float step, float wall) {
  int i = get_global_id(0);
  if (i >= number)
    return;
  float4 p = from[i];
  int2 cell = clamp(convert_int2(p.xy * (float)SIDE), 0, SIDE - 1);
  float2 force = (float2)(0.0f, -0.1f);
  for (int y = max(cell.y - 1, 0); y <= min(cell.y + 1, SIDE - 1); ++y)
    for (int x = max(cell.x - 1, 0); x <= min(cell.x + 1, SIDE - 1); ++x) {
      int at = y * SIDE + x, n = min(count[at], MOST);
      for (int k = 0; k < n; ++k) {
        int j = cells[at * MOST + k];
        float2 d = p.xy - from[j].xy;
        float r2 = dot(d, d);
        if (j != i && r2 < 0.0025f)
          force += d * (0.5f * rsqrt(r2 + 1e-6f));
      }
    }
  float2 v = 0.99f * (p.zw + step * force);
  float2 x = p.xy + step * v;
  if (x.x < 0.0f || x.x > wall) v.x = -v.x;
  if (x.y < 0.0f || x.y > 1.0f) v.y = -v.y;
  to[i] = (float4)(clamp(x, (float2)(0.0f), (float2)(wall, 1.0f)), v);
}
)";

int main(int Argc, char **Argv) {
  const int Count = argument(Argc, Argv, 1, 2500),
            Steps = argument(Argc, Argv, 2, 15),
            Scenes = argument(Argc, Argv, 3, 1);
  const bool Exchange = argument(Argc, Argv, 4, 0);
  Host H;
  cl_program P = H.build(Source);
  cl_kernel Clear = H.kernel(P, "clear_cells"), Bin = H.kernel(P, "bin"),
            Order = H.kernel(P, "order_cells"), Move = H.kernel(P, "move");
  constexpr size_t Cells = 16 * 16, Most = 32;
  Numbers N(51);
  std::vector<float> Particles(size_t(Count) * 4);
  cl_mem From = H.empty(Particles.size() * 4),
         To = H.empty(Particles.size() * 4), CountM = H.empty(Cells * 4),
         CellsM = H.empty(Cells * Most * 4);
  const size_t Global = (size_t(Count) + 63) / 64 * 64;
  for (int Scene = 0; Scene < Scenes; ++Scene) {
    for (size_t I = 0; I < Particles.size(); ++I)
      Particles[I] =
          I % 4 < 2 ? N.uniform(0.05f, 0.95f) : N.uniform(-0.1f, 0.1f);
    H.write(From, Particles);
    for (int S = 0; S < Steps; ++S) {
      const float Wall = S % 20 < 10 ? 1.0f : 0.9f;
      H.launch(Clear, {Cells}, {}, CountM);
      H.launch(Bin, {Global}, {64}, From, CountM, CellsM, Count);
      H.launch(Order, {Cells}, {32}, CountM, CellsM);
      H.launch(Move, {Global}, {64}, From, To, CountM, CellsM, Count, 0.01f,
               Wall);
      if (Exchange)
        H.write(From, H.read<float>(To, Particles.size()));
      else
        H.copy(To, From, Particles.size() * 4);
    }
    const auto Got = H.read<float>(From, Particles.size());
    double X = 0, Y = 0;
    for (size_t I = 0; I < Got.size(); I += 4) {
      X += Got[I];
      Y += Got[I + 1];
      require(Got[I] >= 0 && Got[I] <= 1 && Got[I + 1] >= 0 && Got[I + 1] <= 1,
              "particles stay in the box");
    }
    std::printf("centre %.2f %.2f\n", X / Count, Y / Count);
  }
}
