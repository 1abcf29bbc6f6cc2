#include <cstdio>
#include <curand.h>
#include <curand_kernel.h>
#define CURAND_CALL(x)                                                         \
  do {                                                                         \
    if ((x) != CURAND_STATUS_SUCCESS) {                                        \
      printf("Error at %s:%d\n", __FILE__, __LINE__);                          \
      return EXIT_FAILURE;                                                     \
    }                                                                          \
  } while (0)
__global__ void setup(curandState *st, curandStatePhilox4_32_10_t *ph,
                      curandStateMRG32k3a *mrg, curandStateXORWOW_t *xw) {
  int id = threadIdx.x + blockIdx.x * 64;
  curand_init(1234, id, 0, &st[id]);
  curand_init(1234ULL, id, 0, &ph[id]);
  curand_init(0, id, 0, &mrg[id]);
  curand_init(0, id, 0, &xw[id]);
}
template <typename S>
__global__ void gen(S *state, unsigned *res, float *f, double *d) {
  int id = threadIdx.x;
  S l = state[id];
  unsigned x = curand(&l);
  f[id] =
      curand_uniform(&l) + curand_normal(&l) + curand_log_normal(&l, 0.f, 1.f);
  d[id] = curand_uniform_double(&l) + curand_normal_double(&l);
  float2 n2 = curand_normal2(&l);
  res[id] = x + curand_poisson(&l, 3.0) + n2.x;
  skipahead(3ULL, &l);
  state[id] = l;
}
__global__ void ph4(curandStatePhilox4_32_10_t *s, float4 *o, uint4 *u) {
  o[0] = curand_uniform4(s);
  o[1] = curand_normal4(s);
  u[0] = curand4(s);
}
__global__ void sobol(curandDirectionVectors32_t *v, curandStateSobol32_t *s,
                      float *o) {
  curand_init(v[threadIdx.x], 0u, &s[threadIdx.x]);
  o[threadIdx.x] = curand_uniform(&s[threadIdx.x]);
}
__global__ void mtgp(curandStateMtgp32 *s, float *o) {
  o[threadIdx.x] = curand_uniform(&s[blockIdx.x]);
}
int main() {
  curandGenerator_t g;
  CURAND_CALL(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT));
  CURAND_CALL(curandSetPseudoRandomGeneratorSeed(g, 1234ULL));
  CURAND_CALL(curandGenerateUniform(g, (float *)0, 10));
  curandGenerateNormal(g, (float *)0, 10, 0.f, 1.f);
  curandSetStream(g, 0);
  curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32);
  curandSetQuasiRandomGeneratorDimensions(g, 3);
  curandDestroyGenerator(g);
  setup<<<1, 64>>>(0, 0, 0, 0);
  gen<<<1, 64>>>((curandState *)0, 0, 0, 0);
  gen<curandStatePhilox4_32_10_t><<<1, 64>>>(0, 0, 0, 0);
  gen<curandStateMRG32k3a><<<1, 64>>>(0, 0, 0, 0);
  ph4<<<1, 1>>>(0, 0, 0);
  sobol<<<1, 1>>>(0, 0, 0);
  mtgp<<<1, 1>>>(0, 0);
  return 0;
}
