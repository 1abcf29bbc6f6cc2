//===- TimeUnits.h - A full simulation cut into units -----------*- C++ -*-===//
//
// The baselines that TBPoint is compared with choose among units of a full
// simulation: at random, every n-th, or as SimPoint does by the basic blocks
// that the whole GPU executed in them ("Ideal-SimPoint": it knows from the
// simulation when each instruction ran).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SAMPLING_TIMEUNITS_H
#define HEDDLE_SAMPLING_TIMEUNITS_H

#include "sampling/paper/KMeans.h"
#include "timing/LaunchControl.h"
#include "timing/SimulationResult.h"
#include "trace/CodeTable.h"

#include <cstdint>
#include <vector>

namespace heddle::sampling {

/// About N warp instructions of the whole GPU, one after the other in time.
struct TimeUnit {
  size_t Launch = 0;
  uint64_t WarpInstructions = 0;
  uint64_t Cycles = 0;
  std::vector<double> BasicBlocks; ///< shares of the instructions, sum 1
};

/// Watches a simulation that leaves nothing out.
class UnitRecorder : public timing::LaunchControl {
public:
  /// \p Code outlives the recorder. Basic blocks of launch \p Launch stand from
  /// \p FirstBlock on in vectors of \p NumBlocks.
  UnitRecorder(const trace::CodeTable &Code, size_t Launch, size_t FirstBlock,
               size_t NumBlocks, uint64_t UnitInstructions);

  timing::BlockFate next(uint64_t) override {
    return timing::BlockFate::Simulate;
  }
  void onWindow(const timing::WindowState &State) override;
  bool mayLeaveOut() const override { return false; }
  /// The units, after the simulation whose result is \p Result.
  std::vector<TimeUnit> finish(const timing::SimulationResult &Result);

private:
  void close(uint64_t Cycles);

  const trace::CodeTable &Code;
  size_t Launch, FirstBlock, NumBlocks;
  uint64_t UnitInstructions;
  timing::WindowState Latest;
  std::vector<uint64_t> LatestIssued, Issued;
  uint64_t Instructions = 0, Start = 0; ///< at the end of the last unit
  std::vector<TimeUnit> Units;
};

/// Cycles of everything, projected from some units, and what they cost.
struct UnitProjection {
  double Cycles = 0;
  double SampleFraction = 0; ///< of the warp instructions
  std::vector<size_t> Chosen;
};

/// Each unit with probability \p Share, at least one.
UnitProjection projectRandom(const std::vector<TimeUnit> &Units, double Share,
                             uint64_t Seed);
/// Every n-th, n = 1 / \p Share, from a start in the middle of the first n.
UnitProjection projectSystematic(const std::vector<TimeUnit> &Units,
                                 double Share);
UnitProjection projectSimPoint(const std::vector<TimeUnit> &Units,
                               const SelectionOptions &Options = {});

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_TIMEUNITS_H
