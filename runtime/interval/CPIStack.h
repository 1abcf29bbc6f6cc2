//===- CPIStack.h - Where the cycles go -------------------------*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_CPISTACK_H
#define HEDDLE_INTERVAL_CPISTACK_H

#include <array>
#include <cstdint>
#include <string_view>

namespace heddle::interval {

/// What a resident warp does or waits for; the names are those of the timing
/// model's states, with long_scoreboard split by where the data came from.
enum class WarpState : uint8_t {
  Selected,
  NotSelected,
  Wait,
  ShortScoreboard,
  LongL1,    ///< latency of L1
  LongL2,    ///< ... of L2
  LongDRAM,  ///< ... of DRAM
  LongMSHR,  ///< of a load that waited for an MSHR, that share
  LongQueue, ///< of a load that queued for interconnect, L2 or DRAM, that share
  ImcMiss,
  Barrier,
  Membar,
  MathPipeThrottle,
  LgThrottle,
  MioThrottle,
  NoInstruction,
  BranchResolving,
  DispatchStall,
  Drain,
  Sleeping,
};
inline constexpr unsigned NumWarpStates = 20;
using StateCycles = std::array<double, NumWarpStates>;

/// Nsight Compute's name; the five parts of long_scoreboard share theirs.
std::string_view stateName(WarpState S);

/// GPUMech's categories (table III).
enum class StackPart : uint8_t { Base, Dep, L1, L2, DRAM, MSHR, Queue };
inline constexpr unsigned NumStackParts = 7;
/// In cycles per warp instruction of a core.
using CPIStack = std::array<double, NumStackParts>;
std::string_view stackPartName(StackPart P);
/// Where cycles in state \p Name (Nsight's) belong; long_scoreboard belongs to
/// the level that served the load, which its name does not tell.
StackPart stackPartOf(std::string_view Name);

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
/// Where cycles in state \p Name (Nsight's) belong.
Category categoryOf(std::string_view Name);

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_CPISTACK_H
