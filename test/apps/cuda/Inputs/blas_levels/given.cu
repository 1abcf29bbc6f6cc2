// Functions whose types are given at the call, and those of narrow types.
#include "levels.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename E> struct Type;
#define TYPE(E, Code, Sum, SumCode)                                            \
  template <> struct Type<E> {                                                 \
    using Compute = Sum;                                                       \
    static constexpr cudaDataType code = Code, compute = SumCode;              \
  };
TYPE(__half, CUDA_R_16F, float, CUDA_R_32F)
TYPE(__nv_bfloat16, CUDA_R_16BF, float, CUDA_R_32F)
TYPE(float, CUDA_R_32F, float, CUDA_R_32F)
TYPE(double, CUDA_R_64F, double, CUDA_R_64F)
TYPE(cuComplex, CUDA_C_32F, cuComplex, CUDA_C_32F)
TYPE(cuDoubleComplex, CUDA_C_64F, cuDoubleComplex, CUDA_C_64F)
TYPE(signed char, CUDA_R_8I, float, CUDA_R_32F)
TYPE(int, CUDA_R_32I, int, CUDA_R_32I)
/// The type of the sizes of E.
template <typename E>
using Real = std::conditional_t<is_complex<E>, Part<E>, E>;

template <typename E> static E narrow(Z z) {
  if constexpr (is_complex<E>)
    return to<E>(z);
  else
    return E(float(z.real()));
}
template <typename E> static Z wide(E x) {
  if constexpr (is_complex<E>)
    return of(x);
  else
    return double(float(x));
}
/// Numbers on the device, small integers or quarters, which all types have.
template <typename E> struct Numbers {
  std::vector<Z> host;
  E *device = nullptr;
  Numbers(int n, int seed, double unit = 0.25) : host(n) {
    std::vector<E> values;
    for (int i = 0; i < n; ++i) {
      const double x = ((i * 7 + seed * 5) % 11 - 5) * unit;
      host[i] = {x, is_complex<E> ? (i % 3 - 1) * unit : 0};
      values.push_back(narrow<E>(host[i]));
    }
    CHECK(cudaMalloc((void **)&device, n * sizeof(E)));
    CHECK(cudaMemcpy(device, values.data(), n * sizeof(E),
                     cudaMemcpyHostToDevice));
  }
  ~Numbers() { cudaFree(device); }
  bool same(const char *what) const {
    std::vector<E> is(host.size());
    CHECK(cudaMemcpy(is.data(), device, is.size() * sizeof(E),
                     cudaMemcpyDeviceToHost));
    const double tolerance = sizeof(E) < 4 ? 1e-2 : 1e-5;
    for (size_t i = 0; i < is.size(); ++i)
      if (!(std::abs(wide(is[i]) - host[i]) <=
            tolerance * (1 + std::abs(host[i])))) {
        printf("%s: element %zu is %g, not %g\n", what, i, wide(is[i]).real(),
               host[i].real());
        return false;
      }
    return true;
  }
};
template <typename E> static bool close(const char *what, E is, Z wanted) {
  const double tolerance = sizeof(E) < 4 ? 1e-2 : 1e-5;
  const bool ok =
      std::abs(wide(is) - wanted) <= tolerance * (1 + std::abs(wanted));
  if (!ok)
    printf("%s: %g%+gi, not %g%+gi\n", what, wide(is).real(), wide(is).imag(),
           wanted.real(), wanted.imag());
  return ok;
}

template <typename E> static bool vectors(cublasHandle_t handle) {
  using C = typename Type<E>::Compute;
  using R = Real<E>;
  const cudaDataType e = Type<E>::code, c = Type<E>::compute;
  const cudaDataType r = Type<R>::code, rc = Type<R>::compute;
  const int n = 50;
  bool ok = true;
  Numbers<E> x(n, 1), y(n, 2);
  const Z a = is_complex<E> ? Z(0.5, 1) : 0.5;
  const C alpha = narrow<C>(a);
  BLAS(cublasAxpyEx(handle, n, &alpha, c, x.device, e, 1, y.device, e, 1, c));
  for (int i = 0; i < n; ++i)
    y.host[i] += a * x.host[i];
  ok &= y.same("AxpyEx");
  BLAS(cublasScalEx(handle, n, &alpha, c, y.device, e, 1, c));
  for (Z &z : y.host)
    z *= a;
  ok &= y.same("ScalEx");
  Z plain = 0, conjugate = 0;
  double sum = 0, squares = 0;
  int most = 0, least = 0;
  auto size = [&](int i) {
    return std::fabs(y.host[i].real()) + std::fabs(y.host[i].imag());
  };
  for (int i = 0; i < n; ++i) {
    plain += x.host[i] * y.host[i];
    conjugate += std::conj(x.host[i]) * y.host[i];
    sum += size(i);
    squares += std::norm(y.host[i]);
    most = size(i) > size(most) ? i : most;
    least = size(i) < size(least) ? i : least;
  }
  E product;
  BLAS(cublasDotEx(handle, n, x.device, e, 1, y.device, e, 1, &product, e, c));
  ok &= close("DotEx", product, plain);
  BLAS(cublasDotcEx(handle, n, x.device, e, 1, y.device, e, 1, &product, e, c));
  ok &= close("DotcEx", product, conjugate);
  R length;
  BLAS(cublasNrm2Ex(handle, n, y.device, e, 1, &length, r, rc));
  ok &= close("Nrm2Ex", length, std::sqrt(squares));
  BLAS(cublasAsumEx(handle, n, y.device, e, 1, &length, r, rc));
  ok &= close("AsumEx", length, sum);
  int at;
  BLAS(cublasIamaxEx(handle, n, y.device, e, 1, &at));
  ok &= close("IamaxEx", at, most + 1);
  BLAS(cublasIaminEx(handle, n, y.device, e, 1, &at));
  ok &= close("IaminEx", at, least + 1);
  const R cosine = narrow<R>(0.75), sine = narrow<R>(0.5);
  BLAS(cublasRotEx(handle, n, x.device, e, 1, y.device, e, 1, &cosine, &sine, r,
                   c));
  for (int i = 0; i < n; ++i) {
    const Z old = x.host[i];
    x.host[i] = 0.75 * old + 0.5 * y.host[i];
    y.host[i] = 0.75 * y.host[i] - 0.5 * old;
  }
  ok &= x.same("RotEx") & y.same("RotEx");
  BLAS(cublasSwapEx(handle, n, x.device, e, 1, y.device, e, 1));
  std::swap(x.host, y.host);
  ok &= x.same("SwapEx") & y.same("SwapEx");
  BLAS(cublasCopyEx(handle, n, x.device, e, 1, y.device, e, -1));
  for (int i = 0; i < n; ++i)
    y.host[n - 1 - i] = x.host[i];
  return ok & y.same("CopyEx");
}

/// A thing of count matrices, 20 x 20 elements each, and its product.
template <typename In, typename Out, typename F>
static bool products(cublasHandle_t handle, cublasComputeType_t sum) {
  const cudaDataType in = Type<In>::code, out = Type<Out>::code;
  const int n = 20, size = n * n, count = 2;
  const bool whole = std::is_same_v<In, signed char>;
  Numbers<In> a(size * count, 1, whole ? 1 : 0.25),
      b(size * count, 2, whole ? 1 : 0.25);
  Numbers<Out> c(size * count, 3, whole ? 1 : 0.25);
  const F alpha = narrow<F>(2), beta = narrow<F>(1);
  auto expect = [&](int first, int last) {
    for (int e = first * size; e < last * size; ++e) {
      const int z = e / size * size, i = e % n, j = e % size / n;
      Z s = 0;
      for (int k = 0; k < n; ++k)
        s += a.host[z + i + k * n] * b.host[z + j + k * n];
      c.host[e] = 2.0 * s + c.host[e];
    }
  };
  const auto no = CUBLAS_OP_N, yes = CUBLAS_OP_T;
  const auto algorithm = CUBLAS_GEMM_DEFAULT;
  bool ok = true;
  BLAS(cublasGemmEx(handle, no, yes, n, n, n, &alpha, a.device, in, n, b.device,
                    in, n, &beta, c.device, out, n, sum, algorithm));
  expect(0, 1);
  ok &= c.same("GemmEx");
  BLAS(cublasGemmStridedBatchedEx(
      handle, no, yes, n, n, n, &alpha, a.device, in, n, size, b.device, in, n,
      size, &beta, c.device, out, n, size, count, sum, algorithm));
  expect(0, 2);
  ok &= c.same("GemmStridedBatchedEx");
  const void *lists[] = {a.device,        a.device + size, b.device,
                         b.device + size, c.device,        c.device + size};
  const void **at;
  CHECK(cudaMalloc((void **)&at, sizeof(lists)));
  CHECK(cudaMemcpy(at, lists, sizeof(lists), cudaMemcpyHostToDevice));
  BLAS(cublasGemmBatchedEx(handle, no, yes, n, n, n, &alpha, at, in, n, at + 2,
                           in, n, &beta, (void **)at + 4, out, n, count, sum,
                           algorithm));
  expect(0, 2);
  ok &= c.same("GemmBatchedEx");
  if (std::is_same_v<F, float> && !whole) {
    BLAS(cublasSgemmEx(handle, no, yes, n, n, n, (const float *)&alpha,
                       a.device, in, n, b.device, in, n, (const float *)&beta,
                       c.device, out, n));
    expect(0, 1);
    ok &= c.same("SgemmEx");
  }
  if (std::is_same_v<F, cuComplex>) {
    auto run = [&](auto f) {
      BLAS(f(handle, no, yes, n, n, n, (const cuComplex *)&alpha, a.device, in,
             n, b.device, in, n, (const cuComplex *)&beta, c.device, out, n));
      expect(0, 1);
      ok &= c.same("CgemmEx");
    };
    run(cublasCgemmEx);
    run(cublasCgemm3mEx);
  }
  CHECK(cudaFree(at));
  return ok;
}

static bool halves(cublasHandle_t handle) {
  const int n = 12, size = n * n;
  Numbers<__half> a(size, 1), b(size, 2), c(size, 3);
  const __half alpha = narrow<__half>(2), beta = narrow<__half>(1);
  const __half *lists[] = {a.device, b.device, c.device}, **at;
  CHECK(cudaMalloc((void **)&at, sizeof(lists)));
  CHECK(cudaMemcpy(at, lists, sizeof(lists), cudaMemcpyHostToDevice));
  BLAS(cublasHgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, at,
                          n, at + 1, n, &beta, (__half **)at + 2, n, 1));
  CHECK(cudaFree(at));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        c.host[i + j * n] += 2.0 * a.host[i + k * n] * b.host[k + j * n];
  return c.same("HgemmBatched");
}

template <typename In, typename Out, typename B, typename S>
static bool narrow_gemv(cublasHandle_t handle, B batched, S stridden) {
  const int m = 9, n = 14, count = 2;
  Numbers<In> a(m * n * count, 1), x(n * count, 2);
  Numbers<Out> y(m * count, 3);
  const float alpha = 2, beta = 1;
  auto expect = [&] {
    for (int e = 0; e < m * count; ++e)
      for (int j = 0; j < n; ++j)
        y.host[e] +=
            2.0 * a.host[e / m * m * n + e % m + j * m] * x.host[e / m * n + j];
  };
  BLAS(stridden(handle, CUBLAS_OP_N, m, n, &alpha, a.device, m, m * n, x.device,
                1, n, &beta, y.device, 1, m, count));
  expect();
  bool ok = y.same("gemvStridedBatched of narrow numbers");
  const void *lists[] = {a.device,     a.device + m * n, x.device,
                         x.device + n, y.device,         y.device + m};
  const void **at;
  CHECK(cudaMalloc((void **)&at, sizeof(lists)));
  CHECK(cudaMemcpy(at, lists, sizeof(lists), cudaMemcpyHostToDevice));
  BLAS(batched(handle, CUBLAS_OP_N, m, n, &alpha, (const In **)at, m,
               (const In **)at + 2, 1, &beta, (Out **)at + 4, 1, count));
  CHECK(cudaFree(at));
  expect();
  return ok & y.same("gemvBatched of narrow numbers");
}

/// Two groups of products, with sizes and factors of their own.
static bool groups(cublasHandle_t handle) {
  const cublasOperation_t t[] = {CUBLAS_OP_N, CUBLAS_OP_N};
  const int n[] = {7, 12}, counts[] = {2, 1}, first[] = {0, 49, 98};
  const double alpha[] = {2, 0.5}, beta[] = {1, 0};
  Numbers<double> a(98 + 144, 1), b(98 + 144, 2), c(98 + 144, 3);
  double *lists[9], **at;
  for (int i = 0; i < 3; ++i) {
    lists[i] = a.device + first[i];
    lists[3 + i] = b.device + first[i];
    lists[6 + i] = c.device + first[i];
  }
  CHECK(cudaMalloc((void **)&at, sizeof(lists)));
  CHECK(cudaMemcpy(at, lists, sizeof(lists), cudaMemcpyHostToDevice));
  auto expect = [&] {
    for (int g = 0; g < 3; ++g) {
      const int group = g / 2, m = n[group], z = first[g];
      for (int e = 0; e < m * m; ++e) {
        Z s = 0;
        for (int k = 0; k < m; ++k)
          s += a.host[z + e % m + k * m] * b.host[z + k + e / m * m];
        c.host[z + e] = alpha[group] * s + beta[group] * c.host[z + e];
      }
    }
  };
  BLAS(cublasDgemmGroupedBatched(handle, t, t, n, n, n, alpha, at, n, at + 3, n,
                                 beta, at + 6, n, 2, counts));
  expect();
  bool ok = c.same("gemmGroupedBatched");
  BLAS(cublasGemmGroupedBatchedEx(
      handle, t, t, n, n, n, alpha, (const void **)at, CUDA_R_64F, n,
      (const void **)at + 3, CUDA_R_64F, n, beta, (void **)at + 6, CUDA_R_64F,
      n, 2, counts, CUBLAS_COMPUTE_64F));
  expect();
  CHECK(cudaFree(at));
  return ok & c.same("GemmGroupedBatchedEx");
}

/// Rotations: only that the types reach the functions that level 1 tests.
static bool rotations(cublasHandle_t handle) {
  double a = 3, b = 4, c, s, x = 1, y = 2, d1 = 1.5, d2 = 0.5, param[5];
  BLAS(
      cublasRotgEx(handle, &a, &b, CUDA_R_64F, &c, &s, CUDA_R_64F, CUDA_R_64F));
  bool ok = close("RotgEx", a, 5) & close("RotgEx", s, 0.8);
  BLAS(cublasRotmgEx(handle, &d1, CUDA_R_64F, &d2, CUDA_R_64F, &x, CUDA_R_64F,
                     &y, CUDA_R_64F, param, CUDA_R_64F, CUDA_R_64F));
  Numbers<double> one(4, 1), two(4, 2);
  BLAS(cublasRotmEx(handle, 4, one.device, CUDA_R_64F, 1, two.device,
                    CUDA_R_64F, 1, param, CUDA_R_64F, CUDA_R_64F));
  for (int i = 0; i < 4; ++i) { // q2 is larger: the flag is 1
    const Z u = one.host[i], v = two.host[i];
    one.host[i] = param[1] * u + v;
    two.host[i] = -u + param[4] * v;
  }
  return ok & close("RotmgEx", param[0], 1) & one.same("RotmEx") &
         two.same("RotmEx");
}

bool given_types(cublasHandle_t handle) {
  bool ok = vectors<__half>(handle) & vectors<__nv_bfloat16>(handle);
  ok &= vectors<float>(handle) & vectors<double>(handle);
  ok &= vectors<cuComplex>(handle) & vectors<cuDoubleComplex>(handle);
  ok &= products<__half, __half, __half>(handle, CUBLAS_COMPUTE_16F);
  ok &= products<__half, __half, float>(handle, CUBLAS_COMPUTE_32F);
  ok &= products<__half, float, float>(handle, CUBLAS_COMPUTE_32F);
  ok &=
      products<__nv_bfloat16, __nv_bfloat16, float>(handle, CUBLAS_COMPUTE_32F);
  ok &= products<__nv_bfloat16, float, float>(handle, CUBLAS_COMPUTE_32F);
  ok &= products<signed char, int, int>(handle, CUBLAS_COMPUTE_32I);
  ok &= products<signed char, float, float>(handle, CUBLAS_COMPUTE_32F);
  ok &= products<float, float, float>(handle, CUBLAS_COMPUTE_32F_FAST_TF32);
  ok &= products<double, double, double>(handle, CUBLAS_COMPUTE_64F);
  ok &= products<cuComplex, cuComplex, cuComplex>(handle, CUBLAS_COMPUTE_32F);
  ok &= products<cuDoubleComplex, cuDoubleComplex, cuDoubleComplex>(
      handle, CUBLAS_COMPUTE_64F);
  ok &= narrow_gemv<__half, __half>(handle, cublasHSHgemvBatched,
                                    cublasHSHgemvStridedBatched);
  ok &= narrow_gemv<__half, float>(handle, cublasHSSgemvBatched,
                                   cublasHSSgemvStridedBatched);
  ok &= narrow_gemv<__nv_bfloat16, __nv_bfloat16>(handle, cublasTSTgemvBatched,
                                                  cublasTSTgemvStridedBatched);
  ok &= narrow_gemv<__nv_bfloat16, float>(handle, cublasTSSgemvBatched,
                                          cublasTSSgemvStridedBatched);
  return ok & halves(handle) & groups(handle) & rotations(handle);
}
