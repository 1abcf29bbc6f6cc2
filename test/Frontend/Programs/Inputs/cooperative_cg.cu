#include <stdio.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define MAX_ITER 100
static __global__ void conjugate(const int *I, const int *J, const float *val, float *x, float *Ax, float *p, float *r, double *dot, int n, float tol) {
  cg::thread_block cta = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  extern __shared__ double tmp[];
  auto dotp = [&](const float *a, const float *b) {
    double t = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) t += (double)(a[i] * b[i]);
    cg::thread_block_tile<32> w = cg::tiled_partition<32>(cta);
    for (int o = w.size() / 2; o > 0; o >>= 1) t += w.shfl_down(t, o);
    if (w.thread_rank() == 0) tmp[w.meta_group_rank()] = t;
    cta.sync();
    if (threadIdx.x == 0) { for (int k = 1; k < w.meta_group_size(); ++k) tmp[0] += tmp[k]; atomicAdd(dot, tmp[0]); }
    cg::sync(grid);
    double d = *dot;
    grid.sync();
    if (grid.thread_rank() == 0) *dot = 0;
    grid.sync();
    return d;
  };
  double r1 = dotp(r, r), r0 = 0;
  for (int k = 1; r1 > tol * tol && k <= MAX_ITER; ++k) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) p[i] = k > 1 ? r[i] + (float)(r1 / r0) * p[i] : r[i];
    grid.sync();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) { float s = 0; for (int j = I[i]; j < I[i + 1]; ++j) s += val[j] * p[J[j]]; Ax[i] = s; }
    grid.sync();
    float a = (float)(r1 / dotp(p, Ax));
    for (int i = grid.thread_rank(); i < n; i += grid.size()) { x[i] += a * p[i]; r[i] -= a * Ax[i]; }
    r0 = r1;
    grid.sync();
    r1 = dotp(r, r);
  }
}
int main() {
  int sup; cudaDeviceGetAttribute(&sup, cudaDevAttrCooperativeLaunch, 0);
  void *args[10];
  cudaLaunchCooperativeKernel((void *)conjugate, 80, 256, args, 64, 0);
}
