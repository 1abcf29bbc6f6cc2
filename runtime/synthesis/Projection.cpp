//===- Projection.cpp - The whole from its clones -------------------------===//

#include "synthesis/Projection.h"

#include "base/Fail.h"
#include "base/JSONText.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <ranges>
#include <vector>

namespace heddle::synthesis {

using JSON = nlohmann::ordered_json;

static Result<JSON> readJSON(const std::string &Path) {
  std::ifstream File(Path, std::ios::binary);
  if (!File)
    return fail("cannot read '{}': {}", Path, std::strerror(errno));
  const std::string Text(std::istreambuf_iterator<char>(File), {});
  if (nestsTooDeep(Text))
    return fail(Path + NestsTooDeep);
  try {
    return JSON::parse(Text);
  } catch (const JSON::exception &E) {
    return fail("{}: not JSON: {}", Path, E.what());
  }
}

/// Totals that grow with the work. Stalls are in cycles per warp instruction
/// there.
static std::map<std::string, double> totalsOf(const JSON &R) {
  std::map<std::string, double> T;
  T["cycles"] = R.at("cycles");
  T["time_us"] = R.at("time_us");
  T["warp_instructions"] = R.at("warp_instructions");
  T["thread_instructions"] = R.at("thread_instructions");
  T["shared_conflict_cycles"] = R.at("shared_conflict_cycles");
  for (const char *Space : {"global", "shared"}) {
    const JSON &S = R.at("spaces").at(Space);
    T[fmt::format("{}.requests", Space)] = S.at("instructions");
    T[fmt::format("{}.transactions", Space)] = S.at("transactions");
  }
  for (const char *Cache : {"l1", "l2"})
    for (const char *Field : {"accesses", "hits", "misses", "writes"})
      T[fmt::format("{}.{}", Cache, Field)] = R.at(Cache).at(Field);
  for (const char *Field :
       {"accesses", "hits", "reads", "writes", "read_bytes", "write_bytes"})
    T[fmt::format("dram.{}", Field)] = R.at("dram").at(Field);
  for (const auto &[Name, Value] : R.at("cpi_stack").items())
    T["stall." + Name] = double(Value) * T["warp_instructions"];
  // Cycles that the whole of a resource would need for what it did.
  auto Busy = [&](const std::string &Name, const JSON &Resource) {
    T["busy." + Name] = T["cycles"] * Resource.value("utilization", 0.0);
  };
  Busy("dram", R.at("dram"));
  for (const auto &[Name, Pipe] : R.at("pipes").items())
    Busy(Name, Pipe);
  return T;
}

/// A clone that can be given to others has only their number.
static Result<std::vector<std::string>> assumptionsOf(const JSON &Plan,
                                                      const std::string &Path) {
  if (Plan.contains("assumptions"))
    return Plan.at("assumptions").get<std::vector<std::string>>();
  const JSON Count = Plan.at("original").value("assumptions", JSON(0u));
  if (!Count.is_number_unsigned())
    return fail(Path + ": the number of assumptions must be a whole one");
  if (Count == 0)
    return std::vector<std::string>();
  return std::vector{
      fmt::format("{}: {} of the original's launch; its profile, or "
                  "`heddle simulate` of it, has the texts",
                  Path, Count.get<uint64_t>())};
}

Result<CloneRun> readCloneRun(const std::string &Folder) {
  const std::string PlanPath = Folder + "/clone.json",
                    ResultPath = Folder + "/result.json";
  auto Plan = readJSON(PlanPath);
  if (!Plan)
    return std::unexpected(Plan.error());
  auto Run = readJSON(ResultPath);
  if (!Run)
    return fail(Run.error().Message +
                fmt::format("; write it with `heddle simulate {0}/clone.ptx "
                            "--launch {0}/clone.launch.yaml --json {1}`",
                            Folder, ResultPath));
  CloneRun Out;
  try {
    Out.Share = 1 / Plan->at("expected_scale").get<double>();
    Out.OriginalInstructions = Plan->at("original").at("warp_instructions");
    Out.Blocks = 1 / Plan->value("grid_factor", 1.0);
    Out.ExpectedError = Plan->at("expected_error");
    Out.DrawnError = Plan->value("drawn_error", 0.0);
    auto Assumptions = assumptionsOf(*Plan, PlanPath);
    if (!Assumptions)
      return std::unexpected(Assumptions.error());
    Out.Assumptions = std::move(*Assumptions);
  } catch (const JSON::exception &E) {
    return fail("{}: not the plan of a clone: {}", PlanPath, E.what());
  }
  try {
    if (Run->at("kernel") != "clone" || Run->at("grid") != Plan->at("grid"))
      return fail("{}: not a result of this clone: kernel '{}'", ResultPath,
                  Run->at("kernel").get<std::string>());
    if (Run->value("truncated", false))
      return fail(ResultPath + ": the simulation was cut short");
    Out.Machine = Run->at("gpu");
    if (Run->contains("machine"))
      Out.MachineFields = Run->at("machine").dump();
    Out.Level = Run->at("code").at("level");
    Out.Totals = totalsOf(*Run);
  } catch (const JSON::exception &E) {
    return fail("{}: not a result of `heddle simulate`: {}", ResultPath,
                E.what());
  }
  return Out;
}

/// How far a launch is from what its busiest resource can do, where clones are
/// too short to say: an assumption.
static constexpr double ErrorOfLimit = 0.03;

namespace {
/// What the fit weighs in a clone: the launch, its work, its blocks, the work
/// of a block. The last wave of blocks, which clones keep, takes as much longer
/// as a block does.
enum Term : size_t { Launch, Work, Blocks, BlockWork };
constexpr size_t MostTerms = 4;
using Terms = std::array<double, MostTerms>;
using Order = std::array<Term, MostTerms>;
using Equations = std::array<std::array<double, MostTerms + 1>, MostTerms>;
using Values = std::map<std::string, double>;

/// Three clones that differ in blocks and trips leave one term out: what a
/// launch costs beside its waves, or that its last wave lasts as long as others
/// although it is not full.
constexpr Order LaunchLast = {Work, BlockWork, Blocks, Launch};
constexpr Order LastWaveLast = {Launch, Work, Blocks, BlockWork};

/// A line, or what blocks and trips make of it, through clones by least
/// squares. Of the terms it has the first in an order that do not depend on
/// each other, no more than there are clones.
class Fit {
public:
  Fit(std::span<const CloneRun> Runs, const Order &O) : Runs(Runs) {
    for (const CloneRun &R : Runs)
      Rows.push_back({1, R.Share, R.Blocks, R.Share / R.Blocks});
    for (Term T : O) {
      Used.push_back(T);
      if (Used.size() > Rows.size() || !solvable())
        Used.pop_back();
    }
  }
  /// Clones that it takes at least: 1 means that a clone is only scaled up.
  size_t size() const { return Used.size(); }

  /// The value of the whole. Scaled up if the fit would fall below zero.
  double whole(const std::string &Name) const {
    double Sum = 0, Work = 0;
    for (const CloneRun &R : Runs) {
      Sum += R.Totals.at(Name);
      Work += R.Share;
    }
    double Value = size() > 1 ? fitted(Name) : -1;
    return Value >= 0 ? Value : Sum / Work;
  }

private:
  /// The normal equations, with the right side in the last column.
  Equations equations(const std::string *Name) const {
    Equations E = {};
    for (size_t R = 0; R < Rows.size(); ++R)
      for (size_t I = 0; I < size(); ++I) {
        for (size_t J = 0; J < size(); ++J)
          E[I][J] += Rows[R][Used[I]] * Rows[R][Used[J]];
        if (Name)
          E[I][MostTerms] += Rows[R][Used[I]] * Runs[R].Totals.at(*Name);
      }
    return E;
  }
  /// Gauss; false if terms depend on each other.
  bool eliminate(Equations &E) const {
    constexpr double Dependent = 1e-6; // clones that differ by 1 % do not
    for (size_t I = 0; I < size(); ++I) {
      if (E[I][I] <= Dependent * scale(I))
        return false;
      for (size_t R = 0; R < size(); ++R)
        if (R != I) {
          double By = E[R][I] / E[I][I];
          for (size_t C = 0; C <= MostTerms; ++C)
            E[R][C] -= By * E[I][C];
        }
    }
    return true;
  }
  double scale(size_t I) const {
    double Sum = 0;
    for (const Terms &R : Rows)
      Sum += R[Used[I]] * R[Used[I]];
    return Sum;
  }
  bool solvable() const {
    auto E = equations(nullptr);
    return eliminate(E);
  }
  double fitted(const std::string &Name) const {
    auto E = equations(&Name);
    eliminate(E);
    double Sum = 0;
    for (size_t I = 0; I < size(); ++I)
      Sum += E[I][MostTerms] / E[I][I];
    return Sum;
  }

  std::span<const CloneRun> Runs;
  std::vector<Terms> Rows;
  std::vector<Term> Used;
};
} // namespace

/// All metrics of the whole, without errors. \p AtMost becomes whether a
/// resource decides the cycles: it cannot do more.
static Values valuesOf(std::span<const CloneRun> Runs,
                       const Order &O = LaunchLast, bool *AtMost = nullptr) {
  const Fit Line(Runs, O);
  Values Out;
  for (const auto &[Name, Value] : Runs.front().Totals)
    Out[Name] = Line.whole(Name);
  // The line must not exceed what a resource can do.
  const double LineCycles = Out["cycles"];
  for (auto It = Out.begin(); It != Out.end();)
    if (It->first.starts_with("busy.")) {
      Out["cycles"] = std::max(Out["cycles"], It->second);
      It = Out.erase(It);
    } else {
      ++It;
    }
  if (AtMost)
    *AtMost = Out["cycles"] > LineCycles;
  if (LineCycles > 0)
    Out["time_us"] *= Out["cycles"] / LineCycles;
  Out["ipc"] = Runs.front().OriginalInstructions / Out["cycles"];
  // Shares and means of two totals.
  auto Part = [&](const std::string &Name, const std::string &Of,
                  const std::string &By) {
    if (double All = Out[By])
      Out[Name] = Out[Of] / All;
  };
  Part("active_lanes", "thread_instructions", "warp_instructions");
  for (std::string Space : {"global", "shared"})
    Part(Space + ".transactions_per_request", Space + ".transactions",
         Space + ".requests");
  Part("dram.hit_rate", "dram.hits", "dram.accesses");
  for (std::string Cache : {"l1", "l2"})
    Part(Cache + ".miss_rate", Cache + ".misses", Cache + ".accesses");
  for (auto &[Name, Value] : Out)
    if (Name.starts_with("stall."))
      Value /= Out["warp_instructions"];
  return Out;
}

/// The projections of \p Runs without one of them each, as far as what is left
/// allows a fit of \p Size terms.
static std::vector<Values> withoutOne(std::span<const CloneRun> Runs,
                                      size_t Size) {
  std::vector<Values> Out;
  for (size_t I = 0; Size > 1 && Runs.size() > Size && I < Runs.size(); ++I) {
    std::vector<CloneRun> Rest(Runs.begin(), Runs.end());
    Rest.erase(Rest.begin() + I);
    if (Fit(Rest, LaunchLast).size() == Size)
      Out.push_back(valuesOf(Rest));
  }
  return Out;
}

/// Half of what lies between the least and the greatest value, relative to \p
/// Whole.
static double disagreement(const std::vector<Values> &All,
                           const std::string &Name, double Whole) {
  double Least = 1e300, Most = -1e300;
  for (const Values &V : All) {
    const auto At = V.find(Name);
    if (At == V.end())
      return 1;
    Least = std::min(Least, At->second);
    Most = std::max(Most, At->second);
  }
  if (Most == Least)
    return 0;
  return Whole != 0 ? (Most - Least) / std::abs(Whole) / 2 : 1;
}

Result<std::map<std::string, ProjectedMetric>>
project(std::span<const CloneRun> Runs) {
  if (Runs.empty())
    return fail("there is no clone to project from");
  for (const CloneRun &R : Runs) {
    if (R.OriginalInstructions != Runs.front().OriginalInstructions)
      return fail("these are clones of different launches");
    if (R.Machine != Runs.front().Machine)
      return fail("these results are of different machines, {} and {}",
                  Runs.front().Machine, R.Machine);
    if (R.Level != Runs.front().Level)
      return fail("these results are of different levels of code, {} and {}",
                  Runs.front().Level, R.Level);
    if (!std::ranges::equal(std::views::keys(R.Totals),
                            std::views::keys(Runs.front().Totals)))
      return fail("these results have different counters; simulate all clones "
                  "with one version of Heddle");
  }
  std::vector<CloneRun> Sorted(Runs.begin(), Runs.end());
  std::sort(
      Sorted.begin(), Sorted.end(),
      [](const CloneRun &A, const CloneRun &B) { return A.Share < B.Share; });
  constexpr double Alike = 1.01;
  if (Runs.size() > 1 && Sorted.back().Share < Alike * Sorted.front().Share)
    return fail("these clones are cut alike; a line needs different ones");
  double Planned = 0, Drawn = 0;
  for (const CloneRun &R : Runs) {
    Planned = std::max(Planned, R.ExpectedError);
    Drawn = std::max(Drawn, R.DrawnError);
  }
  bool AtMost = false;
  const Values All = valuesOf(Sorted, LaunchLast, &AtMost);
  const size_t Size = Fit(Sorted, LaunchLast).size();
  const std::vector<Values> Others = withoutOne(Sorted, Size);
  std::map<std::string, ProjectedMetric> Out;
  // One clone alone also scales up start and end: as much again.
  const double Alone = Size > 1 ? Planned : 2 * Planned,
               Expected =
                   std::sqrt(std::max(Alone * Alone - Drawn * Drawn, 0.0));
  for (const auto &[Name, Value] : All)
    Out[Name] =
        Others.size() < 2
            ? ProjectedMetric{Value, Alone, Expected}
            : ProjectedMetric{
                  Value, std::hypot(disagreement(Others, Name, Value), Drawn)};
  if (Others.size() < 2 && Size == MostTerms - 1) {
    const std::vector<Values> Both = {All, valuesOf(Sorted, LastWaveLast)};
    for (const char *Name : TimeMetrics)
      Out[Name] = {
          Out[Name].Value,
          std::hypot(disagreement(Both, Name, Out[Name].Value), Drawn)};
  }
  // The lines say nothing of how near to that limit the original comes.
  if (AtMost)
    for (const char *Name : TimeMetrics)
      Out[Name].Error = std::hypot(Out[Name].Error, ErrorOfLimit);
  return Out;
}

} // namespace heddle::synthesis
