#include <concepts>
#include <span>
#include <ranges>
#include <array>
#include <tuple>
#include <string_view>
#include <optional>
#include <variant>
#include <numeric>
#include <cmath>
namespace expr {
template <class E> struct Base { __host__ __device__ constexpr const E &self() const { return static_cast<const E &>(*this); } };
template <class L, class R, class Op> struct Bin : Base<Bin<L, R, Op>> {
  L l; R r;
  __host__ __device__ constexpr Bin(L l, R r) : l(l), r(r) {}
  __device__ auto operator[](int i) const { return Op::apply(l[i], r[i]); }
};
template <class T> struct Vec : Base<Vec<T>> {
  T *p; int n;
  __host__ __device__ Vec(T *p, int n) : p(p), n(n) {}
  __device__ T &operator[](int i) const { return p[i]; }
};
struct Add { template <class A, class B> __device__ static auto apply(A a, B b) { return a + b; } };
struct Mul { template <class A, class B> __device__ static auto apply(A a, B b) { return a * b; } };
template <class L, class R> __host__ __device__ auto operator+(const Base<L> &l, const Base<R> &r) { return Bin<L, R, Add>(l.self(), r.self()); }
template <class L, class R> __host__ __device__ auto operator*(const Base<L> &l, const Base<R> &r) { return Bin<L, R, Mul>(l.self(), r.self()); }
template <class T, class E> __global__ void assign(Vec<T> out, E e) {
  if (int i = blockIdx.x * blockDim.x + threadIdx.x; i < out.n) out[i] = e[i];
}
} // namespace expr
template <class T> concept Arithmetic = std::is_arithmetic_v<T> && requires(T a) { a * a; };
template <Arithmetic auto... Coefs> struct Poly {
  template <Arithmetic T> __device__ constexpr T operator()(T x) const {
    T r{};
    ((r = r * x + T(Coefs)), ...);
    return r;
  }
};
enum class Mode : unsigned char { Even, Odd };
template <Mode M, class... Fs> __global__ void apply_all(float *x, std::tuple<Fs...> fs, int n) {
  using enum Mode;
  for (int i = threadIdx.x * 2 + (M == Odd); i < n; i += 2 * blockDim.x) {
    float v = x[i];
    [&]<std::size_t... I>(std::index_sequence<I...>) { ((v = std::get<I>(fs)(v)), ...); }(std::index_sequence_for<Fs...>{});
    x[i] = v;
  }
}
struct Sine { __device__ float operator()(float x) const { return std::sin(x) + std::fma(x, x, 1.f); } };
int main() {
  float *d = nullptr;
  expr::Vec<float> a(d, 10), b(d, 10), c(d, 10);
  expr::assign<<<1, 32>>>(c, a + b * a);
  apply_all<Mode::Odd><<<1, 64>>>(d, std::tuple{Poly<1, 2, 3>{}, Sine{}}, 100);
  std::optional<int> n{3};
  std::variant<int, float> v{2.f};
  std::array<int, 3> xs{1, 2, 3};
  auto sq = xs | std::views::transform([](int x) { return x * x; });
  return std::accumulate(sq.begin(), sq.end(), 0) + n.value_or(0) + int(std::get<float>(v));
}
