// Heat of a chip, several steps in one launch: each block keeps a tile with a
// border in shared memory and gives up one ring of it per step.
#define TILE 16
__global__ void thermal_grid(const float *temperature, const float *power, float *result, int columns,
                             int rows, int steps, float rx, float ry, float rz, float step) {
  __shared__ float now[TILE][TILE];
  __shared__ float heat[TILE][TILE];
  __shared__ float next[TILE][TILE];
  const float ambient = 80.0f;
  int small = TILE - 2 * steps;
  int tx = threadIdx.x, ty = threadIdx.y;
  int y = (int)blockIdx.y * small - steps + ty, x = (int)blockIdx.x * small - steps + tx;
  bool inside = y >= 0 && y < rows && x >= 0 && x < columns;
  if (inside) {
    now[ty][tx] = temperature[y * columns + x];
    heat[ty][tx] = power[y * columns + x];
  }
  __syncthreads();
  int north = y - 1 < 0 ? ty : ty - 1, south = y + 1 >= rows ? ty : ty + 1;
  int west = x - 1 < 0 ? tx : tx - 1, east = x + 1 >= columns ? tx : tx + 1;
  bool computed = false;
  for (int i = 0; i < steps; i++) {
    computed = inside && tx > i && tx < TILE - 1 - i && ty > i && ty < TILE - 1 - i;
    if (computed)
      next[ty][tx] = now[ty][tx] + step * (heat[ty][tx] +
                     (now[south][tx] + now[north][tx] - 2.0f * now[ty][tx]) * ry +
                     (now[ty][east] + now[ty][west] - 2.0f * now[ty][tx]) * rx +
                     (ambient - now[ty][tx]) * rz);
    __syncthreads();
    if (i == steps - 1)
      break;
    if (computed)
      now[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (computed)
    result[y * columns + x] = next[ty][tx];
}
