// Softmax and layer normalisation along the rows of a tensor, as a
// deep-learning library runs them.

__device__ float warpMax(float v) {
  for (int step = 16; step; step /= 2)
    v = fmaxf(v, __shfl_xor_sync(~0u, v, step));
  return v;
}

__device__ float warpSum(float v) {
  for (int step = 16; step; step /= 2)
    v += __shfl_xor_sync(~0u, v, step);
  return v;
}

// Rows of up to 1,024 columns: one warp for each row, which it keeps in
// registers. Blocks of 32 x 4 threads.
extern "C" __global__ void softmax_warp(const float *in, float *out, int rows,
                                        int columns) {
  int row = blockIdx.x * 4 + threadIdx.y;
  if (row >= rows)
    return;
  const float *from = in + row * columns;
  float *to = out + row * columns;
  float values[32], most = -3.0e38f, sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 32; ++k) {
    int i = k * 32 + threadIdx.x;
    values[k] = i < columns ? from[i] : -3.0e38f;
  }
#pragma unroll
  for (int k = 0; k < 32; ++k)
    most = fmaxf(most, values[k]);
  most = warpMax(most);
#pragma unroll
  for (int k = 0; k < 32; ++k) {
    values[k] = __expf(values[k] - most);
    sum += values[k];
  }
  sum = warpSum(sum);
#pragma unroll
  for (int k = 0; k < 32; ++k) {
    int i = k * 32 + threadIdx.x;
    if (i < columns)
      to[i] = values[k] / sum;
  }
}

// Longer rows: one block for each row, which it reads three times.
extern "C" __global__ void softmax_block(const float *in, float *out, int rows,
                                         int columns) {
  __shared__ float part[32];
  const float *from = in + blockIdx.x * columns;
  float *to = out + blockIdx.x * columns;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float most = -3.0e38f, sum = 0.0f;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    most = fmaxf(most, from[i]);
  most = warpMax(most);
  if (lane == 0)
    part[warp] = most;
  __syncthreads();
  most = warpMax(lane < blockDim.x / 32 ? part[lane] : -3.0e38f);
  __syncthreads();
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    sum += __expf(from[i] - most);
  sum = warpSum(sum);
  if (lane == 0)
    part[warp] = sum;
  __syncthreads();
  sum = warpSum(lane < blockDim.x / 32 ? part[lane] : 0.0f);
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    to[i] = __expf(from[i] - most) / sum;
}

// One block of 32 x 4 threads for each row, four neighbouring elements for each
// thread: mean and variance in one pass, the result in another.
extern "C" __global__ void layer_norm(const float *in, const float *gamma,
                                      const float *beta, float *mean,
                                      float *deviation, float *out, int rows,
                                      int columns) {
  __shared__ float part[8];
  const float4 *from =
      reinterpret_cast<const float4 *>(in + blockIdx.x * columns);
  float4 *to = reinterpret_cast<float4 *>(out + blockIdx.x * columns);
  int thread = threadIdx.y * 32 + threadIdx.x, quarter = columns / 4;
  float sum = 0.0f, squares = 0.0f;
  for (int i = thread; i < quarter; i += 128) {
    float4 v = from[i];
    sum += v.x + v.y + v.z + v.w;
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  sum = warpSum(sum);
  squares = warpSum(squares);
  if (threadIdx.x == 0) {
    part[threadIdx.y] = sum;
    part[4 + threadIdx.y] = squares;
  }
  __syncthreads();
  float average = (part[0] + part[1] + part[2] + part[3]) / columns;
  float variance = (part[4] + part[5] + part[6] + part[7]) / columns;
  float scale = rsqrtf(variance - average * average + 1.0e-5f);
  for (int i = thread; i < quarter; i += 128) {
    float4 v = from[i];
    float4 g = reinterpret_cast<const float4 *>(gamma)[i];
    float4 b = reinterpret_cast<const float4 *>(beta)[i];
    to[i] = make_float4((v.x - average) * scale * g.x + b.x,
                        (v.y - average) * scale * g.y + b.y,
                        (v.z - average) * scale * g.z + b.z,
                        (v.w - average) * scale * g.w + b.w);
  }
  if (thread == 0) {
    mean[blockIdx.x] = average;
    deviation[blockIdx.x] = scale;
  }
}
