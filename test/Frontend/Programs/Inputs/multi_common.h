#pragma once
#include <cmath>
#include <cstdint>
#ifdef _MSC_VER
#include <intrin.h>
#define RESTRICT __restrict
#else
#define RESTRICT __restrict__
#endif
#ifdef __CUDACC__
#define HD __host__ __device__ __forceinline__
#else
#define HD inline
#endif
namespace multi {
template <class T> struct Limits;
struct Params { float dt; float *energy; float3 lo, hi; };
HD int global_index() {
#ifdef __CUDA_ARCH__
  return blockIdx.x * blockDim.x + threadIdx.x;
#else
  return 0;
#endif
}
HD float3 operator*(float a, float3 b) { return make_float3(a * b.x, a * b.y, a * b.z); }
HD float3 &operator+=(float3 &a, float3 b) { a.x += b.x; a.y += b.y; a.z += b.z; return a; }
class Agent {
  float3 x, v;
public:
  HD void step(float3 f, const Params &p) { v += p.dt * f; x += p.dt * v; wrap(x.x, p.lo.x, p.hi.x); wrap(x.y, p.lo.y, p.hi.y); }
  template <class F> HD void visit(F &&f) const { f(0.5f * (v.x * v.x + v.y * v.y + v.z * v.z)); }
private:
  HD static void wrap(float &c, float lo, float hi) { c = c < lo ? c + (hi - lo) : c > hi ? c - (hi - lo) : c; }
};
} // namespace multi
