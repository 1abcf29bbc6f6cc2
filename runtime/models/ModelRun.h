//===- ModelRun.h - One row per model ---------------------------*- C++ -*-===//
//
// Each model lives in a file of its own (Timing.cpp, Interval.cpp,
// Pipeline.cpp) and is a function from a trace source and a machine to a
// report. A new model is its files and a row in Models.cpp; `heddle estimate`,
// `heddle sweep` and predict() find it there.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MODELS_MODELRUN_H
#define HEDDLE_MODELS_MODELRUN_H

#include "arch/ModelContract.h"
#include "models/Models.h"
#include "timing/Simulator.h"
#include "views/View.h"

#include <span>

namespace heddle::models {

struct ModelReport;

/// ModelOptions, and what only some models take.
struct ModelRequest : ModelOptions {
  std::string Model = "pipeline";
  /// The machine by name, as far as a study changes its fields.
  std::string GPU = "v100";
  std::vector<std::string> Sets;
  std::vector<std::string> WhatIf;           ///< FIELD=VALUE,VALUE...
  bool Sensitivity = false, AllGPUs = false; ///< studies
  bool AllModels = false;
  std::string Measured;     ///< result of heddle simulate
  uint64_t ReplayInsts = 0; ///< 0: the model's default
  bool Whole = false;
  /// Told the estimate before the studies, which may take long. An interrupt
  /// leaves those out that are not done by then.
  std::function<void(const ModelReport &)> OnEstimate;

  /// Whether anything is asked for that only a row with Studies takes.
  bool asksForStudies() const {
    return !WhatIf.empty() || Sensitivity || AllGPUs || AllModels || Whole ||
           ReplayInsts || !Measured.empty();
  }
};

struct ModelReport {
  std::string Text;
  views::JSON JSON;        ///< without tool, version and seconds
  double ModelSeconds = 0; ///< CPU time, with that of reading the trace
  double TraceSeconds = 0; ///< of which making and reading the trace
  std::vector<std::string> NotEstimated; ///< what an interrupt left out
};

using ReportOrError = std::expected<ModelReport, ModelError>;

struct ModelRow {
  std::string_view Name;
  ReportOrError (*Run)(trace::TraceSource &Source, const arch::GPUSpec &Spec,
                       const ModelRequest &Request);
  const arch::ModelContract &Contract;
  bool Fast = true;     ///< takes thread blocks to be independent
  bool Studies = false; ///< takes what ModelRequest::asksForStudies() is about
};

/// All models, by name.
std::span<const ModelRow> modelRows();
/// The row of \p Name, or null.
const ModelRow *findModel(std::string_view Name);

/// The names of the fast ones.
std::vector<std::string> fastModelNames();

/// Runs the model that \p Request names.
ReportOrError runModel(trace::TraceSource &Source, const arch::GPUSpec &Spec,
                       const ModelRequest &Request);

/// timing::simulate with the CPU time of the model alone in the result. A model
/// that does not end or breaks a condition is an error of kind Internal.
std::expected<timing::SimulationResult, ModelError>
simulateTimed(trace::TraceSource &Source, const arch::GPUSpec &Spec,
              const timing::SimulationOptions &Options = {});

// The models' entry points.
ReportOrError runTiming(trace::TraceSource &Source, const arch::GPUSpec &Spec,
                        const ModelRequest &Request);
ReportOrError runPipeline(trace::TraceSource &Source, const arch::GPUSpec &Spec,
                          const ModelRequest &Request);
ReportOrError runInterval(trace::TraceSource &Source, const arch::GPUSpec &Spec,
                          const ModelRequest &Request);

/// CPU time of this thread, of the process.
double threadSeconds();
double processSeconds();

/// Passes blocks on, takes the time that the source needs for them and asks
/// whether to go on. Asking for the CPU time costs as much as a small block:
/// after the first ones only some are timed and stand for those in between.
class WatchedSource : public trace::TraceSource {
public:
  WatchedSource(trace::TraceSource &Inner, ProgressCallback OnProgress)
      : Inner(Inner), OnProgress(std::move(OnProgress)) {}
  const trace::TraceHeader &header() const override { return Inner.header(); }
  const trace::CodeTable &code() const override { return Inner.code(); }
  Result<void> read(uint64_t Index, trace::BlockTrace &Out) override;
  bool servesAnyOrder() const override { return Inner.servesAnyOrder(); }
  double seconds() const { return Seconds; }
  /// \p E of a model that read from here: cancelled if that was why.
  ModelError error(const Error &E) const {
    return ModelError(E, Cancelled ? ModelError::Cancelled : ModelError::Input);
  }

private:
  trace::TraceSource &Inner;
  ProgressCallback OnProgress; ///< may be empty
  double Seconds = 0;
  uint64_t Reads = 0;
  bool Cancelled = false;
};

} // namespace heddle::models

#endif // HEDDLE_MODELS_MODELRUN_H
