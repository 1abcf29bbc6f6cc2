//===- RegionSampler.h - TBPoint's region sampling --------------*- C++ -*-===//

#ifndef HEDDLE_SAMPLING_REGIONSAMPLER_H
#define HEDDLE_SAMPLING_REGIONSAMPLER_H

#include "sampling/paper/RegionTable.h"
#include "timing/LaunchControl.h"

#include <map>
#include <optional>
#include <vector>

namespace heddle::sampling {

struct RegionSamplerOptions {
  /// Two consecutive sampling units that differ by less end the warming.
  double StableIPC = 0.1;

  // Not in the paper; all off, the sampler does what the paper does.
  /// Keep L2 warm across skipped blocks.
  bool WarmCaches = false;
  /// Warming also lasts until L2, of this size, has been filled once or a unit
  /// brings less than a hundredth of it, unless the launch ends before that:
  /// before, nothing is written back, and what hits later still misses. 0: off.
  uint64_t SettledBytes = 0;
  /// After warming, measure units until the standard error of their mean IPC is
  /// below this share of it. 0: the last unit of the warming is all.
  double StandardError = 0;
};

/// What was left out of one region.
struct SkippedRegion {
  uint64_t First = 0, End = 0;   ///< the region's blocks
  uint64_t Blocks = 0;           ///< of which were skipped
  uint64_t WarpInstructions = 0; ///< as the profile counts them
  double IPC = 0; ///< of these, that they are predicted to run at
};

/// Enters a region when every block that runs belongs to it, warms until two
/// consecutive sampling units (lives of a specified block) agree in IPC, then
/// skips the region's other blocks (TBPoint, section IV-B2).
class RegionSampler : public timing::LaunchControl {
public:
  /// All outlive the sampler. \p Counts: where the simulated code is of another
  /// level than the profile's, the warp instructions of each block that has
  /// been read.
  RegionSampler(const RegionTable &Table, const LaunchProfile &Profile,
                const RegionSamplerOptions &Options = {},
                const std::vector<uint64_t> *Counts = nullptr);

  timing::BlockFate next(uint64_t Block) override;
  void onWindow(const timing::WindowState &State) override;

  const std::vector<SkippedRegion> &skipped() const { return Skipped; }
  /// Cycles that the skipped blocks would have taken.
  double skippedCycles() const;
  uint64_t skippedInstructions() const;

private:
  struct Unit {
    uint64_t Block = 0;
    const Region *Of = nullptr; ///< null: blocks of other regions ran as well
    Cycle Start = 0;
    uint64_t Instructions = 0;  ///< issued before it
    uint64_t L2FilledBytes = 0; ///< filled before it
  };

  /// Instructions of blocks that ended, as simulated and as profiled.
  struct Ended {
    uint64_t Simulated = 0, Profiled = 0;
    double ratio() const {
      return Profiled ? double(Simulated) / double(Profiled) : 1;
    }
  };

  void end(uint64_t Block);
  bool inside(const Region &R) const;
  bool isStable(const Unit &U, double IPC) const;
  bool isSettled(const Unit &U) const;
  bool isMeasured() const;
  void forget();
  void start(uint64_t Block, const Region &R);
  void finishUnit();

  const RegionTable &Table;
  const LaunchProfile &Profile;
  RegionSamplerOptions Options;
  const std::vector<uint64_t> *Counts;
  uint64_t TotalInstructions;
  std::map<const Region *, Ended> OfRegion;
  Ended OfLaunch;
  std::map<const Region *, uint64_t> Running; ///< blocks given and not ended
  std::optional<Unit> Current;
  std::optional<double> Previous;  ///< IPC of the unit before, same region
  const Region *Forward = nullptr; ///< region whose blocks are being skipped
  const Region *Latest = nullptr;  ///< that Previous and Measured belong to
  std::vector<double> Measured;    ///< IPC of the units after warming
  timing::WindowState Now;
  std::vector<SkippedRegion> Skipped;
};

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_REGIONSAMPLER_H
