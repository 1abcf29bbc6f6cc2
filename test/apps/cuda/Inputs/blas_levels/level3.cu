// Matrices and matrices.
#include "levels.h"
#include <algorithm>

template <typename T> struct Of;
#define COMMON(S)                                                              \
  static constexpr auto gemm = cublas##S##gemm;                                \
  static constexpr auto gemmBatched = cublas##S##gemmBatched;                  \
  static constexpr auto gemmStrided = cublas##S##gemmStridedBatched;           \
  static constexpr auto symm = cublas##S##symm;                                \
  static constexpr auto syrk = cublas##S##syrk;                                \
  static constexpr auto syr2k = cublas##S##syr2k;                              \
  static constexpr auto syrkx = cublas##S##syrkx;                              \
  static constexpr auto trmm = cublas##S##trmm;                                \
  static constexpr auto trsm = cublas##S##trsm;                                \
  static constexpr auto trsmBatched = cublas##S##trsmBatched;                  \
  static constexpr auto geam = cublas##S##geam;                                \
  static constexpr auto dgmm = cublas##S##dgmm;                                \
  static constexpr auto tpttr = cublas##S##tpttr;                              \
  static constexpr auto trttp = cublas##S##trttp;
#define REAL(T, S)                                                             \
  template <> struct Of<T> {                                                   \
    COMMON(S)                                                                  \
  };
#define COMPLEX(T, S)                                                          \
  template <> struct Of<T> {                                                   \
    COMMON(S)                                                                  \
    static constexpr auto gemm3m = cublas##S##gemm3m;                          \
    static constexpr auto hemm = cublas##S##hemm;                              \
    static constexpr auto herk = cublas##S##herk;                              \
    static constexpr auto her2k = cublas##S##her2k;                            \
    static constexpr auto herkx = cublas##S##herkx;                            \
  };
REAL(float, S)
REAL(double, D)
COMPLEX(cuComplex, C)
COMPLEX(cuDoubleComplex, Z)

/// c = alpha * product + beta * c, where c begins as \p seed says.
template <typename T>
static std::vector<Z> expected(const Dense &product, Z alpha, Z beta, int seed,
                               int ldc) {
  Dense c = dense<T>(product.m, product.n, seed);
  for (int i = 0; i < product.m * product.n; ++i)
    c.all[i] = alpha * product.all[i] + beta * c.all[i];
  return stored(c, ldc);
}

template <typename T>
static bool products(cublasHandle_t handle, int m, int n, int k) {
  using F = Of<T>;
  bool ok = true;
  const Given<T> alpha(number<T>(1, 2)), beta(number<T>(5, 3));
  for (cublasOperation_t ta : ops)
    for (cublasOperation_t tb : ops) {
      const bool na = ta == CUBLAS_OP_N, nb = tb == CUBLAS_OP_N;
      const Dense a = dense<T>(na ? m : k, na ? k : m, 1);
      const Dense b = dense<T>(nb ? k : n, nb ? n : k, 2);
      const int lda = a.m + 3, ldb = b.m + 1, ldc = m + 2;
      const Vector<T> da(stored(a, lda)), db(stored(b, ldb));
      Vector<T> c(stored(dense<T>(m, n, 3), ldc));
      const bool there = other_mode(handle);
      auto f = F::gemm;
      if constexpr (is_complex<T>)
        if (ta == CUBLAS_OP_C)
          f = F::gemm3m;
      BLAS(f(handle, ta, tb, m, n, k, alpha.in(there), da.device, lda,
             db.device, ldb, beta.in(there), c.device, ldc));
      c.host = expected<T>(op(a, ta) * op(b, tb), of(alpha.value),
                           of(beta.value), 3, ldc);
      ok &= c.same(std::string("gemm ") + "NTC"[ta] + "NTC"[tb]);
    }
  return ok;
}

template <typename T> static bool batches(cublasHandle_t handle) {
  using F = Of<T>;
  const int n = 17, count = 3, size = n * n;
  const Given<T> alpha(number<T>(1, 2)), beta(number<T>(5, 3)), zero(0);
  bool ok = true;
  Vector<T> a(size * count, 1), b(size * count, 2), c(size * count, 3);
  auto matrix = [&](Vector<T> &v, int i) {
    Dense d(n, n);
    std::copy_n(&v[i * size], size, d.all.begin());
    return d;
  };
  auto expect = [&](int i, Z keep, const Dense &product) {
    for (int e = 0; e < size; ++e)
      c[i * size + e] =
          of(alpha.value) * product.all[e] + keep * c[i * size + e];
  };
  bool there = other_mode(handle);
  BLAS(F::gemmStrided(handle, CUBLAS_OP_N, CUBLAS_OP_C, n, n, n,
                      alpha.in(there), a.device, n, size, b.device, n, size,
                      beta.in(there), c.device, n, size, count));
  for (int i = 0; i < count; ++i)
    expect(i, of(beta.value), matrix(a, i) * op(matrix(b, i), CUBLAS_OP_C));
  ok &= c.same("gemmStridedBatched");
  std::vector<T *> lists;
  for (int i = 0; i < count; ++i) // from the last to the first
    lists.push_back(a.device + (count - 1 - i) * size);
  for (int i = 0; i < count; ++i)
    lists.push_back(b.device + i * size);
  for (int i = 0; i < count; ++i)
    lists.push_back(c.device + i * size);
  T **at;
  CHECK(cudaMalloc((void **)&at, lists.size() * sizeof(T *)));
  CHECK(cudaMemcpy(at, lists.data(), lists.size() * sizeof(T *),
                   cudaMemcpyHostToDevice));
  there = other_mode(handle);
  BLAS(F::gemmBatched(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n,
                      alpha.in(there), at, n, at + count, n, zero.in(there),
                      at + 2 * count, n, count));
  for (int i = 0; i < count; ++i)
    expect(i, 0, op(matrix(a, count - 1 - i), CUBLAS_OP_T) * matrix(b, i));
  ok &= c.same("gemmBatched");

  const Dense d = structured<T>(Kind::triangular, true, false, n, n, 4);
  for (int i = 0; i < count; ++i)
    std::copy_n(d.all.begin(), size, &a[i * size]);
  a.upload();
  BLAS(F::trsmBatched(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER,
                      CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, n, alpha.in(there),
                      at, n, at + 2 * count, n, count));
  const std::vector<Z> solved = c.download();
  for (int i = 0; i < count; ++i) {
    Dense x(n, n);
    std::copy_n(&solved[i * size], size, x.all.begin());
    const Dense again = d * x;
    for (int e = 0; e < size; ++e)
      ok &= near<T>("trsmBatched", again.all[e] / 64.0,
                    of(alpha.value) * c[i * size + e] / 64.0);
  }
  CHECK(cudaFree(at));
  return ok;
}

template <typename T>
static bool symmetric(cublasHandle_t handle, bool left, bool upper, int m,
                      int n) {
  using F = Of<T>;
  bool ok = true;
  const Given<T> alpha(number<T>(1, 2)), beta(number<T>(5, 3));
  const int order = left ? m : n, lda = order + 1, ldb = m + 2, ldc = m + 3;
  const Dense b = dense<T>(m, n, 2);
  const Vector<T> db(stored(b, ldb));
  auto one = [&](const char *name, Kind kind, auto f) {
    const Dense d = structured<T>(kind, upper, false, order, order, 5);
    const Vector<T> a(stored(d, Form::full, upper, false, order, lda));
    Vector<T> c(stored(dense<T>(m, n, 3), ldc));
    const bool there = other_mode(handle);
    BLAS(f(handle, left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT, fill(upper), m,
           n, alpha.in(there), a.device, lda, db.device, ldb, beta.in(there),
           c.device, ldc));
    c.host = expected<T>(left ? d * b : b * d, of(alpha.value), of(beta.value),
                         3, ldc);
    ok &= c.same(name);
  };
  one("symm", Kind::symmetric, F::symm);
  if constexpr (is_complex<T>)
    one("hemm", Kind::hermitian, F::hemm);
  return ok;
}

/// Products of which a triangle is written; the other one stays as it is.
template <typename T>
static bool triangles(cublasHandle_t handle, bool upper, cublasOperation_t t,
                      int n, int k) {
  using F = Of<T>;
  bool ok = true;
  const Given<T> alpha(number<T>(1, 2)), beta(number<T>(5, 3));
  const Given<Part<T>> ralpha(0.75), rbeta(-0.5);
  // What is not written shows best where beta does not keep its NaN.
  const Given<T> zero(0);
  const Given<Part<T>> rzero(0);
  const bool no = t == CUBLAS_OP_N;
  const Dense a = dense<T>(no ? n : k, no ? k : n, 1);
  const Dense b = dense<T>(no ? n : k, no ? k : n, 2);
  const int lda = a.m + 1, ldb = a.m + 2, ldc = n + 3;
  const Vector<T> da(stored(a, lda)), db(stored(b, ldb));
  auto one = [&](const char *name, bool conjugate, Z keep, const Dense &product,
                 auto call) {
    const Kind kind = conjugate ? Kind::hermitian : Kind::symmetric;
    Dense c = structured<T>(kind, upper, false, n, n, 5);
    Vector<T> dc(stored(c, Form::full, upper, false, n, ldc));
    BLAS(call(dc.device, other_mode(handle)));
    for (int i = 0; i < n * n; ++i)
      c.all[i] = product.all[i] + keep * c.all[i];
    for (int i = 0; i < n && conjugate; ++i)
      c.at(i, i) = c.at(i, i).real();
    dc.host = stored(c, Form::full, upper, false, n, ldc);
    ok &=
        dc.same(std::string(name) + (upper ? " upper " : " lower ") + "NTC"[t]);
  };
  // op(x) times the (conjugate) transpose of op(y), with a factor
  auto product = [&](bool conjugate, Z z, const Dense &x, const Dense &y) {
    Dense d = op(x, t) * op(op(y, t), conjugate ? CUBLAS_OP_C : CUBLAS_OP_T);
    for (Z &e : d.all)
      e *= z;
    return d;
  };
  auto both = [&](bool conjugate) {
    const Z s = of(alpha.value);
    Dense d = product(conjugate, s, a, b);
    const Dense e = product(conjugate, conjugate ? std::conj(s) : s, b, a);
    for (int i = 0; i < n * n; ++i)
      d.all[i] += e.all[i];
    return d;
  };
  const Z s = of(alpha.value), keep = of(beta.value);
  if (!is_complex<T> || t != CUBLAS_OP_C) {
    one("syrk", false, keep, product(false, s, a, a), [&](T *c, bool there) {
      return F::syrk(handle, fill(upper), t, n, k, alpha.in(there), da.device,
                     lda, beta.in(there), c, ldc);
    });
    one("syr2k", false, keep, both(false), [&](T *c, bool there) {
      return F::syr2k(handle, fill(upper), t, n, k, alpha.in(there), da.device,
                      lda, db.device, ldb, beta.in(there), c, ldc);
    });
    one("syrkx", false, 0, product(false, s, a, b), [&](T *c, bool there) {
      return F::syrkx(handle, fill(upper), t, n, k, alpha.in(there), da.device,
                      lda, db.device, ldb, zero.in(there), c, ldc);
    });
  }
  if constexpr (is_complex<T>) {
    if (t == CUBLAS_OP_T)
      return ok;
    const Z r = of(rbeta.value);
    one("herk", true, r, product(true, of(ralpha.value), a, a),
        [&](T *c, bool there) {
          return F::herk(handle, fill(upper), t, n, k, ralpha.in(there),
                         da.device, lda, rbeta.in(there), c, ldc);
        });
    one("her2k", true, r, both(true), [&](T *c, bool there) {
      return F::her2k(handle, fill(upper), t, n, k, alpha.in(there), da.device,
                      lda, db.device, ldb, rbeta.in(there), c, ldc);
    });
    // A product that is Hermitian by itself: b is twice a.
    Vector<T> twice(da.host);
    for (Z &z : twice.host)
      z *= 2;
    twice.upload();
    const Given<T> plain(0.75);
    one("herkx", true, 0, product(true, 1.5, a, a), [&](T *c, bool there) {
      return F::herkx(handle, fill(upper), t, n, k, plain.in(there), da.device,
                      lda, twice.device, lda, rzero.in(there), c, ldc);
    });
  }
  return ok;
}

/// trmm out of place and in place, and trsm back again.
template <typename T>
static bool systems(cublasHandle_t handle, int kind, cublasOperation_t t, int m,
                    int n) {
  using F = Of<T>;
  const bool left = kind & 1, upper = kind & 2, unit = kind & 4;
  const Given<T> alpha(is_complex<T> ? Z(0.5, 0.5) : 0.5), one(1);
  const int order = left ? m : n, lda = order + 1, ldb = m + 2, ldc = m + 1;
  const Dense d = structured<T>(Kind::triangular, upper, unit, order, order, 5);
  const Dense b = dense<T>(m, n, 2);
  const Vector<T> a(stored(d, Form::full, upper, unit, order, lda));
  Vector<T> db(stored(b, ldb)), c(stored(Dense(m, n), ldc));
  Dense product = left ? op(d, t) * b : b * op(d, t);
  for (Z &z : product.all)
    z *= of(alpha.value);
  const auto side = left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
  const std::string what = std::string(left ? " left" : " right") +
                           (upper ? " upper " : " lower ") + "NTC"[t] +
                           (unit ? " unit" : "");
  bool there = other_mode(handle);
  BLAS(F::trmm(handle, side, fill(upper), t, diagonal(unit), m, n,
               alpha.in(there), a.device, lda, db.device, ldb, c.device, ldc));
  c.host = stored(product, ldc);
  bool ok = c.same("trmm" + what);
  BLAS(F::trmm(handle, side, fill(upper), t, diagonal(unit), m, n,
               alpha.in(there), a.device, lda, db.device, ldb, db.device, ldb));
  db.host = stored(product, ldb);
  ok &= db.same("trmm in place" + what);
  const Given<T> back(Z(1) / of(alpha.value));
  there = other_mode(handle);
  BLAS(F::trsm(handle, side, fill(upper), t, diagonal(unit), m, n,
               back.in(there), a.device, lda, db.device, ldb));
  db.host = stored(b, ldb);
  return ok & db.same("trsm" + what);
}

template <typename T> static bool elements(cublasHandle_t handle) {
  using F = Of<T>;
  bool ok = true;
  const int m = 40, n = 25, ldc = m + 1;
  const Given<T> alpha(number<T>(1, 2)), beta(number<T>(5, 3));
  const Vector<T> x(n * 2, 9);
  for (cublasOperation_t t : ops) {
    const bool no = t == CUBLAS_OP_N;
    const Dense a = dense<T>(no ? m : n, no ? n : m, 1), b = dense<T>(m, n, 2);
    const Vector<T> da(stored(a, a.m)), db(stored(b, m));
    Vector<T> c(stored(Dense(m, n), ldc));
    const bool there = other_mode(handle);
    BLAS(F::geam(handle, t, CUBLAS_OP_N, m, n, alpha.in(there), da.device, a.m,
                 beta.in(there), db.device, m, c.device, ldc));
    Dense sum = op(a, t);
    for (int i = 0; i < m * n; ++i)
      sum.all[i] = of(alpha.value) * sum.all[i] + of(beta.value) * b.all[i];
    c.host = stored(sum, ldc);
    ok &= c.same("geam");
    BLAS(F::dgmm(handle, CUBLAS_SIDE_RIGHT, m, n, db.device, m, x.device, 2,
                 c.device, ldc));
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j)
        sum.at(i, j) = b.at(i, j) * x.host[2 * j];
    c.host = stored(sum, ldc);
    ok &= c.same("dgmm");
  }
  for (bool upper : {false, true}) {
    const Dense d = structured<T>(Kind::symmetric, upper, false, n, n, 5);
    Vector<T> full(stored(d, Form::full, upper, false, n, n + 1)),
        packed(stored(d, Form::packed, upper, false, n, 0)),
        again(std::vector<Z>((n + 1) * n, Z(nan_, nan_)));
    again.host = full.host;
    BLAS(F::tpttr(handle, fill(upper), n, packed.device, again.device, n + 1));
    ok &= again.same("tpttr");
    CHECK(cudaMemset(packed.device, 0, packed.host.size() * sizeof(T)));
    BLAS(F::trttp(handle, fill(upper), n, full.device, n + 1, packed.device));
    ok &= packed.same("trttp");
  }
  return ok;
}

template <typename T> static bool all(cublasHandle_t handle) {
  bool ok = products<T>(handle, 33, 20, 21) & products<T>(handle, 130, 129, 9);
  ok &= batches<T>(handle) & elements<T>(handle);
  for (int kind = 0; kind < 4; ++kind) {
    ok &= symmetric<T>(handle, kind & 1, kind & 2, 35, 20);
    ok &= symmetric<T>(handle, kind & 1, kind & 2, 129, 140);
  }
  for (cublasOperation_t t : ops) {
    for (bool upper : {false, true})
      ok &= triangles<T>(handle, upper, t, 37, 11) &
            triangles<T>(handle, upper, t, 135, 5);
    for (int kind = 0; kind < 8; ++kind)
      ok &= systems<T>(handle, kind, t, 11, 34);
    ok &= systems<T>(handle, 1, t, 130, 150);
    ok &= systems<T>(handle, 0, t, 40, 9) & systems<T>(handle, 6, t, 40, 9);
  }
  return ok;
}
bool level3(cublasHandle_t handle, char type) {
  return type == 'S'   ? all<float>(handle)
         : type == 'D' ? all<double>(handle)
         : type == 'C' ? all<cuComplex>(handle)
                       : all<cuDoubleComplex>(handle);
}
