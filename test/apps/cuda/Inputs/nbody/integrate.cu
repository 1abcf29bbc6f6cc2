// Positions, and what the device code of both files uses.
#include "bodies.h"
#include "check.h"

__device__ float softening = 0.01f;
__device__ float attraction(float dx, float dy, float mass) {
  const float d2 = dx * dx + dy * dy + softening;
  return mass / (d2 * sqrtf(d2));
}

__global__ void move(Body *b, int n, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    b[i].x += b[i].vx * dt;
    b[i].y += b[i].vy * dt;
  }
}

void advance(Body *bodies, int n, float dt, int steps) {
  Body *device;
  CHECK(cudaMalloc(&device, n * sizeof(Body)));
  CHECK(cudaMemcpy(device, bodies, n * sizeof(Body), cudaMemcpyHostToDevice));
  for (int s = 0; s < steps; ++s) {
    forces(device, n, dt);
    move<<<(n + 127) / 128, 128>>>(device, n, dt);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaMemcpy(bodies, device, n * sizeof(Body), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device));
}
