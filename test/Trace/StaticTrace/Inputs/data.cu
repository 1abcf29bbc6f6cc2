__global__ void data(const int *start, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  int at = start[i];
#pragma unroll 1
  while (at != 0) { // only data ends this loop
    sum += 1.0f;
    at = start[at];
  }
  if (x[i] > 0.5f)
    y[i] = sum;
}
