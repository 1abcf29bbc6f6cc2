constexpr int Directions = 9;

// The nine velocities of the D2Q9 lattice, their weights, and which is the
// opposite of which.
__constant__ int velocityX[Directions] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int velocityY[Directions] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ float weight[Directions] = {4.0f / 9,  1.0f / 9,  1.0f / 9,
                                         1.0f / 9,  1.0f / 9,  1.0f / 36,
                                         1.0f / 36, 1.0f / 36, 1.0f / 36};
__constant__ int opposite[Directions] = {0, 3, 4, 1, 2, 7, 8, 5, 6};

// One step of the lattice Boltzmann method on a periodic grid: each cell pulls
// what streams in and relaxes it towards equilibrium; solid cells (type 0) send
// it back where it came from.
__global__ void lattice_boltzmann(const float *__restrict__ in,
                                  float *__restrict__ out,
                                  const unsigned char *__restrict__ type,
                                  int width, int height, float relaxation) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y;
  if (x >= width)
    return;
  int cells = width * height;
  int cell = y * width + x;

  float f[Directions];
  float density = 0.0f, momentumX = 0.0f, momentumY = 0.0f;
#pragma unroll
  for (int d = 0; d < Directions; ++d) {
    int fromX = (x - velocityX[d] + width) % width;
    int fromY = (y - velocityY[d] + height) % height;
    f[d] = in[d * cells + fromY * width + fromX];
    density += f[d];
    momentumX += velocityX[d] * f[d];
    momentumY += velocityY[d] * f[d];
  }
  if (type[cell] == 0) {
#pragma unroll
    for (int d = 0; d < Directions; ++d)
      out[opposite[d] * cells + cell] = f[d];
    return;
  }
  float ux = momentumX / density;
  float uy = momentumY / density;
  float speed = 1.5f * (ux * ux + uy * uy);
#pragma unroll
  for (int d = 0; d < Directions; ++d) {
    float along = 3.0f * (velocityX[d] * ux + velocityY[d] * uy);
    float equilibrium =
        weight[d] * density * (1.0f + along + 0.5f * along * along - speed);
    out[d * cells + cell] = f[d] + relaxation * (equilibrium - f[d]);
  }
}
