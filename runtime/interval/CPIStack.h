//===- CPIStack.h - Where the cycles go -------------------------*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_CPISTACK_H
#define HEDDLE_INTERVAL_CPISTACK_H

#include "timing/SimulationResult.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace heddle::interval {

/// GPUMech's categories (table III).
enum class StackPart : uint8_t { Base, Dep, L1, L2, DRAM, MSHR, Queue };
inline constexpr unsigned NumStackParts = 7;
/// In cycles per warp instruction of a core.
using CPIStack = std::array<double, NumStackParts>;
std::string_view stackPartName(StackPart P);

/// The categories of later models.
enum class Category : uint8_t {
  Base,
  ComputeData,
  ComputeStructural,
  MemoryData,
  MemoryStructural,
  Synchronisation,
  Idle
};
inline constexpr unsigned NumCategories = 7;
using CategoryStack = std::array<double, NumCategories>;
std::string_view categoryName(Category C);
/// Warp-cycles in both kinds of categories, each times \p Scale. Waits for
/// loads belong to the level that served them.
void breakDown(const timing::StallCycles &Stalls,
               const timing::LoadWaitCycles &LoadWaits, double Scale,
               CPIStack &Parts, CategoryStack &Categories);

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_CPISTACK_H
