//===- SimulateApplication.cpp - All launches of a recording --------------===//

#include "ApplicationRun.h"
#include "Commands.h"
#include "Progress.h"
#include "SweepStore.h"
#include "TextOutput.h"

#include "base/Fail.h"
#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Driver/LaunchSimulator.h"
#include "record/Format.h"
#include "views/MachineView.h"
#include "views/ResultHead.h"
#include "views/TextTable.h"
#include "views/View.h"

#include "llvm/Support/xxhash.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace heddle::tool {

namespace {
/// The launches of a recording that were simulated before, and where new ones
/// are kept. Where a launch finds L2 as the one before left it, that lies
/// beside them for the last ones: from there a later process goes on. Functions
/// throw CommandError.
class KeptLaunches {
public:
  /// What \p Path has of the simulation \p Plan of \p Total launches;
  /// \p Simulator gets the contents of L2.
  KeptLaunches(const std::string &Path, const std::string &Plan,
               const arch::GPUSpec &Spec, size_t Total,
               LaunchSimulator &Simulator);

  size_t size() const { return Known.size(); }
  std::optional<WholeLaunch> find(size_t Index) const;
  /// Keeps launch \p Index, the last one that \p Simulator simulated.
  void keep(size_t Index, const std::string &Kernel, const WholeLaunch &L,
            const LaunchSimulator &Simulator);
  /// All launches are there: no one goes on from here.
  void finish();

private:
  void readLaunches();
  void readStates(const arch::GPUSpec &Spec, LaunchSimulator &Simulator);
  void checkChain(size_t Total) const;
  Result<void> keepStates(const L2States &States);

  SweepStore Store;
  std::map<size_t, WholeLaunch> Known;
  std::set<uint64_t> Stored; ///< fingerprints of contents of L2
};
} // namespace

KeptLaunches::KeptLaunches(const std::string &Path, const std::string &Plan,
                           const arch::GPUSpec &Spec, size_t Total,
                           LaunchSimulator &Simulator)
    : Store(take(SweepStore::open(Path, Plan))) {
  readLaunches();
  if (!Spec.Launch.KeepL2)
    return;
  readStates(Spec, Simulator);
  checkChain(Total);
}

void KeptLaunches::readLaunches() {
  take(Store.forEach([&](const SweepRow &Row) -> Result<void> {
    const auto J =
        views::JSON::parse(Row.Result, nullptr, /*allow_exceptions=*/false);
    const auto Number = [&](const char *Key) {
      return J.is_object() && J.contains(Key) && J[Key].is_number_unsigned()
                 ? std::optional(J[Key].get<uint64_t>())
                 : std::nullopt;
    };
    const auto Cycles = Number("cycles"), Insts = Number("warp_instructions");
    if (!Cycles || !Insts)
      return fail("{}: launch {} is damaged; remove the file to start over",
                  Store.path(), Row.Index);
    Known.emplace(
        Row.Index,
        WholeLaunch{*Cycles, *Insts, {}, false, Number("l2").value_or(0)});
    return {};
  }));
}

void KeptLaunches::readStates(const arch::GPUSpec &Spec,
                              LaunchSimulator &Simulator) {
  take(Store.forEachState([&](uint64_t Id,
                              std::span<const uint8_t> Bytes) -> Result<void> {
    auto L2 = memory::L2Contents::decode(Bytes, Id, Spec);
    if (!L2)
      return fail(
          "{}: contents of L2 are damaged ({}); remove the file to start over",
          Store.path(), L2.error().Message);
    Simulator.addL2(Id, std::move(*L2));
    Stored.insert(Id);
    return {};
  }));
}

/// The launches that are there are the first ones, and the next one finds what
/// the last of them left.
void KeptLaunches::checkChain(size_t Total) const {
  size_t Next = 0;
  for (const auto &[Index, L] : Known)
    if (Index != Next++)
      throw inputError("{}: launch {} is missing, but later ones are there; "
                       "remove the file to start over",
                       Store.path(), Next - 1);
  if (Next && Next < Total && !Stored.count(Known.rbegin()->second.L2After))
    throw inputError("{}: what launch {} left in L2 is missing; remove the "
                     "file to start over",
                     Store.path(), Next - 1);
}

std::optional<WholeLaunch> KeptLaunches::find(size_t Index) const {
  const auto At = Known.find(Index);
  return At == Known.end() ? std::nullopt : std::optional(At->second);
}

void KeptLaunches::keep(size_t Index, const std::string &Kernel,
                        const WholeLaunch &L,
                        const LaunchSimulator &Simulator) {
  if (Known.count(Index))
    return;
  views::JSON Row = {{"kernel", Kernel},
                     {"cycles", L.Cycles},
                     {"warp_instructions", L.WarpInstructions}};
  if (L.L2After)
    Row["l2"] = L.L2After;
  take(Store.inOneStep([&]() -> Result<void> {
    if (Result<void> R = keepStates(Simulator.l2States()); !R)
      return R;
    return Store.add(
        {Index, views::JSON{{"launch", Index}}.dump(), Row.dump(), {}});
  }));
}

/// Contents are written once, and go when the simulator has let them go.
Result<void> KeptLaunches::keepStates(const L2States &States) {
  std::set<uint64_t> Gone = std::exchange(Stored, {});
  for (const auto &[Fingerprint, L2] : States) {
    Stored.insert(Fingerprint);
    if (!Gone.erase(Fingerprint))
      if (Result<void> R = Store.addState(Fingerprint, L2.encode()); !R)
        return R;
  }
  for (uint64_t Fingerprint : Gone)
    if (Result<void> R = Store.dropState(Fingerprint); !R)
      return R;
  return {};
}

void KeptLaunches::finish() {
  if (Stored.empty())
    return;
  take(Store.inOneStep([&] { return keepStates({}); }));
  take(Store.finish());
}

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
                        const Sums &All, const arch::GPUSpec &Spec,
                        const std::vector<std::string> &Assumptions,
                        const std::string &Input, bool Stopped) {
  auto Microseconds = [&](uint64_t Cycles) {
    return double(Cycles) / Spec.Clock.Core;
  };
  views::JSON J = views::resultHead("application", HEDDLE_VERSION);
  J.update({{"kernel", All.Kernel},
            {"gpu", Spec.Name},
            {"level", "ptx"},
            {"model", "timing"},
            {"caches", Spec.Launch.KeepL2 ? "l2-kept" : "cold"},
            {"cycles", All.Cycles},
            {"time_us", Microseconds(All.Cycles)},
            {"warp_instructions", All.WarpInstructions},
            {"launches", views::JSON::array()}});
  views::addMachine(J, Spec);
  addSource(J, Input);
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
  return J;
}

std::string applicationPlan(const SessionOptions &Options,
                            const arch::GPUSpec &Spec) {
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
      {"arch", Options.Arch},
      {"clang", Options.ClangArgs},
      {"version", HEDDLE_VERSION},
      {"axes", {{{"keys", {"launch"}}, {"values", Launches}}}}}
      .dump();
}

void simulateApplication(const SessionOptions &Options,
                         const arch::GPUSpec &Spec, const std::string &Resume,
                         const Shard &Part) {
  const launch::Application Application = readApplication(Options).Application;
  const size_t Total =
      size_t(std::ranges::count_if(Application.Steps, &launch::Step::isLaunch));
  LaunchSimulator Simulator(Spec, Spec.Launch.KeepL2 ? CachesAtLaunch::L2Kept
                                                     : CachesAtLaunch::Cold);
  std::optional<KeptLaunches> Kept;
  if (!Resume.empty())
    Kept.emplace(Resume, applicationPlan(Options, Spec), Spec, Total,
                 Simulator);
  if (Kept && Kept->size() && !Options.Quiet)
    fmt::print(stderr, "{}: {} of {} launches are there\n", Resume,
               Kept->size(), Total);
  std::vector<SimulatedLaunch> Launches;
  std::vector<std::string> Assumptions;
  Sums All{"all"};
  ReadChecker Checker(DefaultTolerance);
  Progress Bar("simulating", "warp instructions", Options.Quiet);
  bool Stopped = false;
  auto Visit = guarded([&](size_t Index, Session &S) {
    noteAssumptions(Assumptions, S);
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
      All.add(Launches.back());
      Bar.keepPartialResult();
      if (Kept)
        Kept->keep(Index, Launches.back().Kernel, L, Simulator);
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
    if (!Options.Json.empty())
      writeJSON(Options.Json,
                json(Launches, All, Spec, Assumptions, Options.Input, Stopped));
    if (Options.Json != "-" && !Options.Quiet)
      writeText("-",
                text(Launches, All, Spec) + cachesLine(Spec) + ptxLine(Spec));
  }
  if (Stopped)
    throw CommandError{"", Interrupted};
  if (Kept && Launches.size() == Total)
    Kept->finish();
}

} // namespace heddle::tool
