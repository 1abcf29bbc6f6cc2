// Forward 8x8 cosine transform of an image, one row or column of a block per
// thread, by the usual butterfly, tile in shared memory with padding.
__device__ void transform8(float *v, int stride) {
  float s07 = v[0] + v[7 * stride], d07 = v[0] - v[7 * stride];
  float s16 = v[stride] + v[6 * stride], d16 = v[stride] - v[6 * stride];
  float s25 = v[2 * stride] + v[5 * stride], d25 = v[2 * stride] - v[5 * stride];
  float s34 = v[3 * stride] + v[4 * stride], d34 = v[3 * stride] - v[4 * stride];
  float e0 = s07 + s34, e1 = s16 + s25, e2 = s07 - s34, e3 = s16 - s25;
  v[0] = 0.3535533906f * (e0 + e1);
  v[4 * stride] = 0.3535533906f * (e0 - e1);
  v[2 * stride] = 0.4619397663f * e2 + 0.1913417162f * e3;
  v[6 * stride] = 0.1913417162f * e2 - 0.4619397663f * e3;
  v[stride] = 0.4903926402f * d07 + 0.4157348062f * d16 + 0.2777851165f * d25 + 0.0975451610f * d34;
  v[3 * stride] = 0.4157348062f * d07 - 0.0975451610f * d16 - 0.4903926402f * d25 - 0.2777851165f * d34;
  v[5 * stride] = 0.2777851165f * d07 - 0.4903926402f * d16 + 0.0975451610f * d25 + 0.4157348062f * d34;
  v[7 * stride] = 0.0975451610f * d07 - 0.2777851165f * d16 + 0.4157348062f * d25 - 0.4903926402f * d34;
}
__global__ void cosine_blocks(const float *source, float *result, int pitch) {
  __shared__ float tile[16][33];
  int tx = threadIdx.x, ty = threadIdx.y;
  int column = blockIdx.x * 32 + ty * 8 + tx, firstRow = blockIdx.y * 16 + threadIdx.z * 8;
  float *block = &tile[threadIdx.z * 8][ty * 8];
  for (int i = 0; i < 8; i++)
    block[i * 33 + tx] = source[(firstRow + i) * pitch + column];
  __syncwarp();
  transform8(block + tx * 33, 1);
  __syncwarp();
  transform8(block + tx, 33);
  for (int i = 0; i < 8; i++)
    result[(firstRow + i) * pitch + column] = block[i * 33 + tx];
}
