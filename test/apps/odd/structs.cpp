//===- structs.cpp - Buffers of structs -----------------------------------===//
//
// Numbers of several types and padding side by side, structs in structs, a
// struct as an argument; and structs of floats alone, whose last bits devices
// choose.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

using namespace apps;

static const char *Source = R"(
typedef struct { float x, y; } place;
typedef struct {
  place at;
  char kind;     // padding follows
  int number;
  double weight;
} body;
typedef struct { float step; int turns; } settings;
// Quarter turns, which are exact.
__kernel void turn(__global body *all, settings s) {
  int i = get_global_id(0);
  body b = all[i];
  for (int t = 0; t < s.turns; ++t) {
    place p = {-b.at.y * s.step, b.at.x * s.step};
    b.at = p;
    b.weight += p.x * p.x + p.y * p.y;
  }
  all[i].at = b.at;
  all[i].kind = (char)(b.kind + 1);
  all[i].weight = b.weight;
}
__kernel void circle(__global place *all, settings s) {
  int i = get_global_id(0);
  all[i].x = cos(s.step * i) * s.turns;
  all[i].y = sin(s.step * i) * s.turns;
}
)";

struct Body {
  float X, Y;
  char Kind;
  int Number;
  double Weight;
};
struct Place {
  float X, Y;
};
struct Settings {
  float Step;
  int Turns;
};

int main() {
  constexpr size_t N = 96;
  Host H;
  cl_program P = H.build(Source);
  std::vector<Body> Bodies(N);
  for (size_t I = 0; I < N; ++I)
    Bodies[I] = {1.0f + I, 2.0f, char(I % 5), int(I), 0.5};
  cl_mem All = H.buffer(Bodies);
  H.launch(H.kernel(P, "turn"), {N}, {32}, All, Settings{1, 3});
  const std::vector<Body> Got = H.read<Body>(All, N);
  for (size_t I = 0; I < N; ++I) {
    const Body &B = Bodies[I], &G = Got[I];
    require(G.X == B.Y && G.Y == -B.X, "places");
    require(G.Number == B.Number && G.Kind == B.Kind + 1, "integers");
    require(G.Weight == 0.5 + 3.0 * (B.X * B.X + B.Y * B.Y), "weights");
  }
  cl_mem Round = H.empty(N * sizeof(Place));
  H.launch(H.kernel(P, "circle"), {N}, {32}, Round, Settings{0.1f, 7});
  const std::vector<Place> Places = H.read<Place>(Round, N);
  for (size_t I = 0; I < N; ++I)
    require(std::fabs(std::hypot(Places[I].X, Places[I].Y) - 7) < 1e-4,
            "circle");
}
