//===- Projection.cpp - The whole from its clones -------------------------===//

#include "synthesis/Projection.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

namespace heddle::synthesis {

using JSON = nlohmann::json;

static Result<JSON> readJSON(const std::string &Path) {
  std::ifstream File(Path, std::ios::binary);
  if (!File)
    return fail(
        fmt::format("cannot read '{}': {}", Path, std::strerror(errno)));
  try {
    return JSON::parse(File);
  } catch (const JSON::exception &E) {
    return fail(fmt::format("{}: not JSON: {}", Path, E.what()));
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
    Out.ExpectedError = Plan->at("expected_error");
  } catch (const JSON::exception &E) {
    return fail(
        fmt::format("{}: not the plan of a clone: {}", PlanPath, E.what()));
  }
  try {
    if (Run->at("kernel") != "clone" || Run->at("grid") != Plan->at("grid"))
      return fail(fmt::format("{}: not a result of this clone: kernel '{}'",
                              ResultPath,
                              Run->at("kernel").get<std::string>()));
    if (Run->value("truncated", false))
      return fail(ResultPath + ": the simulation was cut short");
    Out.Machine = Run->at("gpu");
    Out.Totals = totalsOf(*Run);
  } catch (const JSON::exception &E) {
    return fail(fmt::format("{}: not a result of `heddle simulate`: {}",
                            ResultPath, E.what()));
  }
  return Out;
}

/// The value at share 1 of the line through the runs; scaled up if the line
/// would fall below zero.
static double whole(std::span<const CloneRun> Runs, const std::string &Name) {
  double MeanX = 0, MeanY = 0;
  for (const CloneRun &R : Runs) {
    MeanX += R.Share / Runs.size();
    MeanY += R.Totals.at(Name) / Runs.size();
  }
  double XX = 0, XY = 0;
  for (const CloneRun &R : Runs) {
    XX += (R.Share - MeanX) * (R.Share - MeanX);
    XY += (R.Share - MeanX) * (R.Totals.at(Name) - MeanY);
  }
  double Line = XX > 0 ? MeanY + XY / XX * (1 - MeanX) : -1;
  return Line >= 0 ? Line : MeanY / MeanX;
}

Result<std::map<std::string, ProjectedMetric>>
project(std::span<const CloneRun> Runs) {
  for (const CloneRun &R : Runs) {
    if (R.OriginalInstructions != Runs.front().OriginalInstructions)
      return fail("these are clones of different launches");
    if (R.Machine != Runs.front().Machine)
      return fail(fmt::format("these results are of different machines, {} and "
                              "{}",
                              Runs.front().Machine, R.Machine));
  }
  double Least = 1e300, Most = 0, Error = 0;
  for (const CloneRun &R : Runs) {
    Least = std::min(Least, R.Share);
    Most = std::max(Most, R.Share);
    Error = std::max(Error, R.ExpectedError);
  }
  constexpr double Alike = 1.01;
  if (Runs.size() > 1 && Most < Alike * Least)
    return fail("these clones are cut alike; a line needs different ones");
  std::map<std::string, ProjectedMetric> Out;
  for (const auto &[Name, Value] : Runs.front().Totals) {
    // One clone alone also scales up start and end: as much again.
    Out[Name] = {whole(Runs, Name), Runs.size() > 1 ? Error : 2 * Error};
  }
  // The line must not have a resource do more than it can.
  const double LineCycles = Out["cycles"].Value;
  for (auto It = Out.begin(); It != Out.end();)
    if (It->first.starts_with("busy.")) {
      Out["cycles"].Value = std::max(Out["cycles"].Value, It->second.Value);
      It = Out.erase(It);
    } else {
      ++It;
    }
  if (LineCycles > 0)
    Out["time_us"].Value *= Out["cycles"].Value / LineCycles;
  const double Instructions = Runs.front().OriginalInstructions;
  Out["ipc"] = {Instructions / Out["cycles"].Value, Out["cycles"].Error};
  // Shares and means of two totals.
  auto Part = [&](const std::string &Name, const std::string &Of,
                  const std::string &By) {
    if (double All = Out[By].Value)
      Out[Name] = {Out[Of].Value / All, Out[Of].Error};
  };
  Part("active_lanes", "thread_instructions", "warp_instructions");
  for (std::string Space : {"global", "shared"})
    Part(Space + ".transactions_per_request", Space + ".transactions",
         Space + ".requests");
  Part("dram.hit_rate", "dram.hits", "dram.accesses");
  for (std::string Cache : {"l1", "l2"})
    Part(Cache + ".miss_rate", Cache + ".misses", Cache + ".accesses");
  for (auto &[Name, M] : Out)
    if (Name.starts_with("stall."))
      M.Value /= Out["warp_instructions"].Value;
  return Out;
}

} // namespace heddle::synthesis
