constexpr int Width = 64, Rows = 32, Keys = 32, Each = 4;

__device__ float warpMax(float value) {
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1)
    value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, mask));
  return value;
}

__device__ float warpSum(float value) {
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1)
    value += __shfl_xor_sync(0xffffffffu, value, mask);
  return value;
}

// softmax(scale Q K^T) V of each head, whose rows of 64 lie one after the
// other. A warp has four rows of Q; of each tile of 32 keys a lane computes one
// score for each, and the softmax goes on with the maximum and the sum so far.
// Then a lane has columns lane and lane + 32 of the result.
__global__ void __launch_bounds__(256)
    attention(const float *__restrict__ q, const float *__restrict__ k,
              const float *__restrict__ v, float *__restrict__ out, int length,
              float scale, int causal) {
  __shared__ __align__(16) float qs[Rows][Width];
  __shared__ float ks[Keys][Width + 1];
  __shared__ float vs[Keys][Width];
  const int head = blockIdx.y * length, first = blockIdx.x * Rows;
  const int lane = threadIdx.x % 32, mine = threadIdx.x / 32 * Each;

  for (int i = threadIdx.x; i < Rows * Width; i += blockDim.x) {
    const int row = first + i / Width;
    qs[i / Width][i % Width] =
        row < length ? q[(head + row) * Width + i % Width] * scale : 0.0f;
  }

  float largest[Each], sum[Each], left[Each], right[Each];
  for (int r = 0; r < Each; ++r) {
    largest[r] = -1e30f;
    sum[r] = left[r] = right[r] = 0.0f;
  }
  const int end = causal ? min(first + Rows, length) : length;
  for (int key0 = 0; key0 < end; key0 += Keys) {
    __syncthreads();
    for (int i = threadIdx.x; i < Keys * Width; i += blockDim.x) {
      const int key = key0 + i / Width, at = (head + key) * Width + i % Width;
      ks[i / Width][i % Width] = key < length ? k[at] : 0.0f;
      vs[i / Width][i % Width] = key < length ? v[at] : 0.0f;
    }
    __syncthreads();

    float score[Each] = {};
#pragma unroll 4
    for (int d = 0; d < Width; d += 4) {
      const float k0 = ks[lane][d], k1 = ks[lane][d + 1], k2 = ks[lane][d + 2],
                  k3 = ks[lane][d + 3];
#pragma unroll
      for (int r = 0; r < Each; ++r) {
        const float4 query = *(const float4 *)&qs[mine + r][d];
        score[r] += query.x * k0 + query.y * k1 + query.z * k2 + query.w * k3;
      }
    }
#pragma unroll
    for (int r = 0; r < Each; ++r) {
      const int key = key0 + lane;
      if (key >= length || (causal && key > first + mine + r))
        score[r] = -1e30f;
      const float most = fmaxf(largest[r], warpMax(score[r]));
      const float old = __expf(largest[r] - most);
      score[r] = __expf(score[r] - most);
      largest[r] = most;
      sum[r] = sum[r] * old + score[r];
      left[r] *= old;
      right[r] *= old;
    }
#pragma unroll 8
    for (int j = 0; j < Keys; ++j) {
      const float v0 = vs[j][lane], v1 = vs[j][lane + 32];
#pragma unroll
      for (int r = 0; r < Each; ++r) {
        const float p = __shfl_sync(0xffffffffu, score[r], j);
        left[r] += p * v0;
        right[r] += p * v1;
      }
    }
  }
  for (int r = 0; r < Each; ++r) {
    const int row = first + mine + r;
    const float part = 1.0f / warpSum(sum[r]);
    if (row < length) {
      out[(head + row) * Width + lane] = left[r] * part;
      out[(head + row) * Width + lane + 32] = right[r] * part;
    }
  }
}
