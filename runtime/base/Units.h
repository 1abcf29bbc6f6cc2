//===- Units.h - Quantities that models pass around -------------*- C++ -*-===//

#ifndef HEDDLE_BASE_UNITS_H
#define HEDDLE_BASE_UNITS_H

#include <cstdint>
#include <limits>

namespace heddle {

/// A point in time or a duration in core clock cycles of the machine.
using Cycle = uint64_t;
/// Later than anything that happens.
inline constexpr Cycle NeverCycle = std::numeric_limits<Cycle>::max();

} // namespace heddle

#endif // HEDDLE_BASE_UNITS_H
