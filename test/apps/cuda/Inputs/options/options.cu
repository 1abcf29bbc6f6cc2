// Prices of options: a closed formula for each, and the same by Monte Carlo
// with generators of cuRAND's device side. An argument says how many paths.
#include "../check.h"
#include <cmath>
#include <curand_kernel.h>
#include <vector>

struct Option {
  float spot, strike, rate, volatility, years;
};

__host__ __device__ inline float normal(float x) {
  return 0.5f * erfcf(-x * 0.70710678f);
}
__host__ __device__ inline float formula(const Option &o) {
  const float s = o.volatility * sqrtf(o.years);
  const float d =
      (logf(o.spot / o.strike) + o.rate * o.years) / s + 0.5f * s;
  return o.spot * normal(d) -
         o.strike * expf(-o.rate * o.years) * normal(d - s);
}

__global__ void exact(const Option *options, float *prices, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    prices[i] = formula(options[i]);
}

__global__ void simulated(const Option *options, float *prices, int paths) {
  __shared__ float sums[128];
  const Option o = options[blockIdx.x];
  curandStatePhilox4_32_10_t state;
  curand_init(1234, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
  const float s = o.volatility * sqrtf(o.years),
              drift = o.rate * o.years - 0.5f * s * s;
  float sum = 0;
  for (int i = threadIdx.x; i < paths; i += blockDim.x) {
    const float z = curand_normal(&state);
    sum += fmaxf(o.spot * expf(drift + s * z) - o.strike, 0) +
           fmaxf(o.spot * expf(drift - s * z) - o.strike, 0);
  }
  sums[threadIdx.x] = sum;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    prices[blockIdx.x] = sums[0] * expf(-o.rate * o.years) / (2 * paths);
}

int main(int argc, char **argv) {
  const int n = 64, paths = argc > 1 ? atoi(argv[1]) : 2048;
  std::vector<Option> options(n);
  for (int i = 0; i < n; ++i)
    options[i] = {100, 80 + 0.6f * i, 0.02f, 0.15f + 0.003f * i,
                  0.5f + 0.02f * i};
  Option *o;
  float *a, *b;
  CHECK(cudaMallocManaged(&o, n * sizeof(Option)));
  CHECK(cudaMallocManaged(&a, n * sizeof(float)));
  CHECK(cudaMallocManaged(&b, n * sizeof(float)));
  for (int i = 0; i < n; ++i)
    o[i] = options[i];
  exact<<<1, 64>>>(o, a, n);
  simulated<<<n, 128>>>(o, b, paths);
  CHECK(cudaDeviceSynchronize());
  bool ok = true;
  for (int i = 0; i < n; ++i) {
    ok &= std::fabs(a[i] - formula(options[i])) < 1e-3f;
    ok &= std::fabs(b[i] - a[i]) < 0.08f * a[i] + 0.5f;
  }
  for (void *p : {(void *)o, (void *)a, (void *)b})
    CHECK(cudaFree(p));
  return verdict(ok);
}
