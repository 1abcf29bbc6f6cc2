constexpr int BlockSize = 128;

__device__ float3 attract(float3 sum, float4 body, float4 other,
                          float softening) {
  float dx = other.x - body.x;
  float dy = other.y - body.y;
  float dz = other.z - body.z;
  float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
  float scale = other.w * inverse * inverse * inverse;
  sum.x += dx * scale;
  sum.y += dy * scale;
  sum.z += dz * scale;
  return sum;
}

// Acceleration of each body by gravity of all others; xyz is the position, w
// the mass. The thread block passes the bodies through shared memory.
__global__ void __launch_bounds__(BlockSize)
    nbody(const float4 *__restrict__ bodies, float4 *__restrict__ acceleration,
          int n, float softening) {
  __shared__ float4 tile[BlockSize];
  int i = blockIdx.x * BlockSize + threadIdx.x;
  float4 body = bodies[min(i, n - 1)];
  float3 sum = make_float3(0.0f, 0.0f, 0.0f);
  for (int base = 0; base < n; base += BlockSize) {
    int j = base + threadIdx.x;
    tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < BlockSize; ++k)
      sum = attract(sum, body, tile[k], softening);
    __syncthreads();
  }
  if (i < n)
    acceleration[i] = make_float4(sum.x, sum.y, sum.z, 0.0f);
}
