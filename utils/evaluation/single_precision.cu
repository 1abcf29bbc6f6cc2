// What functions of mathematics give in single precision: the bits of each for
// the same arguments, one kernel a function. utils/reproduce toolkit compares
// what nvcc has made of this file with what heddle-nvcc has.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

// Functions of one argument and of two.
#define UNARY(F)                                                               \
  F(acosf) F(acoshf) F(asinf) F(asinhf) F(atanf) F(atanhf) F(cbrtf) F(cosf)    \
  F(coshf) F(cospif) F(erfcf) F(erfcinvf) F(erfcxf) F(erff) F(erfinvf)         \
  F(exp10f) F(exp2f) F(expf) F(expm1f) F(j0f) F(j1f) F(lgammaf) F(log10f)      \
  F(log1pf) F(log2f) F(logbf) F(logf) F(normcdff) F(normcdfinvf) F(rcbrtf)     \
  F(roundf) F(rsqrtf) F(sinf) F(sinhf) F(sinpif) F(sqrtf) F(tanf) F(tanhf)     \
  F(tgammaf) F(y0f) F(y1f) F(__cosf) F(__exp10f) F(__expf) F(__log10f)         \
  F(__log2f) F(__logf) F(__sinf) F(__tanf)
#define BINARY(F)                                                              \
  F(atan2f) F(fdividef) F(fmodf) F(hypotf) F(nextafterf) F(powf)               \
  F(remainderf) F(rhypotf) F(__fdividef) F(__powf)

#define UNARY_KERNEL(NAME)                                                     \
  __global__ void NAME##Kernel(float *out, const float *x, const float *) {    \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                       \
    out[i] = NAME(x[i]);                                                       \
  }
#define BINARY_KERNEL(NAME)                                                    \
  __global__ void NAME##Kernel(float *out, const float *x, const float *y) {   \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                       \
    out[i] = NAME(x[i], y[i]);                                                 \
  }
UNARY(UNARY_KERNEL)
BINARY(BINARY_KERNEL)

typedef void (*Kernel)(float *, const float *, const float *);
struct Row {
  const char *name;
  Kernel kernel;
};
#define ROW(NAME) {#NAME, NAME##Kernel},
static const Row rows[] = {UNARY(ROW) BINARY(ROW)};

int main(int argc, char **argv) {
  // Half of them any bits, half between -16 and 16; second ones between -8
  // and 8.
  const int n = 1 << 14;
  std::vector<float> x(n), y(n), result(n);
  uint32_t state = 1;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525 + 1013904223;
    memcpy(&x[i], &state, sizeof(float));
    if (i % 2)
      x[i] = int(state >> 8) / float(1 << 19) - 16;
    state = state * 1664525 + 1013904223;
    y[i] = int(state >> 8) / float(1 << 20) - 8;
  }
  float *a, *b, *out;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(a, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (const Row &r : rows) {
    r.kernel<<<n / 128, 128>>>(out, a, b);
    if (cudaMemcpy(result.data(), out, n * sizeof(float),
                   cudaMemcpyDeviceToHost) != cudaSuccess)
      return 1;
    printf("%s", r.name);
    for (float f : result) {
      uint32_t bits;
      memcpy(&bits, &f, sizeof(bits));
      printf(" %x", f != f ? 0x7FFFFFFF : bits);
    }
    printf("\n");
  }
}
