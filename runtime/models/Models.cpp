//===- Models.cpp - All models, and how they are run ----------------------===//

#include "models/ModelRun.h"

#include "base/JSONText.h"
#include "interval/IntervalModel.h"
#include "pipeline/PipelineModel.h"
#include "timing/Simulator.h"
#include "trace/GridBarriers.h"
#include "views/ResultHead.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <stdexcept>

namespace heddle {

namespace models {

using Interval = interval::Model;
static constexpr const arch::ModelContract &intervalContract(Interval Which) {
  return interval::Contracts[unsigned(Which)];
}

static constexpr ModelRow Rows[] = {
    {"interval", runInterval, intervalContract(Interval::Heddle), true, true},
    {"interval=gpumech", runInterval, intervalContract(Interval::GPUMech), true,
     true},
    {"interval=heddle", runInterval, intervalContract(Interval::Heddle), true,
     true},
    {"interval=markov", runInterval, intervalContract(Interval::Markov), true,
     true},
    {"interval=mt", runInterval, intervalContract(Interval::MT), true, true},
    {"interval=mt-mshr", runInterval, intervalContract(Interval::MTMSHR), true,
     true},
    {"interval=naive", runInterval, intervalContract(Interval::Naive), true,
     true},
    {"pipeline", runPipeline, pipeline::Contract},
    {"pipeline=paper", runPipeline, pipeline::PaperContract},
    {"timing", runTiming, timing::Contract, false},
};

std::span<const ModelRow> modelRows() { return Rows; }

const ModelRow *findModel(std::string_view Name) {
  auto At = std::ranges::find(Rows, Name, &ModelRow::Name);
  return At == std::end(Rows) ? nullptr : At;
}

std::vector<std::string> fastModelNames() {
  std::vector<std::string> Names;
  for (const ModelRow &Row : Rows)
    if (Row.Fast)
      Names.emplace_back(Row.Name);
  return Names;
}

ReportOrError runModel(trace::TraceSource &Source, const arch::GPUSpec &Spec,
                       const ModelRequest &Request) {
  const ModelRow *Row = findModel(Request.Model);
  if (!Row)
    return std::unexpected(
        ModelError({fmt::format("there is no model '{}'; models: {}",
                                Request.Model, fmt::join(modelNames(), ", "))},
                   ModelError::Request));
  if (Row->Fast)
    if (auto Ok = trace::requireNoGridBarrier(
            Source, "the fast models take them to be independent");
        !Ok)
      return std::unexpected(Ok.error());
  ReportOrError Report = Row->Run(Source, Spec, Request);
  if (Report)
    views::addMachine(Report->JSON, Spec);
  return Report;
}

static double secondsOf(clockid_t Clock) {
  timespec T;
  clock_gettime(Clock, &T);
  return double(T.tv_sec) + double(T.tv_nsec) * 1e-9;
}
double threadSeconds() { return secondsOf(CLOCK_THREAD_CPUTIME_ID); }
double processSeconds() { return secondsOf(CLOCK_PROCESS_CPUTIME_ID); }

Result<void> WatchedSource::read(uint64_t Index, trace::BlockTrace &Out) {
  // A number that frames of a trace file are no multiple of.
  constexpr uint64_t First = 64, Every = 17;
  const uint64_t N = Reads++;
  if (OnProgress && !OnProgress(N, Inner.header().Grid.count(), N)) {
    Cancelled = true;
    return fail("interrupted");
  }
  const bool IsTimed = N < First || N % Every == 0;
  const double Before = IsTimed ? threadSeconds() : 0;
  Result<void> R = Inner.read(Index, Out);
  if (IsTimed)
    Seconds += (threadSeconds() - Before) * double(N < First ? 1 : Every);
  // Whoever wants an end has also interrupted the block that was read.
  if (!R && OnProgress && !OnProgress(N, Inner.header().Grid.count(), N))
    Cancelled = true;
  return R;
}

/// The numbers that all results carry (docs/Results.md).
static Prediction summaryOf(const views::JSON &J) {
  auto Dim = [](const views::JSON &A) { return Dim3{A[0], A[1], A[2]}; };
  Prediction P;
  P.Model = J["model"];
  P.Kernel = J["kernel"];
  P.GPU = J["gpu"];
  P.Grid = Dim(J["grid"]);
  P.Block = Dim(J["block"]);
  P.Cycles = J["cycles"];
  P.TimeUs = J["time_us"];
  P.WarpInstructions = J["warp_instructions"];
  P.IPC = J["ipc"];
  double Total = 0;
  const views::JSON None = views::JSON::object();
  const views::JSON &Stack = J.contains("cpi_stack") ? J["cpi_stack"] : None;
  for (const auto &[Name, Cycles] : Stack.items()) {
    Total += Cycles.get<double>();
    if (Name != "selected" && Name != "BASE" && Cycles > 0)
      P.Waits.push_back({Name, Cycles, 0});
  }
  for (Prediction::Wait &W : P.Waits)
    W.Share = W.CyclesPerInst / Total;
  std::ranges::sort(P.Waits, std::greater(), &Prediction::Wait::CyclesPerInst);
  return P;
}

} // namespace models

std::vector<std::string> modelNames() {
  std::vector<std::string> Names;
  for (const models::ModelRow &Row : models::Rows)
    Names.emplace_back(Row.Name);
  return Names;
}

std::expected<Prediction, ModelError> predict(trace::TraceSource &Source,
                                              const arch::GPUSpec &Machine,
                                              std::string_view Model,
                                              const ModelOptions &Options) try {
  models::ModelRequest Request;
  static_cast<ModelOptions &>(Request) = Options;
  Request.Model = Model;
  Request.GPU = Machine.PlainName;
  auto R = models::runModel(Source, Machine, Request);
  if (!R)
    return std::unexpected(R.error());
  views::JSON Out = views::resultHead(
      models::findModel(Model)->Fast ? "estimate" : "simulation",
      HEDDLE_VERSION);
  Out.update(R->JSON);
  Out["seconds"] = R->ModelSeconds;
  Prediction P = models::summaryOf(Out);
  P.Text = std::move(R->Text);
  P.JSON = jsonText(Out, 2) + "\n";
  return P;
} catch (const std::exception &E) {
  // A model that does not end says so by std::logic_error.
  return std::unexpected(ModelError({E.what()}, ModelError::Internal));
}

} // namespace heddle
