// Filters: samplers in all places, images of several kinds, local tiles,
// constants of program scope.
__constant float gauss[9] = {1.0f / 16, 2.0f / 16, 1.0f / 16, 2.0f / 16, 4.0f / 16, 2.0f / 16, 1.0f / 16, 2.0f / 16, 1.0f / 16};
const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__constant sampler_t linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;
__kernel void gaussian(__read_only image2d_t src, __write_only image2d_t dst, const int width, const int height) {
  const int2 pos = (int2)(get_global_id(0), get_global_id(1));
  if (pos.x >= width || pos.y >= height) return;
  float4 sum = (float4)0.0f;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x)
      sum += gauss[(y + 1) * 3 + x + 1] * read_imagef(src, nearest, pos + (int2)(x, y));
  write_imagef(dst, pos, sum);
}
__kernel void sobel(__global uchar4 *in, __global uchar4 *out) {
  uint x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), c = x + y * w;
  float4 i00 = convert_float4(in[c - 1 - w]), i10 = convert_float4(in[c - w]), i20 = convert_float4(in[c + 1 - w]);
  float4 Gx = i00 + (float4)(2) * i10 + i20, Gy = i00 - i20;
  out[c] = convert_uchar4(hypot(Gx, Gy) / (float4)(2));
}
__kernel void rows(__global float *d_Dst, __global float *d_Src, __constant float *c_Kernel, int imageW, int pitch) {
  __local float l_Data[4][(8 + 2) * 16];
  const int baseX = (get_group_id(0) * 8 - 1) * 16 + get_local_id(0), baseY = get_group_id(1) * 4 + get_local_id(1);
  d_Src += baseY * pitch + baseX;
  d_Dst += baseY * pitch + baseX;
#pragma unroll
  for (int i = 1; i < 9; i++) l_Data[get_local_id(1)][get_local_id(0) + i * 16] = d_Src[i * 16];
  l_Data[get_local_id(1)][get_local_id(0)] = (baseX >= 0) ? d_Src[0] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int j = -8; j <= 8; j++) sum += c_Kernel[8 - j] * l_Data[get_local_id(1)][get_local_id(0) + 16 + j];
  d_Dst[16] = sum;
}
__kernel void volume(__read_only image3d_t v, sampler_t s, __read_only image1d_t transfer, __read_only image2d_array_t layers, __global uint *o, float16 inverseView) {
  float4 p = (float4)(get_global_id(0) / 256.f, get_global_id(1) / 256.f, 0.5f, 1), acc = 0;
  p.x = dot(p, inverseView.lo.lo);
  for (uint i = 0; i < 500; i++) {
    float4 sample = read_imagef(v, s, p * 0.5f + 0.5f), col = read_imagef(transfer, linear, sample.x);
    acc = mix(acc, col, (float4)(col.w)) + read_imagef(layers, linear, (float4)(p.xy, i & 3, 0));
    p.z += 0.01f;
    if (p.z > 1) break;
  }
  o[get_global_id(0)] = ((uint)(acc.w * 255) << 24) | ((uint)(acc.z * 255) << 16) | get_image_depth(v);
}
__kernel void counts(read_only image2d_t i, global uint *h) {
  local uint t[256];
  uint l = get_local_id(0) + get_local_id(1) * get_local_size(0);
  t[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint4 v = read_imageui(i, nearest, (int2)(get_global_id(0), get_global_id(1)));
  atomic_inc(&t[convert_uchar_sat(v.x)]);
  int4 w = read_imagei(i, (int2)(0, 0));
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&h[l], t[l] + w.y);
}
