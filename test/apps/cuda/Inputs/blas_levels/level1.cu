// Vectors.
#include "levels.h"

template <typename T> struct Of;
#define COMMON(S, N, I)                                                        \
  static constexpr auto axpy = cublas##S##axpy;                                \
  static constexpr auto scal = cublas##S##scal;                                \
  static constexpr auto copy = cublas##S##copy;                                \
  static constexpr auto swap = cublas##S##swap;                                \
  static constexpr auto rot = cublas##S##rot;                                  \
  static constexpr auto rotg = cublas##S##rotg;                                \
  static constexpr auto nrm2 = cublas##N##nrm2;                                \
  static constexpr auto asum = cublas##N##asum;                                \
  static constexpr auto amax = cublas##I##amax;                                \
  static constexpr auto amin = cublas##I##amin;
#define REAL(T, S, I)                                                          \
  template <> struct Of<T> {                                                   \
    COMMON(S, S, I)                                                            \
    static constexpr auto dot = cublas##S##dot;                                \
    static constexpr auto rotm = cublas##S##rotm;                              \
    static constexpr auto rotmg = cublas##S##rotmg;                            \
  };
#define COMPLEX(T, S, N, I, M)                                                 \
  template <> struct Of<T> {                                                   \
    COMMON(S, N, I)                                                            \
    static constexpr auto dotu = cublas##S##dotu;                              \
    static constexpr auto dotc = cublas##S##dotc;                              \
    static constexpr auto realscal = cublas##M##scal;                          \
    static constexpr auto realrot = cublas##M##rot;                            \
  };
REAL(float, S, Is)
REAL(double, D, Id)
COMPLEX(cuComplex, C, Sc, Ic, Cs)
COMPLEX(cuDoubleComplex, Z, Dz, Iz, Zd)

/// A result on the host, or on the device by the pointer mode.
template <typename R, typename F>
static Z result(cublasHandle_t handle, F compute) {
  R value{}, *there;
  if (!other_mode(handle)) {
    BLAS(compute(&value));
    return of(value);
  }
  CHECK(cudaMalloc((void **)&there, sizeof(R)));
  BLAS(compute(there));
  CHECK(cudaMemcpy(&value, there, sizeof(R), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(there));
  return of(value);
}

template <typename T>
static bool elements(cublasHandle_t handle, int n, int incx, int incy) {
  using F = Of<T>;
  using R = Part<T>;
  bool ok = true;
  const int stepx = std::abs(incx), stepy = std::abs(incy);
  Vector<T> x(n * stepx, 1), y(n * stepy, 2);
  const Given<T> alpha(number<T>(3, 4)),
      sine(is_complex<T> ? Z(0.36, 0.48) : 0.6);
  const Given<R> cosine(0.8), real_sine(0.6);
  auto both = [&](const char *what) {
    const std::string step = std::to_string(n) + " by " + std::to_string(incx) +
                             ", " + std::to_string(incy);
    return x.same(what + (" x of " + step)) & y.same(what + (" y of " + step));
  };
  bool there = other_mode(handle);
  BLAS(F::axpy(handle, n, alpha.in(there), x.device, incx, y.device, incy));
  for (int i = 0; i < n; ++i)
    y.at(i, n, incy) += of(alpha.value) * x.at(i, n, incx);
  ok &= both("axpy");
  BLAS(F::scal(handle, n, alpha.in(there), y.device, stepy));
  for (int i = 0; i < n; ++i)
    y[i * stepy] *= of(alpha.value);
  ok &= both("scal");
  BLAS(F::copy(handle, n, x.device, incx, y.device, incy));
  for (int i = 0; i < n; ++i)
    y.at(i, n, incy) = x.at(i, n, incx);
  ok &= both("copy");
  x.host = Vector<T>(n * stepx, 7).host;
  x.upload();
  BLAS(F::swap(handle, n, x.device, incx, y.device, incy));
  for (int i = 0; i < n; ++i)
    std::swap(x.at(i, n, incx), y.at(i, n, incy));
  ok &= both("swap");
  auto rotate = [&](Z c, Z s) {
    for (int i = 0; i < n; ++i) {
      Z &a = x.at(i, n, incx), &b = y.at(i, n, incy);
      const Z old = a;
      a = c * a + s * b;
      b = c * b - std::conj(s) * old;
    }
  };
  there = other_mode(handle);
  BLAS(F::rot(handle, n, x.device, incx, y.device, incy, cosine.in(there),
              sine.in(there)));
  rotate(of(cosine.value), of(sine.value));
  ok &= both("rot");
  if constexpr (is_complex<T>) {
    BLAS(F::realrot(handle, n, x.device, incx, y.device, incy, cosine.in(there),
                    real_sine.in(there)));
    rotate(of(cosine.value), of(real_sine.value));
    BLAS(F::realscal(handle, n, cosine.in(there), x.device, stepx));
    for (int i = 0; i < n; ++i)
      x[i * stepx] *= of(cosine.value);
    ok &= both("rot and scal with real factors");
  } else {
    const double h[4] = {0.5, -0.25, 1.5, 2};
    for (int flag = -2; flag <= 1; ++flag) {
      const Vector<T> param({double(flag), h[0], h[1], h[2], h[3]});
      const T values[] = {T(flag), T(h[0]), T(h[1]), T(h[2]), T(h[3])};
      there = other_mode(handle);
      BLAS(F::rotm(handle, n, x.device, incx, y.device, incy,
                   there ? param.device : values));
      for (int i = 0; i < n && flag != -2; ++i) {
        Z &a = x.at(i, n, incx), &b = y.at(i, n, incy);
        const Z old = a;
        a = (flag == 0 ? 1 : h[0]) * old + (flag == 1 ? 1 : h[2]) * b;
        b = (flag == 1 ? -1 : h[1]) * old + (flag == 0 ? 1 : h[3]) * b;
      }
      ok &= both("rotm");
    }
  }
  return ok;
}

template <typename T>
static bool sums(cublasHandle_t handle, int n, int incx, int incy) {
  using F = Of<T>;
  using R = Part<T>;
  bool ok = true;
  Vector<T> x(n * std::abs(incx), 3), y(n * std::abs(incy), 4);
  Z plain = 0, conjugate = 0;
  for (int i = 0; i < n; ++i) {
    plain += x.at(i, n, incx) * y.at(i, n, incy);
    conjugate += std::conj(x.at(i, n, incx)) * y.at(i, n, incy);
  }
  auto product = [&](auto f) {
    return result<T>(handle, [&](T *at) {
      return f(handle, n, x.device, incx, y.device, incy, at);
    });
  };
  if constexpr (is_complex<T>) {
    ok &= near<T>("dotu", product(F::dotu), plain);
    ok &= near<T>("dotc", product(F::dotc), conjugate);
  } else {
    ok &= near<T>("dot", product(F::dot), plain);
  }
  const int step = std::abs(incx);
  auto size = [&](int i) {
    return std::fabs(x[i * step].real()) + std::fabs(x[i * step].imag());
  };
  double squares = 0, sum = 0;
  int most = 0, least = 0;
  for (int i = 0; i < n; ++i) {
    squares += std::norm(x[i * step]);
    sum += size(i);
    most = size(i) > size(most) ? i : most;
    least = size(i) < size(least) ? i : least;
  }
  auto one = [&](auto f, auto type) {
    return result<decltype(type)>(handle, [&](decltype(type) *at) {
      return f(handle, n, x.device, step, at);
    });
  };
  ok &= near<T>("nrm2", one(F::nrm2, R()), std::sqrt(squares));
  ok &= near<T>("asum", one(F::asum, R()), sum);
  ok &= near<T>("amax", one(F::amax, int()), n ? most + 1 : 0);
  return ok & near<T>("amin", one(F::amin, int()), n ? least + 1 : 0);
}

/// The rotation makes b vanish and keeps the length.
template <typename T> static bool making(cublasHandle_t handle, Z a, Z b) {
  using R = Part<T>;
  bool ok = true;
  for (int mode = 0; mode < 2; ++mode) {
    Vector<T> numbers({a, b, 0});
    Vector<R> cosine(1, 1);
    T x = to<T>(a), y = to<T>(b), s{};
    R c{};
    if (other_mode(handle)) {
      BLAS(Of<T>::rotg(handle, numbers.device, numbers.device + 1,
                       cosine.device, numbers.device + 2));
      const std::vector<Z> is = numbers.download();
      x = to<T>(is[0]), y = to<T>(is[1]), s = to<T>(is[2]);
      c = to<R>(cosine.download()[0]);
    } else {
      BLAS(Of<T>::rotg(handle, &x, &y, &c, &s));
    }
    ok &= near<T>("rotg: r", of(c) * a + of(s) * b, of(x));
    ok &= near<T>("rotg: 0", of(c) * b - std::conj(of(s)) * a, 0);
    if constexpr (!is_complex<T>) { // z gives the rotation again
      const double z = y;
      const double sine = std::fabs(z) < 1   ? z
                          : std::fabs(z) > 1 ? std::sqrt(1 - 1 / z / z)
                                             : 1;
      ok &= near<T>("rotg: z", std::fabs(sine), std::fabs(double(s)));
    }
  }
  return ok;
}

/// The modified rotation makes the second element vanish and keeps
/// d1 * x * x + d2 * y * y.
template <typename T>
static bool modified(cublasHandle_t handle, double d1, double d2, double x,
                     double y) {
  bool ok = true;
  for (int mode = 0; mode < 2; ++mode) {
    Vector<T> n({d1, d2, x, y, 9, 0, 0, 0, 0});
    T h[9] = {T(d1), T(d2), T(x), T(y), 9};
    if (other_mode(handle)) {
      BLAS(Of<T>::rotmg(handle, n.device, n.device + 1, n.device + 2,
                        n.device + 3, n.device + 4));
      for (int i = 0; i < 9; ++i)
        h[i] = to<T>(n.download()[i]);
    } else {
      BLAS(Of<T>::rotmg(handle, h, h + 1, h + 2, h + 3, h + 4));
    }
    const double flag = h[4];
    if (flag == -2)
      return ok & near<T>("rotmg: nothing to do", d2 * y, 0);
    const double h11 = flag == 0 ? 1 : h[5], h21 = flag == 1 ? -1 : h[6];
    const double h12 = flag == 1 ? 1 : h[7], h22 = flag == 0 ? 1 : h[8];
    const double first = h11 * x + h12 * y, second = h21 * x + h22 * y;
    const double before = d1 * x * x + d2 * y * y;
    ok &= near<T>("rotmg: x", h[2] / first, 1);
    ok &= near<T>("rotmg: 0", second * std::sqrt(std::fabs(h[1] / before)), 0);
    ok &= near<T>("rotmg: length", h[0] * first * first / before, 1);
    const double limit = 4096.0 * 4096.0;
    ok &= std::fabs(h[0]) < limit && std::fabs(h[1]) < limit;
  }
  return ok;
}

template <typename T> static bool all(cublasHandle_t handle) {
  bool ok = true;
  for (int n : {0, 1, 77, 3000}) {
    ok &= sums<T>(handle, n, 1, 1) & sums<T>(handle, n, 2, -3);
    if (n)
      ok &= elements<T>(handle, n, 1, 1) & elements<T>(handle, n, -2, 3);
  }
  const double i = is_complex<T>;
  ok &= making<T>(handle, Z(3, i), Z(-4, 2 * i));
  ok &= making<T>(handle, Z(-1, i), Z(0.5, -i));
  ok &= making<T>(handle, 0, Z(2, i));
  ok &= making<T>(handle, Z(2, i), 0) & making<T>(handle, 0, 0);
  if constexpr (!is_complex<T>) {
    ok &= modified<T>(handle, 1.5, 0.5, 3, 2);
    ok &= modified<T>(handle, 0.5, 1.5, 2, 3);
    ok &= modified<T>(handle, 1e-9, 2e9, 3, 2);
    ok &= modified<T>(handle, 4e8, 1e-8, 3, 2);
    ok &= modified<T>(handle, 2, 3, 4, 0);
  }
  return ok;
}
bool level1(cublasHandle_t handle, char type) {
  return type == 'S'   ? all<float>(handle)
         : type == 'D' ? all<double>(handle)
         : type == 'C' ? all<cuComplex>(handle)
                       : all<cuDoubleComplex>(handle);
}
