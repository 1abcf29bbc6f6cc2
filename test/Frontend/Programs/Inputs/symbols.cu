#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <climits>
struct Params {
  int n;
  float w[8];
  struct {
    int a, b;
  } in;
};
__constant__ Params d_params;
__constant__ int d_lut[256];
__device__ __constant__ const float PI2 = 6.28f;
__constant__ float mask[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
__device__ unsigned long long total = 0ULL;
__device__ volatile int flag;
__device__ int *ptrs[4];
__device__ float fmat[4][4];
static __device__ int st;
extern __device__ int later;
__device__ int later = 3;
#define IDX(i, j, ld) ((j) * (ld) + (i))
#define TILE_W 16
#define W (TILE_W + 2)
#define clamp(x) (min(max((x), 0.0f), 255.0f))
__global__ void conv(const float *__restrict__ in, float *out, const int w,
                     const int h) {
  __shared__ float Ns[W][W];
  int d = threadIdx.y * TILE_W + threadIdx.x, dy = d / W, dx = d % W;
  Ns[dy % W][dx] = in[d];
  __syncthreads();
  float acc = 0;
  for (int y = 0; y < 3; y++)
    for (int x = 0; x < 3; x++)
      acc += Ns[threadIdx.y + y][threadIdx.x + x] * mask[y][x];
  out[d] =
      clamp(acc) + d_params.w[d & 7] * d_params.in.a + d_lut[d & 255] * PI2;
  atomicAdd(&total, 1ULL);
  if (flag)
    ptrs[0][0] = st + later;
  fmat[0][0] = 1;
  __threadfence();
  __threadfence_block();
  __threadfence_system();
}
__global__ void __launch_bounds__(256) bounds(float *a) { a[threadIdx.x] = 0; }
__global__ __launch_bounds__(128, 4) void bounds2(float *a) {
  a[threadIdx.x] *= 2;
}
void __global__ odd(int a[], int n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    a[i]++;
}
static __global__ void stat(int *a) {
  if (threadIdx.x == 0)
    printf("hi %d\n", *a);
}
namespace {
__global__ void anon(int *a) { a[0] = 1; }
} // namespace
namespace ns {
namespace in {
__global__ void nested(int *a) { a[0] = 2; }
} // namespace in
} // namespace ns
class Host {
  static __device__ int helper(int x) { return x + 1; }

public:
  static __host__ __device__ int pub(int x) { return x * 2; }
  void launch();
};
__global__ void useclass(int *a) { a[0] = Host::pub(3); }
void Host::launch() {
  useclass<<<1, 1>>>(0);
  anon<<<1, 1>>>(0);
  ns::in::nested<<<1, 1>>>(0);
  stat<<<1, 1>>>(0);
}
int main() {
  srand(time(NULL));
  Params p;
  cudaMemcpyToSymbol(d_params, &p, sizeof(Params));
  cudaMemcpyToSymbol(d_lut, &p, 4, 8, cudaMemcpyHostToDevice);
  void *q;
  cudaGetSymbolAddress(&q, d_lut);
  size_t s;
  cudaGetSymbolSize(&s, d_lut);
  unsigned long long t;
  cudaMemcpyFromSymbol(&t, total, sizeof t);
  conv<<<dim3(1), dim3(16, 16)>>>(0, 0, 1, 1);
  Host().launch();
  cudaDeviceReset();
  cudaEvent_t e;
  cudaEventQuery(e);
  cudaPointerAttributes at;
  cudaPointerGetAttributes(&at, q);
  cudaFuncAttributes fa;
  cudaFuncGetAttributes(&fa, conv);
  printf("%d %zu\n", fa.numRegs, fa.sharedSizeBytes);
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
  cudaDeviceSetCacheConfig(cudaFuncCachePreferShared);
  cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  cudaMemGetInfo(&s, &s);
  int rt;
  cudaRuntimeGetVersion(&rt);
  cudaDriverGetVersion(&rt);
  cudaDeviceCanAccessPeer(&rt, 0, 1);
  cudaDeviceEnablePeerAccess(1, 0);
  cudaMemcpyPeer(q, 0, q, 1, 10);
  cudaIpcMemHandle_t ih;
  cudaIpcGetMemHandle(&ih, q);
}
