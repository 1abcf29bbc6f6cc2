// A pointer to constants that comes from the host.
__kernel void gather(__constant float *table, __global float *out, int n) {
  out[get_global_id(0)] = table[n + get_global_id(0)];
}
