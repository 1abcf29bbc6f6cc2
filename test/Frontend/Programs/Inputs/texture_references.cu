#include <stdio.h>
#include <cuda_runtime.h>
texture<float, 2, cudaReadModeElementType> tex;
texture<uchar4, 2, cudaReadModeNormalizedFloat> rgbaTex;
texture<float4, 1, cudaReadModeElementType> posTex;
texture<int2, 1> dblTex;
texture<float, 3> vol;
texture<unsigned char, 2> lut;
static texture<float, 1, cudaReadModeElementType> stat;
cudaArray *d_imageArray = 0, *d_tempArray;
__device__ __constant__ float c_K[17];
static __inline__ __device__ double fetch_double(texture<int2, 1> t, int i) {
  int2 v = tex1Dfetch(t, i);
  return __hiloint2double(v.y, v.x);
}
__device__ float rgbaToLum(float4 c) {
  return 0.3f * c.x + 0.6f * c.y + 0.1f * c.z;
}
__device__ unsigned int rgbaFloatToInt(float4 rgba) {
  rgba.x = __saturatef(fabs(rgba.x));
  rgba.y = __saturatef(fabs(rgba.y));
  rgba.z = __saturatef(fabs(rgba.z));
  rgba.w = __saturatef(fabs(rgba.w));
  return (unsigned(rgba.w * 255.0f) << 24) | (unsigned(rgba.z * 255.0f) << 16) |
         (unsigned(rgba.y * 255.0f) << 8) | unsigned(rgba.x * 255.0f);
}
__global__ void transformKernel(float *g_odata, int width, int height,
                                float theta) {
  unsigned int x = blockIdx.x * blockDim.x + threadIdx.x,
               y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = x / (float)width - 0.5f, v = y / (float)height - 0.5f;
  float tu = u * cosf(theta) - v * sinf(theta) + 0.5f,
        tv = v * cosf(theta) + u * sinf(theta) + 0.5f;
  g_odata[y * width + x] = tex2D(tex, tu, tv) + tex3D(vol, tu, tv, 0.5f) +
                           tex2D(lut, x, y) + tex1Dfetch(stat, x);
}
extern "C" __global__ void blur(uchar4 *o, unsigned *p, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float4 c = tex2D(rgbaTex, x, 0);
  p[x] = rgbaFloatToInt(c);
  o[x] = make_uchar4(c.x * 255, c.y * 255, 0, 255);
  float4 q = tex1Dfetch(posTex, x);
  p[x + w] = rgbaToLum(q) + fetch_double(dblTex, x) + c_K[x % 17];
}
extern "C" void setup(float *h, int w, int hh) {
  cudaChannelFormatDesc desc =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaMallocArray(&d_imageArray, &desc, w, hh);
  cudaMemcpyToArray(d_imageArray, 0, 0, h, w * hh * 4, cudaMemcpyHostToDevice);
  tex.addressMode[0] = cudaAddressModeWrap;
  tex.filterMode = cudaFilterModeLinear;
  tex.normalized = true;
  cudaBindTextureToArray(tex, d_imageArray, desc);
  cudaExtent e = make_cudaExtent(w, hh, 4);
  cudaMemcpy3DParms p = {0};
  p.srcPtr = make_cudaPitchedPtr((void *)h, w * sizeof(float), w, hh);
  p.extent = e;
  p.kind = cudaMemcpyHostToDevice;
  p.dstArray = d_imageArray;
  cudaMemcpy3D(&p);
  size_t off;
  cudaBindTexture(&off, dblTex, h, w * 8);
  cudaBindTexture(0, posTex, h, w);
  cudaMemcpyToSymbol(c_K, h, 17 * sizeof(float));
  cudaMemcpyToSymbol("c_K", h, 17 * sizeof(float));
  cudaPitchedPtr pp;
  cudaMalloc3D(&pp, e);
  size_t pitch;
  void *q;
  cudaMallocPitch(&q, &pitch, w, hh);
  cudaMemcpy2D(q, pitch, h, w, w, hh, cudaMemcpyHostToDevice);
  cudaUnbindTexture(tex);
  cudaFreeArray(d_imageArray);
}
int main() {
  float h[64];
  setup(h, 8, 8);
  transformKernel<<<dim3(1, 1, 1), dim3(8, 8, 1), 0>>>(h, 8, 8, 0.5f);
  blur<<<1, 8>>>(0, 0, 1);
}
