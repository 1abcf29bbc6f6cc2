// Data structures: lists, trees, structs, tables, work queues.
struct Node { int key; int left, right; };
struct Link { Link *next; float value; };
struct Box { float low[3], high[3]; };
template <typename T, int N> struct Vec { T v[N]; __device__ T &operator[](int i) { return v[i]; } };

template <typename T> __device__ T least(T a, T b) { return a < b ? a : b; }
template <int N> __device__ float poly(const float *c, float x) {
  float y = 0;
#pragma unroll
  for (int i = N - 1; i >= 0; --i)
    y = y * x + c[i];
  return y;
}
template <typename T, int BLOCK> __global__ void tiles(const T *in, T *out, int n) {
  __shared__ T tile[BLOCK];
  for (int base = blockIdx.x * BLOCK; base < n; base += gridDim.x * BLOCK) {
    int i = base + threadIdx.x;
    tile[threadIdx.x] = i < n ? in[i] : T(0);
    __syncthreads();
    T sum = 0;
    for (int k = 0; k < BLOCK; ++k)
      sum += tile[(threadIdx.x + k) % BLOCK];
    __syncthreads();
    if (i < n)
      out[i] = sum;
  }
}
template __global__ void tiles<float, 128>(const float *, float *, int);
template __global__ void tiles<double, 64>(const double *, double *, int);

__global__ void list_sum(Link **heads, float *out) {
  float sum = 0;
  for (Link *l = heads[threadIdx.x]; l; l = l->next)
    sum += l->value;
  out[threadIdx.x] = sum;
}
__global__ void tree_find(const Node *nodes, const int *keys, int *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int at = 0;
  do {
    if (nodes[at].key == keys[i]) {
      found[i] = at;
      return;
    }
    at = keys[i] < nodes[at].key ? nodes[at].left : nodes[at].right;
  } while (at >= 0);
  found[i] = -1;
}
__global__ void stack_walk(const Node *nodes, int *out) {
  int stack[32], depth = 0, seen = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    int at = stack[--depth];
    ++seen;
    if (nodes[at].left >= 0 && depth < 31)
      stack[depth++] = nodes[at].left;
    if (nodes[at].right >= 0 && depth < 31)
      stack[depth++] = nodes[at].right;
  }
  out[threadIdx.x] = seen;
}
__global__ void bisect(const float *table, const float *x, int *out, int n) {
  int low = 0, high = n;
  while (low < high) {
    int mid = (low + high) / 2;
    if (table[mid] < x[threadIdx.x])
      low = mid + 1;
    else
      high = mid;
  }
  out[threadIdx.x] = low;
}
__global__ void boxes(const Box *boxes, const float *rays, int *hits, int n) {
  int ray = blockIdx.x * blockDim.x + threadIdx.x, hit = 0;
  for (int b = 0; b < n; ++b) {
    bool inside = true;
    for (int d = 0; d < 3 && inside; ++d)
      inside = rays[ray * 3 + d] >= boxes[b].low[d] && rays[ray * 3 + d] <= boxes[b].high[d];
    hit += inside;
  }
  hits[ray] = hit;
}
__global__ void queue(int *head, const int *work, float *out, int n) {
  __shared__ int next;
  while (true) {
    if (threadIdx.x == 0)
      next = atomicAdd(head, 1);
    __syncthreads();
    int item = next;
    __syncthreads();
    if (item >= n)
      return;
    for (int i = threadIdx.x; i < work[item]; i += blockDim.x)
      out[item] += i;
  }
}
__global__ void opcodes(const unsigned char *program, int *out, int length) {
  int acc = 0;
  for (int pc = 0; pc < length;) {
    switch (program[pc]) {
    case 0: acc += 1; pc += 1; break;
    case 1: acc *= 3; pc += 1; break;
    case 2: acc -= program[pc + 1]; pc += 2; break;
    case 3: pc = program[pc + 1]; break;
    default: pc = length;
    }
  }
  out[threadIdx.x] = acc;
}
__global__ void switch_uniform(float *data, int mode, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  switch (mode) {
  case 0: for (int k = 0; k < n; ++k) data[i] += k; break;
  case 1: for (int k = n; k; --k) data[i] *= k; break;
  case 7: data[i] = 0;
  default: return;
  }
}
__global__ void early(const float *in, float *out, int n, int m) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  if (in[i] == 0) return;
  for (int k = 0; k < m; ++k) {
    if (in[k] == in[i]) { out[i] = k; return; }
    if (k > i) return;
  }
  out[i] = -1;
}
__global__ void rows(const int *start, const int *count, const float *v, float *out) {
  int r = blockIdx.x;
  float s = 0;
  for (int k = start[r] + threadIdx.x, e = start[r] + count[r]; k < e; k += blockDim.x)
    s += poly<5>(v, v[k]);
  atomicAdd(&out[r], s);
}
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__global__ void recursive(int *out) { out[threadIdx.x] = fib(threadIdx.x % 8); }
typedef float (*Function)(float);
__device__ float twice(float x) { return 2 * x; }
__device__ float square(float x) { return x * x; }
__device__ Function functions[] = {twice, square};
__global__ void indirect(float *data, int which, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    data[i] = functions[which](data[i]);
}
__global__ void vectors(const float4 *in, float4 *out, int n) {
  for (int i = threadIdx.x; i < n; i += 256) {
    float4 v = in[i];
    v.x += v.y; v.z *= v.w;
    out[n - 1 - i] = v;
  }
}
__global__ void small_vec(float *out, int n) {
  Vec<float, 8> v;
  for (int i = 0; i < 8; ++i) v[i] = i * n;
  for (int r = 0; r < n; ++r)
    for (int i = 0; i < 7; ++i) v[i] = least(v[i], v[i + 1]) + 1;
  out[threadIdx.x] = v[threadIdx.x & 7];
}
__global__ void assembly(unsigned *out, int n) {
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  for (int i = 0; i < n; ++i)
    asm volatile("add.u32 %0, %0, 1;" : "+r"(lane));
  out[threadIdx.x] = lane;
}
__global__ void warp_reduce(const float *in, float *out, int n) {
  float v = 0;
  for (int i = threadIdx.x; i < n; i += warpSize) v += in[i];
  for (int d = warpSize / 2; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
  unsigned active = __ballot_sync(~0u, v > 0);
  while (active) { int l = __ffs(active) - 1; active &= active - 1; out[l] += v; }
}
