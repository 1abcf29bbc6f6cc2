// Element-wise operations as a deep-learning library generates them: a functor
// per operation and one kernel that applies it to several elements per thread.

struct Gelu {
  __device__ float operator()(float x) const {
    float inner = 0.7978845608f * (x + 0.044715f * x * x * x);
    return 0.5f * x * (1.0f + tanhf(inner));
  }
};

struct Silu {
  __device__ float operator()(float x) const { return x / (1.0f + expf(-x)); }
};

template <int Items, typename Op>
__global__ void elementwise(const float *__restrict__ in,
                            const float *__restrict__ bias,
                            float *__restrict__ out, int n, int columns) {
  int base = blockIdx.x * blockDim.x * Items + threadIdx.x;
  float values[Items];
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    int i = base + k * blockDim.x;
    if (i < n)
      values[k] = in[i] + bias[i % columns];
  }
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    int i = base + k * blockDim.x;
    if (i < n)
      out[i] = Op()(values[k]);
  }
}

template __global__ void elementwise<4, Gelu>(const float *, const float *,
                                              float *, int, int);
template __global__ void elementwise<4, Silu>(const float *, const float *,
                                              float *, int, int);
