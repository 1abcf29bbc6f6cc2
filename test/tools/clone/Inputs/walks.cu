// Each thread walks along a row as often as it is told: the rows of a warp share
// lines, so the first steps pay for all.
extern "C" __global__ void walks(const float *a, const int *n, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < n[i]; ++k)
    s += a[i * 16 + k];
  out[i] = s;
}
