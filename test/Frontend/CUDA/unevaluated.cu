// std::declval in device code, which nothing evaluates: types of results, and
// concepts of the library that ask for them.
// RUN: %heddle kernels %s | FileCheck %s --check-prefix=LIST
// LIST-DAG: void apply<float, Twice>
// LIST-DAG: void widen<short>(short const*, int*)
// RUN: %heddle run %s --kernel apply --grid 1 --block 4 --arg p:f32[4]=iota --arg bytes=00 --dump p -q | FileCheck %s --check-prefix=APPLY
// APPLY: p (f32[4]): 0 2 4 6
// RUN: %heddle run %s --kernel widen --grid 1 --block 4 --arg i16[4]=iota --arg o:i32[4] --dump o -q | FileCheck %s --check-prefix=WIDEN
// WIDEN: o (i32[4]): 1 2 3 4
// RUN: heddle-nvcc -std=c++20 %s -o %t && %t
#include <concepts>
#include <type_traits>
#include <utility>

template <class F, class T>
concept Operation = requires(F f, T t) {
  { f(t) } -> std::convertible_to<T>;
};
struct Twice {
  __host__ __device__ float operator()(float x) const { return x * 2; }
};
template <class T, Operation<T> F> __global__ void apply(T *p, F f) {
  p[threadIdx.x] = f(p[threadIdx.x]);
}
template <class T> __global__ void widen(const T *in, int *out) {
  using Sum = decltype(std::declval<T>() + std::declval<const T &>());
  static_assert(std::is_same_v<decltype(std::declval<void>()), void>);
  static_assert(std::is_same_v<Sum, int>);
  out[threadIdx.x] = Sum(in[threadIdx.x]) + 1;
}
// Both sides, and the host alone.
template <class A, class B>
__host__ __device__ auto sum(A a, B b)
    -> decltype(std::declval<A>() + std::declval<B>()) {
  return a + b;
}
int main() {
  apply<<<1, 4>>>((float *)nullptr, Twice());
  widen<<<1, 4>>>((const short *)nullptr, (int *)nullptr);
  using Host = decltype(sum(std::declval<char>(), 1.0));
  return !std::is_same_v<Host, double>;
}
