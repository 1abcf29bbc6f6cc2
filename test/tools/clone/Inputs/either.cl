// A pointer to local or global memory, whose places follow no sum.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void either(global const int *in, global int *out, local int *tmp) {
  int l = get_local_linear_id(), g = get_group_id(0) * 96 + l, v = in[g];
  int s = sub_group_reduce_add(v), e = sub_group_scan_exclusive_max(v), b = sub_group_broadcast(v, 3);
  tmp[l] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  int w = work_group_scan_inclusive_add(v) + work_group_broadcast(v, 5, 1) + work_group_any(v == 7);
  int o = tmp[(l + 17) % 96];
  int *to = v & 1 ? (int *)&tmp[l] : (int *)&out[g];
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  *to = 5;
  out[g] = s + e + b + w + o;
}
