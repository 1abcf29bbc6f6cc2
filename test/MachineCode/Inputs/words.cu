// Values of 64 bits of which a word is known or not wanted.
using Wide = unsigned long long;

__device__ unsigned index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void pack(const unsigned *High, const unsigned *Low, Wide *Out) {
  const unsigned I = index();
  Out[I] = Wide(High[I]) << 32 | Low[I];
}

__global__ void spread(const unsigned *In, Wide *Out) {
  const Wide X = In[index()];
  Out[index()] = (X | X * 65536 | X << 32) & 0x1f0000ff0000ffull;
}

__global__ void product(const unsigned *In, const Wide *Wides, Wide *Out) {
  const unsigned I = index();
  Out[2 * I] = Wides[I] * 257;
  Out[2 * I + 1] = Wides[I] * Wides[I + 1];
}

__global__ void lowWord(const Wide *In, unsigned *Out) {
  const Wide X = In[index()];
  Out[index()] = unsigned((X >> 18 ^ X) >> 27);
}

__global__ void shared(const Wide *In, Wide *Out) {
  const unsigned I = index();
  const Wide Mask = In[3 * I] & 0x7e7e7e7e7e7e7e7eull;
  Out[2 * I] = In[3 * I + 1] & Mask;
  Out[2 * I + 1] = In[3 * I + 2] ^ Mask;
}

__global__ void saturate(const float *In, float *Out) { Out[index()] = __saturatef(In[index()]); }

__global__ void named(const unsigned *In, int *Out) {
  __shared__ Wide Sum;
  if (threadIdx.x == 3)
    Sum = In[blockIdx.x] + 100ull;
  __syncthreads();
  Out[threadIdx.x] = int(Sum);
}

// Both words of a product by a constant, one of which is written with a sign in PTX; of the second product one word is part of a sum.
extern "C" __global__ void both(unsigned *x) {
  unsigned a = x[threadIdx.x], b = x[threadIdx.x + 32];
  x[0] = __umulhi(0xD2511F53u, a);
  __syncthreads();
  x[1] = 0xD2511F53u * a;
  x[2] = __umulhi(a, b);
  x[3] = a * b + 7;
}
