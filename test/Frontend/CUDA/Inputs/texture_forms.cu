__device__ float at(int i, int n) { return (float)((i * 2654435761u >> 8) % 4096) / 4096.0f * n; }
__global__ void k(cudaTextureObject_t f, cudaTextureObject_t lin, cudaTextureObject_t wrap, cudaTextureObject_t mirror,
                  cudaTextureObject_t border, cudaTextureObject_t bytes, cudaTextureObject_t frac, cudaTextureObject_t vol,
                  cudaTextureObject_t layers, cudaTextureObject_t half_, cudaSurfaceObject_t surf, float *o) {
  int t = threadIdx.x + blockIdx.x * blockDim.x;
  float x = at(t, 20) - 2, y = at(t + 77, 16) - 2, z = at(t + 991, 8) - 1;
  float nx = x / 8, ny = y / 8;
  float *p = o + t * 40;
  p[0] = tex1Dfetch<float>(f, t % 20 - 2);
  p[1] = tex2D<float>(lin, x, y);
  p[2] = tex2D<float>(wrap, nx, ny);
  p[3] = tex2D<float>(mirror, nx, ny);
  p[4] = tex2D<float>(border, nx, ny);
  uchar4 b = tex2D<uchar4>(bytes, x, y);
  p[5] = b.x; p[6] = b.y; p[7] = b.z; p[8] = b.w;
  float4 g = tex2D<float4>(frac, x, y);
  p[9] = g.x; p[10] = g.y; p[11] = g.z; p[12] = g.w;
  p[13] = tex3D<float>(vol, x, y, z);
  p[14] = tex2DLayered<float>(layers, x, y, t % 5 - 1);
  p[15] = tex1DLayered<float>(layers, x, t % 4);
  p[16] = tex2D<float>(half_, x, y);
  float4 gg = tex2Dgather<float4>(lin, x, y, 0);
  p[17] = gg.x; p[18] = gg.y; p[19] = gg.z; p[20] = gg.w;
  p[21] = surf2Dread<float>(surf, (t % 20 - 2) * 4, t % 18 - 1, cudaBoundaryModeZero);
  p[22] = surf2Dread<float>(surf, (t % 20 - 2) * 4, t % 18 - 1, cudaBoundaryModeClamp);
  float2 w2 = surf2Dread<float2>(surf, (t % 7) * 8, t % 12);
  p[23] = w2.x; p[24] = w2.y;
  unsigned char c = surf2Dread<unsigned char>(surf, (t % 16) * 4 + 1, t % 12);
  p[25] = c;
  p[26] = surf2Dread<unsigned short>(surf, (t % 16) * 4 + 2, t % 12);
  float4 w4; surf2Dread(&w4, surf, (t % 4) * 16, t % 12);
  p[27] = w4.x; p[28] = w4.w;
  p[29] = tex1D<float>(lin, x);
  p[30] = texCubemap<float>(layers, x - 8, y - 6, z - 2);
  p[31] = tex2DLod<float>(lin, x, y, 0.0f);
  p[32] = tex2D<int>(lin, x, y);
  p[33] = tex2D<signed char>(bytes, x, y);
  p[34] = tex3D<float4>(frac, x, y, z).y;
  if (t < 16) surf2Dwrite((float)t * 2, surf, t * 4, 0);
  if (t < 16) surf2Dwrite((unsigned char)t, surf, t * 4, 1);
}
