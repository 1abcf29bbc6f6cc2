// RUN: %frontends --test %s
// FEATURE: cube maps, layered ones, gathers, surfaces of cubes
// LAUNCH: --launch %S/Inputs/cubemaps.yaml --dump o
// EXPECT: o (f32[16]): 10 26 42 58 74 90 2 7.5 138 9 10 6 5 57 0.25 10
texture<float, cudaTextureTypeCubemap, cudaReadModeElementType> unused;
// Texel (x, y) of face f is 16 f + 4 y + x.
__global__ void k(cudaTextureObject_t cube, cudaTextureObject_t smooth, cudaTextureObject_t cubes,
                  cudaTextureObject_t plane, cudaSurfaceObject_t surface, float *o) {
  o[0] = texCubemap<float>(cube, 1, 0, 0);
  o[1] = texCubemap<float>(cube, -1, 0, 0);
  o[2] = texCubemap<float>(cube, 0, 3, 0);
  o[3] = texCubemap<float>(cube, 0, -2, 0);
  o[4] = texCubemap<float>(cube, 0, 0, 1);
  o[5] = texCubemap<float>(cube, 0, 0, -1);
  o[6] = texCubemapLod<float>(cube, 1, 0.9f, -0.4f, 0);
  o[7] = texCubemap<float>(smooth, 1, 0, 0);
  o[8] = texCubemapLayered<float>(cubes, 0, 1, 0, 1);
  float4 v = tex2Dgather<float4>(plane, 2.0f, 2.0f);
  o[9] = v.x;
  o[10] = v.y;
  o[11] = v.z;
  o[12] = v.w;
  o[13] = surfCubemapread<float>(surface, 4, 2, 3);
  surfCubemapwrite(0.25f, surface, 4, 2, 3);
  surfCubemapread(&o[14], surface, 4, 2, 3);
  o[15] = texCubemapGrad<float>(cube, 1, 0, 0, float4{}, float4{});
}
