//===- ResultDiff.cpp - Is it slower than before? -------------------------===//

#include "views/ResultDiff.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace heddle::views {

/// Numbers that are compared besides the metric, as JSON pointers.
static constexpr std::pair<const char *, const char *> Compared[] = {
    {"/cycles", "cycles"},
    {"/time_us", "time, us"},
    {"/warp_instructions", "warp instructions"},
    {"/ipc", "instructions per cycle"},
    {"/occupancy/achieved", "achieved occupancy"},
    {"/l1/misses", "L1 misses"},
    {"/l2/misses", "L2 misses"},
    {"/dram/read_bytes", "DRAM bytes read"},
    {"/dram/write_bytes", "DRAM bytes written"},
    {"/shared_conflict_cycles", "shared conflict cycles"}};

static std::optional<double> numberAt(const JSON &Data, const char *Pointer) {
  JSON::json_pointer At(Pointer);
  if (!Data.contains(At) || !Data[At].is_number())
    return std::nullopt;
  return Data[At].get<double>();
}

/// Share of the warp cycles of each line of source.
static std::map<std::pair<std::string, unsigned>, double>
lineShares(const JSON &Data) {
  std::map<std::pair<std::string, unsigned>, double> Shares;
  auto Lines = Data.find("source_lines");
  if (Lines == Data.end())
    return Shares;
  for (const JSON &L : *Lines)
    if (L.is_object() && L.contains("line") && L["line"].is_number_unsigned() &&
        L.contains("share") && L["share"].is_number() && L["line"] != 0)
      Shares[{L.value("file", std::string()), L["line"].get<unsigned>()}] +=
          L["share"].get<double>();
  return Shares;
}

static void compareLines(ResultDiff &D, const StoredResult &A,
                         const StoredResult &B, const DiffOptions &Options) {
  auto Before = lineShares(A.Data), After = lineShares(B.Data);
  std::set<std::pair<std::string, unsigned>> Places;
  for (const auto *Shares : {&Before, &After})
    for (const auto &[Place, Share] : *Shares)
      Places.insert(Place);
  for (const auto &Place : Places) {
    ResultDiff::Line L;
    L.File = Place.first;
    L.Number = Place.second;
    L.Before = Before[Place] * D.MetricBefore;
    L.After = After[Place] * D.MetricAfter;
    L.Regressed = Options.FailOver &&
                  L.After - L.Before > *Options.FailOver * D.MetricBefore;
    if (L.Before != L.After)
      D.Lines.push_back(std::move(L));
  }
  std::ranges::sort(D.Lines, [](const auto &X, const auto &Y) {
    double GrowthX = std::abs(X.After - X.Before),
           GrowthY = std::abs(Y.After - Y.Before);
    return GrowthX != GrowthY
               ? GrowthX > GrowthY
               : std::tie(X.File, X.Number) < std::tie(Y.File, Y.Number);
  });
}

static Result<ResultDiff> diffPair(const StoredResult &A, const StoredResult &B,
                                   const DiffOptions &Options) {
  if (A.kernel() != B.kernel())
    return fail(fmt::format("{} is of kernel '{}', {} of kernel '{}': only "
                            "results of one kernel can be compared",
                            A.Where, A.kernel(), B.Where, B.kernel()));
  if (A.model() != B.model())
    return fail(fmt::format("{} comes from model '{}', {} from model '{}': a "
                            "difference would be the models'",
                            A.Where, A.model(), B.Where, B.model()));
  Result<double> Before = A.number(Options.Metric),
                 After = B.number(Options.Metric);
  if (!Before)
    return std::unexpected(Before.error());
  if (!After)
    return std::unexpected(After.error());
  if (*Before <= 0)
    return fail(fmt::format("{}: '{}' is {}, no change of it can be given in "
                            "percent",
                            A.Where, Options.Metric, *Before));
  for (const StoredResult *R : {&A, &B})
    if (R->Data.contains("truncated") && R->Data["truncated"] == true)
      return fail(R->Where + ": the simulation was stopped early; only whole "
                             "launches can be compared");
  ResultDiff D;
  D.Kernel = A.kernel();
  D.Before = A.Where;
  D.After = B.Where;
  D.GPU = A.gpu() == B.gpu() ? A.gpu() : A.gpu() + " -> " + B.gpu();
  D.MetricBefore = *Before;
  D.MetricAfter = *After;
  D.Regressed = Options.FailOver && D.change() > *Options.FailOver;
  for (auto [Pointer, Name] : Compared) {
    auto X = numberAt(A.Data, Pointer), Y = numberAt(B.Data, Pointer);
    if (X && Y)
      D.Numbers.push_back({Name, *X, *Y});
  }
  auto Stack = A.Data.find("cpi_stack"), Other = B.Data.find("cpi_stack");
  if (Stack != A.Data.end() && Other != B.Data.end()) {
    std::map<std::string, std::pair<double, double>> States;
    for (const auto &[Name, Value] : Stack->items())
      if (Value.is_number())
        States[Name].first = Value;
    for (const auto &[Name, Value] : Other->items())
      if (Value.is_number())
        States[Name].second = Value;
    for (const auto &[Name, Values] : States)
      if (Values.first != Values.second)
        D.States.push_back({Name, Values.first, Values.second});
    std::ranges::sort(D.States, [](const auto &X, const auto &Y) {
      double GrowthX = std::abs(X.After - X.Before),
             GrowthY = std::abs(Y.After - Y.Before);
      return GrowthX != GrowthY ? GrowthX > GrowthY : X.Name < Y.Name;
    });
  }
  compareLines(D, A, B, Options);
  return D;
}

Result<std::vector<ResultDiff>>
diffResults(const std::vector<StoredResult> &Before,
            const std::vector<StoredResult> &After,
            const DiffOptions &Options) {
  if (Before.size() != After.size())
    return fail(fmt::format("{} has {} results, {} has {}: nothing to compare "
                            "some of them with",
                            Before.front().File, Before.size(),
                            After.front().File, After.size()));
  std::vector<ResultDiff> Diffs;
  for (size_t I = 0; I < Before.size(); ++I) {
    Result<ResultDiff> D = diffPair(Before[I], After[I], Options);
    if (!D)
      return std::unexpected(D.error());
    Diffs.push_back(std::move(*D));
  }
  return Diffs;
}

} // namespace heddle::views
