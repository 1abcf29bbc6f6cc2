//===- EstimateInterval.cpp - The interval models -------------------------===//

#include "Estimate.h"

#include "interval/IntervalModel.h"
#include "interval/ProfileCollector.h"
#include "views/IntervalReport.h"

namespace heddle::tool {

EstimateReport estimateInterval(trace::TraceSource &Source,
                                const arch::GPUSpec &Spec,
                                const EstimateOptions &Options) {
  std::string Name = "heddle";
  if (size_t At = Options.Model.find('='); At != std::string::npos)
    Name = Options.Model.substr(At + 1);
  interval::Model Which = *interval::modelOf(Name);
  TimedSource Timed(Source);
  double Before = threadSeconds();
  interval::IntervalProfile Profile =
      take(interval::collectProfile(Timed, Spec));
  interval::IntervalEstimate E = take(interval::estimate(Profile, Spec, Which));
  EstimateReport R;
  R.ModelSeconds = threadSeconds() - Before;
  R.TraceSeconds = Timed.seconds();
  views::IntervalView View(Profile, E);
  R.Text = View.text();
  View.addTo(R.JSON);
  return R;
}

} // namespace heddle::tool
