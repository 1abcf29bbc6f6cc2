#include "plasma.h"

__device__ void spread(const Cloud &c, float charge, float *density) {
  for (int k = 0; k < 4; ++k)
    atomicAdd(&density[c.cell[k]], charge * c.share[k]);
}

__global__ void depositAll(Particles p, float *density) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < p.count;
       i += gridDim.x * blockDim.x)
    spread(cloudOf(p.at[i]), -1, density);
}

__device__ static float wrapped(float x) {
  return x < 0 ? x + Side : x >= Side ? x - Side : x;
}

__global__ void pushAll(Particles p, const float2 *force, float time) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.count)
    return;
  const float2 f = forceAt(force, cloudOf(p.at[i]));
  float2 v = p.speed[i];
  v.x += f.x * time;
  v.y += f.y * time;
  p.speed[i] = v;
  p.at[i] = make_float2(wrapped(p.at[i].x + v.x * time),
                        wrapped(p.at[i].y + v.y * time));
}

void deposit(const Particles &p, float *density, cudaStream_t s) {
  CHECK(cudaMemsetAsync(density, 0, Cells * sizeof(float), s));
  depositAll<<<8, 128, 0, s>>>(p, density);
  CHECK(cudaGetLastError());
}
void push(const Particles &p, const float2 *force, float time,
          cudaStream_t s) {
  pushAll<<<(p.count + 127) / 128, 128, 0, s>>>(p, force, time);
  CHECK(cudaGetLastError());
}
