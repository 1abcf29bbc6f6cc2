//===- SamplingView.cpp - What was simulated and what it projects ---------===//

#include "views/SamplingView.h"

#include "views/TextTable.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace heddle::views {

using sampling::SampledLaunch;

static uint64_t rounded(double Value) { return uint64_t(std::llround(Value)); }

std::string SamplingView::summary() const {
  const sampling::SamplingResult &R = Result;
  TextTable Table("ll");
  Table.line("application",
             "{} launches, {} thread blocks, {} warp instructions",
             grouped(R.Launches), grouped(R.Blocks), grouped(R.Instructions));
  Table.line("simulated", "{} warp instructions, {}", grouped(R.Simulated),
             percent(double(R.Simulated), double(R.Instructions)));
  if (R.StoppedAfter)
    Table.line("interrupted", "with {} of {} launches simulated",
               grouped(*R.StoppedAfter), grouped(R.Launches));
  if (!R.Sampled.empty()) {
    const sampling::Savings S = savingsOf(R);
    Table.line("saving", "{:.1f} x: launches {:.1f} x, {}blocks {:.1f} x{}",
               S.product(), S.Launches,
               S.Clones == 1 ? "" : fmt::format("clones {:.1f} x, ", S.Clones),
               S.Blocks,
               R.Checked ? fmt::format(", checks {:.2f} x", S.Checks) : "");
  }
  if (R.L2Kept)
    Table.row({"caches", "a launch finds L2 as the one before left it, and the "
                         "others empty (--cold: all)"});
  if (R.Units)
    Table.line("units", "{} of {}", grouped(R.ChosenUnits), grouped(R.Units));
  Table.line("projected", "{} cycles, {:.2f} us at {:.0f} MHz",
             grouped(rounded(R.Cycles)), R.Cycles / R.CoreMHz, R.CoreMHz);
  if (R.Confidence)
    Table.line("with 95 % confidence", "{} to {} cycles, {:.2f} % either way",
               grouped(rounded(std::max(0.0, R.Confidence->first))),
               grouped(rounded(R.Confidence->second)),
               100 *
                   std::max(R.Confidence->second - R.Cycles,
                            R.Cycles - R.Confidence->first) /
                   R.Cycles);
  else if (!R.FullCycles)
    Table.row({"error", "not estimated"});
  if (R.FullCycles)
    Table.line("full simulation", "{} cycles: error {:.2f} %",
               grouped(*R.FullCycles), 100 * R.error().value_or(0));
  if (R.IntervalCoverage)
    Table.line("coverage", "{} of {} projections contain it",
               R.IntervalCoverage->Contained, R.IntervalCoverage->Projections);
  if (!R.Ignored.empty())
    Table.row({"ignored", ignoredText(R.Ignored)});
  std::string Text = fmt::format("{} on {}\n{}", R.Method, R.GPU, Table.str());
  for (const std::string &W : R.Warnings)
    Text += fmt::format("warning: {}\n", W);
  return Text;
}

std::string SamplingView::strata() const {
  if (Result.Strata.empty())
    return {};
  TextTable Table("lrrrrr", {"kernel", "launches", "simulated", "warp insts",
                             "cycles", "a launch's deviation"});
  for (const sampling::StratumSummary &S : Result.Strata)
    Table.row({shortName(S.Kernel), grouped(S.Launches), grouped(S.Sampled),
               grouped(S.Instructions), grouped(rounded(S.Cycles)),
               S.Sampled == S.Launches
                   ? "-"
                   : fmt::format("{:.1f} %", 100 * S.Deviation)});
  return "\nStrata\n" + Table.str();
}

std::string SamplingView::baselines() const {
  if (Result.Baselines.empty())
    return {};
  TextTable Table("lrrr", {"method", "simulated", "cycles", "error"});
  auto Row = [&](const std::string &Method, double Fraction, double Cycles) {
    Table.row(
        {Method, fmt::format("{:.2f} %", 100 * Fraction),
         grouped(rounded(Cycles)),
         fmt::format("{:.2f} %", 100 * Result.errorOf(Cycles).value_or(0))});
  };
  Row(Result.Method, Result.sampleFraction(), Result.Cycles);
  for (const sampling::Baseline &B : Result.Baselines)
    Row(B.Method, B.SampleFraction, B.Cycles);
  return "\nOther ways to choose\n" + Table.str();
}

std::string SamplingView::combinations() const {
  if (Result.Combinations.empty())
    return {};
  TextTable Table("llrrrrl", {"interval", "feature", "intervals", "selected",
                              "simulated", "error", ""});
  for (const sampling::Combination &C : Result.Combinations)
    Table.row(
        {C.Interval, C.Feature, grouped(C.Intervals), grouped(C.Selected),
         fmt::format("{:.2f} %", 100 * C.SampleFraction),
         fmt::format("{:.2f} %", 100 * Result.errorOf(C.Cycles).value_or(0)),
         C.Chosen ? "chosen" : ""});
  return "\nIntervals and features\n" + Table.str();
}

std::string SamplingView::launches() const {
  if (Result.Sampled.empty())
    return {};
  TextTable Table("rlrrrrrl",
                  {"launch", "kernel", "stands for", "warp insts", "simulated",
                   "regions", "cycles",
                   std::ranges::all_of(Result.Sampled, &std::string::empty,
                                       &SampledLaunch::Range)
                       ? ""
                       : "range"});
  for (const SampledLaunch &L : Result.Sampled)
    Table.row({std::to_string(L.Launch), shortName(L.Kernel),
               grouped(L.StandsFor), grouped(L.Instructions),
               percent(double(L.Simulated), double(L.Instructions)),
               grouped(L.Regions.size()), grouped(rounded(L.Cycles)), L.Range});
  return "\nSimulated launches\n" + Table.str();
}

std::string SamplingView::regions() const {
  std::string Out;
  for (const SampledLaunch &L : Result.Sampled) {
    TextTable Table("rrrrr",
                    {"region", "first block", "last block", "skipped", "IPC"});
    for (const sampling::Region &R : L.Regions) {
      uint64_t Skipped = 0;
      std::string IPC = "-";
      for (const sampling::SkippedRegion &S : L.Skipped)
        if (S.First == R.First && S.Blocks) {
          Skipped += S.Blocks;
          IPC = fmt::format("{:.3f}", S.IPC);
        }
      Table.row({std::to_string(R.Cluster), grouped(R.First),
                 grouped(R.End - 1), grouped(Skipped), IPC});
    }
    Out += fmt::format("\nRegions of launch {}, epochs of {} blocks\n{}",
                       L.Launch, L.EpochBlocks, Table.str());
  }
  return Out;
}

std::string SamplingView::text() const {
  return summary() + strata() + baselines() + combinations() + launches() +
         (Regions ? regions() : "");
}

static JSON launchJSON(const SampledLaunch &L) {
  JSON Regions = JSON::array(), Skipped = JSON::array();
  for (const sampling::Region &R : L.Regions)
    Regions.push_back({{"region", R.Cluster},
                       {"first_block", R.First},
                       {"last_block", R.End - 1}});
  for (const sampling::SkippedRegion &S : L.Skipped)
    if (S.Blocks)
      Skipped.push_back({{"first_block", S.First},
                         {"blocks", S.Blocks},
                         {"warp_instructions", S.WarpInstructions},
                         {"ipc", S.IPC}});
  JSON Out = {{"launch", L.Launch},
              {"kernel", L.Kernel},
              {"warp_instructions", L.Instructions},
              {"simulated_warp_instructions", L.Simulated},
              {"clone_warp_instructions", L.CloneInstructions},
              {"clone_error", L.CloneError},
              {"cycles", L.Cycles},
              {"stands_for", L.StandsFor},
              {"weight", L.Weight},
              {"epoch_blocks", L.EpochBlocks},
              {"regions", std::move(Regions)},
              {"skipped", std::move(Skipped)}};
  if (!L.Range.empty())
    Out["range"] = L.Range;
  return Out;
}

void SamplingView::addTo(JSON &Out) const {
  const sampling::SamplingResult &R = Result;
  Out["method"] = R.Method;
  Out["gpu"] = R.GPU;
  Out["level"] = R.Level;
  Out["model"] = "timing";
  Out["caches"] = R.L2Kept ? "l2-kept" : "cold";
  if (!R.Ignored.empty())
    Out["ignored"] = R.Ignored;
  if (!R.Assumptions.empty())
    Out["assumptions"] = R.Assumptions;
  Out["num_launches"] = R.Launches;
  Out["num_blocks"] = R.Blocks;
  Out["cycles"] = R.Cycles;
  Out["time_us"] = R.Cycles / R.CoreMHz;
  if (R.Confidence)
    Out["confidence"] = {R.Confidence->first, R.Confidence->second};
  if (R.IntervalCoverage)
    Out["coverage"] = {{"projections", R.IntervalCoverage->Projections},
                       {"contained", R.IntervalCoverage->Contained}};
  if (!R.Warnings.empty())
    Out["warnings"] = R.Warnings;
  if (R.StoppedAfter) {
    Out["truncated"] = true;
    Out["launches_done"] = *R.StoppedAfter;
  }
  for (const sampling::StratumSummary &S : R.Strata)
    Out["strata"].push_back({{"kernel", S.Kernel},
                             {"launches", S.Launches},
                             {"sampled", S.Sampled},
                             {"warp_instructions", S.Instructions},
                             {"cycles", S.Cycles},
                             {"deviation", S.Deviation}});
  Out["warp_instructions"] = R.Instructions;
  Out["instructions_of"] = "profile";
  Out["ipc"] = R.Cycles > 0 ? double(R.Instructions) / R.Cycles : 0;
  Out["simulated_warp_instructions"] = R.Simulated;
  Out["sample_fraction"] = R.sampleFraction();
  if (!R.Sampled.empty()) {
    const sampling::Savings S = savingsOf(R);
    Out["savings"] = {{"launches", S.Launches},
                      {"clones", S.Clones},
                      {"blocks", S.Blocks},
                      {"checks", S.Checks},
                      {"product", S.product()}};
  }
  if (R.Units) {
    Out["units"] = R.Units;
    Out["chosen_units"] = R.ChosenUnits;
  }
  Out["sampled"] = JSON::array();
  for (const SampledLaunch &L : R.Sampled)
    Out["sampled"].push_back(launchJSON(L));
  if (R.FullCycles) {
    Out["full_cycles"] = *R.FullCycles;
    Out["error"] = R.error().value_or(0);
    Out["error_kind"] = "same-simulator";
    for (const sampling::Baseline &B : R.Baselines)
      Out["baselines"].push_back({{"method", B.Method},
                                  {"cycles", B.Cycles},
                                  {"sample_fraction", B.SampleFraction},
                                  {"units", B.Units},
                                  {"error", R.errorOf(B.Cycles).value_or(0)}});
  }
  for (const sampling::Combination &C : R.Combinations)
    Out["combinations"].push_back({{"interval", C.Interval},
                                   {"feature", C.Feature},
                                   {"intervals", C.Intervals},
                                   {"selected", C.Selected},
                                   {"sample_fraction", C.SampleFraction},
                                   {"cycles", C.Cycles},
                                   {"error", R.errorOf(C.Cycles).value_or(0)},
                                   {"chosen", C.Chosen}});
  Out["seconds"] = {{"profile", R.SecondsProfile},
                    {"model", R.SecondsModel},
                    {"full", R.SecondsFull}};
}

} // namespace heddle::views
