//===- LaunchControl.h - Chooses which blocks are simulated -----*- C++ -*-===//

#ifndef HEDDLE_TIMING_LAUNCHCONTROL_H
#define HEDDLE_TIMING_LAUNCHCONTROL_H

#include "base/Units.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace heddle::timing {

/// What becomes of a block whose turn it is.
enum class BlockFate {
  Simulate,
  Skip, ///< left out: takes no time
  Warm  ///< left out, but L2 holds afterwards what the block accessed
};

/// The simulation between two windows of time.
struct WindowState {
  Cycle Now = 0;                     ///< end of the window
  uint64_t WarpInstructions = 0;     ///< issued so far
  std::span<const uint64_t> Ended{}; ///< blocks that ended in the window
  uint64_t L2FilledBytes = 0; ///< that L2 has fetched or allocated so far
  /// Warp instructions issued so far, by index into the code table. Costs a
  /// walk over the table.
  std::function<std::vector<uint64_t>()> IssuedByInst{};
};

/// Steers a simulation and looks at it between windows; the base of region
/// sampling. All calls come from one thread, the same for any number of host
/// threads.
class LaunchControl {
public:
  virtual ~LaunchControl() = default;
  /// Called once for each block, in order, when there is a slot for it or will
  /// be one within the next window.
  virtual BlockFate next(uint64_t Block) = 0;
  virtual void onWindow(const WindowState &State) = 0;
  /// False if next() lets all blocks be simulated. Blocks that wait for each
  /// other take no other control.
  virtual bool mayLeaveOut() const { return true; }
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_LAUNCHCONTROL_H
