// Of the ways in which an image can be read most are never gone here.
__kernel void smooth(read_only image2d_t in, sampler_t s, write_only image2d_t o, __global float4 *out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0.0f;
  for (int i = -1; i <= 1; ++i)
    sum += read_imagef(in, s, p + (int2)(i, 0));
  write_imagef(o, p, sum);
  out[p.y * get_global_size(0) + p.x] = sum;
}
