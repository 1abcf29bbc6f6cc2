// Uses every kind of unit and memory that a machine describes: all pipes,
// expanded instructions, divergence, barriers, shared, constant and local memory,
// atomics, scattered and coalesced accesses, code of several instruction lines.
__constant__ float Table[1024];

extern "C" __global__ void mixed(const float *In, const int *Index, float *Out,
                                 unsigned *Bins, double *Wide, int N) {
  __shared__ float Tile[33 * 32];
  __shared__ unsigned Count[32];
  float Own[16];
  const int T = threadIdx.x, I = blockIdx.x * blockDim.x + T;
  if (T < 32)
    Count[T] = 0;
  Tile[T * 33 % 1024] = In[I % N];
  __syncthreads();
  const int Far = Index[I % N];
  for (int K = 0; K < 16; ++K)
    Own[(Far + K) & 15] = In[(Far + 64 * K) % N] + Table[(Far * 7 + K) & 1023];
  float Sum = 0;
  for (int K = 0; K < 16; ++K)
    Sum += Own[(T + K * 5) & 15] * Tile[(T * 16 + K) & 1023];
  if (Far & 1)
    Sum = Sum / (1.0f + Own[3]) + sqrtf(Sum * Sum + 1.0f) + __sinf(Sum);
  else
    Sum += float(Far % (T + 3));
  atomicAdd(&Count[Far & 31], 1u);
  __syncthreads();
  atomicAdd(&Bins[Count[T & 31] & 7], 1u);
  Sum += __shfl_xor_sync(0xffffffffu, Sum, 1);
  Wide[I % N] = double(Sum) * 1.5 + Wide[(I * 3) % N];
#pragma unroll
  for (int K = 0; K < 24; ++K)
    Sum = Sum * 1.25f + float((Far >> K) & 3) * Tile[(T + K * 32) & 1023];
  Out[I % N] = Sum;
  Out[(I * 32) % N] = Sum * 2;
}
