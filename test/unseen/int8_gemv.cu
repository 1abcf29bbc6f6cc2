// Quantised matrix times vector: four bytes per dp4a, a warp per row, scales
// per group of 32.
__global__ void int8_gemv(const int *weights, const float *scales, const int *input, float *output, int words) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (int i = lane; i < words; i += 32) {
    int dot = __dp4a(weights[row * words + i], input[i], 0);
    sum += scales[row * (words / 8) + i / 8] * (float)dot;
  }
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (lane == 0)
    output[row] = sum;
}
