// Weights of the cell and of its six neighbours.
__constant__ float weights[2] = {0.4f, 0.1f};

// One step of a seven-point stencil. Each thread walks along z and keeps the
// cells behind and ahead of it in registers.
__global__ void stencil_3d(const float *__restrict__ in,
                           float *__restrict__ out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
    return;
  int plane = nx * ny;
  int i = y * nx + x;
  float behind = in[i];
  float current = in[i + plane];
  for (int z = 1; z < nz - 1; ++z) {
    i += plane;
    float ahead = in[i + plane];
    out[i] = weights[0] * current +
             weights[1] * (behind + ahead + in[i - 1] + in[i + 1] +
                           in[i - nx] + in[i + nx]);
    behind = current;
    current = ahead;
  }
}
