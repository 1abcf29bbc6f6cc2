// Noise, its second differences by a sparse matrix, and the energy of both in
// frequency as in time: four libraries and Thrust in one program.
#include "../check.h"
#include <cmath>
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
#include <cusparse.h>
#include <thrust/device_vector.h>
#include <thrust/transform_reduce.h>

#define CALL(call)                                                             \
  if (int status = int(call)) {                                                \
    fprintf(stderr, "%s:%d: error %d\n", __FILE__, __LINE__, status);          \
    return EXIT_FAILURE;                                                       \
  }

struct Energy {
  __host__ __device__ double operator()(cufftComplex z) const {
    return double(z.x) * z.x + double(z.y) * z.y;
  }
};

template <typename T> static T *raw(thrust::device_vector<T> &v) {
  return thrust::raw_pointer_cast(v.data());
}

int main() {
  const int n = 1000, half = n / 2 + 1;
  thrust::device_vector<float> noise(n), differences(n);
  curandGenerator_t generator;
  CALL(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
  CALL(curandSetPseudoRandomGeneratorSeed(generator, 11));
  CALL(curandGenerateNormal(generator, raw(noise), n, 0, 1));
  CALL(curandDestroyGenerator(generator));

  // Each row is 1, -2, 1 around the diagonal, and round the ends.
  thrust::host_vector<int> offsets(1, 0), columns;
  thrust::host_vector<float> values;
  for (int row = 0; row < n; ++row) {
    for (int at = -1; at <= 1; ++at) {
      columns.push_back((row + at + n) % n);
      values.push_back(at ? 1 : -2);
    }
    offsets.push_back(int(columns.size()));
  }
  thrust::device_vector<int> rowsAt(offsets), columnsAt(columns);
  thrust::device_vector<float> entries(values);
  cusparseHandle_t sparse;
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t from, to;
  const float one = 1, zero = 0;
  CALL(cusparseCreate(&sparse));
  CALL(cusparseCreateCsr(&matrix, n, n, int64_t(entries.size()), raw(rowsAt),
                         raw(columnsAt), raw(entries), CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                         CUDA_R_32F));
  CALL(cusparseCreateDnVec(&from, n, raw(noise), CUDA_R_32F));
  CALL(cusparseCreateDnVec(&to, n, raw(differences), CUDA_R_32F));
  CALL(cusparseSpMV(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix,
                    from, &zero, to, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                    nullptr));
  CALL(cusparseDestroySpMat(matrix));
  CALL(cusparseDestroyDnVec(from));
  CALL(cusparseDestroyDnVec(to));
  CALL(cusparseDestroy(sparse));

  cublasHandle_t blas;
  cufftHandle plan;
  CALL(cublasCreate(&blas));
  CALL(cufftPlan1d(&plan, n, CUFFT_R2C, 1));
  thrust::device_vector<cufftComplex> spectrum(half);
  bool ok = true;
  for (auto *signal : {&noise, &differences}) {
    float norm = 0;
    CALL(cublasSnrm2(blas, n, raw(*signal), 1, &norm));
    CALL(cufftExecR2C(plan, raw(*signal), raw(spectrum)));
    // All frequencies but the first and the last stand for two.
    const double inner =
        thrust::transform_reduce(spectrum.begin() + 1, spectrum.end() - 1,
                                 Energy(), 0.0, thrust::plus<double>());
    const cufftComplex first = spectrum[0], last = spectrum[half - 1];
    const double energy = (2 * inner + Energy()(first) + Energy()(last)) / n;
    ok &= norm > 0 && std::fabs(energy / (double(norm) * norm) - 1) < 1e-4;
  }
  CALL(cufftDestroy(plan));
  CALL(cublasDestroy(blas));
  return verdict(ok);
}
