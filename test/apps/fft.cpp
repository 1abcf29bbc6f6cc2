//===- fft.cpp - Fourier transforms there and back, stage by stage --------===//
//
// usage: fft [LOG2 OF POINTS] [TRANSFORMS]. The backward transform has to give
// the signal again.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

#include <utility>

using namespace apps;

static const char *Source = R"(
// One radix-2 stage of Stockham's transform.
__kernel void stage(__global const float2 *from, __global float2 *to, uint pairs,
                    uint span, float sign) {
  uint i = get_global_id(0), k = i & (span - 1);
  float angle = sign * M_PI_F * (float)k / (float)span;
  float2 w = (float2)(cos(angle), sin(angle));
  float2 a = from[i], b = from[i + pairs];
  float2 t = (float2)(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
  uint out = ((i - k) << 1) + k;
  to[out] = a + t;
  to[out + span] = a - t;
}

__kernel void scale(__global float2 *data, float factor) {
  data[get_global_id(0)] *= factor;
}
)";

int main(int Argc, char **Argv) {
  const int Log = argument(Argc, Argv, 1, 14),
            Times = argument(Argc, Argv, 2, 4);
  Host H;
  cl_program P = H.build(Source);
  cl_kernel Stage = H.kernel(P, "stage"), Scale = H.kernel(P, "scale");
  const size_t Points = size_t(1) << Log;
  const cl_uint Half = cl_uint(Points / 2);
  Numbers N(17);
  std::vector<float> Signal(Points * 2);
  for (float &S : Signal)
    S = N.uniform(-1, 1);
  cl_mem From = H.buffer(Signal), To = H.empty(Signal.size() * 4);
  for (int T = 0; T < Times; ++T) {
    for (float Sign : {-1.0f, 1.0f})
      for (cl_uint Span = 1; Span < Points; Span *= 2) {
        H.launch(Stage, {Half}, {64}, From, To, Half, Span, Sign);
        std::swap(From, To);
      }
    H.launch(Scale, {Points}, {}, From, 1.0f / float(Points));
    H.finish();
  }
  const auto Got = H.read<float>(From, Signal.size());
  float Worst = 0;
  for (size_t I = 0; I < Got.size(); ++I)
    Worst = std::fmax(Worst, std::fabs(Got[I] - Signal[I]));
  std::printf("largest error %s\n", Worst < 1e-3f ? "small" : "large");
  require(Worst < 1e-3f, "there and back");
}
