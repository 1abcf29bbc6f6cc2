// Bilateral filter of an image: weights of distance and of likeness, 7 by 7.
__global__ void bilateral(const float *image, float *result, int width, int height, float sigmaS, float sigmaR) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float center = image[y * width + x], sum = 0, weights = 0;
  for (int dy = -3; dy <= 3; dy++)
    for (int dx = -3; dx <= 3; dx++) {
      int xx = min(max(x + dx, 0), width - 1), yy = min(max(y + dy, 0), height - 1);
      float value = image[yy * width + xx], d = value - center;
      float weight = __expf(-(dx * dx + dy * dy) * sigmaS - d * d * sigmaR);
      sum += weight * value;
      weights += weight;
    }
  result[y * width + x] = sum / weights;
}
