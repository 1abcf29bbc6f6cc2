// Each function of cuBLAS that programs use most beside plain loops of the host,
// in odd sizes, with steps, transposed, in batches, in two precisions.
#include "../check.h"
#include <cmath>
#include <cublas_v2.h>
#include <string>
#include <vector>

#define BLAS(call)                                                             \
  do {                                                                         \
    cublasStatus_t status = (call);                                            \
    if (status != CUBLAS_STATUS_SUCCESS) {                                     \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                       \
              cublasGetStatusName(status));                                    \
      exit(EXIT_FAILURE);                                                      \
    }                                                                          \
  } while (0)

// The functions of a precision by one name.
template <typename T> struct Of;
#define PRECISION(T, S, I)                                                     \
  template <> struct Of<T> {                                                   \
    static constexpr auto axpy = cublas##S##axpy;                              \
    static constexpr auto scal = cublas##S##scal;                              \
    static constexpr auto copy = cublas##S##copy;                              \
    static constexpr auto swap = cublas##S##swap;                              \
    static constexpr auto rot = cublas##S##rot;                                \
    static constexpr auto dot = cublas##S##dot;                                \
    static constexpr auto nrm2 = cublas##S##nrm2;                              \
    static constexpr auto asum = cublas##S##asum;                              \
    static constexpr auto amax = cublas##I##amax;                              \
    static constexpr auto amin = cublas##I##amin;                              \
    static constexpr auto gemv = cublas##S##gemv;                              \
    static constexpr auto ger = cublas##S##ger;                                \
    static constexpr auto gemm = cublas##S##gemm;                              \
    static constexpr auto gemmBatched = cublas##S##gemmBatched;                \
    static constexpr auto gemmStrided = cublas##S##gemmStridedBatched;         \
    static constexpr auto geam = cublas##S##geam;                              \
    static constexpr auto trsm = cublas##S##trsm;                              \
  };
PRECISION(float, S, Is)
PRECISION(double, D, Id)

template <typename T> struct Vector {
  std::vector<T> host;
  T *device = nullptr;
  Vector(int n, int seed) : host(n) {
    for (int i = 0; i < n; ++i)
      host[i] = T((i * 29 + seed * 13) % 41 - 20) / 8;
    CHECK(cudaMalloc(&device, n * sizeof(T)));
    BLAS(cublasSetVector(n, sizeof(T), host.data(), 1, device, 1));
  }
  ~Vector() { cudaFree(device); }
  T &operator[](int i) { return host[i]; }
  /// Whether the device has what the host has.
  bool same(const char *what) const {
    std::vector<T> is(host.size());
    BLAS(cublasGetVector(int(is.size()), sizeof(T), device, 1, is.data(), 1));
    const double tolerance = sizeof(T) == 4 ? 2e-4 : 1e-11;
    for (size_t i = 0; i < is.size(); ++i)
      if (!(std::fabs(double(is[i] - host[i])) <=
            tolerance * (1 + std::fabs(double(host[i]))))) {
        printf("%s: element %zu is %g, not %g\n", what, i, double(is[i]),
               double(host[i]));
        return false;
      }
    return true;
  }
};

template <typename T> static bool near(const char *what, T is, T wanted) {
  const double tolerance = sizeof(T) == 4 ? 2e-5 : 1e-12;
  const bool ok = std::fabs(double(is - wanted)) <=
                  tolerance * (1 + std::fabs(double(wanted)));
  if (!ok)
    printf("%s: %g, not %g\n", what, double(is), double(wanted));
  return ok;
}

template <typename T> static bool level1(cublasHandle_t handle) {
  using F = Of<T>;
  const int n = 1100;
  bool ok = true;
  Vector<T> x(n, 1), y(2 * n, 2);
  const T alpha = T(1.5), c = T(0.8), s = T(0.6);
  BLAS(F::axpy(handle, n, &alpha, x.device, 1, y.device, 2));
  for (int i = 0; i < n; ++i)
    y[2 * i] += alpha * x[i];
  ok &= y.same("axpy");
  BLAS(F::scal(handle, n, &alpha, y.device, 2));
  for (int i = 0; i < n; ++i)
    y[2 * i] *= alpha;
  ok &= y.same("scal");
  BLAS(F::copy(handle, n, x.device, -1, y.device, 1)); // from its end
  for (int i = 0; i < n; ++i)
    y[i] = x[n - 1 - i];
  ok &= y.same("copy");
  BLAS(F::swap(handle, n / 2, x.device, 2, y.device, 1));
  for (int i = 0; i < n / 2; ++i)
    std::swap(x[2 * i], y[i]);
  ok &= x.same("swap") & y.same("swap");
  BLAS(F::rot(handle, n, x.device, 1, y.device, 1, &c, &s));
  for (int i = 0; i < n; ++i) {
    const T a = x[i], b = y[i];
    x[i] = c * a + s * b;
    y[i] = c * b - s * a;
  }
  ok &= x.same("rot") & y.same("rot");

  T dot = 0, squares = 0, sum = 0, result = 0;
  int most = 0, least = 0, at = 0;
  for (int i = 0; i < n; ++i) {
    dot += x[i] * y[i];
    squares += x[i] * x[i];
    sum += std::fabs(x[i]);
    if (std::fabs(x[i]) > std::fabs(x[most]))
      most = i;
    if (std::fabs(x[i]) < std::fabs(x[least]))
      least = i;
  }
  BLAS(F::dot(handle, n, x.device, 1, y.device, 1, &result));
  ok &= near("dot", result, dot);
  BLAS(F::nrm2(handle, n, x.device, 1, &result));
  ok &= near("nrm2", result, std::sqrt(squares));
  BLAS(F::asum(handle, n, x.device, 1, &result));
  ok &= near("asum", result, sum);
  BLAS(F::amax(handle, n, x.device, 1, &at));
  ok &= near<double>("amax", at, most + 1);
  BLAS(F::amin(handle, n, x.device, 1, &at));
  ok &= near<double>("amin", at, least + 1);
  BLAS(F::dot(handle, 0, x.device, 1, y.device, 1, &result));
  ok &= result == 0;

  // Factors and results in device memory.
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  Vector<T> numbers(2, 5);
  BLAS(F::asum(handle, n, x.device, 1, numbers.device));
  BLAS(F::axpy(handle, n, numbers.device + 1, x.device, 1, y.device, 1));
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  numbers[0] = sum;
  for (int i = 0; i < n; ++i)
    y[i] += numbers[1] * x[i];
  return ok & numbers.same("device asum") & y.same("device axpy");
}

template <typename T> static bool level2(cublasHandle_t handle) {
  using F = Of<T>;
  const int m = 45, n = 70, lda = 50;
  const T alpha = T(0.5), beta = T(-2);
  Vector<T> a(lda * n, 3), x(n, 4), y(2 * m, 5);
  bool ok = true;
  BLAS(F::gemv(handle, CUBLAS_OP_N, m, n, &alpha, a.device, lda, x.device, 1,
               &beta, y.device, 2));
  for (int i = 0; i < m; ++i) {
    T sum = 0;
    for (int j = 0; j < n; ++j)
      sum += a[i + j * lda] * x[j];
    y[2 * i] = alpha * sum + beta * y[2 * i];
  }
  ok &= y.same("gemv");
  BLAS(F::gemv(handle, CUBLAS_OP_T, m, n, &alpha, a.device, lda, y.device, 2,
               &beta, x.device, 1));
  for (int j = 0; j < n; ++j) {
    T sum = 0;
    for (int i = 0; i < m; ++i)
      sum += a[i + j * lda] * y[2 * i];
    x[j] = alpha * sum + beta * x[j];
  }
  ok &= x.same("gemv of the transposed");
  BLAS(F::ger(handle, m, n, &alpha, y.device, 2, x.device, 1, a.device, lda));
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      a[i + j * lda] += alpha * y[2 * i] * x[j];
  return ok & a.same("ger");
}

/// C = alpha * op(A) * op(B) + beta * C on the host.
template <typename T>
static void multiply(bool ta, bool tb, int m, int n, int k, T alpha, const T *a,
                     int lda, const T *b, int ldb, T beta, T *c, int ldc) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      T sum = 0;
      for (int l = 0; l < k; ++l)
        sum += (ta ? a[l + i * lda] : a[i + l * lda]) *
               (tb ? b[j + l * ldb] : b[l + j * ldb]);
      c[i + j * ldc] = alpha * sum + beta * c[i + j * ldc];
    }
}

template <typename T> static bool level3(cublasHandle_t handle) {
  using F = Of<T>;
  const T alpha = T(0.75), beta = T(0.5), zero = 0, one = 1;
  bool ok = true;
  const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T};
  struct Size {
    int m, n, k;
  };
  for (Size z : {Size{33, 20, 21}, Size{130, 129, 9}})
    for (int ta = 0; ta < 2; ++ta)
      for (int tb = 0; tb < 2; ++tb) {
        const int lda = (ta ? z.k : z.m) + 3, ldb = (tb ? z.n : z.k) + 1;
        Vector<T> a(lda * (ta ? z.m : z.k), 1), b(ldb * (tb ? z.k : z.n), 2),
            c((z.m + 2) * z.n, 3);
        BLAS(F::gemm(handle, ops[ta], ops[tb], z.m, z.n, z.k, &alpha, a.device,
                     lda, b.device, ldb, &beta, c.device, z.m + 2));
        multiply(ta, tb, z.m, z.n, z.k, alpha, a.host.data(), lda,
                 b.host.data(), ldb, beta, c.host.data(), z.m + 2);
        ok &= c.same("gemm");
      }

  const int n = 17, count = 3, size = n * n;
  Vector<T> a(size * count, 1), b(size * count, 2), c(size * count, 3);
  BLAS(F::gemmStrided(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &alpha,
                      a.device, n, size, b.device, n, size, &beta, c.device, n,
                      size, count));
  for (int i = 0; i < count; ++i)
    multiply(false, true, n, n, n, alpha, &a[i * size], n, &b[i * size], n,
             beta, &c[i * size], n);
  ok &= c.same("gemmStridedBatched");
  std::vector<T *> pa, pb, pc;
  for (int i = 0; i < count; ++i) { // from the last to the first
    pa.push_back(a.device + (count - 1 - i) * size);
    pb.push_back(b.device + i * size);
    pc.push_back(c.device + i * size);
    multiply(false, false, n, n, n, alpha, &a[(count - 1 - i) * size], n,
             &b[i * size], n, T(0), &c[i * size], n);
  }
  T **lists;
  const size_t bytes = count * sizeof(T *);
  CHECK(cudaMalloc(&lists, 3 * bytes));
  CHECK(cudaMemcpy(lists, pa.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(lists + count, pb.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(
      cudaMemcpy(lists + 2 * count, pc.data(), bytes, cudaMemcpyHostToDevice));
  BLAS(F::gemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, lists,
                      n, lists + count, n, &zero, lists + 2 * count, n, count));
  ok &= c.same("gemmBatched");
  CHECK(cudaFree(lists));

  const int rows = 40, columns = 25;
  Vector<T> wide(columns * rows, 4), tall(rows * columns, 5),
      both(rows * columns, 6);
  BLAS(F::geam(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &alpha,
               wide.device, columns, &beta, tall.device, rows, both.device,
               rows));
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      both[i + j * rows] =
          alpha * wide[j + i * columns] + beta * tall[i + j * rows];
  ok &= both.same("geam");

  // What trsm has solved, multiplied again, is alpha times the right side.
  const cublasFillMode_t fills[] = {CUBLAS_FILL_MODE_LOWER,
                                    CUBLAS_FILL_MODE_UPPER};
  for (int kind = 0; kind < 16; ++kind) {
    const bool left = kind & 1, upper = kind & 2, trans = kind & 4,
               unit = kind & 8;
    const int m = 11, sides = 14, order = left ? m : sides;
    Vector<T> triangle(order * order, kind), right(m * sides, 7);
    for (int i = 0; i < order; ++i)
      for (int j = 0; j < order; ++j)
        triangle[i + j * order] /= i == j ? T(1) : T(order);
    for (int i = 0; i < order; ++i)
      triangle[i * (order + 1)] = T(2) + T(i % 3);
    BLAS(cublasSetMatrix(order, order, sizeof(T), triangle.host.data(), order,
                         triangle.device, order));
    BLAS(F::trsm(handle, left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT,
                 fills[upper], ops[trans],
                 unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, m, sides,
                 &alpha, triangle.device, order, right.device, m));
    std::vector<T> solved(m * sides), again(m * sides);
    BLAS(cublasGetMatrix(m, sides, sizeof(T), right.device, m, solved.data(),
                         m));
    for (int i = 0; i < order; ++i)
      for (int j = 0; j < order; ++j) {
        T &t = triangle[i + j * order];
        t = i == j ? (unit ? one : t) : (i < j) == upper ? t : zero;
      }
    if (left)
      multiply(trans, false, m, sides, m, one, triangle.host.data(), order,
               solved.data(), m, zero, again.data(), m);
    else
      multiply(false, trans, m, sides, sides, one, solved.data(), m,
               triangle.host.data(), order, zero, again.data(), m);
    for (int i = 0; i < m * sides; ++i)
      ok &= near("trsm", again[i], alpha * right[i]);
  }
  return ok;
}

// With an argument: levels 1 and 2 in single precision only.
int main(int argc, char **) {
  cublasHandle_t handle;
  cudaStream_t stream, has;
  BLAS(cublasCreate(&handle));
  CHECK(cudaStreamCreate(&stream));
  BLAS(cublasSetStream(handle, stream));
  BLAS(cublasGetStream(handle, &has));
  bool ok = has == stream;
  ok &= level1<float>(handle) & level2<float>(handle);
  if (argc == 1) {
    ok &= level1<double>(handle) & level2<double>(handle);
    ok &= level3<float>(handle) & level3<double>(handle);
  }
  BLAS(cublasDestroy(handle));
  CHECK(cudaStreamDestroy(stream));
  return verdict(ok);
}
