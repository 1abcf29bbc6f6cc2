// Two layers of a neural network over a batch, in halves with sums in single
// precision: products by cublasGemmEx, bias and activation by kernels.
#include "../check.h"
#include <cmath>
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <vector>

#define BLAS(call)                                                             \
  if (cublasStatus_t status = (call)) {                                        \
    fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                         \
            cublasGetStatusString(status));                                    \
    exit(EXIT_FAILURE);                                                        \
  }

__global__ void activate(const float *in, const float *bias, __half *out,
                         int rows, int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * columns)
    out[i] = __float2half(fmaxf(in[i] + bias[i % rows], 0));
}
__global__ void softmax(float *x, int rows) {
  float *column = x + blockIdx.x * rows;
  float most = column[0], sum = 0;
  for (int i = 1; i < rows; ++i)
    most = fmaxf(most, column[i]);
  for (int i = 0; i < rows; ++i)
    sum += expf(column[i] - most);
  __syncthreads();
  for (int i = threadIdx.x; i < rows; i += blockDim.x)
    column[i] -= most + logf(sum);
}

template <typename T> static T *upload(const std::vector<float> &from) {
  std::vector<T> as(from.begin(), from.end());
  T *to;
  CHECK(cudaMalloc(&to, as.size() * sizeof(T)));
  CHECK(cudaMemcpy(to, as.data(), as.size() * sizeof(T),
                   cudaMemcpyHostToDevice));
  return to;
}

int main() {
  const int inputs = 48, hidden = 64, outputs = 10, batch = 32;
  auto fill = [](int n, int seed) {
    std::vector<float> v(n);
    for (int i = 0; i < n; ++i)
      v[i] = float((i * 37 + seed) % 17 - 8) / 32; // exact in halves
    return v;
  };
  const std::vector<float> w1 = fill(hidden * inputs, 1),
                           w2 = fill(outputs * hidden, 2),
                           bias = fill(hidden, 3), x = fill(inputs * batch, 4);
  std::vector<float> wanted(outputs * batch), result(outputs * batch);
  for (int b = 0; b < batch; ++b) {
    std::vector<float> layer(hidden);
    for (int h = 0; h < hidden; ++h) {
      float sum = bias[h];
      for (int i = 0; i < inputs; ++i)
        sum += w1[h + i * hidden] * x[i + b * inputs];
      layer[h] = std::fmax(sum, 0.0f);
    }
    float most = -1e30f, total = 0;
    float *out = &wanted[b * outputs];
    for (int o = 0; o < outputs; ++o) {
      for (int h = 0; h < hidden; ++h)
        out[o] += w2[o + h * outputs] * layer[h];
      most = std::fmax(most, out[o]);
    }
    for (int o = 0; o < outputs; ++o)
      total += std::exp(out[o] - most);
    for (int o = 0; o < outputs; ++o)
      out[o] -= most + std::log(total);
  }
  __half *W1 = upload<__half>(w1), *W2 = upload<__half>(w2),
         *X = upload<__half>(x),
         *Layer = upload<__half>(std::vector<float>(hidden * batch));
  float *B = upload<float>(bias),
        *Sums = upload<float>(std::vector<float>(hidden * batch)),
        *Out = upload<float>(result);
  cublasHandle_t blas;
  BLAS(cublasCreate(&blas));
  BLAS(cublasSetMathMode(blas, CUBLAS_TENSOR_OP_MATH));
  const float one = 1, zero = 0;
  BLAS(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, hidden, batch, inputs, &one,
                    W1, CUDA_R_16F, hidden, X, CUDA_R_16F, inputs, &zero, Sums,
                    CUDA_R_32F, hidden, CUBLAS_COMPUTE_32F,
                    CUBLAS_GEMM_DEFAULT));
  activate<<<(hidden * batch + 127) / 128, 128>>>(Sums, B, Layer, hidden,
                                                  batch);
  BLAS(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, outputs, batch, hidden,
                    &one, W2, CUDA_R_16F, outputs, Layer, CUDA_R_16F, hidden,
                    &zero, Out, CUDA_R_32F, outputs, CUDA_R_32F,
                    CUBLAS_GEMM_DFALT_TENSOR_OP));
  softmax<<<batch, 32>>>(Out, outputs);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result.data(), Out, result.size() * sizeof(float),
                   cudaMemcpyDeviceToHost));
  bool ok = true;
  for (int i = 0; i < outputs * batch; ++i)
    ok &= std::fabs(result[i] - wanted[i]) < 5e-3f;
  BLAS(cublasDestroy(blas));
  for (void *p : {(void *)W1, (void *)W2, (void *)X, (void *)Layer, (void *)B,
                  (void *)Sums, (void *)Out})
    CHECK(cudaFree(p));
  return verdict(ok);
}
