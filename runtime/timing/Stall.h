//===- Stall.h - Why a resident warp does not issue -------------*- C++ -*-===//
//
// Every cycle of every resident warp belongs to exactly one of these states;
// names and meanings are Nsight Compute's ("warp states"), so that a report
// reads like a profile of the real machine.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TIMING_STALL_H
#define HEDDLE_TIMING_STALL_H

#include <array>
#include <cstdint>
#include <string_view>

namespace heddle::timing {

enum class Stall : uint8_t {
  Selected,         ///< issued in this cycle
  NotSelected,      ///< ready, the scheduler took another warp
  Wait,             ///< result of a fixed-latency instruction
  LongScoreboard,   ///< result of a global, local or texture access
  ShortScoreboard,  ///< result of shared memory, SFU, shuffle or FP64
  Barrier,          ///< other warps of the block have yet to arrive
  Membar,           ///< fence: own memory accesses are not yet done
  MathPipeThrottle, ///< the arithmetic pipe is taken
  LgThrottle,       ///< queue for local and global accesses is full
  MioThrottle,      ///< queue for shared memory and its neighbours is full
  TexThrottle,      ///< texture queue is full
  ImcMiss,          ///< constant or parameter not in the constant cache
  NoInstruction,    ///< instruction fetch or instruction cache miss
  BranchResolving,  ///< target of a branch not yet known
  DispatchStall,    ///< operand collection or register-bank limit
  Drain,            ///< after exit, until the stores of the warp are done
  Sleeping,         ///< launched, the block's start-up is not over
};
inline constexpr unsigned NumStalls = 17;

/// Nsight's name in lower case, e.g. "long_scoreboard".
std::string_view stallName(Stall S);

/// Warp-cycles by state.
using StallCycles = std::array<uint64_t, NumStalls>;

} // namespace heddle::timing

#endif // HEDDLE_TIMING_STALL_H
