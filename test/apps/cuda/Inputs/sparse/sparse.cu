// The products and conversions of cuSPARSE beside plain loops of the host: both
// formats, wide indices, either base, transposed, factors on host and device.
#include "../check.h"
#include <cmath>
#include <cusparse.h>
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

template <typename T> struct Type;
template <> struct Type<float> {
  static constexpr cudaDataType value = CUDA_R_32F;
};
template <> struct Type<double> {
  static constexpr cudaDataType value = CUDA_R_64F;
};
template <> struct Type<int> {
  static constexpr cusparseIndexType_t value = CUSPARSE_INDEX_32I;
};
template <> struct Type<long long> {
  static constexpr cusparseIndexType_t value = CUSPARSE_INDEX_64I;
};

/// A vector on the device.
template <typename T> struct Device {
  T *at = nullptr;
  size_t size;
  explicit Device(const std::vector<T> &from) : size(from.size()) {
    CHECK(cudaMalloc(&at, (size + 1) * sizeof(T)));
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

template <typename T>
static bool same(const char *what, const std::vector<T> &is,
                 const std::vector<T> &wanted) {
  bool ok = is.size() == wanted.size();
  for (size_t i = 0; ok && i < is.size(); ++i)
    ok = std::fabs(double(is[i]) - double(wanted[i])) <=
         1e-5 * (1 + std::fabs(double(wanted[i])));
  if (!ok)
    printf("%s: wrong\n", what);
  return ok;
}

/// Some rows are empty, one has an entry in each column; sums of the values,
/// which are quarters, are exact in any order.
template <typename T, typename I> struct Matrix {
  int rows, columns, base;
  std::vector<T> dense, values;
  std::vector<I> offsets, rowOf, indices;

  Matrix(int rows, int columns, int base)
      : rows(rows), columns(columns), base(base), dense(rows * columns) {
    for (int r = 0; r < rows; ++r) {
      offsets.push_back(I(values.size() + base));
      for (int c = 0; c < columns; ++c) {
        if (r != 3 && (r % 5 == 2 || (r * 31 + c * 17) % 11 > 2))
          continue;
        const T value = T((r * 7 + c * 5) % 13 - 6) / 4;
        if (value == 0)
          continue;
        dense[r * columns + c] = value;
        values.push_back(value);
        rowOf.push_back(I(r + base));
        indices.push_back(I(c + base));
      }
    }
    offsets.push_back(I(values.size() + base));
  }
  T at(bool transposed, int r, int c) const {
    return transposed ? dense[c * columns + r] : dense[r * columns + c];
  }
};

template <typename T> static std::vector<T> sequence(size_t n, int seed) {
  std::vector<T> v(n);
  for (size_t i = 0; i < n; ++i)
    v[i] = T(int(i * 29 + seed * 13) % 17 - 8) / 2;
  return v;
}

template <typename T, typename I> struct Products {
  cusparseHandle_t handle;
  const Matrix<T, I> &m;
  cusparseSpMatDescr_t a;

  bool vectors(cusparseOperation_t op, T alpha, T beta, bool onDevice) {
    const bool t = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const int from = t ? m.rows : m.columns, to = t ? m.columns : m.rows;
    std::vector<T> x = sequence<T>(from, 1), y = sequence<T>(to, 2);
    if (beta == 0)
      y.assign(to, T(NAN)); // must not matter
    Device<T> dx(x), dy(y), factors({alpha, beta});
    cusparseDnVecDescr_t vx, vy;
    SPARSE(cusparseCreateDnVec(&vx, from, dx.at, Type<T>::value));
    SPARSE(cusparseCreateDnVec(&vy, to, dy.at, Type<T>::value));
    SPARSE(cusparseSetPointerMode(handle, onDevice
                                              ? CUSPARSE_POINTER_MODE_DEVICE
                                              : CUSPARSE_POINTER_MODE_HOST));
    const T *pa = onDevice ? factors.at : &alpha;
    const T *pb = onDevice ? factors.at + 1 : &beta;
    size_t bytes;
    void *buffer = nullptr;
    SPARSE(cusparseSpMV_bufferSize(handle, op, pa, a, vx, pb, vy,
                                   Type<T>::value, CUSPARSE_SPMV_ALG_DEFAULT,
                                   &bytes));
    CHECK(cudaMalloc(&buffer, bytes));
    SPARSE(cusparseSpMV(handle, op, pa, a, vx, pb, vy, Type<T>::value,
                        CUSPARSE_SPMV_ALG_DEFAULT, buffer));
    CHECK(cudaFree(buffer));
    for (int r = 0; r < to; ++r) {
      T sum = 0;
      for (int c = 0; c < from; ++c)
        sum += m.at(t, r, c) * x[c];
      y[r] = beta == 0 ? alpha * sum : alpha * sum + beta * y[r];
    }
    SPARSE(cusparseDestroyDnVec(vx));
    SPARSE(cusparseDestroyDnVec(vy));
    SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
    return same("SpMV", dy.host(), y);
  }

  bool matrices(bool ta, bool tb, bool byRow) {
    const int k = ta ? m.rows : m.columns, rows = ta ? m.columns : m.rows;
    const int columns = 7, rowsOfB = tb ? columns : k,
              columnsOfB = tb ? k : columns;
    const int ldb = (byRow ? columnsOfB : rowsOfB) + 2,
              ldc = (byRow ? columns : rows) + 1;
    const auto order = byRow ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
    std::vector<T> b = sequence<T>(ldb * (byRow ? rowsOfB : columnsOfB), 3);
    std::vector<T> c = sequence<T>(ldc * (byRow ? rows : columns), 4);
    Device<T> db(b), dc(c);
    cusparseDnMatDescr_t mb, mc;
    SPARSE(cusparseCreateDnMat(&mb, rowsOfB, columnsOfB, ldb, db.at,
                               Type<T>::value, order));
    SPARSE(cusparseCreateDnMat(&mc, rows, columns, ldc, dc.at, Type<T>::value,
                               order));
    const T alpha = 2, beta = T(-0.5);
    const auto op = [](bool t) {
      return t ? CUSPARSE_OPERATION_TRANSPOSE
               : CUSPARSE_OPERATION_NON_TRANSPOSE;
    };
    size_t bytes;
    SPARSE(cusparseSpMM_bufferSize(handle, op(ta), op(tb), &alpha, a, mb, &beta,
                                   mc, Type<T>::value,
                                   CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
    SPARSE(cusparseSpMM(handle, op(ta), op(tb), &alpha, a, mb, &beta, mc,
                        Type<T>::value, CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < columns; ++j) {
        T sum = 0;
        for (int i = 0; i < k; ++i) {
          const int br = tb ? j : i, bc = tb ? i : j;
          sum += m.at(ta, r, i) * (byRow ? b[br * ldb + bc] : b[br + bc * ldb]);
        }
        T &to = byRow ? c[r * ldc + j] : c[r + j * ldc];
        to = alpha * sum + beta * to;
      }
    SPARSE(cusparseDestroyDnMat(mb));
    SPARSE(cusparseDestroyDnMat(mc));
    return same("SpMM", dc.host(), c);
  }

  bool dense() {
    Device<T> full(std::vector<T>(m.rows * m.columns, T(9)));
    cusparseDnMatDescr_t d;
    SPARSE(cusparseCreateDnMat(&d, m.rows, m.columns, m.columns, full.at,
                               Type<T>::value, CUSPARSE_ORDER_ROW));
    SPARSE(cusparseSparseToDense(handle, a, d,
                                 CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    bool ok = same("SparseToDense", full.host(), m.dense);
    // And back, into a matrix that does not know its size yet.
    Device<I> offsets(std::vector<I>(m.rows + 1));
    const auto base = cusparseIndexBase_t(m.base);
    cusparseSpMatDescr_t s;
    SPARSE(cusparseCreateCsr(&s, m.rows, m.columns, 0, offsets.at, nullptr,
                             nullptr, Type<I>::value, Type<I>::value, base,
                             Type<T>::value));
    size_t bytes;
    void *buffer;
    SPARSE(cusparseDenseToSparse_bufferSize(
        handle, d, s, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &bytes));
    CHECK(cudaMalloc(&buffer, bytes));
    SPARSE(cusparseDenseToSparse_analysis(
        handle, d, s, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
    int64_t rows, columns, entries;
    SPARSE(cusparseSpMatGetSize(s, &rows, &columns, &entries));
    ok &= entries == int64_t(m.values.size());
    Device<I> indices{std::vector<I>(entries)};
    Device<T> values{std::vector<T>(entries)};
    SPARSE(cusparseCsrSetPointers(s, offsets.at, indices.at, values.at));
    SPARSE(cusparseDenseToSparse_convert(
        handle, d, s, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
    ok &= same("offsets", offsets.host(), m.offsets);
    ok &= same("columns", indices.host(), m.indices);
    ok &= same("values", values.host(), m.values);
    CHECK(cudaFree(buffer));
    SPARSE(cusparseDestroySpMat(s));
    SPARSE(cusparseDestroyDnMat(d));
    return ok;
  }

  bool all(bool quick) {
    const auto n = CUSPARSE_OPERATION_NON_TRANSPOSE,
               t = CUSPARSE_OPERATION_TRANSPOSE;
    bool ok = vectors(n, T(1.5), T(0), false) & vectors(t, T(2), T(0), false);
    ok &= vectors(n, T(-1), T(0.5), true) & vectors(t, T(1), T(2), true);
    for (int kind = 0; kind < (quick ? 2 : 8); ++kind)
      ok &= matrices(kind & 1, kind & 2, kind & 4);
    return ok & dense();
  }
};

template <typename T, typename I>
static bool formats(cusparseHandle_t handle, int rows, int columns, int base,
                    bool quick) {
  const Matrix<T, I> m(rows, columns, base);
  Device<I> offsets(m.offsets), rowOf(m.rowOf), indices(m.indices);
  Device<T> values(m.values);
  const int64_t entries = int64_t(m.values.size());
  const auto of = cusparseIndexBase_t(base);
  cusparseSpMatDescr_t csr, coo;
  SPARSE(cusparseCreateCsr(&csr, rows, columns, entries, offsets.at, indices.at,
                           values.at, Type<I>::value, Type<I>::value, of,
                           Type<T>::value));
  SPARSE(cusparseCreateCoo(&coo, rows, columns, entries, rowOf.at, indices.at,
                           values.at, Type<I>::value, of, Type<T>::value));
  bool ok = Products<T, I>{handle, m, csr}.all(quick);
  ok &= Products<T, I>{handle, m, coo}.all(quick);
  SPARSE(cusparseDestroySpMat(csr));
  SPARSE(cusparseDestroySpMat(coo));

  // A row as a sparse vector: the product with a dense one.
  const std::vector<T> y = sequence<T>(columns, 6);
  Device<T> dy(y);
  const int row = rows > 3 ? 3 : 0;
  const I begin = m.offsets[row] - base, end = m.offsets[row + 1] - base;
  cusparseSpVecDescr_t x;
  cusparseDnVecDescr_t vy;
  SPARSE(cusparseCreateSpVec(&x, columns, end - begin, indices.at + begin,
                             values.at + begin, Type<I>::value, of,
                             Type<T>::value));
  SPARSE(cusparseCreateDnVec(&vy, columns, dy.at, Type<T>::value));
  T is = -1, wanted = 0;
  SPARSE(cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, x, vy, &is,
                      Type<T>::value, nullptr));
  for (int c = 0; c < columns; ++c)
    wanted += m.at(false, row, c) * y[c];
  SPARSE(cusparseDestroySpVec(x));
  SPARSE(cusparseDestroyDnVec(vy));
  return ok & same<T>("SpVV", {is}, {wanted});
}

static bool offsetsAndRows(cusparseHandle_t handle) {
  const Matrix<float, int> m(37, 20, 1);
  const int entries = int(m.values.size());
  Device<int> offsets(m.offsets), rowOf(std::vector<int>(entries, 0)),
      again(std::vector<int>(38, 0));
  SPARSE(cusparseXcsr2coo(handle, offsets.at, entries, 37, rowOf.at,
                          CUSPARSE_INDEX_BASE_ONE));
  SPARSE(cusparseXcoo2csr(handle, rowOf.at, entries, 37, again.at,
                          CUSPARSE_INDEX_BASE_ONE));
  return same("csr2coo", rowOf.host(), m.rowOf) &
         same("coo2csr", again.host(), m.offsets);
}

// With an argument: a small matrix in single precision only.
int main(int argc, char **) {
  const bool quick = argc > 1;
  cusparseHandle_t handle;
  cudaStream_t stream;
  SPARSE(cusparseCreate(&handle));
  CHECK(cudaStreamCreate(&stream));
  SPARSE(cusparseSetStream(handle, stream));
  bool ok = formats<float, int>(handle, 37, 45, 0, quick);
  ok &= offsetsAndRows(handle);
  if (!quick) {
    ok &= formats<double, long long>(handle, 301, 70, 1, quick);
    ok &= formats<float, long long>(handle, 1, 1, 0, quick);
    ok &= formats<double, int>(handle, 5, 400, 1, quick);
  }
  SPARSE(cusparseDestroy(handle));
  CHECK(cudaStreamDestroy(stream));
  return verdict(ok);
}
