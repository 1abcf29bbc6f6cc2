// The lane that holds the largest value strikes it from an array of its own, at an index that data decide.
extern "C" __global__ void strike(const float *x, float *o) {
  int lane = threadIdx.x % 32;
  float v[4], sum = 0;
  for (int i = 0; i < 4; ++i)
    v[i] = x[blockIdx.x * 128 + lane + 32 * i];
  for (int k = 0; k < 6; ++k) {
    float best = v[0];
    int id = lane;
    for (int i = 1; i < 4; ++i)
      if (v[i] > best) {
        best = v[i];
        id = lane + 32 * i;
      }
    for (int d = 16; d > 0; d /= 2) {
      float other = __shfl_xor_sync(~0u, best, d);
      int from = __shfl_xor_sync(~0u, id, d);
      if (other > best || (other == best && from < id)) {
        best = other;
        id = from;
      }
    }
    sum += best;
    if (id % 32 == lane)
      v[id / 32] = -1;
  }
  o[blockIdx.x * 32 + lane] = sum + v[0];
}
