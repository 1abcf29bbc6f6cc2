//===- Estimate.h - Fast models behind heddle estimate ----------*- C++ -*-===//
//
// Each model lives in a file of its own (EstimateNAME.cpp) and is a function
// from a trace source and a machine to a report. EstimateCommand.cpp lists
// them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_ESTIMATE_H
#define HEDDLE_TOOLS_ESTIMATE_H

#include "CommonOptions.h"
#include "arch/GPUSpec.h"
#include "trace/TraceSource.h"
#include "views/View.h"

#include <string>
#include <vector>

namespace heddle::tool {

struct EstimateOptions {
  SessionOptions Session;
  std::string GPU = "v100";
  std::vector<std::string> Sets;
  ISA Level = ISA::PTX;
  bool LevelGiven = false;
  std::optional<ISA> askedLevel() const {
    return LevelGiven ? std::optional(Level) : std::nullopt;
  }
  std::string Model = "pipeline";
  std::string Trace = "auto";      ///< one of traceModes() (TraceModes.h)
  std::vector<std::string> Assume; ///< LINE=COUNT: iterations of loops
  bool WarmL2 = false;
  std::vector<std::string> WhatIf; ///< FIELD=VALUE,VALUE...; interval only
  bool Sensitivity = false, AllGPUs = false; ///< interval only
  bool AllModels = false;                    ///< interval only
  std::string Measured;     ///< result of heddle simulate; interval only
  uint64_t ReplayInsts = 0; ///< interval only; 0: the model's default
  bool Whole = false;       ///< interval only
};

struct EstimateReport {
  std::string Text;
  views::JSON JSON;        ///< without tool, version and seconds
  double ModelSeconds = 0; ///< CPU time, with that of reading the trace
  double TraceSeconds = 0; ///< of which making and reading the trace
  /// Before that: slicing, compiling the slice, filling buffers.
  double PrepareSeconds = 0;
};

/// Models "pipeline" (Heddle's) and "pipeline=paper".
EstimateReport estimatePipeline(trace::TraceSource &Source,
                                const arch::GPUSpec &Spec,
                                const EstimateOptions &Options);

/// Models "interval" (Heddle's) and "interval=NAME".
EstimateReport estimateInterval(trace::TraceSource &Source,
                                const arch::GPUSpec &Spec,
                                const EstimateOptions &Options);

/// The model that \p Options.Model names.
EstimateReport runEstimate(trace::TraceSource &Source,
                           const arch::GPUSpec &Spec,
                           const EstimateOptions &Options);
bool isEstimateModel(const std::string &Name);
std::vector<std::string> estimateModels();

/// CPU time of this thread.
double threadSeconds();

/// Passes blocks on and takes the time that the source needs for them. Asking
/// for the CPU time costs as much as a small block: after the first ones only
/// some are timed and stand for those in between.
class TimedSource : public trace::TraceSource {
public:
  explicit TimedSource(trace::TraceSource &Inner) : Inner(Inner) {}
  const trace::TraceHeader &header() const override { return Inner.header(); }
  const trace::CodeTable &code() const override { return Inner.code(); }
  Result<void> read(uint64_t Index, trace::BlockTrace &Out) override {
    // A number that frames of a trace file are no multiple of.
    constexpr uint64_t First = 64, Every = 17;
    const uint64_t N = Reads++;
    if (N >= First && N % Every)
      return Inner.read(Index, Out);
    double Before = threadSeconds();
    Result<void> R = Inner.read(Index, Out);
    Seconds += (threadSeconds() - Before) * double(N < First ? 1 : Every);
    return R;
  }
  bool servesAnyOrder() const override { return Inner.servesAnyOrder(); }
  double seconds() const { return Seconds; }

private:
  trace::TraceSource &Inner;
  double Seconds = 0;
  uint64_t Reads = 0;
};

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_ESTIMATE_H
