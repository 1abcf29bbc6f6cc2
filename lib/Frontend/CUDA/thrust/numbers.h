// Complex and random numbers of Thrust.

#ifndef HEDDLE_CUDA_THRUST_NUMBERS_H
#define HEDDLE_CUDA_THRUST_NUMBERS_H

#include "values.h"

namespace thrust {

// --- complex numbers ---------------------------------------------------------
template <typename T> struct complex {
  typedef T value_type;
  T x, y;
  __HEDDLE_THRUST complex(T re = T(), T im = T()) : x(re), y(im) {}
  template <typename U>
  __HEDDLE_THRUST complex(const complex<U> &o) : x(o.real()), y(o.imag()) {}
  __HEDDLE_THRUST T real() const { return x; }
  __HEDDLE_THRUST T imag() const { return y; }
  __HEDDLE_THRUST void real(T v) { x = v; }
  __HEDDLE_THRUST void imag(T v) { y = v; }
  __HEDDLE_THRUST complex &operator+=(complex o) { return *this = *this + o; }
  __HEDDLE_THRUST complex &operator-=(complex o) { return *this = *this - o; }
  __HEDDLE_THRUST complex &operator*=(complex o) { return *this = *this * o; }
  __HEDDLE_THRUST complex &operator/=(complex o) { return *this = *this / o; }
  friend __HEDDLE_THRUST complex operator+(complex a, complex b) {
    return {a.x + b.x, a.y + b.y};
  }
  friend __HEDDLE_THRUST complex operator-(complex a, complex b) {
    return {a.x - b.x, a.y - b.y};
  }
  friend __HEDDLE_THRUST complex operator*(complex a, complex b) {
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
  }
  friend __HEDDLE_THRUST complex operator/(complex a, complex b) {
    T n = b.x * b.x + b.y * b.y;
    return {(a.x * b.x + a.y * b.y) / n, (a.y * b.x - a.x * b.y) / n};
  }
  friend __HEDDLE_THRUST complex operator-(complex a) { return {-a.x, -a.y}; }
  friend __HEDDLE_THRUST bool operator==(complex a, complex b) {
    return a.x == b.x && a.y == b.y;
  }
  friend __HEDDLE_THRUST bool operator!=(complex a, complex b) {
    return !(a == b);
  }
};
template <typename T> __HEDDLE_THRUST T norm(const complex<T> &z) {
  return z.x * z.x + z.y * z.y;
}
template <typename T> __HEDDLE_THRUST T abs(const complex<T> &z) {
  return ::hypot(z.x, z.y);
}
template <typename T> __HEDDLE_THRUST T arg(const complex<T> &z) {
  return ::atan2(z.y, z.x);
}
template <typename T> __HEDDLE_THRUST complex<T> conj(const complex<T> &z) {
  return {z.x, -z.y};
}
template <typename T> __HEDDLE_THRUST complex<T> polar(T r, T phi = T()) {
  return {r * T(::cos(phi)), r * T(::sin(phi))};
}
template <typename T> __HEDDLE_THRUST complex<T> exp(const complex<T> &z) {
  return polar<T>(::exp(z.x), z.y);
}
template <typename T> __HEDDLE_THRUST complex<T> sqrt(const complex<T> &z) {
  return polar<T>(::sqrt(abs(z)), arg(z) / 2);
}

// --- random numbers ----------------------------------------------------------
/// The minimal standard generator (Park and Miller, 1988; multiplier 48271).
class minstd_rand {
  unsigned state;

public:
  typedef unsigned result_type;
  static const unsigned min = 1, max = 2147483646u;
  __HEDDLE_THRUST explicit minstd_rand(unsigned seed = 1)
      : state(seed % 2147483647u ? seed % 2147483647u : 1) {}
  __HEDDLE_THRUST unsigned operator()() {
    state = (unsigned)(state * 48271ull % 2147483647u);
    return state;
  }
  __HEDDLE_THRUST void discard(unsigned long long n) {
    while (n--)
      (*this)();
  }
};
typedef minstd_rand default_random_engine;
typedef minstd_rand minstd_rand0;
template <typename T = double> class uniform_real_distribution {
  T low, high;

public:
  __HEDDLE_THRUST explicit uniform_real_distribution(T a = 0, T b = 1)
      : low(a), high(b) {}
  template <typename G> __HEDDLE_THRUST T operator()(G &g) const {
    return low + (high - low) * (T(g() - G::min) / (T(G::max - G::min) + 1));
  }
};
template <typename T = int> class uniform_int_distribution {
  T low, high;

public:
  __HEDDLE_THRUST explicit uniform_int_distribution(T a = 0, T b = 2147483647)
      : low(a), high(b) {}
  template <typename G> __HEDDLE_THRUST T operator()(G &g) const {
    return low + T(g() % (unsigned long long)(high - low + 1));
  }
};
template <typename T = double> class normal_distribution {
  T mean, deviation;

public:
  __HEDDLE_THRUST explicit normal_distribution(T m = 0, T s = 1)
      : mean(m), deviation(s) {}
  template <typename G> __HEDDLE_THRUST T operator()(G &g) const {
    uniform_real_distribution<T> uniform;
    T u = 1 - uniform(g), v = uniform(g);
    return mean + deviation * T(::sqrt(-2 * ::log(u))) *
                      T(::cos(T(6.283185307179586) * v));
  }
};
namespace random {
using thrust::default_random_engine;
using thrust::minstd_rand;
using thrust::normal_distribution;
using thrust::uniform_int_distribution;
using thrust::uniform_real_distribution;
} // namespace random

} // namespace thrust

#endif
