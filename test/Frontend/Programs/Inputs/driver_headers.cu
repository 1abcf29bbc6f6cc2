// Kernels in a header of the project, launches by macro, an error macro with a
// statement expression.
#include "inline_cuh.cuh"
#include <cstdio>
#define LAUNCH(k, n, ...) k<<<((n) + 127) / 128, 128>>>(__VA_ARGS__)
#define CHECKED(call) ({ cudaError_t e_ = (call); if (e_ != cudaSuccess) printf("%s\n", cudaGetErrorName(e_)); e_; })
int main() {
  float *p = nullptr;
  CHECKED(cudaMalloc(&p, 400));
  LAUNCH(fill<float>, 100, p, 1.0f, 100);
  LAUNCH(fill, 100, (int *)p, 1, 100);
  LAUNCH(scaleBy, 100, p, 2.0f);
  return CHECKED(cudaDeviceReset());
}
