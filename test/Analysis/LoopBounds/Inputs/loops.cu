// Loops in the styles that people write them in.
#define FOR_EACH(I, N) for (int I = 0; I < (N); ++I)
#define STRIDE(I, N) for (unsigned I = blockIdx.x * blockDim.x + threadIdx.x; I < (N); I += gridDim.x * blockDim.x)

__global__ void while_break(const float *in, float *out, int n) {
  int i = 0;
  float sum = 0;
  while (true) {
    if (i >= n)
      break;
    sum += in[i];
    ++i;
  }
  out[threadIdx.x] = sum;
}
__global__ void while_break_data(const float *in, float *out, int n) {
  int i = threadIdx.x;
  while (i < n) {
    if (in[i] < 0)
      break;
    i += 32;
  }
  out[threadIdx.x] = i;
}
__global__ void do_while_halving(float *data, unsigned n) {
  unsigned width = n;
  do {
    data[threadIdx.x] += data[threadIdx.x + width];
    width >>= 1;
  } while (width != 0);
}
__global__ void down_count(const int *in, int *out, int n) {
  int sum = 0;
  for (int i = n - 1; i >= 0; i--)
    sum = sum * 31 + in[i];
  *out = sum;
}
__global__ void unsigned_wrap(const int *in, int *out, unsigned n) {
  int sum = 0;
  for (unsigned i = n; i-- > 0;)
    sum += in[i];
  *out = sum;
}
__global__ void not_equal(const float *first, const float *last, float *out) {
  float sum = 0;
  for (const float *p = first; p != last; ++p)
    sum += *p;
  *out = sum;
}
__global__ void step_argument(float *out, int from, int to, int step) {
  for (int i = from; i < to; i += step)
    out[i] = i;
}
__global__ void nested_grid_stride(float *out, unsigned n, int rounds) {
  STRIDE(i, n)
    FOR_EACH(r, rounds)
      STRIDE(j, 64)
        out[i] += r * j;
}
__global__ void triangle(float *m, int n) {
  int col = threadIdx.x;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      for (int k = j; k <= i + j; k += 2)
        m[j * n + col] -= m[i * n + k];
}
__global__ void two_counters(const int *in, int *out, int n, int m) {
  int hits = 0;
  for (int i = 0, j = m; i < n && j > 0; ++i, j -= 2)
    hits += in[i] ^ in[j];
  *out = hits;
}
__global__ void goto_loop(float *data, int n) {
  int i = threadIdx.x;
again:
  if (i >= n)
    goto end;
  data[i] *= 2;
  i += blockDim.x;
  goto again;
end:
  data[0] = 1;
}
__global__ void continue_in(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (i % 3 == 0)
      continue;
    if (in[i] > 1)
      continue;
    sum += in[i];
  }
  *out = sum;
}
__global__ void powers(float *out, int n) {
  for (int i = 1; i < n; i *= 3)
    out[i] = i;
  for (long long i = 1; i <= n; i <<= 2)
    out[i] += i;
}
__global__ void float_counter(float *out, float end) {
  int n = 0;
  for (float x = 0; x < end; x += 0.25f)
    ++n;
  *out = n;
}
__global__ void char_counter(int *out, unsigned char n) {
  int sum = 0;
  for (unsigned char i = 0; i < n; ++i)
    sum += out[i];
  *out = sum;
}
__global__ void gcd(const unsigned *a, const unsigned *b, unsigned *out) {
  unsigned x = a[threadIdx.x], y = b[threadIdx.x];
  while (y) {
    unsigned t = x % y;
    x = y;
    y = t;
  }
  out[threadIdx.x] = x;
}
__global__ void collatz(unsigned *out, unsigned n) {
  unsigned x = n, steps = 0;
  while (x != 1 && steps < 1000) {
    x = x & 1 ? 3 * x + 1 : x / 2;
    ++steps;
  }
  *out = steps;
}
__global__ void forever(volatile int *flag) {
  for (;;)
    *flag = 1;
}
__global__ void spin(volatile int *flag) {
  while (*flag == 0)
    ;
}
__global__ void lock(int *mutex, int *value) {
  bool done = false;
  while (!done) {
    if (atomicCAS(mutex, 0, 1) == 0) {
      ++*value;
      __threadfence();
      atomicExch(mutex, 0);
      done = true;
    }
  }
}
