//===- SimulateApplication.cpp - All launches of a recording --------------===//

#include "ApplicationRun.h"
#include "Commands.h"
#include "KeptLaunches.h"
#include "KeptState.h"
#include "Progress.h"
#include "TextOutput.h"

#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Driver/LaunchSimulator.h"
#include "heddle/Support/CodeCache.h"
#include "record/Format.h"
#include "streams/StreamSchedule.h"
#include "views/MachineView.h"
#include "views/ResultHead.h"
#include "views/StreamView.h"
#include "views/TextTable.h"
#include "views/View.h"

#include "llvm/Support/xxhash.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace heddle::tool {

namespace {
struct SimulatedLaunch {
  std::string Kernel;
  Dim3 Grid, Block;
  uint64_t Cycles = 0, WarpInstructions = 0;
};
/// How the program's operations overlap.
struct Overlap {
  launch::Operations Operations;
  streams::StreamSchedule Schedule;
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

static const char *cachesLine(const arch::GPUSpec &Spec) {
  return Spec.Launch.KeepL2 ? "\nCaches: a launch finds L2 as the one before "
                              "left it, and the others empty (--cold: all)\n"
                            : "\nCaches: empty at each launch\n";
}

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
  TextTable Table("lrrrr",
                  {"kernel", "launches", "warp insts", "cycles", "share"});
  auto Row = [&](const Sums &S) {
    Table.row({views::shortName(S.Kernel), grouped(S.Launches),
               grouped(S.WarpInstructions), grouped(S.Cycles),
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
                        const Sums &All, const arch::GPUSpec &Spec, ISA Level,
                        const std::vector<std::string> &Assumptions,
                        const SessionOptions &Options, bool Stopped,
                        const std::optional<Overlap> &Streams) {
  auto Microseconds = [&](uint64_t Cycles) {
    return double(Cycles) / Spec.Clock.Core;
  };
  views::JSON J = views::resultHead("application", HEDDLE_VERSION);
  J.update({{"kernel", All.Kernel},
            {"gpu", Spec.Name},
            {"level", nameOf(Level).str()},
            {"model", "timing"},
            {"caches", Spec.Launch.KeepL2 ? "l2-kept" : "cold"},
            {"cycles", All.Cycles},
            {"time_us", Microseconds(All.Cycles)},
            {"warp_instructions", All.WarpInstructions},
            {"launches", views::JSON::array()}});
  views::addMachine(J, Spec);
  addInputs(J, Options);
  addAssumptions(J, Assumptions);
  if (Stopped)
    J["truncated"] = true;
  for (const SimulatedLaunch &L : Launches)
    J["launches"].push_back({{"kernel", L.Kernel},
                             {"grid", {L.Grid.X, L.Grid.Y, L.Grid.Z}},
                             {"block", {L.Block.X, L.Block.Y, L.Block.Z}},
                             {"cycles", L.Cycles},
                             {"time_us", Microseconds(L.Cycles)},
                             {"warp_instructions", L.WarpInstructions}});
  if (Streams)
    views::StreamView(Streams->Operations, Streams->Schedule).addTo(J);
  return J;
}

/// Places all operations of \p Read on the clock; nothing if it says none.
/// \p Uses: of its launches.
static std::optional<Overlap>
overlap(ReadApplication &Read, const std::vector<streams::LaunchUse> &Uses,
        const arch::GPUSpec &Spec, std::vector<std::string> &Assumptions) {
  if (Read.Operations.All.empty()) {
    if (!Read.Application.Programs.empty())
      Assumptions.push_back(
          "the recording says nothing of streams, as of an older version: "
          "launches are taken to run one after the other");
    return std::nullopt;
  }
  Assumptions.push_back(
      "overlap: each launch is simulated alone, in the order of the calls; "
      "those that may run together get CTA slots in order of issue, and share "
      "issue slots, pipes, L2 and DRAM by their mean use");
  Assumptions.push_back(fmt::format(
      "overlap: {}; memory of the host counts as pinned, managed memory as the "
      "GPU's, and the host itself takes no time",
      Spec.Host.Bandwidth > 0
          ? fmt::format("copies from and to the host take {:g} GB/s "
                        "(host.bandwidth) and no latency",
                        Spec.Host.Bandwidth)
          : "copies from and to the host take no time, since the machine does "
            "not say host.bandwidth"));
  auto Schedule = streams::scheduleStreams(Read.Operations, Uses, Spec);
  return Overlap{std::move(Read.Operations), std::move(Schedule)};
}

/// Writes what was asked for of the simulated launches.
static void tell(ReadApplication &Read,
                 const std::vector<SimulatedLaunch> &Launches, const Sums &All,
                 const std::vector<streams::LaunchUse> &Uses,
                 const arch::GPUSpec &Spec, ISA Level,
                 std::vector<std::string> Assumptions,
                 const std::vector<std::string> &CodeNotes,
                 const SessionOptions &Options, bool Stopped) {
  std::optional<Overlap> Streams;
  if (!Stopped)
    Streams = overlap(Read, Uses, Spec, Assumptions);
  noteAssumptions(Assumptions, fmt::format("{}", fmt::join(CodeNotes, "\n")));
  if (!Options.Json.empty())
    writeJSON(Options.Json, json(Launches, All, Spec, Level, Assumptions,
                                 Options, Stopped, Streams));
  if (Options.Json == "-" || Options.Quiet)
    return;
  std::string Text = text(Launches, All, Spec);
  if (Streams)
    Text += views::StreamView(Streams->Operations, Streams->Schedule).text();
  else if (!Stopped && !Read.Application.Programs.empty())
    Text += "\nStreams: the recording, of an older version, says nothing of "
            "them\n";
  writeText("-", Text + cachesLine(Spec) + codeLine(Level, CodeNotes));
}

std::string applicationPlan(const SessionOptions &Options,
                            const arch::GPUSpec &Spec, ISA Level) {
  namespace fs = std::filesystem;
  const fs::path Given(Options.Input);
  const fs::path Log =
      fs::is_directory(Given) ? Given / record::LogName : Given;
  std::ifstream File(Log, std::ios::binary);
  const std::string Bytes(std::istreambuf_iterator<char>(File), {});
  views::JSON Launches = views::JSON::array();
  size_t Count = 0;
  for (const launch::Step &S :
       take(heddle::readApplication(Options)).Application.Steps)
    if (S.isLaunch())
      Launches.push_back({std::to_string(Count++)});
  return views::JSON{
      {"recording", fmt::format("{:016x}", llvm::xxh3_64bits(Bytes))},
      {"machine", views::machineJSON(Spec)},
      {"level", nameOf(Level).str()},
      {"arch", Options.Arch},
      {"clang", Options.ClangArgs},
      {"version", HEDDLE_VERSION},
      {"axes", {{{"keys", {"launch"}}, {"values", Launches}}}}}
      .dump();
}

void simulateApplication(const SessionOptions &Options,
                         const arch::GPUSpec &Spec, ISA Level,
                         const std::string &Resume, double SaveEvery,
                         const Shard &Part) {
  ReadApplication Read = readApplication(Options);
  const launch::Application &Application = Read.Application;
  const size_t Total =
      size_t(std::ranges::count_if(Application.Steps, &launch::Step::isLaunch));
  LaunchSimulator Simulator(Spec, Level,
                            Spec.Launch.KeepL2 ? CachesAtLaunch::L2Kept
                                               : CachesAtLaunch::Cold);
  std::optional<KeptLaunches> Kept;
  const std::string Plan =
      Resume.empty() ? "" : applicationPlan(Options, Spec, Level);
  if (!Resume.empty())
    Kept.emplace(Resume, Plan, Spec, Total, Simulator);
  if (Kept && Kept->size() && !Options.Quiet)
    fmt::print(stderr, "{}: {} of {} launches are there\n", Resume,
               Kept->size(), Total);
  std::vector<SimulatedLaunch> Launches;
  std::vector<streams::LaunchUse> Uses;
  std::vector<std::string> Assumptions, CodeNotes;
  Sums All{"all"};
  ReadChecker Checker(DefaultTolerance);
  Progress Bar("simulating", "warp instructions", Options.Quiet);
  bool Stopped = false;
  std::optional<KeptState> State; ///< of the launch that is simulated
  auto Visit = guarded([&](size_t Index, Session &S) {
    noteAssumptions(Assumptions, S);
    take(noteCode(CodeNotes, S, Level));
    State.reset();
    if (Kept && !Kept->find(Index))
      State.emplace(Resume + ".state", Plan + buildIdentity(),
                    KeptState::Seconds(SaveEvery), Index);
    if (State && State->cycle() && !Options.Quiet)
      fmt::print(stderr, "heddle: note: launch {} goes on at cycle {}\n", Index,
                 State->cycle());
    Simulator.keepStates(State ? &*State : nullptr);
    auto Ask = [&](size_t Distinct) -> std::optional<WholeLaunch> {
      if (auto L = Kept ? Kept->find(Index) : std::nullopt)
        return L;
      return Part.holds(Distinct)
                 ? std::nullopt
                 : std::optional(WholeLaunch{0, 0, {}, /*Left=*/true, 0});
    };
    auto R = Simulator.simulate(S, nullptr, Ask);
    Stopped = Progress::interrupted();
    const WholeLaunch L = take(std::move(R));
    if (!L.Left) {
      Launches.push_back({kernelName(S.kernel()), S.bound().Grid,
                          S.bound().Block, L.Cycles, L.WarpInstructions});
      Uses.push_back(L.Use);
      All.add(Launches.back());
      Bar.keepPartialResult();
      if (Kept)
        Kept->keep(Index, Launches.back().Kernel, L, Simulator);
      if (State)
        State->remove();
    }
    if (!Bar.update(Index + 1, Total, All.WarpInstructions))
      throw CommandError{"", Interrupted};
  });
  if (llvm::Error E = forEachLaunch(Options, Application, Visit, &Checker)) {
    if (Stopped)
      llvm::consumeError(std::move(E));
    else
      take(std::move(E));
  }
  Stopped &= Launches.size() < Total;
  Progress::clearLine();
  if (Stopped)
    fmt::print(stderr,
               "heddle: warning: interrupted with {} of {} launches simulated; "
               "{}\n",
               Launches.size(), Total,
               Kept ? "the same command goes on from there"
                    : "--resume FILE would have kept them");
  if (Part.Of > 1) {
    if (!Options.Quiet)
      fmt::print("{}: {} of {} launches\n", Resume, Launches.size(), Total);
  } else {
    if (!Stopped && !Application.Programs.empty())
      tellReads(Checker, Options.Quiet);
    tell(Read, Launches, All, Uses, Spec, Level, Assumptions, CodeNotes,
         Options, Stopped);
  }
  if (Stopped)
    throw CommandError{"", Interrupted};
  if (Kept && Launches.size() == Total)
    Kept->finish();
}

} // namespace heddle::tool
