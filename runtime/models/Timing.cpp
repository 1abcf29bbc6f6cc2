//===- Timing.cpp - The cycle-level model, in one call --------------------===//

#include "models/ModelRun.h"

#include "trace/FlowSource.h"
#include "views/SimulationReport.h"

#include <stdexcept>

#include <algorithm>

namespace heddle::models {

std::expected<timing::SimulationResult, ModelError>
simulateTimed(trace::TraceSource &Source, const arch::GPUSpec &Spec,
              const timing::SimulationOptions &Options) try {
  WatchedSource Watched(Source, {});
  const double Before = processSeconds();
  auto R = timing::simulate(Watched, Spec, Options);
  if (!R)
    return std::unexpected(R.error());
  // What the source took is partly estimated.
  R->SecondsCPU = std::max(0.0, processSeconds() - Before - Watched.seconds());
  return std::move(*R);
} catch (const std::logic_error &E) {
  return std::unexpected(ModelError({E.what()}, ModelError::Internal));
}

ReportOrError runTiming(trace::TraceSource &Source, const arch::GPUSpec &Spec,
                        const ModelRequest &Request) {
  if (Request.WarmL2)
    return std::unexpected(
        ModelError({"the timing model warms the L2 with the buffers of a "
                    "launch, which a trace does not name"},
                   ModelError::Request));
  trace::FlowSource Flow(Source);
  timing::SimulationOptions O;
  O.Threads = Request.Threads;
  if (Request.OnProgress)
    O.OnProgress = [&](const timing::SimulationProgress &P) {
      return Request.OnProgress(P.BlocksDone, P.Blocks, P.WarpInstructions);
    };
  const double Before = processSeconds();
  auto R = simulateTimed(Flow, Spec, O);
  if (!R)
    return std::unexpected(R.error());
  if (R->Truncated)
    return std::unexpected(ModelError({"interrupted"}, ModelError::Cancelled));
  ModelReport Out;
  Out.ModelSeconds = processSeconds() - Before;
  Out.TraceSeconds = Out.ModelSeconds - R->SecondsCPU;
  const views::SourceText Text = views::sourceFromFiles();
  views::ReportOptions Views;
  Views.Code = &Source.code();
  Views.Machine = &Spec;
  Views.Block = Source.header().blockResources();
  Views.Flow = &Flow.flow();
  Out.Text = views::reportText(*R, Text, Views);
  Out.JSON = views::reportJSON(*R, Text, HEDDLE_VERSION, Views);
  return Out;
}

} // namespace heddle::models
