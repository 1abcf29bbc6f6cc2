//===- EstimateInterval.cpp - The interval models -------------------------===//

#include "Estimate.h"

#include "arch/SpecFields.h"
#include "arch/SpecReader.h"
#include "interval/IntervalModel.h"
#include "interval/ProfileCollector.h"
#include "views/IntervalReport.h"
#include "views/StackComparison.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <type_traits>
#include <unordered_map>

namespace heddle::tool {

namespace {

/// Blocks of a launch that is read more than once, held in memory.
class HeldSource : public trace::TraceSource {
public:
  explicit HeldSource(trace::TraceSource &Inner) : Inner(Inner) {}
  const trace::TraceHeader &header() const override { return Inner.header(); }
  const trace::CodeTable &code() const override { return Inner.code(); }
  Result<void> read(uint64_t Index, trace::BlockTrace &Out) override {
    if (Inner.servesAnyOrder()) {
      auto [It, IsNew] = Blocks.try_emplace(Index);
      if (IsNew)
        if (Result<void> R = Inner.read(Index, It->second); !R) {
          Blocks.erase(It);
          return R;
        }
      Out = It->second;
      return {};
    }
    for (; Next <= Index; ++Next)
      if (Result<void> R = Inner.read(Next, Blocks[Next]); !R)
        return R;
    Out = Blocks[Index];
    return {};
  }

private:
  trace::TraceSource &Inner;
  std::unordered_map<uint64_t, trace::BlockTrace> Blocks;
  uint64_t Next = 0; ///< that was not read
};

/// Estimates on many machines; a profile is collected once for all that differ
/// only in what it does not depend on.
class IntervalRun {
public:
  IntervalRun(trace::TraceSource &Source, const EstimateOptions &Options,
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

  views::WhatIfView whatIf(const arch::GPUSpec &Spec);
  views::SensitivityView sensitivity(const arch::GPUSpec &Spec);

private:
  arch::GPUSpec changed(const std::string &Set) const {
    std::vector<std::string> Sets = Options.Sets;
    Sets.push_back(Set);
    return take(arch::loadMachine(Options.GPU, Sets));
  }
  void addRow(std::vector<views::WhatIfView::Row> &Rows, std::string Change,
              const arch::GPUSpec &Spec);

  trace::TraceSource &Source;
  const EstimateOptions &Options;
  interval::Model Which;
  interval::CollectOptions Collect;
  interval::EstimateSettings Settings;
  std::map<std::string, interval::IntervalProfile> Profiles;
  std::map<const interval::IntervalProfile *, interval::MachineComparison>
      Machines;
  std::map<const interval::IntervalProfile *, const arch::GPUSpec *> FirstOf;
};

} // namespace

void IntervalRun::addRow(std::vector<views::WhatIfView::Row> &Rows,
                         std::string Change, const arch::GPUSpec &Spec) {
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
  Rows.push_back(std::move(Row));
}

views::WhatIfView IntervalRun::whatIf(const arch::GPUSpec &Spec) {
  std::vector<views::WhatIfView::Row> Rows;
  addRow(Rows, Spec.Name, Spec);
  for (const std::string &Sweep : Options.WhatIf) {
    size_t Equals = Sweep.find('=');
    if (Equals == std::string::npos || Equals + 1 == Sweep.size())
      throw CommandError{fmt::format("--what-if '{}': write FIELD=VALUE or "
                                     "FIELD=VALUE,VALUE...",
                                     Sweep),
                         BadUsage};
    for (size_t At = Equals + 1; At <= Sweep.size();) {
      size_t End = std::min(Sweep.find(',', At), Sweep.size());
      std::string Set =
          Sweep.substr(0, Equals + 1) + Sweep.substr(At, End - At);
      addRow(Rows, Set, changed(Set));
      At = End + 1;
    }
  }
  if (Options.AllGPUs)
    for (std::string_view Name : arch::builtinMachines())
      addRow(Rows, std::string(Name),
             take(arch::loadMachine(Name, Options.Sets)));
  return views::WhatIfView(std::move(Rows));
}

/// Each numeric field a tenth larger, or doubled where the machine takes only
/// powers of two; fields that no other value makes sense for are left out.
views::SensitivityView IntervalRun::sensitivity(const arch::GPUSpec &Spec) {
  std::vector<std::pair<std::string, double>> Fields;
  arch::forEachField(Spec, [&](const arch::FieldInfo &F, const auto &Value) {
    using T = std::decay_t<decltype(Value)>;
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
      if (Value > 0)
        Fields.emplace_back(F.Name, double(Value));
  });
  const double Base = take(estimate(Spec)).TimeUs;
  std::vector<views::SensitivityView::Row> Rows;
  for (const auto &[Field, Value] : Fields)
    for (double Factor : {1.1, 2.0}) {
      double New = Value == std::floor(Value) ? std::ceil(Value * Factor)
                                              : Value * Factor;
      std::vector<std::string> Sets = Options.Sets;
      Sets.push_back(fmt::format("{}={:.10g}", Field, New));
      auto Other = arch::loadMachine(Options.GPU, Sets);
      if (!Other)
        continue;
      auto E = estimate(*Other);
      if (E && Base > 0 && E->TimeUs > 0) {
        double Elasticity = std::log(E->TimeUs / Base) / std::log(New / Value);
        if (std::abs(Elasticity) >= 0.0005)
          Rows.push_back({Field, Value, Elasticity});
      }
      break;
    }
  return views::SensitivityView(std::move(Rows));
}

EstimateReport estimateInterval(trace::TraceSource &Source,
                                const arch::GPUSpec &Spec,
                                const EstimateOptions &Options) {
  std::string Name = "heddle";
  if (size_t At = Options.Model.find('='); At != std::string::npos)
    Name = Options.Model.substr(At + 1);
  const bool Many =
      !Options.WhatIf.empty() || Options.Sensitivity || Options.AllGPUs;
  TimedSource Timed(Source);
  HeldSource Held(Timed);
  IntervalRun Run(Many ? static_cast<trace::TraceSource &>(Held) : Timed,
                  Options, *interval::modelOf(Name));
  double Before = threadSeconds();
  interval::IntervalEstimate E = take(Run.estimate(Spec));
  EstimateReport R;
  R.ModelSeconds = threadSeconds() - Before;
  R.TraceSeconds = Timed.seconds();
  views::IntervalView View(*take(Run.profile(Spec)), E);
  R.Text = View.text();
  View.addTo(R.JSON);
  auto add = [&R](const views::View &V) {
    R.Text += "\n" + V.text();
    V.addTo(R.JSON);
  };
  if (!Options.Measured.empty()) {
    std::vector<views::StoredResult> Results =
        take(views::readResults(Options.Measured, HEDDLE_VERSION));
    if (Results.size() != 1)
      throw CommandError{Options.Measured + ": --measured takes one result"};
    add(take(
        views::StackComparison::make(*take(Run.profile(Spec)), E, Results[0])));
  }
  if (Options.AllModels)
    add(views::ModelsView(Run.byModel(Spec)));
  if (!Options.WhatIf.empty() || Options.AllGPUs)
    add(Run.whatIf(Spec));
  if (Options.Sensitivity)
    add(Run.sensitivity(Spec));
  return R;
}

} // namespace heddle::tool
