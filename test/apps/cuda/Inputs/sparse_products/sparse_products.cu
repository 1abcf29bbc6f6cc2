// What cuSPARSE does in several steps, beside plain loops of the host: products
// of two sparse matrices, products at given entries, triangular systems, CSC.
#include "../check.h"
#include <cmath>
#include <cusparse.h>
#include <string>
#include <vector>

#define SPARSE(call)                                                           \
  do {                                                                         \
    cusparseStatus_t status = (call);                                          \
    if (status != CUSPARSE_STATUS_SUCCESS) {                                   \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                       \
              cusparseGetErrorString(status));                                 \
      exit(EXIT_FAILURE);                                                      \
    }                                                                          \
  } while (0)

template <typename T>
static const cudaDataType type = sizeof(T) == 4 ? CUDA_R_32F : CUDA_R_64F;
template <typename I>
static const cusparseIndexType_t width =
    sizeof(I) == 4 ? CUSPARSE_INDEX_32I : CUSPARSE_INDEX_64I;
static const auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
static const auto turned = CUSPARSE_OPERATION_TRANSPOSE;

template <typename T> struct Device {
  T *at = nullptr;
  size_t size;
  explicit Device(const std::vector<T> &from) : size(from.size()) {
    CHECK(cudaMalloc((void **)&at, (size + 1) * sizeof(T)));
    CHECK(
        cudaMemcpy(at, from.data(), size * sizeof(T), cudaMemcpyHostToDevice));
  }
  Device(const Device &) = delete;
  ~Device() { cudaFree(at); }
  std::vector<T> host() const {
    std::vector<T> to(size);
    CHECK(cudaMemcpy(to.data(), at, size * sizeof(T), cudaMemcpyDeviceToHost));
    return to;
  }
};
/// A buffer of the size that a step asks for.
struct Buffer {
  void *at = nullptr;
  explicit Buffer(size_t bytes) { CHECK(cudaMalloc(&at, bytes + 1)); }
  ~Buffer() { cudaFree(at); }
};

template <typename T>
static bool same(const std::string &what, const std::vector<T> &is,
                 const std::vector<T> &wanted) {
  bool ok = is.size() == wanted.size();
  for (size_t i = 0; ok && i < is.size(); ++i)
    ok = std::fabs(double(is[i]) - double(wanted[i])) <=
         2e-5 * (1 + std::fabs(double(wanted[i])));
  if (!ok)
    printf("%s: wrong\n", what.c_str());
  return ok;
}

template <typename T> static std::vector<T> sequence(size_t n, int seed) {
  std::vector<T> v(n);
  for (size_t i = 0; i < n; ++i)
    v[i] = T(int(i * 29 + seed * 13) % 17 - 8) / 2;
  return v;
}
/// A matrix by rows, with empty rows and a full one, or easy to solve.
template <typename T>
static std::vector<T> matrix(int rows, int columns, int seed, bool regular) {
  std::vector<T> dense(rows * columns);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      if (regular && r == c)
        dense[r * columns + c] = T(3 + r % 3);
      else if (r == 3 || (r % 5 != 2 && (r * 31 + c * 17 + seed) % 11 < 3))
        dense[r * columns + c] =
            T((r * 7 + c * 5 + seed) % 13 - 6) / (regular ? T(columns) : T(4));
  return dense;
}

/// A sparse matrix on the device. \p major: rows of a CSR, columns of a CSC.
template <typename T, typename I> struct Sparse {
  std::vector<I> begins, major, minor;
  std::vector<T> values;
  Device<I> on_begins, on_major, on_minor;
  Device<T> on_values;
  cusparseSpMatDescr_t descriptor;

  Sparse(const std::vector<T> &dense, int rows, int columns, int base,
         cusparseFormat_t format)
      : Sparse(Lists(dense, rows, columns, base, format), rows, columns, base,
               format) {}
  ~Sparse() { cusparseDestroySpMat(descriptor); }

private:
  struct Lists {
    std::vector<I> begins, major, minor;
    std::vector<T> values;
    Lists(const std::vector<T> &dense, int rows, int columns, int base,
          cusparseFormat_t format) {
      const bool csc = format == CUSPARSE_FORMAT_CSC;
      for (int a = 0; a < (csc ? columns : rows); ++a) {
        begins.push_back(I(values.size() + base));
        for (int b = 0; b < (csc ? rows : columns); ++b)
          if (const T v = csc ? dense[b * columns + a] : dense[a * columns + b];
              v != 0) {
            values.push_back(v);
            major.push_back(I(a + base));
            minor.push_back(I(b + base));
          }
      }
      begins.push_back(I(values.size() + base));
    }
  };
  Sparse(Lists l, int rows, int columns, int base, cusparseFormat_t format)
      : begins(l.begins), major(l.major), minor(l.minor), values(l.values),
        on_begins(begins), on_major(major), on_minor(minor), on_values(values) {
    const int64_t entries = int64_t(values.size());
    const auto of = cusparseIndexBase_t(base);
    if (format == CUSPARSE_FORMAT_COO)
      SPARSE(cusparseCreateCoo(&descriptor, rows, columns, entries, on_major.at,
                               on_minor.at, on_values.at, width<I>, of,
                               type<T>));
    else if (format == CUSPARSE_FORMAT_CSC)
      SPARSE(cusparseCreateCsc(&descriptor, rows, columns, entries,
                               on_begins.at, on_minor.at, on_values.at,
                               width<I>, width<I>, of, type<T>));
    else
      SPARSE(cusparseCreateCsr(&descriptor, rows, columns, entries,
                               on_begins.at, on_minor.at, on_values.at,
                               width<I>, width<I>, of, type<T>));
  }
};

/// C = alpha * A * B + beta * C, where C has its structure from the first call.
template <typename T, typename I>
static bool sparse_products(cusparseHandle_t handle, int m, int k, int n,
                            int base) {
  const auto a = matrix<T>(m, k, 1, false), b = matrix<T>(k, n, 2, false);
  Sparse<T, I> left(a, m, k, base, CUSPARSE_FORMAT_CSR);
  Sparse<T, I> right(b, k, n, base, CUSPARSE_FORMAT_CSR);
  Device<I> begins(std::vector<I>(m + 1, -1));
  cusparseSpMatDescr_t c;
  SPARSE(cusparseCreateCsr(&c, m, n, 0, begins.at, nullptr, nullptr, width<I>,
                           width<I>, cusparseIndexBase_t(base), type<T>));
  cusparseSpGEMMDescr_t steps;
  SPARSE(cusparseSpGEMM_createDescr(&steps));
  T alpha = 2, beta = 0;
  size_t bytes = 0;
  auto estimate = [&](void *buffer) {
    SPARSE(cusparseSpGEMM_workEstimation(
        handle, plain, plain, &alpha, left.descriptor, right.descriptor, &beta,
        c, type<T>, CUSPARSE_SPGEMM_DEFAULT, steps, &bytes, buffer));
  };
  auto compute = [&](void *buffer) {
    SPARSE(cusparseSpGEMM_compute(
        handle, plain, plain, &alpha, left.descriptor, right.descriptor, &beta,
        c, type<T>, CUSPARSE_SPGEMM_DEFAULT, steps, &bytes, buffer));
  };
  auto copy = [&] {
    SPARSE(cusparseSpGEMM_copy(handle, plain, plain, &alpha, left.descriptor,
                               right.descriptor, &beta, c, type<T>,
                               CUSPARSE_SPGEMM_DEFAULT, steps));
  };
  estimate(nullptr);
  Buffer first(bytes);
  estimate(first.at);
  compute(nullptr);
  Buffer second(bytes);
  compute(second.at);
  int64_t rows, columns, entries;
  SPARSE(cusparseSpMatGetSize(c, &rows, &columns, &entries));
  Device<I> indices{std::vector<I>(entries, -1)};
  Device<T> values{std::vector<T>(entries, T(NAN))};
  SPARSE(cusparseCsrSetPointers(c, begins.at, indices.at, values.at));
  copy();
  // The structure is that of the products, also where they cancel.
  std::vector<I> wanted_begins, wanted_indices;
  std::vector<T> wanted;
  for (int i = 0; i < m; ++i) {
    wanted_begins.push_back(I(wanted.size() + base));
    for (int j = 0; j < n; ++j) {
      T sum = 0;
      bool any = false;
      for (int l = 0; l < k; ++l) {
        any |= a[i * k + l] != 0 && b[l * n + j] != 0;
        sum += a[i * k + l] * b[l * n + j];
      }
      if (any) {
        wanted_indices.push_back(I(j + base));
        wanted.push_back(alpha * sum);
      }
    }
  }
  wanted_begins.push_back(I(wanted.size() + base));
  bool ok = same("SpGEMM: offsets", begins.host(), wanted_begins) &
            same("SpGEMM: columns", indices.host(), wanted_indices) &
            same("SpGEMM: values", values.host(), wanted);
  alpha = 1, beta = T(0.5); // the same once more, and half of what is there
  copy();
  for (T &x : wanted)
    x = x / 2 + beta * x;
  ok &= same("SpGEMM: beta", values.host(), wanted);
  SPARSE(cusparseSpGEMM_destroyDescr(steps));
  SPARSE(cusparseDestroySpMat(c));
  return ok;
}

/// Dense matrices by rows or by columns, transposed or not.
template <typename T>
static bool sampled(cusparseHandle_t handle, cusparseFormat_t format, int kind,
                    int m, int n) {
  const bool ta = kind & 1, tb = kind & 2;
  const int k = 6;
  const auto pattern = matrix<T>(m, n, 4, false);
  Sparse<T, int> c(pattern, m, n, kind & 1, format);
  const std::vector<T> a = sequence<T>(m * k, 1), b = sequence<T>(k * n, 2);
  Device<T> da(a), db(b);
  cusparseDnMatDescr_t left, right; // a by rows, b by columns
  SPARSE(cusparseCreateDnMat(&left, ta ? k : m, ta ? m : k, ta ? m : k, da.at,
                             type<T>, CUSPARSE_ORDER_ROW));
  SPARSE(cusparseCreateDnMat(&right, tb ? n : k, tb ? k : n, tb ? n : k, db.at,
                             type<T>, CUSPARSE_ORDER_COL));
  Device<T> factors({T(2), T(-0.5)});
  const auto op = [](bool t) { return t ? turned : plain; };
  size_t bytes;
  SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
  SPARSE(cusparseSDDMM_bufferSize(handle, op(ta), op(tb), factors.at, left,
                                  right, factors.at + 1, c.descriptor, type<T>,
                                  CUSPARSE_SDDMM_ALG_DEFAULT, &bytes));
  Buffer buffer(bytes);
  SPARSE(cusparseSDDMM_preprocess(handle, op(ta), op(tb), factors.at, left,
                                  right, factors.at + 1, c.descriptor, type<T>,
                                  CUSPARSE_SDDMM_ALG_DEFAULT, buffer.at));
  SPARSE(cusparseSDDMM(handle, op(ta), op(tb), factors.at, left, right,
                       factors.at + 1, c.descriptor, type<T>,
                       CUSPARSE_SDDMM_ALG_DEFAULT, buffer.at));
  SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  std::vector<T> wanted = c.values;
  for (size_t e = 0; e < wanted.size(); ++e) {
    int i = int(c.major[e]) - (kind & 1), j = int(c.minor[e]) - (kind & 1);
    if (format == CUSPARSE_FORMAT_CSC)
      std::swap(i, j);
    T sum = 0;
    for (int l = 0; l < k; ++l)
      sum += (ta ? a[l * m + i] : a[i * k + l]) *
             (tb ? b[j + l * n] : b[l + j * k]);
    wanted[e] = 2 * sum - wanted[e] / 2;
  }
  SPARSE(cusparseDestroyDnMat(left));
  SPARSE(cusparseDestroyDnMat(right));
  return same("SDDMM", c.on_values.host(), wanted);
}

template <typename T, typename I>
static bool systems(cusparseHandle_t handle, cusparseFormat_t format, int kind,
                    int n) {
  const bool upper = kind & 1, unit = kind & 2, transposed = kind & 4;
  const int base = kind & 1, sides = 5, ld = n + 2;
  const auto op = transposed ? turned : plain;
  // Entries of the other triangle are there and must not be used.
  std::vector<T> dense = matrix<T>(n, n, 3, true);
  Sparse<T, I> a(dense, n, n, base, format);
  cusparseFillMode_t fill =
      upper ? CUSPARSE_FILL_MODE_UPPER : CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal =
      unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
  SPARSE(cusparseSpMatSetAttribute(a.descriptor, CUSPARSE_SPMAT_FILL_MODE,
                                   &fill, sizeof(fill)));
  SPARSE(cusparseSpMatSetAttribute(a.descriptor, CUSPARSE_SPMAT_DIAG_TYPE,
                                   &diagonal, sizeof(diagonal)));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (i == j && unit)
        dense[i * n + j] = 1;
      else if (i != j && (i < j) != upper)
        dense[i * n + j] = 0;
  const T alpha = 2;
  std::vector<T> x = sequence<T>(n * sides, 7), right(ld * sides);
  for (int s = 0; s < sides; ++s)
    for (int i = 0; i < n; ++i) {
      T sum = 0;
      for (int j = 0; j < n; ++j)
        sum +=
            (transposed ? dense[j * n + i] : dense[i * n + j]) * x[j + s * n];
      right[i + s * ld] = sum / alpha;
    }
  const std::string what =
      std::string(upper ? " upper" : " lower") + (unit ? " unit" : "") +
      (transposed ? " transposed " : " ") + std::to_string(int(format));
  Device<T> from(right), to(std::vector<T>(n, 9));
  cusparseDnVecDescr_t vx, vy;
  SPARSE(cusparseCreateDnVec(&vx, n, from.at, type<T>));
  SPARSE(cusparseCreateDnVec(&vy, n, to.at, type<T>));
  cusparseSpSVDescr_t one;
  size_t bytes;
  SPARSE(cusparseSpSV_createDescr(&one));
  SPARSE(cusparseSpSV_bufferSize(handle, op, &alpha, a.descriptor, vx, vy,
                                 type<T>, CUSPARSE_SPSV_ALG_DEFAULT, one,
                                 &bytes));
  Buffer buffer(bytes);
  SPARSE(cusparseSpSV_analysis(handle, op, &alpha, a.descriptor, vx, vy,
                               type<T>, CUSPARSE_SPSV_ALG_DEFAULT, one,
                               buffer.at));
  SPARSE(cusparseSpSV_solve(handle, op, &alpha, a.descriptor, vx, vy, type<T>,
                            CUSPARSE_SPSV_ALG_DEFAULT, one));
  bool ok = same("SpSV" + what, to.host(), std::vector<T>(&x[0], &x[n]));
  SPARSE(cusparseSpSV_destroyDescr(one));
  SPARSE(cusparseDestroyDnVec(vx));
  SPARSE(cusparseDestroyDnVec(vy));

  // Many right-hand sides, whose transpose is given every other time.
  const bool tb = unit;
  std::vector<T> rows(sides * n);
  for (int s = 0; s < sides; ++s)
    for (int i = 0; i < n; ++i)
      rows[s + i * sides] = right[i + s * ld];
  Device<T> other(rows), all(std::vector<T>(n * sides, 9));
  cusparseDnMatDescr_t mb, mc;
  if (tb)
    SPARSE(cusparseCreateDnMat(&mb, sides, n, sides, other.at, type<T>,
                               CUSPARSE_ORDER_COL));
  else
    SPARSE(cusparseCreateDnMat(&mb, n, sides, ld, from.at, type<T>,
                               CUSPARSE_ORDER_COL));
  SPARSE(cusparseCreateDnMat(&mc, n, sides, n, all.at, type<T>,
                             CUSPARSE_ORDER_COL));
  const auto of_b = tb ? turned : plain;
  cusparseSpSMDescr_t many;
  SPARSE(cusparseSpSM_createDescr(&many));
  SPARSE(cusparseSpSM_bufferSize(handle, op, of_b, &alpha, a.descriptor, mb, mc,
                                 type<T>, CUSPARSE_SPSM_ALG_DEFAULT, many,
                                 &bytes));
  Buffer more(bytes);
  SPARSE(cusparseSpSM_analysis(handle, op, of_b, &alpha, a.descriptor, mb, mc,
                               type<T>, CUSPARSE_SPSM_ALG_DEFAULT, many,
                               more.at));
  SPARSE(cusparseSpSM_solve(handle, op, of_b, &alpha, a.descriptor, mb, mc,
                            type<T>, CUSPARSE_SPSM_ALG_DEFAULT, many));
  ok &= same("SpSM" + what, all.host(), x);
  SPARSE(cusparseSpSM_destroyDescr(many));
  SPARSE(cusparseDestroyDnMat(mb));
  SPARSE(cusparseDestroyDnMat(mc));
  return ok;
}

/// CSC in the older functions, and the way there.
template <typename T>
static bool columns(cusparseHandle_t handle, int m, int n, int base) {
  const auto dense = matrix<T>(m, n, 5, false);
  const auto of = cusparseIndexBase_t(base);
  Sparse<T, int> csr(dense, m, n, base, CUSPARSE_FORMAT_CSR);
  Sparse<T, int> csc(dense, m, n, base, CUSPARSE_FORMAT_CSC);
  const int entries = int(csr.values.size());
  Device<T> values{std::vector<T>(entries)};
  Device<int> begins(std::vector<int>(n + 1)), rows{std::vector<int>(entries)};
  size_t bytes;
  SPARSE(cusparseCsr2cscEx2_bufferSize(
      handle, m, n, entries, csr.on_values.at, csr.on_begins.at,
      csr.on_minor.at, values.at, begins.at, rows.at, type<T>,
      CUSPARSE_ACTION_NUMERIC, of, CUSPARSE_CSR2CSC_ALG1, &bytes));
  Buffer buffer(bytes);
  SPARSE(cusparseCsr2cscEx2(
      handle, m, n, entries, csr.on_values.at, csr.on_begins.at,
      csr.on_minor.at, values.at, begins.at, rows.at, type<T>,
      CUSPARSE_ACTION_NUMERIC, of, CUSPARSE_CSR2CSC_ALG1, buffer.at));
  bool ok = same("csr2csc: offsets", begins.host(), csc.begins) &
            same("csr2csc: rows", rows.host(), csc.minor) &
            same("csr2csc: values", values.host(), csc.values);

  for (bool t : {false, true}) {
    const std::vector<T> x = sequence<T>(t ? m : n, 1);
    std::vector<T> y(t ? n : m);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j)
        y[t ? j : i] += dense[i * n + j] * x[t ? i : j];
    Device<T> dx(x), dy(std::vector<T>(y.size(), T(NAN)));
    cusparseDnVecDescr_t vx, vy;
    SPARSE(cusparseCreateDnVec(&vx, x.size(), dx.at, type<T>));
    SPARSE(cusparseCreateDnVec(&vy, y.size(), dy.at, type<T>));
    const T one = 1, zero = 0;
    SPARSE(cusparseSpMV_bufferSize(handle, t ? turned : plain, &one,
                                   csc.descriptor, vx, &zero, vy, type<T>,
                                   CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    Buffer more(bytes);
    SPARSE(cusparseSpMV(handle, t ? turned : plain, &one, csc.descriptor, vx,
                        &zero, vy, type<T>, CUSPARSE_SPMV_ALG_DEFAULT,
                        more.at));
    ok &= same("SpMV of CSC", dy.host(), y);
    SPARSE(cusparseDestroyDnVec(vx));
    SPARSE(cusparseDestroyDnVec(vy));
  }

  Device<T> full(std::vector<T>(m * n, 9));
  cusparseDnMatDescr_t d;
  SPARSE(
      cusparseCreateDnMat(&d, m, n, n, full.at, type<T>, CUSPARSE_ORDER_ROW));
  SPARSE(cusparseSparseToDense_bufferSize(
      handle, csc.descriptor, d, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &bytes));
  Buffer dense_buffer(bytes);
  SPARSE(cusparseSparseToDense(handle, csc.descriptor, d,
                               CUSPARSE_SPARSETODENSE_ALG_DEFAULT,
                               dense_buffer.at));
  ok &= same("SparseToDense of CSC", full.host(), dense);
  cusparseSpMatDescr_t again;
  SPARSE(cusparseCreateCsc(&again, m, n, 0, begins.at, nullptr, nullptr,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, of,
                           type<T>));
  SPARSE(cusparseDenseToSparse_bufferSize(
      handle, d, again, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &bytes));
  Buffer back(bytes);
  SPARSE(cusparseDenseToSparse_analysis(
      handle, d, again, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, back.at));
  SPARSE(cusparseCscSetPointers(again, begins.at, rows.at, values.at));
  CHECK(cudaMemset(rows.at, 0, entries * sizeof(int)));
  SPARSE(cusparseDenseToSparse_convert(
      handle, d, again, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, back.at));
  ok &= same("DenseToSparse to CSC", rows.host(), csc.minor) &
        same("DenseToSparse to CSC", values.host(), csc.values);
  SPARSE(cusparseDestroySpMat(again));
  SPARSE(cusparseDestroyDnMat(d));
  return ok;
}

template <typename T, typename I>
static bool entries(cusparseHandle_t handle, int base) {
  const int n = 40, count = 13;
  std::vector<I> at;
  for (int i = 0; i < count; ++i)
    at.push_back(I(i * 3 + 1 + base));
  std::vector<T> x = sequence<T>(count, 1), y = sequence<T>(n, 2);
  Device<I> on(at);
  Device<T> dx(x), dy(y);
  cusparseSpVecDescr_t vx;
  cusparseDnVecDescr_t vy;
  SPARSE(cusparseCreateSpVec(&vx, n, count, on.at, dx.at, width<I>,
                             cusparseIndexBase_t(base), type<T>));
  SPARSE(cusparseCreateDnVec(&vy, n, dy.at, type<T>));
  const T alpha = 2, beta = T(0.5), c = T(0.75), s = T(0.25);
  auto both = [&](const char *what) {
    return same(what, dx.host(), x) & same(what, dy.host(), y);
  };
  SPARSE(cusparseAxpby(handle, &alpha, vx, &beta, vy));
  for (T &v : y)
    v *= beta;
  for (int i = 0; i < count; ++i)
    y[at[i] - base] += alpha * x[i];
  bool ok = both("Axpby");
  SPARSE(cusparseRot(handle, &c, &s, vx, vy));
  for (int i = 0; i < count; ++i) {
    T &v = y[at[i] - base];
    const T old = x[i];
    x[i] = c * old + s * v;
    v = c * v - s * old;
  }
  ok &= both("Rot");
  SPARSE(cusparseScatter(handle, vx, vy));
  for (int i = 0; i < count; ++i)
    y[at[i] - base] = x[i];
  ok &= both("Scatter");
  std::vector<T> fresh = sequence<T>(n, 5);
  CHECK(cudaMemcpy(dy.at, fresh.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  SPARSE(cusparseGather(handle, vy, vx));
  y = fresh;
  for (int i = 0; i < count; ++i)
    x[i] = y[at[i] - base];
  ok &= both("Gather");
  SPARSE(cusparseDestroySpVec(vx));
  SPARSE(cusparseDestroyDnVec(vy));
  return ok;
}

/// What objects were made of comes back.
static bool objects() {
  const auto d = matrix<float>(7, 9, 1, false);
  Sparse<float, int> csr(d, 7, 9, 1, CUSPARSE_FORMAT_CSR),
      csc(d, 7, 9, 0, CUSPARSE_FORMAT_CSC);
  Sparse<float, long long> coo(d, 7, 9, 0, CUSPARSE_FORMAT_COO);
  int64_t rows, cols, nnz, ld;
  void *a, *b, *v;
  const void *ca, *cb, *cv;
  cusparseIndexType_t ta, tb;
  cusparseIndexBase_t base;
  cusparseFormat_t format;
  cusparseFillMode_t fill;
  cusparseOrder_t order;
  cudaDataType of;
  const int64_t count = int64_t(csr.values.size());
  SPARSE(cusparseCsrGet(csr.descriptor, &rows, &cols, &nnz, &a, &b, &v, &ta,
                        &tb, &base, &of));
  bool ok = rows == 7 && cols == 9 && nnz == count && a == csr.on_begins.at &&
            b == csr.on_minor.at && v == csr.on_values.at &&
            ta == CUSPARSE_INDEX_32I && base == CUSPARSE_INDEX_BASE_ONE &&
            of == CUDA_R_32F;
  SPARSE(cusparseConstCscGet(csc.descriptor, &rows, &cols, &nnz, &ca, &cb, &cv,
                             &ta, &tb, &base, &of));
  ok &= ca == csc.on_begins.at && cb == csc.on_minor.at && rows == 7;
  SPARSE(cusparseCooGet(coo.descriptor, &rows, &cols, &nnz, &a, &b, &v, &ta,
                        &base, &of));
  ok &= a == coo.on_major.at && ta == CUSPARSE_INDEX_64I && nnz == count;
  SPARSE(cusparseSpMatGetFormat(csc.descriptor, &format));
  SPARSE(cusparseSpMatGetAttribute(csc.descriptor, CUSPARSE_SPMAT_FILL_MODE,
                                   &fill, sizeof(fill)));
  ok &= format == CUSPARSE_FORMAT_CSC && fill == CUSPARSE_FILL_MODE_LOWER;
  cusparseSpVecDescr_t x;
  SPARSE(cusparseCreateSpVec(&x, 9, 2, a, v, CUSPARSE_INDEX_64I,
                             CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  SPARSE(cusparseSpVecGet(x, &rows, &nnz, &a, &b, &ta, &base, &of));
  ok &= rows == 9 && nnz == 2 && b == v;
  SPARSE(cusparseDestroySpVec(x));
  cusparseDnMatDescr_t m;
  SPARSE(cusparseCreateDnMat(&m, 3, 4, 5, v, CUDA_R_64F, CUSPARSE_ORDER_ROW));
  SPARSE(cusparseDnMatGet(m, &rows, &cols, &ld, &a, &of, &order));
  ok &= rows == 3 && cols == 4 && ld == 5 && a == v && of == CUDA_R_64F &&
        order == CUSPARSE_ORDER_ROW;
  SPARSE(cusparseDestroyDnMat(m));
  if (!ok)
    printf("objects: wrong\n");
  return ok;
}

// With an argument: single precision only.
int main(int argc, char **) {
  const bool quick = argc > 1;
  cusparseHandle_t handle;
  SPARSE(cusparseCreate(&handle));
  bool ok = sparse_products<float, int>(handle, 37, 45, 30, 0);
  ok &= columns<float>(handle, 37, 45, 1) & entries<float, int>(handle, 1);
  const cusparseFormat_t formats[] = {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC,
                                      CUSPARSE_FORMAT_COO};
  for (cusparseFormat_t format : formats)
    for (int kind = 0; kind < 8; ++kind) {
      ok &= systems<float, int>(handle, format, kind, 40);
      if (kind < 4)
        ok &= sampled<float>(handle, format, kind, 37, 45);
      if (quick)
        continue;
      ok &= systems<double, long long>(handle, format, kind, 101);
      if (kind < 4)
        ok &= sampled<double>(handle, format, kind, 100, 31);
    }
  if (!quick) {
    ok &= sparse_products<double, long long>(handle, 130, 70, 200, 1);
    ok &= sparse_products<double, int>(handle, 1, 4, 1, 0);
    ok &= columns<double>(handle, 200, 70, 0);
    ok &= entries<double, long long>(handle, 0) & objects();
  }
  SPARSE(cusparseDestroy(handle));
  return verdict(ok);
}
