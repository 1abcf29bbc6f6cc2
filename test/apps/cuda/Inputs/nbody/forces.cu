// Velocities: one thread per body, all others in tiles of shared memory.
#include "bodies.h"

extern __device__ float softening;
__device__ float attraction(float dx, float dy, float mass);

__global__ void accelerate(Body *b, int n, float dt) {
  __shared__ float3 tile[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float ax = 0, ay = 0;
  for (int base = 0; base < n; base += blockDim.x) {
    const int j = base + threadIdx.x;
    tile[threadIdx.x] =
        j < n ? make_float3(b[j].x, b[j].y, b[j].mass) : make_float3(0, 0, 0);
    __syncthreads();
    for (int k = 0; k < blockDim.x && i < n; ++k) {
      const float dx = tile[k].x - b[i].x, dy = tile[k].y - b[i].y;
      const float f = attraction(dx, dy, tile[k].z);
      ax += f * dx;
      ay += f * dy;
    }
    __syncthreads();
  }
  if (i < n) {
    b[i].vx += ax * dt;
    b[i].vy += ay * dt;
  }
}

void forces(Body *device, int n, float dt) {
  accelerate<<<(n + 63) / 64, 64>>>(device, n, dt);
}
