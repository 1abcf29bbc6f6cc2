#include "stages.h"

__constant__ float weightsOfBlur[2 * Radius + 1];

template <typename T>
__device__ T *row(T *base, size_t pitch, int y) {
  return (T *)((char *)base + y * pitch);
}
template <typename T>
__device__ const T *row(const T *base, size_t pitch, int y) {
  return (const T *)((const char *)base + y * pitch);
}

__global__ void enlargeAll(cudaTextureObject_t picture, float *to,
                           size_t pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < Wide && y < High)
    row(to, pitch, y)[x] = tex2D<float>(picture, (x + 0.5f) / Wide,
                                        (y + 0.5f) / High);
}

/// Along rows, or along columns, which go through shared memory.
template <bool Columns>
__global__ void blur(const float *from, float *to, size_t pitch) {
  extern __shared__ float line[];
  const int length = Columns ? High : Wide;
  const int at = blockIdx.x;
  for (int k = threadIdx.x; k < length; k += blockDim.x)
    line[k] = Columns ? row(from, pitch, k)[at] : row(from, pitch, at)[k];
  __syncthreads();
  for (int k = threadIdx.x; k < length; k += blockDim.x) {
    float sum = 0;
    for (int d = -Radius; d <= Radius; ++d)
      sum += weightsOfBlur[d + Radius] * line[min(max(k + d, 0), length - 1)];
    (Columns ? row(to, pitch, k)[at] : row(to, pitch, at)[k]) = sum;
  }
}

__global__ void edges(const float *from, unsigned char *to, size_t pitch,
                      size_t bytePitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= Wide || y >= High)
    return;
  auto at = [&](int i, int j) {
    return row(from, pitch, min(max(y + j, 0), High - 1))
        [min(max(x + i, 0), Wide - 1)];
  };
  const float h = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) -
                  2 * at(-1, 0) - at(-1, 1);
  const float v = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) -
                  2 * at(0, -1) - at(1, -1);
  row(to, bytePitch, y)[x] =
      (unsigned char)__float2uint_rn(fminf(sqrtf(h * h + v * v) * 64, 255));
}

__global__ void count(const unsigned char *from, size_t pitch,
                      unsigned *bins) {
  __shared__ unsigned own[Bins];
  for (int b = threadIdx.x; b < Bins; b += blockDim.x)
    own[b] = 0;
  __syncthreads();
  for (int x = threadIdx.x; x < Wide; x += blockDim.x)
    atomicAdd(&own[row(from, pitch, blockIdx.x)[x] * Bins / 256], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < Bins; b += blockDim.x)
    if (own[b])
      atomicAdd(&bins[b], own[b]);
}

static const dim3 Block(32, 4), Grid((Wide + 31) / 32, (High + 3) / 4);

void setWeights(const float (&weights)[2 * Radius + 1]) {
  CHECK(cudaMemcpyToSymbol(weightsOfBlur, weights, sizeof(weights)));
}
void enlarge(cudaTextureObject_t picture, float *to, size_t pitch,
             cudaStream_t s) {
  enlargeAll<<<Grid, Block, 0, s>>>(picture, to, pitch);
  CHECK(cudaGetLastError());
}
void smooth(const float *from, float *between, float *to, size_t pitch,
            cudaStream_t s) {
  blur<false><<<High, 64, Wide * sizeof(float), s>>>(from, between, pitch);
  blur<true><<<Wide, 64, High * sizeof(float), s>>>(between, to, pitch);
  CHECK(cudaGetLastError());
}
void findEdges(const float *from, unsigned char *to, size_t pitch,
               size_t bytePitch, cudaStream_t s) {
  edges<<<Grid, Block, 0, s>>>(from, to, pitch, bytePitch);
  CHECK(cudaGetLastError());
}
void countBrightness(const unsigned char *from, size_t pitch, unsigned *bins,
                     cudaStream_t s) {
  count<<<High, 64, 0, s>>>(from, pitch, bins);
  CHECK(cudaGetLastError());
}
