//===- SampleRun.h - Chooses, simulates, projects ---------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_SAMPLERUN_H
#define HEDDLE_TOOLS_SAMPLERUN_H

#include "Session.h"
#include "sampling/SamplingResult.h"

namespace heddle::tool {

enum class SamplingMethod { TBPoint, Random, Systematic, SimPoint, Full };

struct SampleRunOptions {
  SessionOptions Session;
  SamplingMethod Method = SamplingMethod::TBPoint;
  std::string GPU = "v100";
  std::vector<std::string> Sets;
  std::string ProfileFile; ///< empty: profile now
  sampling::RegionSamplerOptions Region{.StandardError = 0.01};
  bool AsInPaper = false; ///< Region's extensions off
  bool NoInterLaunch = false, NoIntraLaunch = false;
  double Share = 0.1;                  ///< TBPoint's random sampling
  uint64_t UnitInstructions = 1000000; ///< TBPoint, section V
  uint64_t Seed = 1;
  bool Compare = false;
};

/// Runs the application as the method wants it. Throws CommandError.
sampling::SamplingResult sample(const SampleRunOptions &Options);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_SAMPLERUN_H
