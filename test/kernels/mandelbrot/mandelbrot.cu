// Iterations until a point of the plane escapes. Every operation is written out
// as one rounding, so that all machines count alike.
__global__ void mandelbrot(unsigned short *iterations, int width, int height,
                           float left, float top, float pixel, int limit) {
  int px = blockIdx.x * blockDim.x + threadIdx.x;
  int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height)
    return;
  float cx = fmaf(static_cast<float>(px), pixel, left);
  float cy = fmaf(static_cast<float>(py), -pixel, top);
  float x = 0.0f, y = 0.0f;
  int count = 0;
  while (count < limit && fmaf(x, x, y * y) <= 4.0f) {
    float next = fmaf(x, x, fmaf(-y, y, cx));
    y = fmaf(x + x, y, cy);
    x = next;
    ++count;
  }
  iterations[py * width + px] = count;
}
