#include <cublas_v2.h>
#include <cufft.h>
#include <cusparse.h>
#include <cusolverDn.h>
#include <cuComplex.h>
#include <cuda_runtime.h>
#include <complex>
typedef float2 Complex;
static __device__ __host__ inline Complex ComplexScale(Complex a, float s) {
  Complex c;
  c.x = s * a.x;
  c.y = s * a.y;
  return c;
}
static __device__ __host__ inline Complex ComplexMul(Complex a, Complex b) {
  Complex c;
  c.x = a.x * b.x - a.y * b.y;
  c.y = a.x * b.y + a.y * b.x;
  return c;
}
static __global__ void ComplexPointwiseMulAndScale(Complex *a, const Complex *b,
                                                   int size, float scale) {
  const int numThreads = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += numThreads)
    a[i] = ComplexScale(ComplexMul(a[i], b[i]), scale);
}
__global__ void zc(cuDoubleComplex *z, cuComplex *c, cufftComplex *f,
                   cufftDoubleComplex *g, cufftReal *r) {
  int i = threadIdx.x;
  z[i] = cuCadd(cuCmul(z[i], z[i]), make_cuDoubleComplex(1, 2));
  c[i] = cuCdivf(c[i], cuConjf(c[i]));
  r[i] = cuCabsf(c[i]) + cuCreal(z[i]) + cuCimagf(c[i]);
  f[i].x = 1;
  g[i].y = cuCabs(z[i]);
}
int main() {
  cublasHandle_t h;
  cublasCreate(&h);
  float al = 1, be = 0;
  float *d;
  if (cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, 1, 1, 1, &al, d, 1, d, 1, &be, d,
                  1) != CUBLAS_STATUS_SUCCESS)
    return 1;
  cublasSetStream(h, 0);
  cublasDestroy(h);
  cufftHandle plan;
  cufftPlan1d(&plan, 16, CUFFT_C2C, 1);
  cufftExecC2C(plan, (cufftComplex *)d, (cufftComplex *)d, CUFFT_FORWARD);
  cufftDestroy(plan);
  ComplexPointwiseMulAndScale<<<32, 256>>>((Complex *)d, (Complex *)d, 1, 1.f);
  cusparseHandle_t sp;
  cusparseCreate(&sp);
  cusolverDnHandle_t so;
  cusolverDnCreate(&so);
}
