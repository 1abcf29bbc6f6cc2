//===- diffusion.cpp - Edge-preserving diffusion of an image --------------===//
//
// usage: diffusion [WIDTH] [HEIGHT] [STEPS]. The strength follows from the
// image's variance, which the host computes from sums every fourth step.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

#include <utility>

using namespace apps;

static const char *Source = R"(
__kernel void sums(__global const float *image, __global float *partial,
                   __local float *a, __local float *b, int count) {
  int lane = get_local_id(0);
  float sum = 0, squares = 0;
  for (int i = get_global_id(0); i < count; i += get_global_size(0)) {
    sum += image[i];
    squares += image[i] * image[i];
  }
  a[lane] = sum;
  b[lane] = squares;
  for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < step) {
      a[lane] += a[lane + step];
      b[lane] += b[lane + step];
    }
  }
  if (lane == 0) {
    partial[2 * get_group_id(0)] = a[0];
    partial[2 * get_group_id(0) + 1] = b[0];
  }
}

__kernel void diffuse(__global const float *from, __global float *to, int width,
                      int height, float strength, float rate) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  float c = from[y * width + x];
  float n = from[max(y - 1, 0) * width + x] - c;
  float s = from[min(y + 1, height - 1) * width + x] - c;
  float w = from[y * width + max(x - 1, 0)] - c;
  float e = from[y * width + min(x + 1, width - 1)] - c;
  float sum = n * native_exp(-n * n / strength) + s * exp(-s * s / strength) +
              w / (1.0f + w * w / strength) + e / (1.0f + e * e / strength);
  to[y * width + x] = c + rate * sum;
}
)";

int main(int Argc, char **Argv) {
  const int Width = argument(Argc, Argv, 1, 300),
            Height = argument(Argc, Argv, 2, 200),
            Steps = argument(Argc, Argv, 3, 100);
  Host H;
  cl_program P = H.build(Source);
  cl_kernel Sums = H.kernel(P, "sums"), Diffuse = H.kernel(P, "diffuse");
  Numbers N(21);
  const int Count = Width * Height;
  std::vector<float> Image(static_cast<size_t>(Count));
  for (int I = 0; I < Count; ++I)
    Image[I] =
        float((I % Width / 20 + I / Width / 20) % 2 * 100) + N.uniform(0, 40);
  constexpr size_t Groups = 8;
  cl_mem From = H.buffer(Image), To = H.empty(Image.size() * 4),
         Partial = H.empty(Groups * 2 * sizeof(float));
  float Strength = 100;
  for (int S = 0; S < Steps; ++S) {
    if (S % 4 == 0) {
      H.launch(Sums, {Groups * 128}, {128}, From, Partial, Local{512},
               Local{512}, Count);
      const auto Parts = H.read<float>(Partial, Groups * 2);
      float Sum = 0, Squares = 0;
      for (size_t G = 0; G < Groups; ++G) {
        Sum += Parts[2 * G];
        Squares += Parts[2 * G + 1];
      }
      Strength =
          Squares / float(Count) - Sum / float(Count) * (Sum / float(Count));
    }
    H.launch(Diffuse,
             {size_t((Width + 15) / 16 * 16), size_t((Height + 7) / 8 * 8)},
             {16, 8}, From, To, Width, Height, Strength, 0.2f);
    std::swap(From, To);
  }
  const auto Got = H.read<float>(From, Image.size());
  std::printf("variance %.3f\n", double(Strength));
  for (float V : Got)
    require(V >= -1 && V <= 141, "the image stays in its range");
}
