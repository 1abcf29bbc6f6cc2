// Weights of a particle filter that tracks a bright object in a dark image:
// the likelihood of each particle is gathered over a template of pixels around
// its position.
__kernel void particle_weights(__global const float2 *position,
                               __global const char2 *offsets,
                               __global const uchar *image,
                               __global float *weight, int particles,
                               int pixels, int width, int height,
                               float background, float foreground) {
  int p = get_global_id(0);
  if (p >= particles)
    return;
  int cx = convert_int_rte(position[p].x);
  int cy = convert_int_rte(position[p].y);
  float likelihood = 0.0f;
  for (int i = 0; i < pixels; ++i) {
    int x = cx + offsets[i].x;
    int y = cy + offsets[i].y;
    if (x < 0 || y < 0 || x >= width || y >= height)
      continue;
    float value = image[y * width + x];
    float back = value - background, front = value - foreground;
    likelihood += (back * back - front * front) / 5000.0f;
  }
  weight[p] *= exp(likelihood / pixels);
}
