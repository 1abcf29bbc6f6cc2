//===- Dim3.h - Sizes and indices of grids and blocks -----------*- C++ -*-===//

#ifndef HEDDLE_BASE_DIM3_H
#define HEDDLE_BASE_DIM3_H

#include <cstdint>

namespace heddle {

struct Dim3 {
  uint32_t X = 1, Y = 1, Z = 1;

  uint64_t count() const { return uint64_t(X) * Y * Z; }
  /// The index of element \p Linear, X fastest.
  Dim3 at(uint64_t Linear) const {
    return {uint32_t(Linear % X), uint32_t(Linear / X % Y),
            uint32_t(Linear / X / Y)};
  }
  bool operator==(const Dim3 &) const = default;
};

} // namespace heddle

#endif // HEDDLE_BASE_DIM3_H
