//===- PipelineReport.h - What the pipeline estimator has to tell -*- C++
//-*-===//

#ifndef HEDDLE_VIEWS_PIPELINEREPORT_H
#define HEDDLE_VIEWS_PIPELINEREPORT_H

#include "pipeline/PipelineModel.h"
#include "views/View.h"

namespace heddle::views {

/// Time, occupancy, how it was estimated, what limits the kernel, memory.
class PipelineView : public View {
public:
  explicit PipelineView(const pipeline::PipelineEstimate &Estimate)
      : E(Estimate) {}
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  const pipeline::PipelineEstimate &E;
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_PIPELINEREPORT_H
