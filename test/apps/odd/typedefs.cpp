//===- typedefs.cpp - Floating numbers under other names ------------------===//
//
// Functions whose last bits devices choose, stored through typedefs, vectors
// and an array within a typedef: results are compared as what they are.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

using namespace apps;

static const char *Source = R"(
typedef float real;
typedef real number;
typedef float4 colour;
typedef number pair[2];
__kernel void curves(__global number *out) {
  int i = get_global_id(0);
  out[i] = pow(1.0f + 0.013f * i, 2.7f) * sin(0.37f * i);
}
__kernel void shades(__global colour *out) {
  int i = get_global_id(0);
  out[i] = exp((colour)(0.01f, 0.02f, 0.03f, 0.04f) * i);
}
__kernel void pairs(__global pair *out) {
  int i = get_global_id(0);
  out[i][0] = log(1.0f + i);
  out[i][1] = cbrt(1.0f * i);
}
)";

int main() {
  constexpr size_t N = 192;
  Host H;
  cl_program P = H.build(Source);
  auto Run = [&](const char *Name, size_t Each) {
    cl_mem Out = H.empty(N * Each * sizeof(float));
    H.launch(H.kernel(P, Name), {N}, {64}, Out);
    return H.read<float>(Out, N * Each);
  };
  const std::vector<float> Curves = Run("curves", 1), Shades = Run("shades", 4),
                           Pairs = Run("pairs", 2);
  for (size_t I = 0; I < N; ++I) {
    auto Near = [&](double Got, double Wanted) {
      require(std::fabs(Got - Wanted) <= 1e-4 * (1 + std::fabs(Wanted)),
              "curves");
    };
    Near(Curves[I], std::pow(1 + 0.013 * I, 2.7) * std::sin(0.37f * I));
    Near(Shades[4 * I + 2], std::exp(0.03 * I));
    Near(Pairs[2 * I], std::log(1.0 + I));
    Near(Pairs[2 * I + 1], std::cbrt(double(I)));
  }
}
