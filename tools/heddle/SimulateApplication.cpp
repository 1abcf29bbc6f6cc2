//===- SimulateApplication.cpp - All launches of a recording --------------===//

#include "ApplicationRun.h"
#include "Progress.h"
#include "TextOutput.h"

#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Driver/LaunchSimulator.h"
#include "views/TextTable.h"
#include "views/View.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::tool {

namespace {
struct SimulatedLaunch {
  std::string Kernel;
  Dim3 Grid, Block;
  uint64_t Cycles = 0, WarpInstructions = 0;
};
struct Sums {
  std::string Kernel;
  uint64_t Launches = 0, Cycles = 0, WarpInstructions = 0;

  void add(const SimulatedLaunch &L) {
    ++Launches;
    Cycles += L.Cycles;
    WarpInstructions += L.WarpInstructions;
  }
};
} // namespace

static std::string text(const std::vector<SimulatedLaunch> &Launches,
                        const Sums &All, const arch::GPUSpec &Spec) {
  using views::grouped, views::percent, views::TextTable;
  std::vector<Sums> Kernels;
  for (const SimulatedLaunch &L : Launches) {
    auto At = std::ranges::find(Kernels, L.Kernel, &Sums::Kernel);
    if (At == Kernels.end())
      At = Kernels.insert(At, Sums{L.Kernel});
    At->add(L);
  }
  TextTable Table({TextTable::Left, TextTable::Right, TextTable::Right,
                   TextTable::Right, TextTable::Right});
  Table.header({"kernel", "launches", "warp insts", "cycles", "share"});
  auto Row = [&](const Sums &S) {
    Table.row({S.Kernel, grouped(S.Launches), grouped(S.WarpInstructions),
               grouped(S.Cycles),
               percent(double(S.Cycles), double(All.Cycles))});
  };
  for (const Sums &S : Kernels)
    Row(S);
  Row(All);
  return fmt::format(
      "{} launches on {}: {} cycles, {:.2f} us at {:.0f} MHz\n{}",
      grouped(All.Launches), Spec.Name, grouped(All.Cycles),
      double(All.Cycles) / Spec.Clock.Core, Spec.Clock.Core, Table.str());
}

static views::JSON json(const std::vector<SimulatedLaunch> &Launches,
                        const Sums &All, const arch::GPUSpec &Spec) {
  auto Microseconds = [&](uint64_t Cycles) {
    return double(Cycles) / Spec.Clock.Core;
  };
  views::JSON J = {{"tool", "heddle"},
                   {"version", HEDDLE_VERSION},
                   {"kernel", All.Kernel},
                   {"gpu", Spec.Name},
                   {"model", "timing"},
                   {"cycles", All.Cycles},
                   {"time_us", Microseconds(All.Cycles)},
                   {"warp_instructions", All.WarpInstructions},
                   {"launches", views::JSON::array()}};
  for (const SimulatedLaunch &L : Launches)
    J["launches"].push_back({{"kernel", L.Kernel},
                             {"grid", {L.Grid.X, L.Grid.Y, L.Grid.Z}},
                             {"block", {L.Block.X, L.Block.Y, L.Block.Z}},
                             {"cycles", L.Cycles},
                             {"time_us", Microseconds(L.Cycles)},
                             {"warp_instructions", L.WarpInstructions}});
  return J;
}

void simulateApplication(const SessionOptions &Options,
                         const arch::GPUSpec &Spec) {
  const launch::Application Application = readApplication(Options).Application;
  std::vector<SimulatedLaunch> Launches;
  Sums All{"all"};
  LaunchSimulator Simulator(Spec);
  ReadChecker Checker(DefaultTolerance);
  Progress Bar("simulating", "warp instructions", Options.Quiet);
  auto Visit = guarded([&](size_t Index, Session &S) {
    const WholeLaunch R = take(Simulator.simulate(S));
    Launches.push_back({kernelName(S.kernel()), S.bound().Grid, S.bound().Block,
                        R.Cycles, R.WarpInstructions});
    All.add(Launches.back());
    if (!Bar.update(Index + 1, Application.Steps.size(), All.WarpInstructions))
      throw CommandError{"interrupted"};
  });
  take(forEachLaunch(Options, Application, Visit, &Checker));
  if (!Application.Programs.empty())
    tellReads(Checker, Options.Quiet);
  if (!Options.Json.empty())
    writeText(Options.Json, json(Launches, All, Spec).dump(2) + "\n");
  if (Options.Json != "-" && !Options.Quiet)
    writeText("-", text(Launches, All, Spec));
}

} // namespace heddle::tool
