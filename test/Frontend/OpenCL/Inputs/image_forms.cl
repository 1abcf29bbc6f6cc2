__constant sampler_t sn = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__constant sampler_t sl = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
__constant sampler_t sr = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
__constant sampler_t sm = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_NEAREST;
float at(int i, int n) { return (float)((i * 2654435761u >> 8) % 4096) / 4096.0f * n; }
__kernel void k(read_only image2d_t a, read_only image2d_t b, read_only image3d_t v, read_only image2d_array_t l,
                read_only image1d_t d, read_only image1d_array_t e, read_only image2d_t n, write_only image2d_t w,
                read_only image1d_buffer_t u, sampler_t s, __global float4 *o) {
  int t = get_global_id(0);
  float x = at(t, 20) - 2, y = at(t + 77, 16) - 2, z = at(t + 991, 8) - 1;
  int ix = t % 20 - 2, iy = t % 15 - 1;
  __global float4 *p = o + t * 24;
  p[0] = read_imagef(a, sn, (int2)(ix, iy));
  p[1] = read_imagef(a, sl, (float2)(x, y));
  p[2] = read_imagef(a, sr, (float2)(x / 8, y / 8));
  p[3] = read_imagef(a, sm, (float2)(x / 8, y / 8));
  p[4] = read_imagef(a, s, (float2)(x, y));
  p[5] = convert_float4(read_imageui(b, sn, (int2)(ix, iy)));
  p[6] = convert_float4(read_imagei(b, sl, (float2)(x, y)));
  p[7] = read_imagef(b, sl, (float2)(x, y));
  p[8] = read_imagef(v, sl, (float4)(x, y, z, 0));
  p[9] = read_imagef(v, sn, (int4)(ix, iy, t % 8 - 1, 0));
  p[10] = read_imagef(l, sl, (float4)(x, y, z, 0));
  p[11] = read_imagef(l, sn, (int4)(ix, iy, t % 6, 0));
  p[12] = read_imagef(d, sl, x);
  p[13] = read_imagef(d, sn, ix);
  p[14] = read_imagef(e, sl, (float2)(x, z));
  p[15] = read_imagef(n, (int2)(t % 16, t % 12));
  p[16] = read_imagef(n, sl, (float2)(x, y));
  p[17] = convert_float4(read_imagei(n, sn, (int2)(ix, iy)));
  p[18] = read_imagef(u, t % 16);
  p[19] = (float4)(get_image_width(a), get_image_height(a), get_image_depth(v), get_image_array_size(l));
  if (t < 12) write_imagef(w, (int2)(t, t % 4), p[1]);
}
