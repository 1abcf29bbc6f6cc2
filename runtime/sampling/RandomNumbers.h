//===- RandomNumbers.h - Numbers that are the same everywhere ---*- C++ -*-===//

#ifndef HEDDLE_SAMPLING_RANDOMNUMBERS_H
#define HEDDLE_SAMPLING_RANDOMNUMBERS_H

#include <cmath>
#include <cstdint>
#include <numbers>

namespace heddle::sampling {

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). The standard library's
/// distributions differ between implementations; results must not.
class RandomNumbers {
public:
  explicit RandomNumbers(uint64_t Seed) : State(Seed) {}

  uint64_t next() {
    uint64_t Z = State += 0x9E3779B97F4A7C15;
    Z = (Z ^ (Z >> 30)) * 0xBF58476D1CE4E5B9;
    Z = (Z ^ (Z >> 27)) * 0x94D049BB133111EB;
    return Z ^ (Z >> 31);
  }
  /// In [0, 1).
  double uniform() { return double(next() >> 11) * 0x1p-53; }
  /// In [0, N).
  uint64_t below(uint64_t N) { return uint64_t(uniform() * double(N)); }
  /// Standard normal, by Box and Muller's method.
  double normal() {
    double Radius = std::sqrt(-2 * std::log(1 - uniform()));
    return Radius * std::cos(2 * std::numbers::pi * uniform());
  }

private:
  uint64_t State;
};

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_RANDOMNUMBERS_H
