// Kernels in pairs: *_before has a limit that *_after does not have. What
// --advice says of the first is compared with the time of the second.

// Threads of a warp read a column: 32 sectors for 128 bytes.
__global__ void rows_before(const float *in, float *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int c = 0; c < 64; ++c)
    sum += in[t * 64 + c];
  out[t] = sum;
}
__global__ void rows_after(const float *in, float *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int c = 0; c < 64; ++c)
    sum += in[c * n + t];
  out[t] = sum;
}

// One field of a structure of eight.
struct Cell {
  float field[8];
};
__global__ void field_before(const Cell *cells, float *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n)
    out[t] = cells[t].field[3] * 2.0f;
}
__global__ void field_after(const float *field, float *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n)
    out[t] = field[t] * 2.0f;
}

// Results are written 16 words apart.
__global__ void scatter_before(const float *in, float *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int groups = n / 16;
  out[(t % groups) * 16 + t / groups] = in[t] + 1.0f;
}
__global__ void scatter_after(const float *in, float *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = in[t] + 1.0f;
}

// A tile whose columns lie in one bank.
template <int WIDTH> __device__ void turn(const float *in, float *out) {
  __shared__ float tile[32][WIDTH];
  int x = threadIdx.x, y = threadIdx.y;
  float sum = in[(blockIdx.x * 32 + y) * 32 + x];
  for (int round = 0; round < 16; ++round) {
    for (int row = y; row < 32; row += 8)
      tile[row][x] = sum + row;
    __syncthreads();
    for (int row = y; row < 32; row += 8)
      sum += tile[x][row];
    __syncthreads();
  }
  out[(blockIdx.x * 32 + y) * 32 + x] = sum;
}
__global__ void tile_before(const float *in, float *out) { turn<32>(in, out); }
__global__ void tile_after(const float *in, float *out) { turn<33>(in, out); }

// A sum over the block in which the lanes that add are 2, 4, 8, ... apart.
__global__ void sum_before(const float *in, float *out, int rounds) {
  __shared__ float part[512];
  int t = threadIdx.x;
  float value = in[blockIdx.x * 256 + t];
  for (int r = 0; r < rounds; ++r) {
    part[2 * t] = value;
    part[2 * t + 1] = value;
    __syncthreads();
    value += part[(2 * t * 8) % 512];
    __syncthreads();
  }
  out[blockIdx.x * 256 + t] = value;
}
__global__ void sum_after(const float *in, float *out, int rounds) {
  __shared__ float part[512];
  int t = threadIdx.x;
  float value = in[blockIdx.x * 256 + t];
  for (int r = 0; r < rounds; ++r) {
    part[t] = value;
    part[t + 256] = value;
    __syncthreads();
    value += part[t ^ 8];
    __syncthreads();
  }
  out[blockIdx.x * 256 + t] = value;
}

// A table in shared memory with rows of 64 words, read by rows and by columns.
__global__ void table_before(const int *in, int *out) {
  __shared__ int table[64 * 32];
  int t = threadIdx.x;
  for (int i = t; i < 64 * 32; i += blockDim.x)
    table[i] = i;
  __syncthreads();
  int sum = in[blockIdx.x * blockDim.x + t];
  for (int i = 0; i < 64; ++i)
    sum += table[(t % 32) * 64 + i];
  out[blockIdx.x * blockDim.x + t] = sum;
}
__global__ void table_after(const int *in, int *out) {
  __shared__ int table[64 * 32];
  int t = threadIdx.x;
  for (int i = t; i < 64 * 32; i += blockDim.x)
    table[i] = i;
  __syncthreads();
  int sum = in[blockIdx.x * blockDim.x + t];
  for (int i = 0; i < 64; ++i)
    sum += table[i * 32 + t % 32];
  out[blockIdx.x * blockDim.x + t] = sum;
}

// Blocks whose shared memory lets few of them onto an SM: dependent loads.
template <int WORDS> __device__ void chase(const int *next, int *out) {
  __shared__ int kept[WORDS];
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 32; ++i)
    at = next[at];
  kept[threadIdx.x] = at;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = kept[threadIdx.x ^ 1];
}
__global__ void few_before(const int *next, int *out) { chase<8192>(next, out); }
__global__ void few_after(const int *next, int *out) { chase<6144>(next, out); }
__global__ void pair_before(const int *next, int *out) { chase<12288>(next, out); }
__global__ void pair_after(const int *next, int *out) { chase<8192>(next, out); }

// Special functions, and half as many of them.
template <int COUNT> __device__ float waves(float x) {
  float sum = x;
  for (int i = 0; i < 64; ++i) {
    sum = __sinf(sum);
    if (COUNT == 2)
      sum = __cosf(sum);
    else
      sum = sum * 0.99f;
  }
  return sum;
}
__global__ void waves_before(const float *in, float *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = waves<2>(in[t]);
}
__global__ void waves_after(const float *in, float *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = waves<1>(in[t]);
}

// A sum in double precision, and one of half the additions.
template <int COUNT> __device__ void doubles(const double *in, double *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  double a = in[t], b = a + 1, c = a + 2, d = a + 3;
  for (int i = 0; i < COUNT; ++i) {
    a = a * 1.5 + 1;
    b = b * 1.5 + 1;
    c = c * 1.5 + 1;
    d = d * 1.5 + 1;
  }
  out[t] = a + b + c + d;
}
__global__ void doubles_before(const double *in, double *out) { doubles<256>(in, out); }
__global__ void doubles_after(const double *in, double *out) { doubles<128>(in, out); }

// Reads of 2 words by every lane, 8 words apart, and side by side.
__global__ void gaps_before(const float2 *in, float *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float2 v = in[t * 4];
  out[t] = v.x + v.y;
}
__global__ void gaps_after(const float2 *in, float *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float2 v = in[t];
  out[t] = v.x + v.y;
}

// Tiles of an array go through shared memory; each is loaded when it is needed,
// or while the one before is summed.
template <bool AHEAD> __device__ void stages(const float *in, float *out, int tiles) {
  __shared__ float tile[256];
  const int t = threadIdx.x;
  in += blockIdx.x * tiles * 256 + t;
  float sum = 0, next = AHEAD ? in[0] : 0.0f;
  for (int i = 0; i < tiles; ++i) {
    tile[t] = AHEAD ? next : in[i * 256];
    __syncthreads();
    if (AHEAD && i + 1 < tiles)
      next = in[(i + 1) * 256];
#pragma unroll 16
    for (int k = 0; k < 256; ++k)
      sum = sum * 0.5f + tile[(t + k) % 256];
    __syncthreads();
  }
  out[blockIdx.x * 256 + t] = sum;
}
__global__ void stage_before(const float *in, float *out, int tiles) {
  stages<false>(in, out, tiles);
}
__global__ void stage_after(const float *in, float *out, int tiles) {
  stages<true>(in, out, tiles);
}
