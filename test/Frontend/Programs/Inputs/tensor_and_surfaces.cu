#include <cstdio>
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
namespace cg = cooperative_groups;
__global__ void child(int *d, int l, int r) { d[l + threadIdx.x] = r; }
__global__ void cdp_sort(int *data, int left, int right, int depth) {
  if (depth >= 24)
    return;
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cdp_sort<<<1, 1, 0, s>>>(data, left, right, depth + 1);
  cudaStreamDestroy(s);
  child<<<1, 32>>>(data, left, right);
  cudaDeviceSynchronize();
}
__global__ void hk(half2 *a, half *b, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    half2 x = a[i];
    x = __hfma2(x, x, __float2half2_rn(1.f));
    a[i] = x;
    b[i] = __low2half(x) + __high2half(x);
    if (__hgt(b[i], __float2half(2.f)))
      b[i] = hexp(b[i]);
    b[i] *= (half)2.0f;
  }
}
__global__ void wm(half *a, half *b, float *c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; i++)
    fc.x[i] *= 2;
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
__global__ void coop(float *x, int n) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block b = cg::this_thread_block();
  cg::thread_block_tile<32> t = cg::tiled_partition<32>(b);
  float v = x[grid.thread_rank()];
  for (int o = t.size() / 2; o > 0; o /= 2)
    v += t.shfl_down(v, o);
  if (t.thread_rank() == 0)
    atomicAdd(x, v);
  cg::sync(grid);
  auto a = cg::coalesced_threads();
  if (a.thread_rank() == 0)
    x[1] = a.size();
}
surface<void, 2> surf;
texture<float, 2, cudaReadModeElementType> tex;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> tex4;
__global__ void ts(float *o, cudaTextureObject_t t, cudaSurfaceObject_t so) {
  float v = tex2D(tex, 0.5f, 0.5f) + tex2D(tex4, 1, 2).x;
  surf2Dwrite(v, surf, 4, 0);
  surf2Dread(&v, surf, 4, 0, cudaBoundaryModeClamp);
  o[0] = v + tex2D<float>(t, 0.f, 1.f) + tex3D<float>(t, 1, 2, 3);
  surf2Dwrite<float>(v, so, 0, 0);
}
int main() {
  void *args[2];
  cudaLaunchCooperativeKernel((void *)coop, 1, 1, args);
  cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
  cudaArray *arr;
  cudaMallocArray(&arr, &d, 1, 1);
  tex.addressMode[0] = cudaAddressModeWrap;
  tex.filterMode = cudaFilterModeLinear;
  tex.normalized = true;
  cudaBindTextureToArray(tex, arr, d);
  cudaBindSurfaceToArray(surf, arr);
  cudaUnbindTexture(tex);
  int numSms;
  cudaDeviceGetAttribute(&numSms, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numSms, coop, 128, 0);
  return 0;
}
