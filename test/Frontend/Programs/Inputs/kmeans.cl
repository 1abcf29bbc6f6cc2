// C translated line by line: macros for sizes with defaults, feature-major
// data, two dimensions flattened.
#ifndef FLT_MAX
#define FLT_MAX 3.40282347e+38
#endif
#ifdef RD_WG_SIZE_0
#define BLOCK RD_WG_SIZE_0
#else
#define BLOCK 256
#endif
__kernel void assign(__global float *feature, __global float *clusters, __global int *membership, int npoints, int nclusters, int nfeatures, int offset, int size) {
  unsigned int point_id = get_global_id(0);
  int index = 0;
  if (point_id < npoints) {
    float min_dist = FLT_MAX;
    for (int i = 0; i < nclusters; i++) {
      float dist = 0, ans = 0;
      for (int l = 0; l < nfeatures; l++)
        ans += (feature[l * npoints + point_id] - clusters[i * nfeatures + l]) * (feature[l * npoints + point_id] - clusters[i * nfeatures + l]);
      dist = ans;
      if (dist < min_dist) { min_dist = dist; index = i; }
    }
    membership[point_id] = index;
  }
  return;
}
__kernel void swap(__global float *feature, __global float *feature_swap, int npoints, int nfeatures) {
  unsigned int tid = get_global_id(0);
  if (tid >= npoints) return;
  for (int i = 0; i < nfeatures; i++) feature_swap[i * npoints + tid] = feature[tid * nfeatures + i];
}
typedef struct latLong { float lat; float lng; } LatLong;
__kernel void nearest(__global LatLong *d_locations, __global float *d_distances, const int numRecords, const float lat, const float lng) {
  int id = get_global_id(0);
  if (id < numRecords) {
    __global LatLong *p = d_locations + id;
    __global float *dist = d_distances + id;
    *dist = (float)sqrt((lat - p->lat) * (lat - p->lat) + (lng - p->lng) * (lng - p->lng));
  }
}
__kernel void forward(__global float *input, __global float *w, __global float *hidden, __local float *node, __local float *matrix, int in, int hid) {
  int by = get_group_id(1), tx = get_local_id(0), ty = get_local_id(1);
  int index = (hid + 1) * 16 * by + (hid + 1) * ty + tx + 1 + (hid + 1);
  if (tx == 0) node[ty] = input[16 * by + ty + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  matrix[ty * 16 + tx] = w[index];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 1; i <= 16; i = i * 2) {
    int power_two = i;
    if (ty % power_two == 0) matrix[ty * 16 + tx] = matrix[ty * 16 + tx] + matrix[(ty + power_two / 2) * 16 + tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  w[index] = matrix[ty * 16 + tx];
  if (tx == 0) hidden[by * hid + ty] = matrix[tx * 16 + ty];
}
__kernel void hot(int iteration, global float *power, global float *src, global float *dst, int cols, int rows, float Cap, float step) {
  local float on[BLOCK], out[BLOCK];
  float amb_temp = 80.0f, step_div_Cap = step / Cap;
  int tx = get_local_id(0), i = get_global_id(0);
  on[tx] = src[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  bool computed;
  for (int k = 0; k < iteration; k++) {
    computed = false;
    if ((tx >= k + 1) & (tx <= BLOCK - k - 2)) { computed = true; out[tx] = on[tx] + step_div_Cap * (power[i] + (on[tx + 1] + on[tx - 1] - 2.0f * on[tx]) * 0.1f + (amb_temp - on[tx]) * 0.2f); }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (k == iteration - 1) break;
    if (computed) on[tx] = out[tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (computed) dst[i] = out[tx];
}
