#ifdef cl_khr_3d_image_writes
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
#endif
constant sampler_t nearestS = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
const sampler_t linearS = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
kernel void one(read_only image1d_t a, read_only image1d_buffer_t b, read_only image1d_array_t c, write_only image1d_t d) {
  int i = get_global_id(0);
  float4 v = read_imagef(a, nearestS, i) + read_imagef(b, i) + read_imagef(c, linearS, (float2)(i / (float)get_image_width(c), 1));
  write_imagef(d, i, v);
}
kernel void two(read_only image2d_t a, __read_only image2d_array_t b, write_only image2d_t c, sampler_t s, write_only image2d_array_t d) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  if (any(p >= get_image_dim(a))) return;
  uint4 u = read_imageui(a, s, convert_float2(p) + 0.5f);
  int4 w = read_imagei(b, nearestS, (int4)(p, get_image_array_size(b) - 1, 0));
  write_imageui(c, p, select(u, as_uint4(w), w < 0));
  write_imagei(d, (int4)(p, 0, 0), w);
  switch (get_image_channel_data_type(a)) {
  case CLK_UNORM_INT8: case CLK_FLOAT: write_imageui(c, p.yx, (uint4)(get_image_channel_order(a) == CLK_RGBA)); break;
  }
}
kernel void three(read_only image3d_t a, write_only image3d_t b, global float *o) {
  int4 p = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
  float4 g = read_imagef(a, nearestS, p + (int4)(1, 0, 0, 0)) - read_imagef(a, nearestS, p - (int4)(1, 0, 0, 0));
  write_imagef(b, p, fast_normalize(g));
  int4 dim = get_image_dim(a);
  o[p.x + dim.x * (p.y + dim.y * p.z)] = length(g.xyz) * get_image_depth(a);
}
kernel void both(read_write image2d_t img, read_only image2d_t plain) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  half4 h = read_imageh(plain, p);
  float4 v = read_imagef(img, p) * convert_float4(h);
  atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
  write_imagef(img, p, v.wzyx);
}
