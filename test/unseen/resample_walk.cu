// Resampling of a particle filter: each thread walks a cumulative distribution
// until it finds its place.
__global__ void resample_walk(const float *x, const float *y, const float *cdf, const float *u, float *xj,
                              float *yj, int particles) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= particles)
    return;
  int index = -1;
  for (int k = 0; k < particles; k++)
    if (cdf[k] >= u[i]) {
      index = k;
      break;
    }
  if (index == -1)
    index = particles - 1;
  xj[i] = x[index];
  yj[i] = y[index];
}
