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
    values[k] = expf(values[k] - most);
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

// Calls `four` for groups of four neighbouring elements of a row and `one` for
// the others. Groups begin at multiples of 16 bytes. In a row that does not
// begin at one, each thread first takes one element, the first threads none, so
// that the rest does; what is no whole group for each thread is taken one by
// one too.
template <typename One, typename Four>
__device__ void forEachElement(const float *row, int columns, One one,
                               Four four) {
  int threads = blockDim.x, thread = threadIdx.x;
  int at = -(int)(reinterpret_cast<size_t>(row) / sizeof(float) % 4);
  if (at) {
    if (at + thread >= 0)
      one(at + thread);
    at += threads;
  }
  for (; at + 4 * threads <= columns; at += 4 * threads)
    four(at + 4 * thread);
  for (int i = at + thread; i < columns; i += threads)
    one(i);
}

// Longer rows: one block for each row, which it reads three times.
extern "C" __global__ void softmax_block(const float *in, float *out, int rows,
                                         int columns) {
  __shared__ float part[32];
  const float *from = in + blockIdx.x * columns;
  float *to = out + blockIdx.x * columns;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float most = -3.0e38f, sum = 0.0f;
  auto group = [&](int i) {
    return *reinterpret_cast<const float4 *>(from + i);
  };
  auto exponential = [&](float value) { return expf(value - most); };
  forEachElement(
      from, columns, [&](int i) { most = fmaxf(most, from[i]); },
      [&](int i) {
        float4 v = group(i);
        most = fmaxf(fmaxf(fmaxf(most, v.x), fmaxf(v.y, v.z)), v.w);
      });
  most = warpMax(most);
  if (lane == 0)
    part[warp] = most;
  __syncthreads();
  most = warpMax(lane < blockDim.x / 32 ? part[lane] : -3.0e38f);
  __syncthreads();
  forEachElement(
      from, columns, [&](int i) { sum += exponential(from[i]); },
      [&](int i) {
        float4 v = group(i);
        sum += exponential(v.x) + exponential(v.y) + exponential(v.z) +
               exponential(v.w);
      });
  sum = warpSum(sum);
  if (lane == 0)
    part[warp] = sum;
  __syncthreads();
  sum = warpSum(lane < blockDim.x / 32 ? part[lane] : 0.0f);
  forEachElement(
      from, columns, [&](int i) { to[i] = exponential(from[i]) / sum; },
      [&](int i) {
        float4 v = group(i);
        *reinterpret_cast<float4 *>(to + i) =
            make_float4(exponential(v.x) / sum, exponential(v.y) / sum,
                        exponential(v.z) / sum, exponential(v.w) / sum);
      });
}

// Mean and squared deviations of `count` values, by Welford's method.
struct Moments {
  float mean, squares, count;
};

__device__ void take(Moments &m, float value) {
  float delta = value - m.mean;
  m.count += 1.0f;
  m.mean += delta * (1.0f / m.count);
  m.squares += delta * (value - m.mean);
}

__device__ Moments both(Moments a, Moments b) {
  float delta = b.mean - a.mean, count = a.count + b.count;
  if (count <= 0.0f)
    return {0.0f, 0.0f, 0.0f};
  float share = 1.0f / count, ofA = a.count * share, ofB = b.count * share;
  return {ofA * a.mean + ofB * b.mean,
          a.squares + b.squares + delta * delta * a.count * ofB, count};
}

// One block of 32 x 4 threads for each row, four neighbouring elements for each
// thread: mean and variance in one pass, the result in another. The factors and
// summands of the columns are read one by one, as the library did until 2023
// (https://github.com/pytorch/pytorch/pull/107287).
extern "C" __global__ void layer_norm(const float *in, const float *gamma,
                                      const float *beta, float *mean,
                                      float *deviation, float *out, int rows,
                                      int columns) {
  __shared__ Moments part[4];
  const float4 *from =
      reinterpret_cast<const float4 *>(in + blockIdx.x * columns);
  float4 *to = reinterpret_cast<float4 *>(out + blockIdx.x * columns);
  int thread = threadIdx.y * 32 + threadIdx.x, quarter = columns / 4;
  Moments m = {0.0f, 0.0f, 0.0f};
  for (int i = thread; i < quarter; i += 128) {
    float4 v = from[i];
    take(m, v.x);
    take(m, v.y);
    take(m, v.z);
    take(m, v.w);
  }
  for (int step = 16; step; step /= 2)
    m = both(m, {__shfl_down_sync(~0u, m.mean, step),
                 __shfl_down_sync(~0u, m.squares, step),
                 __shfl_down_sync(~0u, m.count, step)});
  for (int half = 2; half; half /= 2) {
    if (threadIdx.x == 0 && threadIdx.y >= half && threadIdx.y < 2 * half)
      part[threadIdx.y - half] = m;
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y < half)
      m = both(m, part[threadIdx.y]);
    __syncthreads();
  }
  if (thread == 0)
    part[0] = {m.mean, m.squares / columns, 0.0f};
  __syncthreads();
  float average = part[0].mean;
  float scale = rsqrtf(part[0].squares + 1.0e-5f);
  for (int i = thread; i < quarter; i += 128) {
    float4 v = from[i];
    const float *g = gamma + 4 * i, *b = beta + 4 * i;
    to[i] = make_float4(scale * (v.x - average) * g[0] + b[0],
                        scale * (v.y - average) * g[1] + b[1],
                        scale * (v.z - average) * g[2] + b[2],
                        scale * (v.w - average) * g[3] + b[3]);
  }
  if (thread == 0) {
    mean[blockIdx.x] = average;
    deviation[blockIdx.x] = scale;
  }
}
