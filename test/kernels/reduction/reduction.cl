#define GROUP 256

// partial[g] = sum of what work group g takes of in: a grid-stride loop, then a
// tree in local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reduction(__global const float *in, __global float *partial, int n) {
  __local float scratch[GROUP];
  int lid = get_local_id(0);
  float sum = 0.0f;
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    sum += in[i];
  scratch[lid] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int offset = GROUP / 2; offset > 0; offset >>= 1) {
    if (lid < offset)
      scratch[lid] += scratch[lid + offset];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0)
    partial[get_group_id(0)] = scratch[0];
}
