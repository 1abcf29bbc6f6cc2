// What the parts of this program share. The host computes everything in complex
// numbers of double precision, whatever the type on the device.
#pragma once
#include "../check.h"
#include <cmath>
#include <complex>
#include <cublas_v2.h>
#include <limits>
#include <string>
#include <type_traits>
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

using Z = std::complex<double>;
static constexpr double nan_ = std::numeric_limits<double>::quiet_NaN();

template <typename T>
inline constexpr bool is_complex =
    std::is_same_v<T, cuComplex> || std::is_same_v<T, cuDoubleComplex>;
template <typename T>
inline constexpr bool is_single =
    std::is_same_v<T, float> || std::is_same_v<T, cuComplex>;
template <typename T>
using Part = std::conditional_t<is_single<T>, float, double>;

template <typename T> T to(Z z) {
  if constexpr (is_complex<T>)
    return {Part<T>(z.real()), Part<T>(z.imag())};
  else
    return T(z.real());
}
template <typename T> Z of(T x) {
  if constexpr (is_complex<T>)
    return {x.x, x.y};
  else
    return double(x);
}
/// A small number that every type has exactly.
template <typename T> Z number(int i, int seed) {
  const double x = ((i * 29 + seed * 13) % 41 - 20) / 8.0;
  const double y = ((i * 17 + seed * 7) % 37 - 18) / 8.0;
  return {x, is_complex<T> ? y : 0};
}

/// Numbers on the host and on the device.
template <typename T> struct Vector {
  std::vector<Z> host;
  T *device = nullptr;
  explicit Vector(std::vector<Z> values) : host(std::move(values)) { upload(); }
  Vector(int n, int seed) : host(n) {
    for (int i = 0; i < n; ++i)
      host[i] = number<T>(i, seed);
    upload();
  }
  Vector(const Vector &) = delete;
  ~Vector() { cudaFree(device); }
  Z &operator[](int i) { return host[i]; }
  /// Element i of n in steps of inc, as BLAS counts them.
  Z &at(int i, int n, int inc) {
    return host[inc < 0 ? (i - n + 1) * inc : i * inc];
  }
  void upload() {
    std::vector<T> values;
    for (Z z : host)
      values.push_back(to<T>(z));
    if (!device)
      CHECK(cudaMalloc((void **)&device, host.size() * sizeof(T) + 1));
    CHECK(cudaMemcpy(device, values.data(), values.size() * sizeof(T),
                     cudaMemcpyHostToDevice));
  }
  std::vector<Z> download() const {
    std::vector<T> values(host.size());
    CHECK(cudaMemcpy(values.data(), device, values.size() * sizeof(T),
                     cudaMemcpyDeviceToHost));
    std::vector<Z> result;
    for (T x : values)
      result.push_back(of(x));
    return result;
  }
  /// Whether the device has what the host has; NaN means "was not written".
  bool same(const std::string &what) const {
    const double tolerance = is_single<T> ? 2e-4 : 1e-11;
    const std::vector<Z> is = download();
    for (size_t i = 0; i < is.size(); ++i) {
      const bool unwritten = std::isnan(host[i].real());
      if (unwritten ? !std::isnan(is[i].real())
                    : !(std::abs(is[i] - host[i]) <=
                        tolerance * (1 + std::abs(host[i])))) {
        printf("%s, %s of %zu bytes: element %zu is %g%+gi, not %g%+gi\n",
               what.c_str(), is_complex<T> ? "complex" : "real", sizeof(T), i,
               is[i].real(), is[i].imag(), host[i].real(), host[i].imag());
        return false;
      }
    }
    return true;
  }
};

template <typename T> bool near(const std::string &what, Z is, Z wanted) {
  const bool ok = std::abs(is - wanted) <=
                  (is_single<T> ? 2e-5 : 1e-12) * (1 + std::abs(wanted));
  if (!ok)
    printf("%s, %s of %zu bytes: %g%+gi, not %g%+gi\n", what.c_str(),
           is_complex<T> ? "complex" : "real", sizeof(T), is.real(), is.imag(),
           wanted.real(), wanted.imag());
  return ok;
}

/// A factor, which the device has, too: each use takes the other pointer mode.
template <typename T> struct Given {
  T value;
  Vector<T> there;
  explicit Given(Z z) : value(to<T>(z)), there(std::vector<Z>{z}) {}
  const T *in(bool device) const { return device ? there.device : &value; }
};
inline bool other_mode(cublasHandle_t handle) {
  cublasPointerMode_t mode;
  BLAS(cublasGetPointerMode(handle, &mode));
  const bool device = mode == CUBLAS_POINTER_MODE_HOST;
  BLAS(cublasSetPointerMode(handle, device ? CUBLAS_POINTER_MODE_DEVICE
                                           : CUBLAS_POINTER_MODE_HOST));
  return device;
}

/// A matrix of the host with all of its elements.
struct Dense {
  int m, n;
  std::vector<Z> all;
  Dense(int m, int n) : m(m), n(n), all(m * n) {}
  Z &at(int i, int j) { return all[i + j * m]; }
  Z at(int i, int j) const { return all[i + j * m]; }
};
template <typename T> Dense dense(int m, int n, int seed) {
  Dense d(m, n);
  for (int i = 0; i < m * n; ++i)
    d.all[i] = number<T>(i, seed);
  return d;
}
inline Dense op(const Dense &a, cublasOperation_t t) {
  if (t == CUBLAS_OP_N)
    return a;
  Dense d(a.n, a.m);
  for (int i = 0; i < a.m; ++i)
    for (int j = 0; j < a.n; ++j)
      d.at(j, i) = t == CUBLAS_OP_C ? std::conj(a.at(i, j)) : a.at(i, j);
  return d;
}
inline Dense operator*(const Dense &a, const Dense &b) {
  Dense c(a.m, b.n);
  for (int j = 0; j < b.n; ++j)
    for (int k = 0; k < a.n; ++k)
      for (int i = 0; i < a.m; ++i)
        c.at(i, j) += a.at(i, k) * b.at(k, j);
  return c;
}

/// A matrix whose other triangle follows from one.
enum class Kind { symmetric, hermitian, triangular };
/// It has \p band diagonals on each side that are not zero.
template <typename T>
Dense structured(Kind kind, bool upper, bool unit, int n, int band, int seed) {
  Dense d(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (std::abs(i - j) > band || (i != j && (i < j) != upper))
        continue;
      Z z = number<T>(i + 3 * j, seed);
      if (kind == Kind::triangular) // a system that is easy to solve
        z = i != j ? z / double(n) : unit ? 1 : Z(2 + i % 3, is_complex<T>);
      if (kind == Kind::hermitian && i == j)
        z = z.real();
      d.at(i, j) = z;
      if (kind != Kind::triangular)
        d.at(j, i) = kind == Kind::hermitian ? std::conj(z) : z;
    }
  return d;
}
/// How a triangle of it lies in memory; what must not be read is NaN.
enum class Form { full, packed, banded };
inline std::vector<Z> stored(const Dense &d, Form form, bool upper, bool unit,
                             int band, int ld) {
  const int n = d.n;
  std::vector<Z> memory(form == Form::packed ? n * (n + 1) / 2 : ld * n,
                        Z(nan_, nan_));
  int next = 0;
  for (int j = 0; j < n; ++j)
    for (int i = upper ? 0 : j; i < (upper ? j + 1 : n); ++i) {
      Z z = d.at(i, j);
      if (unit && i == j)
        z = Z(nan_, nan_);
      if (form == Form::packed)
        memory[next++] = z;
      else if (form == Form::full)
        memory[i + j * ld] = z;
      else if (std::abs(i - j) <= band)
        memory[(upper ? band + i - j : i - j) + j * ld] = z;
    }
  return memory;
}
inline std::vector<Z> stored(const Dense &d, int ld) {
  std::vector<Z> memory(ld * d.n, Z(nan_, nan_));
  for (int j = 0; j < d.n; ++j)
    for (int i = 0; i < d.m; ++i)
      memory[i + j * ld] = d.at(i, j);
  return memory;
}

static const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
inline cublasFillMode_t fill(bool upper) {
  return upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
}
inline cublasDiagType_t diagonal(bool unit) {
  return unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
}

bool level1(cublasHandle_t handle, char type);
bool level2(cublasHandle_t handle, char type);
bool level3(cublasHandle_t handle, char type);
bool batches(cublasHandle_t handle, char type);
bool given_types(cublasHandle_t handle);
