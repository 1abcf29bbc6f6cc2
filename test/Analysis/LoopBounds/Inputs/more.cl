// OpenCL, with macros, ternaries and odd types.
#define ROUND(n, m) ((((n) + (m) - 1) / (m)) * (m))
typedef struct { ushort id; float weight[4]; } Item;
static int clampIndex(int i, int n) { return i < 0 ? -i : i >= n ? 2 * n - i - 2 : i; }

__kernel void mirror(__global const float *in, __global float *out, int n, int radius) {
  int x = get_global_id(0);
  float s = 0;
  for (int d = -radius; d <= radius; ++d)
    s += in[clampIndex(x + d, n)];
  out[x] = s;
}
__kernel void padded(__global float *out, uint n) {
  for (uint i = get_local_id(0); i < ROUND(n, 64); i += get_local_size(0))
    out[i] = i < n ? 1.0f : 0.0f;
}
__kernel void items(__global const Item *items, __global float *out, ushort n) {
  float best = 0;
  for (ushort i = 0; i != n; i++)
    for (int k = 0; k < 4; k++)
      best = fmax(best, items[items[i].id].weight[k]);
  out[get_global_id(0)] = best;
}
__kernel void local_scan(__global int *data, __local int *tmp) {
  int l = get_local_id(0), n = get_local_size(0);
  tmp[l] = data[get_global_id(0)];
  for (int d = 1; d < n; d <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int v = l >= d ? tmp[l - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp[l] += v;
  }
  data[get_global_id(0)] = tmp[l];
}
__kernel void newton(__global float *x, float eps) {
  float a = x[get_global_id(0)], y = a;
  int it = 0;
  do {
    y = 0.5f * (y + a / y);
  } while (fabs(y * y - a) > eps && ++it < 50);
  x[get_global_id(0)] = y;
}
__kernel void bits(__global const ulong *in, __global int *out) {
  ulong v = in[get_global_id(0)];
  int n = 0;
  for (; v; v &= v - 1)
    n++;
  out[get_global_id(0)] = n;
}
__kernel void spiral(__global float *m, int n) {
  int top = 0, bottom = n - 1, left = 0, right = n - 1, k = 0;
  while (top <= bottom && left <= right) {
    for (int j = left; j <= right; j++) m[top * n + j] = k++;
    top++;
    for (int i = top; i <= bottom; i++) m[i * n + right] = k++;
    right--;
  }
}
__kernel void strings(__global const char *text, __global const int *at, __global int *length) {
  __global const char *p = text + at[get_global_id(0)];
  int n = 0;
  while (p[n] != '\0') n++;
  length[get_global_id(0)] = n;
}
__kernel void sub_groups(__global float4 *v, int n, float tolerance) {
  int2 id = (int2)(get_global_id(0), get_global_id(1));
  float4 acc = (float4)(0);
  for (int2 p = (int2)(0, 0); p.y < n; p.x++) {
    if (p.x == n) { p.x = 0; p.y++; }
    acc += v[p.y * n + p.x];
    if (acc.x > tolerance) break;
  }
  v[id.y * n + id.x] = acc;
}
