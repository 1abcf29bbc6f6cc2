// cuFFT where something is wrong: prints the status of each call.
#include <cstdio>
#include <cuda_runtime.h>
#include <cufft.h>
#include <cufftXt.h>

int main() {
  cufftHandle plan = 0;
  cufftComplex *x = nullptr;
  size_t size = 0;
  int n[] = {4, 4, 4, 4};
  auto say = [](const char *what, cufftResult status) {
    printf("%s: %d\n", what, int(status));
  };
  say("no plan", cufftExecC2C(77, x, x, CUFFT_FORWARD));
  say("null", cufftPlan1d(nullptr, 8, CUFFT_C2C, 1));
  say("size", cufftPlan1d(&plan, 0, CUFFT_C2C, 1));
  say("batch", cufftPlan1d(&plan, 8, CUFFT_C2C, 0));
  say("type", cufftPlan2d(&plan, 8, 8, cufftType(1)));
  say("rank",
      cufftPlanMany(&plan, 4, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
  say("stride", cufftPlanMany(&plan, 1, n, n, 0, 4, n, 1, 4, CUFFT_C2C, 1));
  say("create", cufftCreate(&plan));
  say("unmade", cufftExecC2C(plan, x, x, CUFFT_FORWARD));
  say("make", cufftMakePlan1d(plan, 8, CUFFT_R2C, 1, &size));
  say("again", cufftMakePlan1d(plan, 8, CUFFT_R2C, 1, &size));
  say("other type", cufftExecC2C(plan, x, x, CUFFT_FORWARD));
  say("no data", cufftExecR2C(plan, nullptr, x));
  say("destroy", cufftDestroy(plan));
  say("destroyed", cufftDestroy(plan));
  say("allocate", cufftCreate(&plan));
  cufftSetAutoAllocation(plan, 0);
  say("bare", cufftMakePlan2d(plan, 8, 8, CUFFT_C2C, &size));
  cudaMalloc((void **)&x, 64 * sizeof(*x));
  say("no work", cufftExecC2C(plan, x, x, CUFFT_FORWARD));
  say("direction", cufftExecC2C(plan, x, x, 3));
  say("refused", cufftXtSetGPUs(plan, 1, n));
  cufftDestroy(plan);
  cudaFree(x);
  return 0;
}
