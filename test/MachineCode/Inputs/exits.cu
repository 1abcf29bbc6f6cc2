// Loops that end in two ways, each of which gives its result another value.
__global__ void search(const float *values, int *out, int n, float limit) {
  int found = -1;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    const float v = values[threadIdx.x * n + k];
    if (v > limit) {
      found = k;
      break;
    }
    sum += v * v;
  }
  out[threadIdx.x] = found;
  out[threadIdx.x + 32] = int(sum);
}

// What the loop reads itself stays there.
__global__ void follow(const int *next, int *out, int n, int last) {
  int at = threadIdx.x, before = 0;
  for (int k = 0; k < n; ++k) {
    if (at == last + before)
      break;
    before = at;
    at = next[at];
  }
  out[threadIdx.x] = at + before;
}
