//===- IntervalReport.cpp - What the interval model has to tell -----------===//

#include "views/IntervalReport.h"

#include "views/ResultHead.h"
#include "views/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace heddle::interval;

namespace heddle::views {

static JSON stackOf(const IntervalEstimate &E) {
  JSON Out = JSON::object();
  for (unsigned S = 0; S < NumStackParts; ++S)
    Out[std::string(stackPartName(StackPart(S)))] = E.Stack[S];
  return Out;
}

static std::string stackText(const IntervalEstimate &E) {
  std::string Text;
  for (unsigned S = 0; S < NumStackParts; ++S)
    Text += fmt::format("{}{} {:.3f}", S ? ", " : "",
                        stackPartName(StackPart(S)), E.Stack[S]);
  return Text;
}

static JSON modelsOf(const std::vector<IntervalEstimate> &Estimates) {
  JSON Out = JSON::object();
  for (const IntervalEstimate &E : Estimates)
    Out[std::string(modelName(E.Which))] = {
        {"cycles", uint64_t(std::llround(E.Cycles))},
        {"core_cpi", E.CoreCPI},
        {"gpumech_stack", stackOf(E)}};
  return Out;
}

std::string ModelsView::text() const {
  TextTable Table("lrrl", {"model", "cycles", "us", "CPI of an SM"});
  for (const IntervalEstimate &E : Estimates)
    Table.row({std::string(modelName(E.Which)),
               grouped(uint64_t(std::llround(E.Cycles))),
               fmt::format("{:.2f}", E.TimeUs), stackText(E)});
  return "All interval models\n" + Table.str();
}

void ModelsView::addTo(JSON &Out) const { Out["models"] = modelsOf(Estimates); }

std::string IntervalView::text() const {
  const arch::Occupancy &O = P.Occupancy;
  TextTable Table("ll");
  Table.row({"cycles", cyclesText(E.Cycles, E.LaunchCycles, E.CountedLaunch)});
  Table.line("time", "{:.2f} us at {:.0f} MHz", E.TimeUs, E.CoreMHz);
  Table.line("warp instructions", "{}, IPC {:.2f}", grouped(P.WarpInsts),
             E.IPC);
  Table.line("occupancy", "{} of {} warps per SM ({}), limited by {}",
             O.WarpsPerSM, O.MaxWarpsPerSM, percent(O.Theoretical, 1),
             O.Limiter);
  Table.line("CPI of an SM", "{:.3f} = {}", E.CoreCPI, stackText(E));
  if (E.Intervals)
    Table.line("intervals",
               "{} of the representative warp, {:.1f} instructions and {:.1f} "
               "stall cycles each",
               grouped(E.Intervals), E.IntervalInsts, E.IntervalStall);
  if (E.Which == Model::Heddle) {
    std::string Text;
    for (unsigned C = 0; C < NumCategories; ++C)
      Text += fmt::format("{}{} {:.3f}", C ? ", " : "",
                          categoryName(Category(C)), E.Categories[C]);
    Table.row({"by cause", Text});
    Table.line("replayed", "{} warp instructions of {} SMs",
               grouped(E.ReplayedInsts), P.SMs.size());
    if (P.CollectedShare < 1)
      Table.row({"collected", percent(P.CollectedShare, 1) +
                                  " of the launch, which is alike; --whole "
                                  "reads all"});
    Table.line("busy", "DRAM {}, L2 {}", percent(E.DRAMBusy, 1),
               percent(E.L2Busy, 1));
  }
  Table.row({"roofline", rooflineText(E.Roof, E.IPC)});
  if (!E.Ignored.empty())
    Table.row({"ignored", ignoredText(E.Ignored)});
  return fmt::format("{} on {}, model interval={}\n{}", P.Launch.Kernel, E.GPU,
                     modelName(E.Which), Table.str());
}

void IntervalView::addTo(JSON &Out) const {
  const arch::Occupancy &O = P.Occupancy;
  addLaunch(Out, {P.Launch.Kernel, E.GPU, P.Launch.Grid, P.Launch.Block,
                  fmt::format("interval={}", modelName(E.Which)), E.Ignored,
                  P.Launch.Producer});
  Out["cycles"] = uint64_t(std::llround(E.Cycles));
  Out["launch_overhead_cycles"] = uint64_t(std::llround(E.LaunchCycles));
  Out["time_us"] = E.TimeUs;
  Out["core_mhz"] = E.CoreMHz;
  Out["warp_instructions"] = P.WarpInsts;
  Out["thread_instructions"] = P.ThreadInsts;
  Out["ipc"] = E.IPC;
  Out["core_cpi"] = E.CoreCPI;
  JSON &States = Out["cpi_stack"] = JSON::object();
  if (E.Which == Model::Heddle) {
    for (unsigned S = 0; S < timing::NumStalls; ++S)
      States[std::string(stallName(timing::Stall(S)))] = E.States[S];
    JSON &Categories = Out["cpi_categories"] = JSON::object();
    for (unsigned C = 0; C < NumCategories; ++C)
      Categories[std::string(categoryName(Category(C)))] = E.Categories[C];
  } else {
    States = stackOf(E);
  }
  Out["gpumech_stack"] = stackOf(E);
  Out["intervals"] = {{"count", E.Intervals},
                      {"instructions", E.IntervalInsts},
                      {"stall_cycles", E.IntervalStall},
                      {"warp_instructions", E.RepresentativeInsts},
                      {"warp_classes", P.Classes.size()}};
  addRoofline(Out, E.Roof, E.IPC);
  Out["occupancy"] = {{"theoretical", O.Theoretical},
                      {"limiter", O.Limiter},
                      {"blocks_per_sm", O.BlocksPerSM},
                      {"warps_per_sm", O.WarpsPerSM},
                      {"max_warps_per_sm", O.MaxWarpsPerSM}};
  Out["collected"] = P.CollectedShare;
  Out["l1"] = {{"accesses", P.L1.Accesses},
               {"hits", P.L1.Hits},
               {"writes", P.L1.Writes}};
  Out["l2"] = {{"accesses", P.L2.Accesses},
               {"hits", P.L2.Hits},
               {"writes", P.L2.Writes},
               {"utilization", E.L2Busy}};
  Out["dram"] = {{"read_sectors", P.DRAMReadSectors},
                 {"write_sectors", P.DRAMWriteSectors},
                 {"utilization", E.DRAMBusy}};
}

std::string WhatIfView::text() const {
  if (Rows.empty())
    return "";
  TextTable Table("lrrrl",
                  {"machine", "cycles", "us", "speed-up", "CPI of an SM"});
  for (const Row &R : Rows)
    if (!R.Failed.empty())
      Table.row({R.Change, "-", "-", "-", R.Failed});
    else
      Table.row({R.Change, grouped(uint64_t(std::llround(R.Estimate.Cycles))),
                 fmt::format("{:.2f}", R.Estimate.TimeUs),
                 fmt::format("{:.3f}",
                             R.Estimate.TimeUs > 0
                                 ? Rows[0].Estimate.TimeUs / R.Estimate.TimeUs
                                 : 0),
                 stackText(R.Estimate)});
  return "What if\n" + Table.str();
}

void WhatIfView::addTo(JSON &Out) const {
  JSON &List = Out["what_if"] = JSON::array();
  for (const Row &R : Rows)
    if (!R.Failed.empty())
      List.push_back({{"change", R.Change}, {"error", R.Failed}});
    else {
      List.push_back({{"change", R.Change},
                      {"cycles", uint64_t(std::llround(R.Estimate.Cycles))},
                      {"time_us", R.Estimate.TimeUs},
                      {"ipc", R.Estimate.IPC},
                      {"core_cpi", R.Estimate.CoreCPI},
                      {"gpumech_stack", stackOf(R.Estimate)},
                      {"seconds", R.Seconds}});
      if (!R.Models.empty())
        List.back()["models"] = modelsOf(R.Models);
    }
}

SensitivityView::SensitivityView(std::vector<Row> Given)
    : Rows(std::move(Given)) {
  std::ranges::sort(Rows, [](const Row &A, const Row &B) {
    double X = std::abs(A.Elasticity), Y = std::abs(B.Elasticity);
    return X != Y ? X > Y : A.Field < B.Field;
  });
}

std::string SensitivityView::text() const {
  if (Rows.empty())
    return "";
  TextTable Table("lrr", {"field", "value", "elasticity of time"});
  for (const Row &R : Rows)
    Table.row({R.Field, fmt::format("{:g}", R.Value),
               fmt::format("{:+.3f}", R.Elasticity)});
  return "Sensitivity: relative change of time per relative change of the "
         "field\n" +
         Table.str();
}

void SensitivityView::addTo(JSON &Out) const {
  JSON &List = Out["sensitivity"] = JSON::array();
  for (const Row &R : Rows)
    List.push_back(
        {{"field", R.Field}, {"value", R.Value}, {"elasticity", R.Elasticity}});
}

} // namespace heddle::views
