constexpr int MaxWarps = 32;

struct Max {
  __device__ static float identity() { return -__builtin_inff(); }
  __device__ static float apply(float a, float b) { return fmaxf(a, b); }
};

struct Sum {
  __device__ static float identity() { return 0.0f; }
  __device__ static float apply(float a, float b) { return a + b; }
};

// The same result in every thread of the block.
template <typename Op> __device__ float blockReduce(float value) {
  __shared__ float partial[MaxWarps];
  for (int mask = warpSize / 2; mask > 0; mask /= 2)
    value = Op::apply(value, __shfl_xor_sync(0xffffffffu, value, mask));
  int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  if (lane == 0)
    partial[warp] = value;
  __syncthreads();
  value = lane < blockDim.x / warpSize ? partial[lane] : Op::identity();
  for (int mask = warpSize / 2; mask > 0; mask /= 2)
    value = Op::apply(value, __shfl_xor_sync(0xffffffffu, value, mask));
  return value;
}

// Softmax of each row, one thread block per row; the row is kept in dynamic
// shared memory between the passes.
__global__ void softmax(const float *__restrict__ in, float *__restrict__ out,
                        int columns) {
  extern __shared__ float row[];
  const float *source = in + static_cast<size_t>(blockIdx.x) * columns;
  float *target = out + static_cast<size_t>(blockIdx.x) * columns;

  float largest = Max::identity();
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    row[i] = source[i];
    largest = fmaxf(largest, row[i]);
  }
  largest = blockReduce<Max>(largest);

  float sum = 0.0f;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    row[i] = expf(row[i] - largest);
    sum += row[i];
  }
  sum = blockReduce<Sum>(sum);

  float scale = 1.0f / sum;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    target[i] = row[i] * scale;
}
