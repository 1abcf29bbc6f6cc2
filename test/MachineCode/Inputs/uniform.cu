// A loop that all lanes run alike counts beside the lanes; one that lanes leave
// at different times does not.
extern "C" __global__ void solve(const float *a, const float *b, float *x,
                                 int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float c = 0.0f, d = 0.0f;
  for (int k = 0; k < steps; ++k) {
    float m = 1.0f / (b[k * n + i] - a[k * n + i] * c);
    c = a[k * n + i] * m;
    d = (x[k * n + i] - a[k * n + i] * d) * m;
    x[k * n + i] = d;
  }
}

extern "C" __global__ void rows(const float *a, const int *begin, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0, e = begin[i]; k < e; ++k)
    sum = 1.0f / (sum + a[k]);
  x[i] = sum;
}

// Every step through the planes adds strides that are the same for all lanes.
extern "C" __global__ void planes(const float *__restrict__ in,
                                  float *__restrict__ out, int nx, int ny,
                                  int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
    return;
  int plane = nx * ny, i = y * nx + x;
  float behind = in[i], current = in[i + plane];
  for (int z = 1; z < nz - 1; ++z) {
    i += plane;
    float ahead = in[i + plane];
    out[i] = 0.4f * current + 0.1f * (behind + ahead + in[i - 1] + in[i + 1] +
                                      in[i - nx] + in[i + nx]);
    behind = current;
    current = ahead;
  }
}

// Three words of an aligned quadruple, and two that are no pair.
extern "C" __global__ void words(const float *a, float *x) {
  __shared__ float tile[256];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < 15; ++k)
    sum += tile[(threadIdx.x & ~15) + k] * a[k];
  x[threadIdx.x] = sum;
}
