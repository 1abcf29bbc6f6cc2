// cuRAND where something is wrong: prints the status of each call.
#include <cstdio>
#include <cuda_runtime.h>
#include <curand.h>

static void say(const char *what, curandStatus_t status) {
  printf("%s: %d\n", what, int(status));
}

int main() {
  curandGenerator_t g = nullptr;
  float *x = nullptr;
  cudaMalloc((void **)&x, 400);
  say("no generator", curandGenerateUniform(g, x, 100));
  say("null", curandCreateGenerator(nullptr, CURAND_RNG_PSEUDO_DEFAULT));
  say("unknown", curandCreateGenerator(&g, curandRngType_t(7)));
  say("refused", curandCreateGenerator(&g, CURAND_RNG_PSEUDO_MTGP32));
  say("quasi", curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32));
  say("create", curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT));
  say("odd", curandGenerateNormal(g, x, 99, 0, 1));
  say("deviation", curandGenerateNormal(g, x, 100, 0, -1));
  say("lambda", curandGeneratePoisson(g, (unsigned *)x, 100, 0));
  say("no memory", curandGenerateUniform(g, nullptr, 100));
  say("nothing", curandGenerateUniform(g, nullptr, 0));
  say("ordering", curandSetGeneratorOrdering(g, curandOrdering_t(5)));
  say("function", curandSetQuasiRandomGeneratorDimensions(g, 3));
  say("destroy", curandDestroyGenerator(g));
  say("destroyed", curandDestroyGenerator(nullptr));
  cudaFree(x);
  return 0;
}
