// Conjugate gradients with Jacobi's preconditioner: products by cuSPARSE, dots
// and sums by cuBLAS, the rest by Thrust.
#include "check.h"
#include "matrix.h"
#include <cmath>
#include <cublas_v2.h>
#include <cusparse.h>
#include <thrust/fill.h>
#include <thrust/inner_product.h>
#include <stdexcept>
#include <string>

template <typename Status> static void require(Status s, const char *what) {
  if (int(s) != 0)
    throw std::runtime_error(std::string(what) + ": status " +
                             std::to_string(int(s)));
}
#define REQUIRE(call) require(call, #call)

using Vector = thrust::device_vector<double>;
static double *raw(Vector &v) { return thrust::raw_pointer_cast(v.data()); }

/// y = A x
class Product {
public:
  Product(Matrix &m, Vector &x, Vector &y) {
    REQUIRE(cusparseCreate(&handle));
    REQUIRE(cusparseCreateCsr(
        &matrix, m.rows, m.rows, int64_t(m.values.size()),
        thrust::raw_pointer_cast(m.starts.data()),
        thrust::raw_pointer_cast(m.columns.data()), raw(m.values),
        CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
        CUDA_R_64F));
    REQUIRE(cusparseCreateDnVec(&from, m.rows, raw(x), CUDA_R_64F));
    REQUIRE(cusparseCreateDnVec(&to, m.rows, raw(y), CUDA_R_64F));
    size_t bytes = 0;
    REQUIRE(cusparseSpMV_bufferSize(
        handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, from, &zero,
        to, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    buffer.resize(bytes);
  }
  ~Product() {
    cusparseDestroyDnVec(from);
    cusparseDestroyDnVec(to);
    cusparseDestroySpMat(matrix);
    cusparseDestroy(handle);
  }
  Product(const Product &) = delete;
  Product &operator=(const Product &) = delete;
  void operator()() {
    REQUIRE(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix,
                         from, &zero, to, CUDA_R_64F,
                         CUSPARSE_SPMV_ALG_DEFAULT,
                         thrust::raw_pointer_cast(buffer.data())));
  }

private:
  const double one = 1, zero = 0;
  cusparseHandle_t handle;
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t from, to;
  thrust::device_vector<char> buffer;
};

/// Steps until the residual is \p tolerance of what it was.
static int solve(Matrix &m, Vector &x, Vector &r, double tolerance) {
  cublasHandle_t blas;
  REQUIRE(cublasCreate(&blas));
  Vector z(m.rows), p(m.rows), q(m.rows);
  Product multiply(m, p, q);
  auto dot = [&](Vector &a, Vector &b) {
    double result;
    REQUIRE(cublasDdot(blas, m.rows, raw(a), 1, raw(b), 1, &result));
    return result;
  };
  auto add = [&](double factor, Vector &a, Vector &to) {
    REQUIRE(cublasDaxpy(blas, m.rows, &factor, raw(a), 1, raw(to), 1));
  };
  divide(m, r, z);
  p = z;
  double rz = dot(r, z), first, now;
  REQUIRE(cublasDnrm2(blas, m.rows, raw(r), 1, &first));
  int steps = 0;
  for (now = first; now > tolerance * first && steps < 200; ++steps) {
    multiply();
    const double alpha = rz / dot(p, q);
    add(alpha, p, x);
    add(-alpha, q, r);
    divide(m, r, z);
    const double next = dot(r, z), beta = next / rz;
    rz = next;
    REQUIRE(cublasDscal(blas, m.rows, &beta, raw(p), 1));
    add(1, z, p);
    REQUIRE(cublasDnrm2(blas, m.rows, raw(r), 1, &now));
  }
  REQUIRE(cublasDestroy(blas));
  return steps;
}

int main() try {
  Matrix m = plate(24, 20);
  // The right side of a known solution: the matrix by a vector of ones is what
  // flows to the ground.
  Vector x(m.rows, 0.0), b(m.rows, 0.1);
  const int steps = solve(m, x, b, 1e-10);
  const double off = thrust::inner_product(
      x.begin(), x.end(), x.begin(), -2 * thrust::reduce(x.begin(), x.end())) +
      m.rows;
  printf("%s after %s steps\n", off < 1e-10 ? "solved" : "not solved",
         steps < 200 ? "few" : "too many");
  return verdict(off < 1e-10 && steps < 200);
} catch (const std::exception &e) {
  fprintf(stderr, "%s\n", e.what());
  return verdict(false);
}
