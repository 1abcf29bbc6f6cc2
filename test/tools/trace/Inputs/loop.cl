// A loop, a divergent branch in it, and a gather.
__kernel void loop(__global const int *index, __global const float *table,
                   __global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    int at = index[i * n + k];
    if (at & 1)
      sum += table[at];
  }
  out[i] = sum;
}
