#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
#define gpuErrchk(ans)                                                         \
  {                                                                            \
    gpuAssert((ans), __FILE__, __LINE__);                                      \
  }
inline void gpuAssert(cudaError_t code, const char *file, int line,
                      bool abort = true) {
  if (code != cudaSuccess) {
    fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file,
            line);
    if (abort)
      exit(code);
  }
}
texture<float, 2, cudaReadModeElementType> tex2;
texture<float4, 3, cudaReadModeElementType> tex3;
texture<unsigned char, 1, cudaReadModeNormalizedFloat> texN;
texture<int4, cudaTextureType1D, cudaReadModeElementType> tex1;
surface<void, cudaSurfaceType2D> surfW;
__global__ void rd(float *o, int w, float th) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x,
           y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = x / (float)w - .5f, v = y / (float)w - .5f;
  o[y * w + x] = tex2D(tex2, u * cosf(th) - v * sinf(th) + .5f,
                       v * cosf(th) + u * sinf(th) + .5f) +
                 tex3D(tex3, u, v, .5f).x + tex1D(texN, u) +
                 tex1Dfetch(tex1, x).z;
  float d;
  surf2Dread(&d, surfW, x * sizeof(float), y);
  surf2Dwrite(d + 1.f, surfW, x * sizeof(float), y, cudaBoundaryModeTrap);
}
__global__ void pitched(char *p, size_t pitch, int w, int h) {
  for (int r = threadIdx.x; r < h; r += blockDim.x) {
    float *row = (float *)(p + r * pitch);
    for (int c = 0; c < w; ++c)
      row[c] *= 2;
  }
}
__global__ void pitched3(cudaPitchedPtr dp, cudaExtent e) {
  char *s = (char *)dp.ptr;
  size_t pitch = dp.pitch, sp = pitch * e.height;
  for (int z = 0; z < e.depth; ++z) {
    float *row = (float *)(s + z * sp + threadIdx.x * pitch);
    row[blockIdx.x] += 1;
  }
}
__global__ void tobj(cudaTextureObject_t t, cudaSurfaceObject_t s, float *o,
                     uchar4 *c) {
  int x = threadIdx.x, y = threadIdx.y;
  o[x] = tex2D<float>(t, x + .5f, y + .5f) + tex2DLod<float>(t, x, y, 0) +
         tex3D<float>(t, x, y, 0) + tex1Dfetch<float>(t, x);
  uchar4 q;
  surf2Dread(&q, s, x * 4, y);
  surf2Dwrite<uchar4>(q, s, x * 4, y);
  c[x] = surf2Dread<uchar4>(s, x * 4, y, cudaBoundaryModeClamp);
  float4 l = tex2DLayered<float4>(t, x, y, 2);
  o[y] = l.w;
}
int main() {
  cudaChannelFormatDesc cd = cudaCreateChannelDesc(32, 0, 0, 0,
                                                   cudaChannelFormatKindFloat),
                        cd2 = cudaCreateChannelDesc<uchar4>();
  cudaArray *arr;
  gpuErrchk(cudaMallocArray(&arr, &cd, 512, 512));
  gpuErrchk(cudaMemcpyToArray(arr, 0, 0, 0, 4, cudaMemcpyHostToDevice));
  tex2.addressMode[0] = cudaAddressModeWrap;
  tex2.filterMode = cudaFilterModeLinear;
  tex2.normalized = true;
  gpuErrchk(cudaBindTextureToArray(tex2, arr, cd));
  gpuErrchk(cudaBindTexture(0, tex1, 0, 16));
  cudaBindTexture2D(0, &tex2, 0, &cd, 1, 1, 4);
  cudaUnbindTexture(tex1);
  cudaBindSurfaceToArray(surfW, arr);
  cudaExtent ex = make_cudaExtent(64 * sizeof(float), 64, 64);
  cudaPitchedPtr pp;
  gpuErrchk(cudaMalloc3D(&pp, ex));
  cudaMemset3D(pp, 0, ex);
  cudaMemcpy3DParms cp = {0};
  cp.srcPtr = make_cudaPitchedPtr(0, 1, 1, 1);
  cp.dstArray = arr;
  cp.extent = ex;
  cp.kind = cudaMemcpyHostToDevice;
  cp.srcPos = make_cudaPos(0, 0, 0);
  cudaMemcpy3D(&cp);
  cudaMalloc3DArray(&arr, &cd2, ex,
                    cudaArrayLayered | cudaArraySurfaceLoadStore);
  size_t pitch;
  char *p;
  cudaMallocPitch((void **)&p, &pitch, 100, 100);
  cudaMemcpy2D(p, pitch, p, pitch, 1, 1, cudaMemcpyDeviceToHost);
  cudaMemset2D(p, pitch, 0, 1, 1);
  pitched<<<1, 1>>>(p, pitch, 1, 1);
  pitched3<<<1, 1>>>(pp, ex);
  cudaResourceDesc rd_;
  memset(&rd_, 0, sizeof rd_);
  rd_.resType = cudaResourceTypeArray;
  rd_.res.array.array = arr;
  rd_.res.linear.devPtr = p;
  rd_.res.pitch2D.width = 1;
  cudaTextureDesc td = {};
  td.addressMode[0] = cudaAddressModeBorder;
  td.filterMode = cudaFilterModePoint;
  td.readMode = cudaReadModeNormalizedFloat;
  td.normalizedCoords = 1;
  td.borderColor[0] = 1;
  cudaTextureObject_t to;
  cudaCreateTextureObject(&to, &rd_, &td, NULL);
  cudaSurfaceObject_t so;
  cudaCreateSurfaceObject(&so, &rd_);
  tobj<<<1, 1>>>(to, so, 0, 0);
  cudaDestroyTextureObject(to);
  cudaDestroySurfaceObject(so);
  cudaFreeArray(arr);
  rd<<<1, 1>>>(0, 1, 1);
}
