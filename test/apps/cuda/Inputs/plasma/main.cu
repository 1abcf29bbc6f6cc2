// Steps on the device and on the host; charge and places must agree.
#include "plasma.h"
#include <algorithm>
#include <cmath>
#include <vector>

struct State {
  std::vector<float2> at, speed;
  std::vector<float> potential = std::vector<float>(Cells);
};

static float wrapped(float x) {
  return x < 0 ? x + Side : x >= Side ? x - Side : x;
}

/// The same step by the host, in double precision where sums are long.
static void stepOnHost(State &s, int sweeps, float time) {
  std::vector<double> density(Cells);
  for (float2 p : s.at) {
    const Cloud c = cloudOf(p);
    for (int k = 0; k < 4; ++k)
      density[c.cell[k]] -= c.share[k];
  }
  const double mean = -double(s.at.size()) / Cells;
  for (int n = 0; n < sweeps; ++n) {
    std::vector<float> next(Cells);
    for (int y = 0; y < Side; ++y)
      for (int x = 0; x < Side; ++x)
        next[cellOf(x, y)] =
            float(0.25 * (s.potential[cellOf(x - 1, y)] +
                          s.potential[cellOf(x + 1, y)] +
                          s.potential[cellOf(x, y - 1)] +
                          s.potential[cellOf(x, y + 1)] +
                          density[cellOf(x, y)] - mean));
    s.potential = next;
  }
  auto at = [&](int x, int y) { return s.potential[cellOf(x, y)]; };
  for (size_t i = 0; i < s.at.size(); ++i) {
    const Cloud c = cloudOf(s.at[i]);
    float fx = 0, fy = 0;
    for (int k = 0; k < 4; ++k) {
      const int x = c.cell[k] % Side, y = c.cell[k] / Side;
      fx += c.share[k] * 0.5f * (at(x + 1, y) - at(x - 1, y));
      fy += c.share[k] * 0.5f * (at(x, y + 1) - at(x, y - 1));
    }
    s.speed[i].x += fx * time;
    s.speed[i].y += fy * time;
    s.at[i].x = wrapped(s.at[i].x + s.speed[i].x * time);
    s.at[i].y = wrapped(s.at[i].y + s.speed[i].y * time);
  }
}

int main() {
  const int count = 2000, steps = 4, sweeps = 6;
  State host;
  unsigned seed = 7;
  auto random = [&] {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / float(1 << 24);
  };
  for (int i = 0; i < count; ++i) {
    // Compilers evaluate arguments in any order.
    const float x = random() * Side, y = random() * Side * 0.999f;
    const float vx = random() - 0.5f, vy = random() - 0.5f;
    host.at.push_back(make_float2(x, y));
    host.speed.push_back(make_float2(vx, vy));
  }
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  Buffer<float2> at(count), speed(count), force(Cells);
  Buffer<float> density(Cells), potential(Cells), other(Cells);
  at.put(host.at.data(), stream);
  speed.put(host.speed.data(), stream);
  CHECK(cudaMemsetAsync(potential, 0, Cells * sizeof(float), stream));
  const Particles p = {at, speed, count};
  bool ok = true;
  for (int n = 0; n < steps; ++n) {
    deposit(p, density, stream);
    relax(density, potential, other, sweeps, stream);
    differentiate(potential, force, stream);
    push(p, force, 0.1f, stream);
    stepOnHost(host, sweeps, 0.1f);
    std::vector<float> charges(Cells);
    density.get(charges.data(), stream);
    double charge = 0;
    for (float c : charges)
      charge += c;
    ok &= std::fabs(charge + count) < 0.01;
  }
  std::vector<float2> got(count);
  at.get(got.data(), stream);
  double worst = 0;
  for (int i = 0; i < count; ++i) {
    const double dx = std::fabs(got[i].x - host.at[i].x);
    const double dy = std::fabs(got[i].y - host.at[i].y);
    worst = std::max({worst, std::min(dx, Side - dx), std::min(dy, Side - dy)});
  }
  CHECK(cudaStreamDestroy(stream));
  printf("charge %s, places %s\n", ok ? "kept" : "lost",
         worst < 1e-3 ? "agree" : "differ");
  return verdict(ok && worst < 1e-3);
}
