// The host: C++ without kernels, compiled by another compiler.
#include "bodies.h"
#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  const int n = 150, steps = 5;
  const float dt = 0.01f;
  std::vector<Body> device(n);
  for (int i = 0; i < n; ++i)
    device[i] = {std::cos(0.7f * i), std::sin(1.3f * i), 0, 0, 1 + i % 3 * 0.5f};
  std::vector<Body> host = device;
  advance(device.data(), n, dt, steps);
  for (int s = 0; s < steps; ++s) {
    for (Body &b : host) {
      float ax = 0, ay = 0;
      for (const Body &o : host) {
        const float dx = o.x - b.x, dy = o.y - b.y;
        const float d2 = dx * dx + dy * dy + 0.01f;
        const float f = o.mass / (d2 * std::sqrt(d2));
        ax += f * dx;
        ay += f * dy;
      }
      b.vx += ax * dt;
      b.vy += ay * dt;
    }
    for (Body &b : host) {
      b.x += b.vx * dt;
      b.y += b.vy * dt;
    }
  }
  bool ok = true;
  for (int i = 0; i < n; ++i)
    ok &= std::fabs(device[i].x - host[i].x) < 1e-2f &&
          std::fabs(device[i].y - host[i].y) < 1e-2f;
  std::printf("%s\n", ok ? "PASSED" : "FAILED");
  return !ok;
}
