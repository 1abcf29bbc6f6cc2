//===- EstimatePipeline.cpp - The hybrid estimator's pipeline -------------===//

#include "Estimate.h"

#include "pipeline/PipelineModel.h"
#include "views/PipelineReport.h"

namespace heddle::tool {

EstimateReport estimatePipeline(trace::TraceSource &Source,
                                const arch::GPUSpec &Spec,
                                const EstimateOptions &Options) {
  pipeline::PipelineOptions O;
  O.Model = Options.Model == "pipeline=paper" ? pipeline::Variant::Paper
                                              : pipeline::Variant::Heddle;
  O.Warm = Options.WarmL2;
  O.RandomAccess = Source.servesAnyOrder();
  TimedSource Timed(Source);
  double Before = threadSeconds();
  pipeline::PipelineEstimate E = take(pipeline::estimate(Timed, Spec, O));
  EstimateReport R;
  R.ModelSeconds = threadSeconds() - Before;
  R.TraceSeconds = Timed.seconds();
  views::PipelineView View(E);
  R.Text = View.text();
  View.addTo(R.JSON);
  return R;
}

} // namespace heddle::tool
