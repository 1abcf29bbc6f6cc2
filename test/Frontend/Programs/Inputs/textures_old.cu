#include <cuda_runtime.h>
texture<float4, cudaTextureType2DLayered> layered; texture<unsigned char, 2, cudaReadModeNormalizedFloat> gray; texture<int2, 1> dbl; texture<float, cudaTextureTypeCubemap> sky; surface<void, cudaSurfaceType3D> vol;
static __inline__ __device__ double fetch_double(texture<int2, 1> t, int i) { int2 v = tex1Dfetch(t, i); return __hiloint2double(v.y, v.x); }
__global__ void mix(float *o, cudaTextureObject_t obj, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x; float u = x / (float)n;
  float4 a = tex2DLayered(layered, u, .5f, 1); float g = tex2D(gray, u, u); double d = fetch_double(dbl, x);
  float s = texCubemap(sky, u, 1.f, -u); float4 o4 = tex2D<float4>(obj, u, 0); float gat = tex2Dgather<float4>(obj, u, u, 1).x; int v; surf3Dread(&v, vol, x * 4, 0, 0); surf3Dwrite(v + 1, vol, x * 4, 1, 1, cudaBoundaryModeClamp);
  o[x] = a.x + g + (float)d + s + o4.w + gat + tex3DLod<float>(obj, u, u, u, 0) + tex1DGrad<float>(obj, u, .1f, .1f);
}
int main() {
  cudaArray_t arr; cudaExtent e = make_cudaExtent(64, 64, 6); cudaChannelFormatDesc d = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaMalloc3DArray(&arr, &d, e, cudaArrayCubemap); sky.normalized = true; sky.filterMode = cudaFilterModeLinear; sky.addressMode[0] = cudaAddressModeWrap; cudaBindTextureToArray(sky, arr, d);
  cudaMemcpy3DParms p = {0}; p.srcPtr = make_cudaPitchedPtr(0, 64, 64, 64); p.dstArray = arr; p.extent = e; p.kind = cudaMemcpyHostToDevice; cudaMemcpy3D(&p);
  cudaBindTexture(0, dbl, (void *)0, 100); cudaBindTexture2D(0, &gray, (void *)0, &d, 1, 1, 1); cudaBindSurfaceToArray(vol, arr); mix<<<1, 1>>>(0, 0, 1);
}
