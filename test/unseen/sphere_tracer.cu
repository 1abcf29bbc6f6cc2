// Rays against spheres in constant memory, with up to three mirror bounces.
struct Sphere { float x, y, z, radius, mirror; };
__constant__ Sphere spheres[24];
__global__ void sphere_tracer(float *image, int width, int height, int count) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height)
    return;
  float dx = (px - width * 0.5f) / width, dy = (py - height * 0.5f) / height, dz = 1.0f;
  float inverse = rsqrtf(dx * dx + dy * dy + dz * dz);
  dx *= inverse; dy *= inverse; dz *= inverse;
  float ox = 0, oy = 0, oz = -3, light = 0, share = 1;
  for (int bounce = 0; bounce < 4; bounce++) {
    float nearest = 1e30f;
    int hit = -1;
    for (int s = 0; s < count; s++) {
      float cx = spheres[s].x - ox + 0.37f * s, cy = spheres[s].y - oy, cz = spheres[s].z - oz + 0.21f * s;
      float along = cx * dx + cy * dy + cz * dz;
      float gap = 0.25f + spheres[s].radius - (cx * cx + cy * cy + cz * cz - along * along);
      if (gap > 0) {
        float t = along - sqrtf(gap);
        if (t > 1e-3f && t < nearest) {
          nearest = t;
          hit = s;
        }
      }
    }
    if (hit < 0) {
      light += share * (0.5f + 0.5f * dy);
      break;
    }
    ox += nearest * dx; oy += nearest * dy; oz += nearest * dz;
    float nx = ox - spheres[hit].x - 0.37f * hit, ny = oy - spheres[hit].y, nz = oz - spheres[hit].z - 0.21f * hit;
    float length = rsqrtf(nx * nx + ny * ny + nz * nz + 1e-6f);
    nx *= length; ny *= length; nz *= length;
    float dot = 2 * (dx * nx + dy * ny + dz * nz);
    dx -= dot * nx; dy -= dot * ny; dz -= dot * nz;
    light += share * 0.3f;
    share *= 0.7f;
  }
  image[py * width + px] = light;
}
