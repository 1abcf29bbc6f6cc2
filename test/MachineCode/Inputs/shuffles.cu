// Reductions of a warp where its lanes are together, and where they may not be.
__device__ float reduce(float X) {
  for (int Distance = 16; Distance; Distance /= 2)
    X += __shfl_xor_sync(~0u, X, Distance);
  return X;
}

__global__ void together(const float *In, float *Out, int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  Out[I] = reduce(In[I]) * In[I + 1];
}

__global__ void apart(const float *In, float *Out, int Count) {
  float Sum = 0;
  for (int Row = threadIdx.x / 32; Row < Count; Row += 8) {
    const float *At = In + Row * 32 + threadIdx.x % 32;
    Sum += reduce(At[0]) * At[1024];
  }
  Out[threadIdx.x] = Sum;
}

__global__ void some(const int *In, int *Out, int Count) {
  for (int I = threadIdx.x; I < Count; I += blockDim.x)
    if (In[I] & 1) {
      const unsigned Lanes = __activemask();
      Out[I] = __shfl_sync(Lanes, In[I + 1], __ffs(Lanes) - 1);
    }
}
