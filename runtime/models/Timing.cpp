//===- Timing.cpp - The cycle-level model, in one call --------------------===//

#include "models/ModelRun.h"

#include "timing/Simulator.h"
#include "trace/FlowSource.h"
#include "views/SimulationReport.h"

namespace heddle::models {

ReportOrError runTiming(trace::TraceSource &Source, const arch::GPUSpec &Spec,
                        const ModelRequest &Request) {
  if (Request.WarmL2)
    return std::unexpected(
        ModelError({"the timing model warms the L2 with the buffers of a "
                    "launch, which a trace does not name"},
                   ModelError::Request));
  trace::FlowSource Flow(Source);
  WatchedSource Watched(Flow, {});
  timing::SimulationOptions O;
  O.Threads = Request.Threads;
  if (Request.OnProgress)
    O.OnProgress = [&](const timing::SimulationProgress &P) {
      return Request.OnProgress(P.BlocksDone, P.Blocks, P.WarpInstructions);
    };
  const double Before = processSeconds();
  auto R = timing::simulate(Watched, Spec, O);
  if (!R)
    return std::unexpected(R.error());
  if (R->Truncated)
    return std::unexpected(ModelError({"interrupted"}, ModelError::Cancelled));
  ModelReport Out;
  Out.ModelSeconds = processSeconds() - Before;
  Out.TraceSeconds = Watched.seconds();
  R->SecondsCPU = Out.ModelSeconds - Out.TraceSeconds;
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
