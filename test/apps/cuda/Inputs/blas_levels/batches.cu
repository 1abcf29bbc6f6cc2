// Batches of small systems: LU and QR factors, inverses, least squares.
#include "levels.h"
#include <algorithm>

template <typename T> struct Of;
#define ALL(T, S)                                                              \
  template <> struct Of<T> {                                                   \
    static constexpr auto getrf = cublas##S##getrfBatched;                     \
    static constexpr auto getrs = cublas##S##getrsBatched;                     \
    static constexpr auto getri = cublas##S##getriBatched;                     \
    static constexpr auto matinv = cublas##S##matinvBatched;                   \
    static constexpr auto geqrf = cublas##S##geqrfBatched;                     \
    static constexpr auto gels = cublas##S##gelsBatched;                       \
  };
ALL(float, S)
ALL(double, D)
ALL(cuComplex, C)
ALL(cuDoubleComplex, Z)

/// The matrices of a batch, their list and the numbers beside them.
template <typename T> struct Matrices {
  std::vector<Dense> all;
  int ld, size;
  Vector<T> memory;
  T **list = nullptr;
  Matrices(std::vector<Dense> matrices, int ld)
      : all(std::move(matrices)), ld(ld), size(ld * all[0].n), memory(put()) {
    std::vector<T *> at;
    for (size_t i = 0; i < all.size(); ++i)
      at.push_back(memory.device + i * size);
    CHECK(cudaMalloc((void **)&list, at.size() * sizeof(T *)));
    CHECK(cudaMemcpy(list, at.data(), at.size() * sizeof(T *),
                     cudaMemcpyHostToDevice));
  }
  ~Matrices() { cudaFree(list); }
  std::vector<Z> put() const {
    std::vector<Z> result;
    for (const Dense &d : all)
      for (Z z : stored(d, ld))
        result.push_back(z);
    return result;
  }
  std::vector<Dense> get() const {
    const std::vector<Z> is = memory.download();
    std::vector<Dense> result = all;
    for (size_t b = 0; b < all.size(); ++b)
      for (int j = 0; j < all[b].n; ++j)
        for (int i = 0; i < all[b].m; ++i)
          result[b].at(i, j) = is[b * size + i + j * ld];
    return result;
  }
};
template <typename T>
static bool equal(const char *what, const Dense &is, const Dense &wanted) {
  for (int i = 0; i < is.m * is.n; ++i)
    if (!near<T>(what, is.all[i] / 16.0, wanted.all[i] / 16.0))
      return false;
  return true;
}
/// Whole numbers of the device.
struct Whole {
  int *device;
  explicit Whole(int n) { CHECK(cudaMalloc((void **)&device, n * 4)); }
  ~Whole() { cudaFree(device); }
  std::vector<int> get(int n) const {
    std::vector<int> is(n);
    CHECK(cudaMemcpy(is.data(), device, n * 4, cudaMemcpyDeviceToHost));
    return is;
  }
};
/// A matrix that is far from singular; the largest elements are not on its
/// diagonal if \p turned.
template <typename T> static Dense regular(int n, int seed, bool turned) {
  Dense d = dense<T>(n, n, seed);
  for (Z &z : d.all)
    z /= 8.0;
  for (int j = 0; j < n; ++j)
    d.at(turned ? (j + 2) % n : j, j) += double(n);
  return d;
}

/// L and U of one matrix, and the rows exchanged as the pivots say.
static Dense again(const Dense &factors, const int *pivots) {
  const int n = factors.n;
  Dense l(n, n), u(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      (i > j ? l : u).at(i, j) = factors.at(i, j);
  for (int i = 0; i < n; ++i)
    l.at(i, i) = 1;
  Dense product = l * u;
  for (int k = n - 1; k >= 0 && pivots; --k)
    for (int j = 0; j < n; ++j)
      std::swap(product.at(k, j), product.at(pivots[k] - 1, j));
  return product;
}

template <typename T>
static bool systems(cublasHandle_t handle, int n, bool pivoting) {
  using F = Of<T>;
  const int count = 3, sides = 4;
  bool ok = true;
  std::vector<Dense> given, unknowns;
  for (int b = 0; b < count; ++b) {
    given.push_back(regular<T>(n, b, pivoting));
    unknowns.push_back(dense<T>(n, sides, 7 + b));
  }
  Matrices<T> a(given, n + 1), inverse(given, n + 2);
  Whole pivots(n * count), info(count);
  int *used = pivoting ? pivots.device : nullptr, wrong = 9;
  BLAS(F::getrf(handle, n, a.list, n + 1, used, info.device, count));
  const std::vector<int> rows = pivots.get(n * count);
  const std::vector<Dense> factors = a.get();
  for (int b = 0; b < count; ++b) {
    ok &= info.get(count)[b] == 0;
    ok &= equal<T>("getrf", again(factors[b], used ? &rows[b * n] : nullptr),
                   given[b]);
    for (int i = 0; i < n && used; ++i) // the multipliers are at most 1
      for (int j = 0; j < i; ++j)
        ok &= std::abs(factors[b].at(i, j)) < 1.5;
  }
  for (cublasOperation_t t : ops) {
    std::vector<Dense> right;
    for (int b = 0; b < count; ++b)
      right.push_back(op(given[b], t) * unknowns[b]);
    Matrices<T> x(right, n + 3);
    BLAS(F::getrs(handle, t, n, sides, a.list, n + 1, used, x.list, n + 3,
                  &wrong, count));
    for (int b = 0; b < count; ++b)
      ok &= equal<T>("getrs", x.get()[b], unknowns[b]);
    ok &= wrong == 0;
  }
  Dense one(n, n);
  for (int i = 0; i < n; ++i)
    one.at(i, i) = 1;
  BLAS(F::getri(handle, n, a.list, n + 1, used, inverse.list, n + 2,
                info.device, count));
  for (int b = 0; b < count; ++b)
    ok &= equal<T>("getri", given[b] * inverse.get()[b], one);
  if (n <= 32) {
    Matrices<T> whole(given, n);
    BLAS(F::matinv(handle, n, whole.list, n, inverse.list, n + 2, info.device,
                   count));
    for (int b = 0; b < count; ++b) {
      ok &= equal<T>("matinv", given[b] * inverse.get()[b], one);
      ok &= equal<T>("matinv's input", whole.get()[b], given[b]);
    }
  }
  ok &= info.get(count)[0] == 0;
  return ok;
}

template <typename T> static bool singular(cublasHandle_t handle) {
  const int n = 4;
  Dense d = regular<T>(n, 1, false);
  for (int i = 0; i < n; ++i)
    d.at(i, 2) = 0;
  Matrices<T> a({d}, n), inverse({d}, n);
  Whole pivots(n), info(1);
  BLAS(Of<T>::getrf(handle, n, a.list, n, pivots.device, info.device, 1));
  bool ok = info.get(1)[0] == 3;
  BLAS(Of<T>::getri(handle, n, a.list, n, pivots.device, inverse.list, n,
                    info.device, 1));
  if (!(ok &= info.get(1)[0] == 3))
    printf("a singular matrix was not found\n");
  int wrong = 0; // the sixth parameter but for the handle is the pivots
  ok &= Of<T>::getrs(handle, CUBLAS_OP_N, n, 1, a.list, n - 1, pivots.device,
                     inverse.list, n, &wrong, 1) == CUBLAS_STATUS_INVALID_VALUE;
  return ok & (wrong < 0);
}

template <typename T>
static bool reflectors(cublasHandle_t handle, int m, int n) {
  using F = Of<T>;
  const int count = 2, sides = 3;
  const int least = std::min(m, n);
  bool ok = true;
  std::vector<Dense> given, taus;
  for (int b = 0; b < count; ++b) {
    given.push_back(dense<T>(m, n, b));
    for (int j = 0; j < least; ++j)
      given[b].at(j, j) += 9.0;
    taus.push_back(Dense(least, 1));
  }
  Matrices<T> a(given, m + 1), tau(taus, least);
  int wrong = 9;
  BLAS(F::geqrf(handle, m, n, a.list, m + 1, tau.list, &wrong, count));
  for (int b = 0; b < count; ++b) {
    const Dense factors = a.get()[b], t = tau.get()[b];
    Dense product(m, n); // R, then each reflector from the last on
    for (int i = 0; i < least; ++i)
      for (int j = i; j < n; ++j)
        product.at(i, j) = factors.at(i, j);
    for (int k = least - 1; k >= 0; --k)
      for (int j = 0; j < n; ++j) {
        Z sum = product.at(k, j);
        for (int i = k + 1; i < m; ++i)
          sum += std::conj(factors.at(i, k)) * product.at(i, j);
        product.at(k, j) -= t.all[k] * sum;
        for (int i = k + 1; i < m; ++i)
          product.at(i, j) -= t.all[k] * factors.at(i, k) * sum;
      }
    ok &= equal<T>("geqrf", product, given[b]);
  }
  if (m < n)
    return ok & (wrong == 0);
  std::vector<Dense> right;
  for (int b = 0; b < count; ++b)
    right.push_back(dense<T>(m, sides, 5 + b));
  Matrices<T> again(given, m + 1), x(right, m + 2);
  Whole zero(count);
  BLAS(F::gels(handle, CUBLAS_OP_N, m, n, sides, again.list, m + 1, x.list,
               m + 2, &wrong, zero.device, count));
  for (int b = 0; b < count; ++b) { // what is left is normal to all columns
    Dense solved(n, sides);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < sides; ++j)
        solved.at(i, j) = x.get()[b].at(i, j);
    const Dense normal = op(given[b], CUBLAS_OP_C);
    ok &= equal<T>("gels", normal * (given[b] * solved), normal * right[b]);
    ok &= zero.get(count)[b] == 0;
  }
  return ok & (wrong == 0);
}

template <typename T> static bool all(cublasHandle_t handle) {
  bool ok = singular<T>(handle);
  for (int n : {1, 5, 32, 70})
    ok &= systems<T>(handle, n, true) & systems<T>(handle, n, false);
  ok &= reflectors<T>(handle, 6, 6) & reflectors<T>(handle, 40, 12);
  return ok & reflectors<T>(handle, 5, 9) & reflectors<T>(handle, 1, 1);
}
bool batches(cublasHandle_t handle, char type) {
  return type == 'S'   ? all<float>(handle)
         : type == 'D' ? all<double>(handle)
         : type == 'C' ? all<cuComplex>(handle)
                       : all<cuDoubleComplex>(handle);
}
