#include <CL/cl.hpp>
#include <string>
static const std::string src = R"CLC(
#define N_ITEMS 4
kernel void saxpy(global float* y, global const float* x, float a) {
  for (int k = 0; k < N_ITEMS; ++k) { size_t i = get_global_id(0) * N_ITEMS + k; y[i] = fma(a, x[i], y[i]); }
}
kernel void prefix(global int *d, local int *t) {
  int l = get_local_id(0), n = get_local_size(0); t[l] = d[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);
  for (int o = 1; o < n; o <<= 1) { int v = l >= o ? t[l - o] : 0; barrier(CLK_LOCAL_MEM_FENCE); t[l] += v; barrier(CLK_LOCAL_MEM_FENCE); }
  d[get_global_id(0)] = t[l]; }
)CLC";
int main() { cl::Program p(src); p.build("-cl-fast-relaxed-math -DUNUSED=1"); }
