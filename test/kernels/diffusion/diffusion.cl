// Perona and Malik's conduction: strong in flat regions, weak across edges.
float conduction(float gradient, float kappa) {
  float ratio = gradient / kappa;
  return exp(-ratio * ratio);
}

// One step of anisotropic diffusion: smooths an image but keeps its edges.
__kernel void diffusion(__global const float *restrict in,
                        __global float *restrict out, int width, int height,
                        float kappa, float lambda) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  float center = in[y * width + x];
  float north = in[max(y - 1, 0) * width + x] - center;
  float south = in[min(y + 1, height - 1) * width + x] - center;
  float west = in[y * width + max(x - 1, 0)] - center;
  float east = in[y * width + min(x + 1, width - 1)] - center;
  out[y * width + x] =
      center +
      lambda * (conduction(north, kappa) * north + conduction(south, kappa) * south +
                conduction(west, kappa) * west + conduction(east, kappa) * east);
}
