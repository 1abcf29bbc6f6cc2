// Attention of one query row per warp with a running maximum and sum.
#define DIM 64
__global__ void attention_row(const float *q, const float *k, const float *v, float *o, int keys, float scale) {
  int lane = threadIdx.x % 32, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  float q0 = q[row * DIM + lane] * scale, q1 = q[row * DIM + lane + 32] * scale;
  float best = -1e30f, total = 0, o0 = 0, o1 = 0;
  for (int j = 0; j < keys; j++) {
    float score = q0 * k[j * DIM + lane] + q1 * k[j * DIM + lane + 32];
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
      score += __shfl_xor_sync(0xffffffffu, score, offset);
    float next = fmaxf(best, score), keep = __expf(best - next), p = __expf(score - next);
    total = total * keep + p;
    o0 = o0 * keep + p * v[j * DIM + lane];
    o1 = o1 * keep + p * v[j * DIM + lane + 32];
    best = next;
  }
  o[row * DIM + lane] = o0 / total;
  o[row * DIM + lane + 32] = o1 / total;
}
