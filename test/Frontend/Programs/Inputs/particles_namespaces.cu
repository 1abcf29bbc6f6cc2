// Namespaces, operators of our own, functors as template arguments, static
// members, a kernel as a friend, constexpr tables.
#include <array>
#include <cmath>
#include <cstdint>
#include <cuda_runtime.h>
#include <functional>
#include <map>
#include <numeric>
#include <random>
namespace sim {
namespace detail {
template <typename T> struct vec3 {
  T x, y, z;
  __host__ __device__ constexpr vec3(T a = 0, T b = 0, T c = 0) : x(a), y(b), z(c) {}
  __host__ __device__ vec3 operator+(const vec3 &o) const { return {x + o.x, y + o.y, z + o.z}; }
  __host__ __device__ vec3 &operator+=(const vec3 &o) { return *this = *this + o; }
  __host__ __device__ friend vec3 operator*(T s, const vec3 &v) { return {s * v.x, s * v.y, s * v.z}; }
  __host__ __device__ T norm() const { return sqrt(x * x + y * y + z * z); }
  static constexpr int dims = 3;
};
} // namespace detail
using real = double;
using V = detail::vec3<real>;
struct Euler { static __device__ V step(V x, V v, real dt) { return x + dt * v; } };
struct Damped { static constexpr real k = 0.5; static __device__ V step(V x, V v, real dt) { return x + (dt * k) * v; } };
class World;
template <class Integrator> __global__ void advance(V *x, const V *v, real dt, std::size_t n);
class World {
public:
  World(std::size_t n) : n(n) { cudaMalloc(&x, n * sizeof(V)); }
  template <class I> void run(real dt) { advance<I><<<(n + 127) / 128, 128>>>(x, v, dt, n); }
  template <class I> friend __global__ void advance(V *, const V *, real, std::size_t);

private:
  V *x, *v;
  std::size_t n;
  std::map<std::string, std::function<void()>> hooks;
};
template <class Integrator> __global__ void advance(V *x, const V *v, real dt, std::size_t n) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    x[i] = Integrator::step(x[i], v[i], dt);
}
constexpr std::array<int, 4> weights() { std::array<int, 4> w{}; for (int i = 0; i < 4; ++i) w[i] = i * i; return w; }
__constant__ constexpr int kWeights[4] = {weights()[0], weights()[1], weights()[2], weights()[3]};
enum class Boundary : std::uint8_t { Periodic, Open };
template <Boundary B> __device__ real wrap(real x) { if constexpr (B == Boundary::Periodic) return x - floor(x); return x; }
template <Boundary B> __global__ void boundaries(V *x) { auto &p = x[threadIdx.x]; p.x = wrap<B>(p.x) * kWeights[threadIdx.x % V::dims]; }
} // namespace sim
int main() {
  sim::World w(10);
  w.run<sim::Euler>(0.1);
  w.run<sim::Damped>(0.1);
  using sim::Boundary;
  sim::boundaries<Boundary::Periodic><<<1, 2>>>(nullptr);
  sim::boundaries<Boundary::Open><<<1, 2>>>(nullptr);
  std::mt19937 gen(std::random_device{}());
}
