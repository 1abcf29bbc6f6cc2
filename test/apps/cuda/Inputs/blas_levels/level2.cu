// Matrices and vectors.
#include "levels.h"

template <typename T> struct Of;
#define COMMON(S)                                                              \
  static constexpr auto gemv = cublas##S##gemv;                                \
  static constexpr auto gemvBatched = cublas##S##gemvBatched;                  \
  static constexpr auto gemvStrided = cublas##S##gemvStridedBatched;           \
  static constexpr auto gbmv = cublas##S##gbmv;                                \
  static constexpr auto symv = cublas##S##symv;                                \
  static constexpr auto syr = cublas##S##syr;                                  \
  static constexpr auto syr2 = cublas##S##syr2;                                \
  static constexpr auto trmv = cublas##S##trmv;                                \
  static constexpr auto tbmv = cublas##S##tbmv;                                \
  static constexpr auto tpmv = cublas##S##tpmv;                                \
  static constexpr auto trsv = cublas##S##trsv;                                \
  static constexpr auto tbsv = cublas##S##tbsv;                                \
  static constexpr auto tpsv = cublas##S##tpsv;
#define REAL(T, S)                                                             \
  template <> struct Of<T> {                                                   \
    COMMON(S)                                                                  \
    static constexpr auto ger = cublas##S##ger;                                \
    static constexpr auto bmv = cublas##S##sbmv;                               \
    static constexpr auto pmv = cublas##S##spmv;                               \
    static constexpr auto pr = cublas##S##spr;                                 \
    static constexpr auto pr2 = cublas##S##spr2;                               \
  };
#define COMPLEX(T, S)                                                          \
  template <> struct Of<T> {                                                   \
    COMMON(S)                                                                  \
    static constexpr auto ger = cublas##S##geru;                               \
    static constexpr auto gerc = cublas##S##gerc;                              \
    static constexpr auto hemv = cublas##S##hemv;                              \
    static constexpr auto bmv = cublas##S##hbmv;                               \
    static constexpr auto pmv = cublas##S##hpmv;                               \
    static constexpr auto her = cublas##S##her;                                \
    static constexpr auto her2 = cublas##S##her2;                              \
    static constexpr auto pr = cublas##S##hpr;                                 \
    static constexpr auto pr2 = cublas##S##hpr2;                               \
  };
REAL(float, S)
REAL(double, D)
COMPLEX(cuComplex, C)
COMPLEX(cuDoubleComplex, Z)

/// y = alpha * a * x + beta * y on the host.
template <typename T>
static void multiply(const Dense &a, Z alpha, Vector<T> &x, int incx, Z beta,
                     Vector<T> &y, int incy) {
  for (int i = 0; i < a.m; ++i) {
    Z sum = 0;
    for (int j = 0; j < a.n; ++j)
      sum += a.at(i, j) * x.at(j, a.n, incx);
    y.at(i, a.m, incy) = alpha * sum + beta * y.at(i, a.m, incy);
  }
}

template <typename T>
static bool generals(cublasHandle_t handle, int m, int n, int incx, int incy) {
  using F = Of<T>;
  bool ok = true;
  const Given<T> alpha(number<T>(1, 2)), beta(number<T>(5, 3)), zero(0);
  const int lda = m + 3, below = 2, above = 3, band = below + above + 2;
  const Dense full = dense<T>(m, n, 1);
  Dense banded(m, n);
  std::vector<Z> in_bands(band * n, Z(nan_, nan_));
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      if (i - j <= below && j - i <= above)
        in_bands[above + i - j + j * band] = banded.at(i, j) = full.at(i, j);
  const Vector<T> a(stored(full, lda)), ab(in_bands);
  for (cublasOperation_t t : ops) {
    const Dense used = op(full, t), used_band = op(banded, t);
    const std::string what = std::string(" with ") + "NTC"[t];
    Vector<T> x(used.n * std::abs(incx), 3), y(used.m * std::abs(incy), 4);
    bool there = other_mode(handle);
    BLAS(F::gemv(handle, t, m, n, alpha.in(there), a.device, lda, x.device,
                 incx, beta.in(there), y.device, incy));
    multiply(used, of(alpha.value), x, incx, of(beta.value), y, incy);
    ok &= y.same("gemv" + what);
    for (int i = 0; i < used.m; ++i) // must not be read if beta is 0
      y.at(i, used.m, incy) = Z(nan_, nan_);
    y.upload();
    BLAS(F::gbmv(handle, t, m, n, below, above, alpha.in(there), ab.device,
                 band, x.device, incx, zero.in(there), y.device, incy));
    for (int i = 0; i < used.m; ++i)
      y.at(i, used.m, incy) = 0;
    multiply(used_band, of(alpha.value), x, incx, 0, y, incy);
    ok &= y.same("gbmv" + what);
  }
  Vector<T> x(m * std::abs(incx), 5), y(n * std::abs(incy), 6);
  Vector<T> to(stored(full, lda));
  auto add = [&](bool conjugate) {
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        const Z z = y.at(j, n, incy);
        to[i + j * lda] +=
            of(alpha.value) * x.at(i, m, incx) * (conjugate ? std::conj(z) : z);
      }
  };
  bool there = other_mode(handle);
  BLAS(F::ger(handle, m, n, alpha.in(there), x.device, incx, y.device, incy,
              to.device, lda));
  add(false);
  ok &= to.same("ger");
  if constexpr (is_complex<T>) {
    BLAS(F::gerc(handle, m, n, alpha.in(there), x.device, incx, y.device, incy,
                 to.device, lda));
    add(true);
    ok &= to.same("gerc");
  }
  return ok;
}

template <typename T> static bool batches(cublasHandle_t handle) {
  using F = Of<T>;
  const int m = 9, n = 14, count = 3;
  const Given<T> alpha(number<T>(1, 2)), beta(number<T>(5, 3));
  bool ok = true;
  for (cublasOperation_t t : ops) {
    Vector<T> a(m * n * count, 1), x(20 * count, 2), y(20 * count, 3);
    std::vector<T *> pa, px, py;
    auto expect = [&](int i, int from) {
      Dense d(m, n);
      for (int e = 0; e < m * n; ++e)
        d.all[e] = a[from * m * n + e];
      d = op(d, t);
      for (int r = 0; r < d.m; ++r) {
        Z sum = 0;
        for (int c = 0; c < d.n; ++c)
          sum += d.at(r, c) * x[i * 20 + c];
        y[i * 20 + r] = of(alpha.value) * sum + of(beta.value) * y[i * 20 + r];
      }
    };
    bool there = other_mode(handle);
    BLAS(F::gemvStrided(handle, t, m, n, alpha.in(there), a.device, m, m * n,
                        x.device, 1, 20, beta.in(there), y.device, 1, 20,
                        count));
    for (int i = 0; i < count; ++i)
      expect(i, i);
    ok &= y.same("gemvStridedBatched");
    for (int i = 0; i < count; ++i) { // matrices from the last to the first
      pa.push_back(a.device + (count - 1 - i) * m * n);
      px.push_back(x.device + i * 20);
      py.push_back(y.device + i * 20);
      expect(i, count - 1 - i);
    }
    T **lists;
    const size_t bytes = count * sizeof(T *);
    CHECK(cudaMalloc((void **)&lists, 3 * bytes));
    CHECK(cudaMemcpy(lists, pa.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(lists + count, px.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(lists + 2 * count, py.data(), bytes,
                     cudaMemcpyHostToDevice));
    BLAS(F::gemvBatched(handle, t, m, n, alpha.in(there), lists, m,
                        lists + count, 1, beta.in(there), lists + 2 * count, 1,
                        count));
    ok &= y.same("gemvBatched");
    CHECK(cudaFree(lists));
  }
  return ok;
}

template <typename T>
static bool symmetric(cublasHandle_t handle, bool upper, int n, int incx,
                      int incy) {
  using F = Of<T>;
  bool ok = true;
  const Given<T> alpha(number<T>(1, 2)), beta(number<T>(5, 3));
  const int lda = n + 2, k = n < 4 ? n - 1 : 3;
  const Kind other = is_complex<T> ? Kind::hermitian : Kind::symmetric;
  Vector<T> x(n * std::abs(incx), 3), y(n * std::abs(incy), 4);
  const std::string what =
      (upper ? " of upper " : " of lower ") + std::to_string(n);
  auto one = [&](const char *name, Kind kind, Form form, auto call) {
    const int band = form == Form::banded ? k : n;
    const Dense d = structured<T>(kind, upper, false, n, band, 5);
    Vector<T> a(stored(d, form, upper, false, band,
                       form == Form::banded ? k + 2 : lda));
    if (kind == Kind::hermitian && form == Form::full)
      for (int i = 0; i < n; ++i) // imaginary parts that are not looked at
        a[i + i * lda] += Z(0, 7);
    a.upload();
    BLAS(call(a.device, other_mode(handle)));
    multiply(d, of(alpha.value), x, incx, of(beta.value), y, incy);
    ok &= y.same(name + what);
  };
  auto full = [&](auto f) {
    return [&, f](const T *a, bool there) {
      return f(handle, fill(upper), n, alpha.in(there), a, lda, x.device, incx,
               beta.in(there), y.device, incy);
    };
  };
  one("symv", Kind::symmetric, Form::full, full(F::symv));
  if constexpr (is_complex<T>)
    one("hemv", Kind::hermitian, Form::full, full(F::hemv));
  one("sbmv or hbmv", other, Form::banded, [&](const T *a, bool there) {
    return F::bmv(handle, fill(upper), n, k, alpha.in(there), a, k + 2,
                  x.device, incx, beta.in(there), y.device, incy);
  });
  one("spmv or hpmv", other, Form::packed, [&](const T *a, bool there) {
    return F::pmv(handle, fill(upper), n, alpha.in(there), a, x.device, incx,
                  beta.in(there), y.device, incy);
  });
  return ok;
}

template <typename T>
static bool updates(cublasHandle_t handle, bool upper, int n, int incx,
                    int incy) {
  using F = Of<T>;
  using R = Part<T>;
  bool ok = true;
  const Given<T> alpha(number<T>(1, 2));
  const Given<R> real(0.75);
  const int lda = n + 2;
  Vector<T> x(n * std::abs(incx), 3), y(n * std::abs(incy), 4);
  // The call, and what it does to each element of the triangle.
  auto one = [&](const char *name, Kind kind, Form form, Z first, Z second,
                 auto call) {
    Dense d = structured<T>(kind, upper, false, n, n, 5);
    Vector<T> a(stored(d, form, upper, false, n, lda));
    BLAS(call(a.device, other_mode(handle)));
    auto c = [&](Z z) { return kind == Kind::hermitian ? std::conj(z) : z; };
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const Z xi = x.at(i, n, incx), xj = x.at(j, n, incx);
        const Z yi = y.at(i, n, incy), yj = y.at(j, n, incy);
        d.at(i, j) += second == Z(0) ? first * xi * c(xj)
                                     : first * xi * c(yj) + second * yi * c(xj);
      }
    a.host = stored(d, form, upper, false, n, lda);
    ok &= a.same(name + std::string(upper ? " upper" : " lower"));
  };
  const Z s = of(alpha.value), r = of(real.value);
  const Form f = Form::full, p = Form::packed;
  one("syr", Kind::symmetric, f, s, 0, [&](T *a, bool there) {
    return F::syr(handle, fill(upper), n, alpha.in(there), x.device, incx, a,
                  lda);
  });
  one("syr2", Kind::symmetric, f, s, s, [&](T *a, bool there) {
    return F::syr2(handle, fill(upper), n, alpha.in(there), x.device, incx,
                   y.device, incy, a, lda);
  });
  const Kind other = is_complex<T> ? Kind::hermitian : Kind::symmetric;
  one("spr or hpr", other, p, r, 0, [&](T *a, bool there) {
    return F::pr(handle, fill(upper), n, real.in(there), x.device, incx, a);
  });
  one("spr2 or hpr2", other, p, s, std::conj(s), [&](T *a, bool there) {
    return F::pr2(handle, fill(upper), n, alpha.in(there), x.device, incx,
                  y.device, incy, a);
  });
  if constexpr (is_complex<T>) {
    one("her", other, f, r, 0, [&](T *a, bool there) {
      return F::her(handle, fill(upper), n, real.in(there), x.device, incx, a,
                    lda);
    });
    one("her2", other, f, s, std::conj(s), [&](T *a, bool there) {
      return F::her2(handle, fill(upper), n, alpha.in(there), x.device, incx,
                     y.device, incy, a, lda);
    });
  }
  return ok;
}

/// Products and systems of triangles undo each other.
template <typename T>
static bool triangles(cublasHandle_t handle, bool upper, bool unit,
                      cublasOperation_t t, int n, int inc) {
  using F = Of<T>;
  bool ok = true;
  const int lda = n + 2, k = n < 6 ? n - 1 : 5;
  const std::string what = std::string(upper ? " upper " : " lower ") +
                           "NTC"[t] + (unit ? " unit " : " ") +
                           std::to_string(n) + " by " + std::to_string(inc);
  auto one = [&](const char *name, Form form, auto multiplies, auto solves) {
    const bool banded = form == Form::banded;
    const Dense d =
        structured<T>(Kind::triangular, upper, unit, n, banded ? k : n, 5);
    const Vector<T> a(
        stored(d, form, upper, unit, banded ? k : n, banded ? k + 2 : lda));
    Vector<T> x(n * std::abs(inc), 3), y(n * std::abs(inc), 3);
    BLAS(multiplies(a.device, x.device));
    multiply(op(d, t), 1, y, inc, 0, x, inc);
    ok &= x.same(name + (" product" + what));
    BLAS(solves(a.device, x.device));
    x.host = y.host;
    ok &= x.same(name + (" system" + what));
  };
  auto full = [&](auto f) {
    return [&, f](const T *a, T *x) {
      return f(handle, fill(upper), t, diagonal(unit), n, a, lda, x, inc);
    };
  };
  auto banded = [&](auto f) {
    return [&, f](const T *a, T *x) {
      return f(handle, fill(upper), t, diagonal(unit), n, k, a, k + 2, x, inc);
    };
  };
  auto packed = [&](auto f) {
    return [&, f](const T *a, T *x) {
      return f(handle, fill(upper), t, diagonal(unit), n, a, x, inc);
    };
  };
  one("tr", Form::full, full(F::trmv), full(F::trsv));
  one("tb", Form::banded, banded(F::tbmv), banded(F::tbsv));
  one("tp", Form::packed, packed(F::tpmv), packed(F::tpsv));
  return ok;
}

template <typename T> static bool all(cublasHandle_t handle) {
  bool ok = batches<T>(handle);
  ok &= generals<T>(handle, 45, 70, 1, 1) & generals<T>(handle, 70, 45, -2, 3);
  ok &= generals<T>(handle, 1, 6, 1, -1);
  for (bool upper : {false, true})
    for (int n : {1, 6, 150}) {
      const int inc = n == 6 ? -2 : 1;
      ok &= symmetric<T>(handle, upper, n, inc, 3 - inc);
      ok &= updates<T>(handle, upper, n, inc, 3 - inc);
      for (bool unit : {false, true})
        for (cublasOperation_t t : ops)
          ok &= triangles<T>(handle, upper, unit, t, n, inc);
    }
  return ok;
}
bool level2(cublasHandle_t handle, char type) {
  return type == 'S'   ? all<float>(handle)
         : type == 'D' ? all<double>(handle)
         : type == 'C' ? all<cuComplex>(handle)
                       : all<cuDoubleComplex>(handle);
}
