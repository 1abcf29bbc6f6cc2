//===- Interval.cpp - The interval models, and studies on them ------------===//

#include "models/ModelRun.h"

#include "arch/SpecFields.h"
#include "interval/IntervalModel.h"
#include "interval/ProfileCollector.h"
#include "trace/HeldSource.h"
#include "views/IntervalReport.h"
#include "views/ResultHead.h"
#include "views/StackComparison.h"

#include <fmt/format.h>

#include <cmath>
#include <list>
#include <map>
#include <type_traits>

namespace heddle::models {

namespace {

/// Estimates on many machines; a profile is collected once for all that differ
/// only in what it does not depend on.
class IntervalRun {
public:
  IntervalRun(trace::TraceSource &Source, const ModelRequest &Options,
              interval::Model Which)
      : Source(Source), Options(Options), Which(Which) {
    if (Options.ReplayInsts)
      Settings.ReplayInsts = Collect.KeepInsts = Collect.KeepOfUnequal =
          Options.ReplayInsts;
    Collect.Whole = Options.Whole;
  }

  Result<const interval::IntervalProfile *> profile(const arch::GPUSpec &Spec) {
    std::string Key = interval::collectionKey(Spec);
    auto It = Profiles.find(Key);
    if (It == Profiles.end()) {
      Result<interval::IntervalProfile> P =
          interval::collectProfile(Source, Spec, Collect);
      if (!P)
        return std::unexpected(P.error());
      It = Profiles.emplace(Key, std::move(*P)).first;
    }
    return &It->second;
  }
  Result<interval::IntervalEstimate> estimate(const arch::GPUSpec &Spec,
                                              interval::Model Model) {
    auto P = profile(Spec);
    if (!P)
      return std::unexpected(P.error());
    if (Model != interval::Model::Heddle || Options.Whole ||
        Options.ReplayInsts)
      return interval::estimate(**P, Spec, Model, Settings);
    auto [It, IsFirst] = Machines.try_emplace(*P, **P, Spec);
    if (IsFirst)
      FirstOf[*P] = &Spec;
    return FirstOf[*P] == &Spec ? It->second.first() : It->second.further(Spec);
  }
  Result<interval::IntervalEstimate> estimate(const arch::GPUSpec &Spec) {
    return estimate(Spec, Which);
  }
  /// By all models; those that fail are left out.
  std::vector<interval::IntervalEstimate> byModel(const arch::GPUSpec &Spec) {
    std::vector<interval::IntervalEstimate> Out;
    for (unsigned M = 0; M < interval::NumModels; ++M)
      if (auto E = estimate(Spec, interval::Model(M)))
        Out.push_back(*E);
    return Out;
  }

  /// What the request asks for beside the estimate \p E goes to \p Out.
  std::expected<void, ModelError>
  addStudies(const arch::GPUSpec &Spec, const interval::IntervalEstimate &E,
             ModelReport &Out);

private:
  /// Whether somebody wants an end: then what is left is \p NotEstimated.
  bool stopsBefore(std::string What) {
    if (!Options.OnProgress || Options.OnProgress(0, 0, 0))
      return false;
    NotEstimated.push_back(std::move(What));
    return true;
  }
  /// A machine that lives as long as this: FirstOf tells machines by address.
  Result<const arch::GPUSpec *> load(std::string_view GPU,
                                     std::span<const std::string> Sets) {
    auto Spec = arch::loadMachine(GPU, Sets);
    if (!Spec)
      return std::unexpected(Spec.error());
    return &Others.emplace_back(std::move(*Spec));
  }
  Result<const arch::GPUSpec *> changed(std::string Set) {
    std::vector<std::string> Sets = Options.Sets;
    Sets.push_back(std::move(Set));
    return load(Options.GPU, Sets);
  }
  std::expected<views::WhatIfView, ModelError>
  whatIf(const arch::GPUSpec &Spec);
  Result<std::vector<views::SensitivityView::Row>>
  sensitivity(const arch::GPUSpec &Spec);
  Result<views::StackComparison> measured(const arch::GPUSpec &Spec,
                                          const interval::IntervalEstimate &E);
  void addRow(std::vector<views::WhatIfView::Row> &Rows, std::string Change,
              const arch::GPUSpec &Spec);

  trace::TraceSource &Source;
  const ModelRequest &Options;
  interval::Model Which;
  interval::CollectOptions Collect;
  interval::EstimateSettings Settings;
  std::map<std::string, interval::IntervalProfile> Profiles;
  std::map<const interval::IntervalProfile *, interval::MachineComparison>
      Machines;
  std::map<const interval::IntervalProfile *, const arch::GPUSpec *> FirstOf;
  std::list<arch::GPUSpec> Others;
  std::vector<std::string> NotEstimated;
};

} // namespace

void IntervalRun::addRow(std::vector<views::WhatIfView::Row> &Rows,
                         std::string Change, const arch::GPUSpec &Spec) {
  if (stopsBefore(Change))
    return;
  views::WhatIfView::Row Row;
  Row.Change = std::move(Change);
  double Before = threadSeconds();
  Result<interval::IntervalEstimate> E = estimate(Spec);
  if (E)
    Row.Estimate = *E;
  else
    Row.Failed = E.error().Message;
  Row.Seconds = threadSeconds() - Before;
  if (Options.AllModels)
    Row.Models = byModel(Spec);
  // An interrupt ends estimates that have to read thread blocks.
  if (!stopsBefore(Row.Change))
    Rows.push_back(std::move(Row));
}

std::expected<views::WhatIfView, ModelError>
IntervalRun::whatIf(const arch::GPUSpec &Spec) {
  std::vector<views::WhatIfView::Row> Rows;
  addRow(Rows, Spec.Name, Spec);
  for (const std::string &Sweep : Options.WhatIf) {
    size_t Equals = Sweep.find('=');
    if (Equals == std::string::npos || Equals + 1 == Sweep.size())
      return std::unexpected(
          ModelError({fmt::format("--what-if '{}': write FIELD=VALUE or "
                                  "FIELD=VALUE,VALUE...",
                                  Sweep)},
                     ModelError::Request));
    const bool IsRead =
        interval::Contracts[unsigned(Which)].reads(Sweep.substr(0, Equals));
    for (size_t At = Equals + 1; At <= Sweep.size();) {
      size_t End = std::min(Sweep.find(',', At), Sweep.size());
      std::string Set =
          Sweep.substr(0, Equals + 1) + Sweep.substr(At, End - At);
      At = End + 1;
      if (stopsBefore(Set))
        continue;
      auto Other = changed(Set);
      if (!Other)
        return std::unexpected(Other.error());
      if (IsRead)
        addRow(Rows, Set, **Other);
      else
        Rows.push_back({Set, {}, {}, 0, "the model does not read this field"});
    }
  }
  if (Options.AllGPUs)
    for (std::string_view Name : arch::builtinMachines()) {
      auto Other = load(Name, Options.Sets);
      if (!Other)
        return std::unexpected(Other.error());
      addRow(Rows, std::string(Name), **Other);
    }
  return views::WhatIfView(std::move(Rows));
}

/// Each numeric field a tenth larger, or doubled where the machine takes only
/// powers of two; fields that no other value makes sense for are left out.
Result<std::vector<views::SensitivityView::Row>>
IntervalRun::sensitivity(const arch::GPUSpec &Spec) {
  std::vector<std::pair<std::string, double>> Fields;
  arch::forEachField(Spec, [&](const arch::FieldInfo &F, const auto &Value) {
    using T = std::decay_t<decltype(Value)>;
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
      if (Value > 0)
        Fields.emplace_back(F.Name, double(Value));
  });
  const auto Whole = estimate(Spec);
  if (!Whole)
    return std::unexpected(Whole.error());
  const double Base = Whole->TimeUs;
  std::vector<views::SensitivityView::Row> Rows;
  for (const auto &[Field, Value] : Fields) {
    if (stopsBefore("sensitivity"))
      return Rows;
    for (double Factor : {1.1, 2.0}) {
      double New = Value == std::floor(Value) ? std::ceil(Value * Factor)
                                              : Value * Factor;
      auto Other = changed(fmt::format("{}={:.10g}", Field, New));
      if (!Other)
        continue;
      auto E = estimate(**Other);
      if (E && Base > 0 && E->TimeUs > 0) {
        double Elasticity = std::log(E->TimeUs / Base) / std::log(New / Value);
        if (std::abs(Elasticity) >= 0.0005)
          Rows.push_back({Field, Value, Elasticity});
      }
      break;
    }
  }
  return Rows;
}

Result<views::StackComparison>
IntervalRun::measured(const arch::GPUSpec &Spec,
                      const interval::IntervalEstimate &E) {
  auto Results = views::readResults(Options.Measured, HEDDLE_VERSION);
  if (!Results)
    return std::unexpected(Results.error());
  if (Results->size() != 1)
    return fail(Options.Measured + ": --measured takes one result");
  return views::StackComparison::make(**profile(Spec), E, Results->front());
}

std::expected<void, ModelError>
IntervalRun::addStudies(const arch::GPUSpec &Spec,
                        const interval::IntervalEstimate &E, ModelReport &Out) {
  auto Add = [&Out](const auto &V) -> std::expected<void, ModelError> {
    if (!V)
      return std::unexpected(V.error());
    Out.Text += "\n" + V->text();
    V->addTo(Out.JSON);
    return {};
  };
  std::expected<void, ModelError> Ok;
  if (!Options.Measured.empty())
    Ok = Add(measured(Spec, E));
  if (Ok && Options.AllModels) {
    const Result<views::ModelsView> Models(byModel(Spec));
    if (!stopsBefore("the other models"))
      Ok = Add(Models);
  }
  if (Ok && (!Options.WhatIf.empty() || Options.AllGPUs))
    Ok = Add(whatIf(Spec));
  if (Ok && Options.Sensitivity) {
    auto Rows = sensitivity(Spec);
    if (!Rows)
      return std::unexpected(Rows.error());
    if (NotEstimated.empty()) // a part of the fields has no ranks
      Ok = Add(Result<views::SensitivityView>(std::move(*Rows)));
  }
  Out.NotEstimated = std::move(NotEstimated);
  return Ok;
}

ReportOrError runInterval(trace::TraceSource &Source, const arch::GPUSpec &Spec,
                          const ModelRequest &Request) {
  std::string Name = "heddle";
  if (size_t At = Request.Model.find('='); At != std::string::npos)
    Name = Request.Model.substr(At + 1);
  const bool Many =
      !Request.WhatIf.empty() || Request.Sensitivity || Request.AllGPUs;
  WatchedSource Watched(Source, Request.OnProgress);
  trace::HeldSource Held(Watched);
  IntervalRun Run(Many ? static_cast<trace::TraceSource &>(Held) : Watched,
                  Request, *interval::modelOf(Name));
  double Before = threadSeconds();
  auto E = Run.estimate(Spec);
  if (!E)
    return std::unexpected(Watched.error(E.error()));
  ModelReport R;
  R.ModelSeconds = threadSeconds() - Before;
  R.TraceSeconds = Watched.seconds();
  views::IntervalView View(**Run.profile(Spec), *E);
  R.Text = View.text();
  View.addTo(R.JSON);
  if (Request.OnEstimate && Request.asksForStudies()) {
    ModelReport Base = R;
    views::addMachine(Base.JSON, Spec);
    Request.OnEstimate(Base);
  }
  if (auto Ok = Run.addStudies(Spec, *E, R); !Ok)
    return std::unexpected(Ok.error());
  return R;
}

} // namespace heddle::models
