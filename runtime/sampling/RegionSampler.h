//===- RegionSampler.h - TBPoint's region sampling --------------*- C++ -*-===//

#ifndef HEDDLE_SAMPLING_REGIONSAMPLER_H
#define HEDDLE_SAMPLING_REGIONSAMPLER_H

#include "sampling/RegionTable.h"
#include "timing/LaunchControl.h"

#include <map>
#include <optional>
#include <vector>

namespace heddle::sampling {

struct RegionSamplerOptions {
  /// Two consecutive sampling units that differ by less end the warming.
  double StableIPC = 0.1;
  /// Keep L2 warm across skipped blocks (not in the paper).
  bool WarmCaches = false;
};

/// What was left out of one region.
struct SkippedRegion {
  uint64_t First = 0, End = 0; ///< the region's blocks
  uint64_t Blocks = 0;         ///< of which were skipped
  uint64_t WarpInstructions = 0;
  double IPC = 0; ///< that the skipped blocks are predicted to run at
};

/// Enters a region when every block that runs belongs to it, warms until two
/// consecutive sampling units (lives of a specified block) agree in IPC, then
/// skips the region's other blocks (TBPoint, section IV-B2).
class RegionSampler : public timing::LaunchControl {
public:
  /// Both outlive the sampler.
  RegionSampler(const RegionTable &Table, const LaunchProfile &Profile,
                const RegionSamplerOptions &Options = {});

  timing::BlockFate next(uint64_t Block) override;
  void onWindow(const timing::WindowState &State) override;

  const std::vector<SkippedRegion> &skipped() const { return Skipped; }
  /// Cycles that the skipped blocks would have taken.
  double skippedCycles() const;
  uint64_t skippedInstructions() const;

private:
  bool inside(const Region &R) const;
  void start(uint64_t Block, const Region &R);
  void finishUnit(const timing::WindowState &State);

  struct Unit {
    uint64_t Block = 0;
    const Region *Of = nullptr; ///< null: blocks of other regions ran as well
    Cycle Start = 0;
    uint64_t Instructions = 0; ///< issued before it
  };

  const RegionTable &Table;
  const LaunchProfile &Profile;
  RegionSamplerOptions Options;
  std::map<const Region *, uint64_t> Running; ///< blocks given and not ended
  std::optional<Unit> Current;
  std::optional<double> Previous;  ///< IPC of the unit before, same region
  const Region *Forward = nullptr; ///< region whose blocks are being skipped
  const Region *Latest = nullptr;  ///< that Previous belongs to
  Cycle Now = 0;
  uint64_t Issued = 0;
  std::vector<SkippedRegion> Skipped;
};

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_REGIONSAMPLER_H
