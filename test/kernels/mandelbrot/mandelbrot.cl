// Iterations until a point of the plane escapes. Every operation is written out
// as one rounding, so that all machines count alike.
__kernel void mandelbrot(__global ushort *iterations, int width, int height,
                         float left, float top, float pixel, int limit) {
  int px = get_global_id(0), py = get_global_id(1);
  if (px >= width || py >= height)
    return;
  float cx = fma((float)px, pixel, left);
  float cy = fma((float)py, -pixel, top);
  float x = 0.0f, y = 0.0f;
  int count = 0;
  while (count < limit && fma(x, x, y * y) <= 4.0f) {
    float next = fma(x, x, fma(-y, y, cx));
    y = fma(x + x, y, cy);
    x = next;
    ++count;
  }
  iterations[py * width + px] = count;
}
