//===- SampleRun.h - Chooses, simulates, projects ---------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_SAMPLERUN_H
#define HEDDLE_TOOLS_SAMPLERUN_H

#include "CommonOptions.h"
#include "sampling/SamplingResult.h"
#include "sampling/paper/IntervalFeatures.h"

namespace heddle::tool {

enum class SamplingMethod {
  TBPoint,
  Intervals,
  Random,
  Systematic,
  SimPoint,
  Stratified,
  Full
};

struct SampleRunOptions {
  SessionOptions Session;
  SamplingMethod Method = SamplingMethod::Stratified;
  std::string GPU = "v100";
  std::vector<std::string> Sets;
  std::optional<ISA> Level; ///< not given: the machine's
  std::string ProfileFile;  ///< empty: profile now
  sampling::RegionSamplerOptions Region{.StandardError = 0.01};
  bool AsInPaper = false; ///< Region's extensions off
  /// TBPoint: what is left is cloned with loops cut by this, by twice and by
  /// four times this; 1: not.
  uint64_t CloneFactor = 1;
  bool NoInterLaunch = false, NoIntraLaunch = false;
  double Share = 0.1;                  ///< TBPoint's random sampling
  uint64_t UnitInstructions = 1000000; ///< TBPoint, section V
  uint64_t Seed = 1;
  /// Not given: the coarsest whose selection is at most half of the work.
  std::optional<sampling::IntervalKind> Interval;
  sampling::Feature Feature = sampling::Feature::BBRPlusW;
  uint64_t IntervalInstructions = 100000000; ///< GT-Pin, section V
  /// Among all combinations the smallest selection whose error is below this
  /// share, or, at 0, the one of the least error.
  double Threshold = 0;
  /// Half width of the confidence interval, as a share: stratified reaches it,
  /// other methods warn.
  double TargetError = 0.02;
  /// TBPoint, intervals: this many of what others stand for are simulated to
  /// estimate the error; 0: no estimate.
  unsigned CheckLaunches = 8;
  unsigned Trials = 100;      ///< stratified with Compare: projections to count
  std::string ExportPrefix;   ///< SimPoint's files; empty: none
  std::string AccelSimFolder; ///< traces of the chosen launches; empty: none
  bool Compare = false;
  /// Where the full simulation is, or is put; empty: nowhere.
  std::string FullFile;
};

/// The level of code that a run with \p Options simulates on \p Spec: clones
/// are PTX of profiles, which hold PTX instructions.
ISA levelOf(const SampleRunOptions &Options, const arch::GPUSpec &Spec);

/// A launch or interval that takes so much more or less than expected is named.
inline constexpr double LooseError = 0.1;

/// Runs the application as the method wants it. Throws CommandError.
sampling::SamplingResult sample(const SampleRunOptions &Options);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_SAMPLERUN_H
