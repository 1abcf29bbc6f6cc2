// Steps of test/hw/silicon/sgemm_ladder_a6000.csv, written from their
// descriptions: C = alpha A B + beta C, row-major, n columns, k summands. Blocks
// are numbered row by row, so that one wave of a large grid can run alone.

extern "C" __global__ void naive(int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
  const int blocks = n / 32;
  const int row = blockIdx.x % blocks * 32 + threadIdx.x, column = blockIdx.x / blocks * 32 + threadIdx.y;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

extern "C" __global__ void coalesced(int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
  const int blocks = n / 32;
  const int row = blockIdx.x / blocks * 32 + threadIdx.x / 32, column = blockIdx.x % blocks * 32 + threadIdx.x % 32;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

extern "C" __global__ void shared(int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
  __shared__ float tileA[32 * 32], tileB[32 * 32];
  const int blocks = n / 32, x = threadIdx.x % 32, y = threadIdx.x / 32;
  a += blockIdx.x / blocks * 32 * k;
  b += blockIdx.x % blocks * 32;
  c += blockIdx.x / blocks * 32 * n + blockIdx.x % blocks * 32;
  float sum = 0;
  for (int first = 0; first < k; first += 32) {
    tileA[y * 32 + x] = a[y * k + x];
    tileB[y * 32 + x] = b[y * n + x];
    __syncthreads();
    a += 32;
    b += 32 * n;
    for (int i = 0; i < 32; ++i)
      sum += tileA[y * 32 + i] * tileB[i * 32 + x];
    __syncthreads();
  }
  c[y * n + x] = alpha * sum + beta * c[y * n + x];
}

extern "C" __global__ void tile_1d(int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
  __shared__ float tileA[64 * 8], tileB[8 * 64];
  const int blocks = n / 64, x = threadIdx.x % 64, y = threadIdx.x / 64;
  a += blockIdx.x / blocks * 64 * k;
  b += blockIdx.x % blocks * 64;
  c += blockIdx.x / blocks * 64 * n + blockIdx.x % blocks * 64;
  float sums[8] = {};
  for (int first = 0; first < k; first += 8) {
    tileA[threadIdx.x] = a[threadIdx.x / 8 * k + threadIdx.x % 8];
    tileB[threadIdx.x] = b[y * n + x];
    __syncthreads();
    a += 8;
    b += 8 * n;
    for (int i = 0; i < 8; ++i) {
      const float factor = tileB[i * 64 + x];
      for (int r = 0; r < 8; ++r)
        sums[r] += tileA[(y * 8 + r) * 8 + i] * factor;
    }
    __syncthreads();
  }
  for (int r = 0; r < 8; ++r)
    c[(y * 8 + r) * n + x] = alpha * sums[r] + beta * c[(y * 8 + r) * n + x];
}

extern "C" __global__ void tile_2d(int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
  __shared__ float tileA[128 * 8], tileB[8 * 128];
  const int blocks = n / 128, x = threadIdx.x % 16, y = threadIdx.x / 16;
  a += blockIdx.x / blocks * 128 * k;
  b += blockIdx.x % blocks * 128;
  c += blockIdx.x / blocks * 128 * n + blockIdx.x % blocks * 128;
  float sums[8][8] = {}, left[8], right[8];
  for (int first = 0; first < k; first += 8) {
    for (int r = 0; r < 128; r += 32)
      tileA[(threadIdx.x / 8 + r) * 8 + threadIdx.x % 8] = a[(threadIdx.x / 8 + r) * k + threadIdx.x % 8];
    for (int r = 0; r < 8; r += 2)
      tileB[(threadIdx.x / 128 + r) * 128 + threadIdx.x % 128] = b[(threadIdx.x / 128 + r) * n + threadIdx.x % 128];
    __syncthreads();
    a += 8;
    b += 8 * n;
    for (int i = 0; i < 8; ++i) {
      for (int r = 0; r < 8; ++r)
        left[r] = tileA[(y * 8 + r) * 8 + i];
      for (int r = 0; r < 8; ++r)
        right[r] = tileB[i * 128 + x * 8 + r];
      for (int r = 0; r < 8; ++r)
        for (int s = 0; s < 8; ++s)
          sums[r][s] += left[r] * right[s];
    }
    __syncthreads();
  }
  for (int r = 0; r < 8; ++r)
    for (int s = 0; s < 8; ++s)
      c[(y * 8 + r) * n + x * 8 + s] = alpha * sums[r][s] + beta * c[(y * 8 + r) * n + x * 8 + s];
}

extern "C" __global__ void vectorised(int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
  __shared__ __align__(16) float tileA[8 * 128], tileB[8 * 128];
  const int blocks = n / 128, x = threadIdx.x % 16, y = threadIdx.x / 16;
  a += blockIdx.x / blocks * 128 * k;
  b += blockIdx.x % blocks * 128;
  c += blockIdx.x / blocks * 128 * n + blockIdx.x % blocks * 128;
  const int rowA = threadIdx.x / 2, columnA = threadIdx.x % 2 * 4, rowB = threadIdx.x / 32, columnB = threadIdx.x % 32 * 4;
  float sums[8][8] = {}, left[8], right[8];
  for (int first = 0; first < k; first += 8) {
    const float4 v = *(const float4 *)(a + rowA * k + columnA);
    tileA[(columnA + 0) * 128 + rowA] = v.x;
    tileA[(columnA + 1) * 128 + rowA] = v.y;
    tileA[(columnA + 2) * 128 + rowA] = v.z;
    tileA[(columnA + 3) * 128 + rowA] = v.w;
    *(float4 *)(tileB + rowB * 128 + columnB) = *(const float4 *)(b + rowB * n + columnB);
    __syncthreads();
    a += 8;
    b += 8 * n;
    for (int i = 0; i < 8; ++i) {
      for (int r = 0; r < 8; ++r)
        left[r] = tileA[i * 128 + y * 8 + r];
      for (int r = 0; r < 8; ++r)
        right[r] = tileB[i * 128 + x * 8 + r];
      for (int r = 0; r < 8; ++r)
        for (int s = 0; s < 8; ++s)
          sums[r][s] += left[r] * right[s];
    }
    __syncthreads();
  }
  for (int r = 0; r < 8; ++r)
    for (int s = 0; s < 8; s += 4) {
      float4 *to = (float4 *)(c + (y * 8 + r) * n + x * 8 + s);
      float4 v = *to;
      v.x = alpha * sums[r][s] + beta * v.x;
      v.y = alpha * sums[r][s + 1] + beta * v.y;
      v.z = alpha * sums[r][s + 2] + beta * v.z;
      v.w = alpha * sums[r][s + 3] + beta * v.w;
      *to = v;
    }
}
