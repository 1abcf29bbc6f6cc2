//===- Pipeline.cpp - The hybrid estimator's pipeline ---------------------===//

#include "models/ModelRun.h"

#include "pipeline/PipelineModel.h"
#include "views/PipelineReport.h"

namespace heddle::models {

/// Models "pipeline" (Heddle's) and "pipeline=paper".
ReportOrError runPipeline(trace::TraceSource &Source, const arch::GPUSpec &Spec,
                          const ModelRequest &Request) {
  pipeline::PipelineOptions O;
  O.Model = Request.Model == "pipeline=paper" ? pipeline::Variant::Paper
                                              : pipeline::Variant::Heddle;
  O.Warm = Request.WarmL2;
  O.RandomAccess = Source.servesAnyOrder();
  WatchedSource Watched(Source, Request.OnProgress);
  double Before = threadSeconds();
  auto E = pipeline::estimate(Watched, Spec, O);
  if (!E)
    return std::unexpected(Watched.error(E.error()));
  ModelReport R;
  R.ModelSeconds = threadSeconds() - Before;
  R.TraceSeconds = Watched.seconds();
  views::PipelineView View(*E);
  R.Text = View.text();
  View.addTo(R.JSON);
  return R;
}

} // namespace heddle::models
