//===- Divider.h - Division by a number known ahead -------------*- C++ -*-===//

#ifndef HEDDLE_BASE_DIVIDER_H
#define HEDDLE_BASE_DIVIDER_H

#include <cstdint>

namespace heddle {

/// Divides by multiplying with the reciprocal, which takes a few of the host's
/// cycles instead of some forty.
class Divider {
public:
  explicit Divider(uint64_t By = 1)
      : By(By), Inverse(~uint64_t(0) / By + 1),
        Limit(By > 1 ? ~uint64_t(0) / By - 1 : 0) {}

  /// Inverse exceeds 2^64 / By by less than one, so the product exceeds the
  /// true quotient by less than X / 2^64, which up to Limit is less than
  /// 1 / By and cannot reach the next integer.
  uint64_t quotient(uint64_t X) const {
    if (X > Limit)
      return X / By;
    return uint64_t((unsigned __int128)X * Inverse >> 64);
  }
  uint64_t remainder(uint64_t X) const { return X - quotient(X) * By; }

private:
  uint64_t By, Inverse, Limit;
};

} // namespace heddle

#endif // HEDDLE_BASE_DIVIDER_H
