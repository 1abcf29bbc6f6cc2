// Conjugate gradients on a dense system: vectors and matrix by cuBLAS, the
// preconditioner by a kernel of the program's own.
#include "../check.h"
#include <cmath>
#include <cublas_v2.h>
#include <vector>

#define BLAS(call)                                                             \
  if (cublasStatus_t status = (call)) {                                        \
    fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                         \
            cublasGetStatusString(status));                                    \
    exit(EXIT_FAILURE);                                                        \
  }

__global__ void divide(const double *r, const double *a, double *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    z[i] = r[i] / a[i * (n + 1)];
}

int main() {
  const int n = 64;
  std::vector<double> a(n * n), b(n, 0.0), x(n, 0.0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      a[i + j * n] = (i == j ? 4.0 + i % 5 : 0.0) +
                     1.0 / (1 + (i - j) * (i - j));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      b[i] += a[i + j * n] * std::sin(j);
  double *A, *R, *X, *Z, *P, *Q;
  CHECK(cudaMalloc(&A, n * n * sizeof(double)));
  for (double **v : {&R, &X, &Z, &P, &Q})
    CHECK(cudaMalloc(v, n * sizeof(double)));
  cublasHandle_t blas;
  BLAS(cublasCreate(&blas));
  BLAS(cublasSetMatrix(n, n, sizeof(double), a.data(), n, A, n));
  BLAS(cublasSetVector(n, sizeof(double), b.data(), 1, R, 1));
  BLAS(cublasSetVector(n, sizeof(double), x.data(), 1, X, 1));
  double rho = 0, last = 1, norm = 1;
  const double one = 1, zero = 0;
  int steps = 0;
  for (; steps < 60 && norm > 1e-12; ++steps) {
    divide<<<1, 128>>>(R, A, Z, n);
    BLAS(cublasDdot(blas, n, R, 1, Z, 1, &rho));
    if (steps == 0) {
      BLAS(cublasDcopy(blas, n, Z, 1, P, 1));
    } else {
      const double beta = rho / last;
      BLAS(cublasDscal(blas, n, &beta, P, 1));
      BLAS(cublasDaxpy(blas, n, &one, Z, 1, P, 1));
    }
    double pq = 0;
    BLAS(cublasDgemv(blas, CUBLAS_OP_N, n, n, &one, A, n, P, 1, &zero, Q, 1));
    BLAS(cublasDdot(blas, n, P, 1, Q, 1, &pq));
    const double alpha = rho / pq, minus = -alpha;
    BLAS(cublasDaxpy(blas, n, &alpha, P, 1, X, 1));
    BLAS(cublasDaxpy(blas, n, &minus, Q, 1, R, 1));
    BLAS(cublasDnrm2(blas, n, R, 1, &norm));
    last = rho;
  }
  BLAS(cublasGetVector(n, sizeof(double), X, 1, x.data(), 1));
  bool ok = steps < 60;
  for (int i = 0; i < n; ++i)
    ok &= std::fabs(x[i] - std::sin(i)) < 1e-10;
  BLAS(cublasDestroy(blas));
  for (double *v : {A, R, X, Z, P, Q})
    CHECK(cudaFree(v));
  return verdict(ok);
}
