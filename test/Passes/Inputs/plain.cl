// OpenCL as plain Clang takes it: no library is linked, so that its functions have no body.
float helper(float x) { return native_exp(x) * rsqrt(x); }

kernel void reduce(global float *in, global float *out, local float *tile, int n) {
  int i = get_local_id(0);
  tile[i] = i < n ? helper(in[get_global_id(0)]) : 0;
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < s)
      tile[i] += tile[i + s];
  }
  if (i == 0)
    out[get_group_id(0)] = tile[0];
}

kernel void vectors(global float4 *p, constant uchar4 *q, image2d_t image) {
  p[get_global_id(0)] = sin(p[0]) + convert_float4(q[1]);
}
