// Columns of a tile in shared memory, whose rows have 32 or 33 words.
template <int WIDTH> __device__ void turn(const float *in, float *out) {
  __shared__ float tile[32][WIDTH];
  int x = threadIdx.x, y = threadIdx.y;
  float sum = in[(blockIdx.x * 32 + y) * 32 + x];
  for (int round = 0; round < 16; ++round) {
    for (int row = y; row < 32; row += 8)
      tile[row][x] = sum + row;
    __syncthreads();
    for (int row = y; row < 32; row += 8)
      sum += tile[x][row];
    __syncthreads();
  }
  out[(blockIdx.x * 32 + y) * 32 + x] = sum;
}
__global__ void conflicts(const float *in, float *out) { turn<32>(in, out); }
__global__ void padded(const float *in, float *out) { turn<33>(in, out); }
