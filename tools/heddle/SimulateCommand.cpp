//===- SimulateCommand.cpp - heddle simulate ------------------------------===//

#include "ApplicationRun.h"
#include "CommonOptions.h"
#include "KeptState.h"
#include "Progress.h"
#include "ResumedTrace.h"
#include "TextOutput.h"
#include "base/JSONText.h"

#include "arch/SpecReader.h"
#include "heddle/Driver/LaunchSimulator.h"
#include "heddle/Driver/TraceModes.h"
#include "models/Advice.h"
#include "record/Recording.h"
#include "trace/FlowSource.h"
#include "trace/HeldSource.h"
#include "trace/TraceReader.h"
#include "views/EventView.h"
#include "views/MachineView.h"
#include "views/SimulationReport.h"
#include "views/WarpTrace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <optional>

#if defined(__linux__) && defined(__GLIBC__)
#include <cstdlib>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace heddle::tool {

namespace {

struct SimulateOptions {
  SessionOptions Session;
  std::string GPU = "v100";
  std::vector<std::string> Sets;
  std::optional<ISA> Level;
  uint64_t MaxCycles = NeverCycle;
  views::ReportOptions Views;          ///< which views the text shows
  std::vector<std::string> EventViews; ///< names
  std::optional<views::TimelineWindow> Timeline;
  std::string PerfettoFile;
  uint64_t PerfettoBytes = uint64_t(64) << 20;
  bool WarmL2 = false, Advice = false;
  std::string Resume;    ///< a recording's database of launches, or a trace
  double SaveEvery = 30; ///< seconds
  ShardOptions Shards;
  MetricOptions Metrics;
};

/// Passes events on to all that asked for them.
class Listeners : public timing::TimingListener {
public:
  void add(timing::TimingListener &L) { All.push_back(&L); }
  bool empty() const { return All.empty(); }
  timing::EventSet wants() const override {
    timing::EventSet Set = timing::NoEvents;
    for (const timing::TimingListener *L : All)
      Set |= L->wants();
    return Set;
  }
  void onEvents(std::span<const timing::Event> Events) override {
    for (timing::TimingListener *L : All)
      L->onEvents(Events);
  }

private:
  std::vector<timing::TimingListener *> All;
};

/// "SM[:WARPS[:CYCLES[:BEGIN]]]". Throws CommandError.
views::TimelineWindow parseWindow(const std::string &Text) {
  using Window = views::TimelineWindow;
  Window W;
  uint64_t Fields[] = {W.SM, W.Warps, W.Cycles, W.Begin};
  llvm::SmallVector<llvm::StringRef> Parts;
  if (!Text.empty())
    llvm::StringRef(Text).split(Parts, ':');
  for (auto [I, Part] : llvm::enumerate(Parts))
    if (I == std::size(Fields) || Part.getAsInteger(10, Fields[I]))
      throw usageError("--timeline {}: write it as "
                       "SM[:WARPS[:CYCLES[:BEGIN]]], e.g. 0:16:100",
                       Text);
  if (Fields[1] < 1 || Fields[1] > Window::MaxWarps || Fields[2] < 1 ||
      Fields[2] > Window::MaxCycles)
    throw usageError("--timeline {}: takes 1 to {} warps and 1 to {} cycles",
                     Text, Window::MaxWarps, Window::MaxCycles);
  W.SM = std::min<uint64_t>(Fields[0], UINT32_MAX);
  W.Warps = Fields[1];
  W.Cycles = Fields[2];
  W.Begin = Fields[3];
  return W;
}

#if defined(__linux__) && defined(__GLIBC__)
/// Asks for the next \p Bytes that are allocated to lie in huge pages. A model
/// whose state is spread over some 10 MiB loses a tenth of its time to address
/// translation otherwise. Only a wish: without glibc or where the system
/// refuses nothing changes.
void preferHugePages(size_t Bytes) {
  constexpr size_t HugePage = size_t(2) << 20;
  constexpr int MostInHeap = 16 << 20; // larger blocks are mapped by themselves
  if (!mallopt(M_MMAP_THRESHOLD, MostInHeap) ||
      !mallopt(M_TRIM_THRESHOLD, int(2 * Bytes)) ||
      !mallopt(M_TOP_PAD, int(Bytes)))
    return;
  // A block that makes the heap grow, in one step, by all that was asked for.
  void *Block = std::malloc(MostInHeap / 2);
  uintptr_t Begin = (reinterpret_cast<uintptr_t>(Block) + HugePage - 1) &
                    ~uintptr_t(HugePage - 1);
  uintptr_t End =
      reinterpret_cast<uintptr_t>(sbrk(0)) & ~uintptr_t(HugePage - 1);
  if (Block && Begin < End)
    madvise(reinterpret_cast<void *>(Begin), End - Begin, MADV_HUGEPAGE);
  std::free(Block);
}
#else
void preferHugePages(size_t) {}
#endif

/// The warp instructions of a launch, as its first thread blocks predict: the
/// end of a launch whose blocks all run at once is not seen otherwise.
class ExpectedWork {
public:
  explicit ExpectedWork(const trace::FlowSource &Flow) : Flow(Flow) {}
  uint64_t instructions() {
    const trace::BlockFlow &F = Flow.flow();
    if (F.ThreadBlocks == Looked)
      return Instructions;
    Looked = F.ThreadBlocks;
    uint64_t Sum = 0;
    for (const auto &[Edge, Times] : F.Edges)
      Sum += Times * Flow.code().Blocks[Edge.second].NumInsts;
    Instructions = Sum * Flow.header().Grid.count() / Looked;
    return Instructions;
  }

private:
  const trace::FlowSource &Flow;
  uint64_t Looked = 0, Instructions = 0;
};

constexpr const char *FilledL2Note =
    "The L2 starts with the buffers' initial contents (--warm-l2).";

/// Of trace that --advice keeps, to replay it for every limit.
constexpr uint64_t MostHeldBytes = uint64_t(2) << 30;

class SimulateRun {
public:
  explicit SimulateRun(const SimulateOptions &Options)
      : Options(Options),
        Spec(take(arch::loadMachine(Options.GPU, Options.Sets))) {}

  void run() {
    if (record::isRecording(Options.Session.Input))
      return runRecording();
    if (!Options.Shards.Text.empty() || Options.Shards.Slurm)
      throw usageError("--shard and --slurm split the launches of a recording; "
                       "one launch is simulated whole");
    openSource();
    openViews();
    openState();
    timing::SimulationResult R = simulate();
    if (R.Truncated)
      warnTruncated(R);
    report(R);
    if ((R.Truncated || !AdviceIsWhole) && Progress::interrupted()) {
      if (!Options.Resume.empty() && !Options.Session.Quiet)
        tellKept();
      throw CommandError{"", Interrupted};
    }
    if (Kept)
      Kept->remove();
    if (State)
      State->remove();
  }

private:
  void runRecording();
  void submitRecording();
  void openSource();
  void openKept();
  void openViews();
  void openState();
  void tellKept() const;
  timing::SimulationResult simulate();
  void warnTruncated(const timing::SimulationResult &R) const;
  views::AdviceView advice(uint64_t Cycles);
  void report(const timing::SimulationResult &R);
  void writePerfetto();

  SimulateOptions Options;
  arch::GPUSpec Spec;
  std::optional<BoundLaunch> Launch; // outlives Source
  std::optional<ResumedTrace> Kept;  ///< with --resume
  std::unique_ptr<trace::TraceSource> Source;
  std::optional<trace::HeldSource> Held; ///< for --advice
  std::optional<trace::FlowSource> Flow;
  std::optional<views::Timeline> Timeline;
  std::optional<views::WarpTrace> Warps;
  std::vector<std::unique_ptr<views::EventView>> EventViews;
  Listeners Observers;
  std::optional<KeptState> State; ///< with --resume, unless something observes
  bool AdviceIsWhole = true;      ///< all limits were tried
};

} // namespace

/// All launches of a recording; what looks into one launch is not for it.
void SimulateRun::runRecording() {
  const views::ReportOptions &V = Options.Views;
  if (Options.WarmL2 || Options.Timeline || !Options.PerfettoFile.empty() ||
      !Options.EventViews.empty() || V.Source || V.Instructions ||
      V.Occupancy || V.Bottlenecks || V.Roofline || !V.Sections.empty() ||
      Options.Advice || Options.Metrics.any())
    throw usageError("{}: a recording has many launches; leave out --warm-l2, "
                     "--timeline, --perfetto, --advice, --metrics and views",
                     Options.Session.Input);
  compileFor(Spec, Options.Session);
  const Shard Part = Options.Shards.shard();
  if (Options.Resume.empty() && (Part.Of > 1 || Options.Shards.Slurm))
    throw usageError("say where the launches go with --resume FILE.db");
  if (Spec.Launch.KeepL2 &&
      std::max<uint64_t>(Part.Of, Options.Shards.Slurm) > 1)
    throw usageError("--shard and --slurm simulate launches side by side, but "
                     "here each finds L2 as the one before left it; add "
                     "--cold, or simulate all in one part");
  if (Options.Shards.Slurm)
    return submitRecording();
  simulateApplication(Options.Session, Spec, levelFor(Spec, Options.Level),
                      Options.Resume, Options.SaveEvery, Part);
}

/// The tasks simulate, the job that merges prints the result.
void SimulateRun::submitRecording() {
  const SessionOptions &O = Options.Session;
  SlurmArray Array;
  Array.Database = Options.Resume;
  Array.Work = {ownPath(),
                "simulate",
                O.Input,
                "--gpu",
                Options.GPU,
                "--arch",
                O.Arch,
                "--threads",
                std::to_string(O.Threads),
                "--save-every",
                fmt::to_string(Options.SaveEvery),
                "--isa",
                nameOf(levelFor(Spec, Options.Level)).str()};
  for (const std::string &Set : Options.Sets)
    Array.Work.insert(Array.Work.end(), {"--set", Set});
  Array.After = Array.Work;
  Array.After.insert(Array.After.end(), {"--resume", Options.Resume});
  if (!O.Json.empty())
    Array.After.insert(Array.After.end(), {"--json", O.Json});
  for (auto *Words : {&Array.Work, &Array.After}) {
    if (!O.ClangArgs.empty())
      Words->push_back("--");
    Words->insert(Words->end(), O.ClangArgs.begin(), O.ClangArgs.end());
  }
  Array.PartOption = "--resume";
  Array.Tasks = Options.Shards.Slurm;
  Array.Sbatch = Options.Shards.Sbatch;
  std::vector<unsigned> Tasks(Array.Tasks);
  std::iota(Tasks.begin(), Tasks.end(), 1u);
  submit(Array, Tasks, O.Quiet);
}

void SimulateRun::openSource() {
  const SessionOptions &O = Options.Session;
  if (trace::TraceReader::isTrace(O.Input)) {
    requireNoLaunch(O);
    if (Options.WarmL2)
      throw usageError(
          "{}: a trace does not say where buffers lie, which --warm-l2 needs",
          O.Input);
    Source = take(openTrace(O.Input, Options.Level, Spec));
    return;
  }
  compileFor(Spec, Options.Session);
  Options.Session.Order = laneOrderFor(Spec);
  if (!Options.Resume.empty())
    return openKept();
  Launch.emplace(take(BoundLaunch::open(Options.Session)));
  Source = take(Launch->source({.Level = levelFor(Spec, Options.Level)}));
}

/// From the trace that --resume keeps: a launch that it holds is not executed.
void SimulateRun::openKept() {
  const ISA Level = levelFor(Spec, Options.Level);
  Kept.emplace(Options.Resume);
  if (Options.Session.Json == Kept->keyFile())
    throw usageError("--resume and --json both write {}", Kept->keyFile());
  const bool Executes = !Kept->isThere();
  Launch.emplace(take(BoundLaunch::open(
      Options.Session,
      Executes || Options.WarmL2 ? TraceMode::Executed : TraceMode::Static)));
  Kept->identify(Launch->session(), Level);
  if (Executes)
    Kept->make(*take(Launch->source({.Level = Level})), Options.Session.Threads,
               Options.Session.Quiet);
  Source = Kept->open();
}

void SimulateRun::openViews() {
  if (Options.Timeline) {
    if (Options.Timeline->SM >= Spec.SM.Count)
      throw usageError("--timeline: {} has SMs 0 to {}, not {}", Spec.Name,
                       Spec.SM.Count - 1, Options.Timeline->SM);
    Observers.add(Timeline.emplace(*Options.Timeline));
  }
  for (const views::EventViewRow &Row : views::eventViews())
    if (std::ranges::find(Options.EventViews, Row.Name) !=
        Options.EventViews.end())
      Observers.add(*EventViews.emplace_back(Row.Create()));
  if (!Options.PerfettoFile.empty())
    Observers.add(Warps.emplace(Options.PerfettoBytes));
}

/// What looks at every cycle cannot begin in the middle.
void SimulateRun::openState() {
  if (Options.Resume.empty())
    return;
  const std::string File = Options.Resume + ".state";
  const bool Observed = !Observers.empty();
  if (Observed && (!Kept || std::filesystem::exists(File)))
    throw usageError("--resume: --timeline, --perfetto and --view need the "
                     "simulation from its first cycle on; leave them out, or "
                     "{}",
                     Kept ? "remove " + File : "--resume");
  if (Observed)
    return;
  views::JSON Identity = views::JSON::parse(
      Kept ? Kept->key() : keyOfTrace(Options.Session.Input));
  Identity["machine"] = views::machineJSON(Spec);
  Identity["max_cycles"] = Options.MaxCycles;
  Identity["warm_l2"] = Options.WarmL2;
  checkOutput(File);
  State.emplace(File, jsonText(Identity),
                KeptState::Seconds(Options.SaveEvery));
  if (State->cycle() && !Options.Session.Quiet)
    fmt::print(stderr, "heddle: note: {}: the simulation goes on at cycle {}\n",
               File, State->cycle());
}

/// Where the same command goes on.
void SimulateRun::tellKept() const {
  if (State && State->cycle())
    fmt::print(stderr,
               "heddle: note: {}.state keeps the simulation; the same command "
               "goes on at cycle {}\n",
               Options.Resume, State->cycle());
  else if (Kept)
    fmt::print(stderr,
               "heddle: note: {} keeps the trace; the same command starts "
               "with the simulation, from cycle 0\n",
               Options.Resume);
}

timing::SimulationResult SimulateRun::simulate() {
  preferHugePages(size_t(256) << 20);
  if (Options.Advice)
    Flow.emplace(Held.emplace(*Source, MostHeldBytes));
  else
    Flow.emplace(*Source);
  timing::SimulationOptions O;
  O.Threads = Options.Session.Threads;
  O.MaxCycles = Options.MaxCycles;
  if (Options.WarmL2)
    O.Preloaded = copiedBuffers(Launch->session());
  if (!Observers.empty())
    O.Listener = &Observers;
  if (State)
    O.States = &*State;
  Progress Bar("simulating", "warp instructions", Options.Session.Quiet);
  ExpectedWork Expected(*Flow);
  O.OnProgress = [&](const timing::SimulationProgress &P) {
    if (P.Now > 0)
      Bar.keepPartialResult();
    const uint64_t Total = Expected.instructions();
    // A launch may end long after its last block has begun.
    return P.WarpInstructions < Total
               ? Bar.update(P.WarpInstructions, Total, P.WarpInstructions)
               : Bar.update(P.BlocksDone, P.Blocks, P.WarpInstructions);
  };
  timing::SimulationResult R =
      take(expected(models::simulateTimed(*Flow, Spec, O)));
  if (State)
    R.SecondsCPU += State->secondsBefore();
  if (Timeline)
    Timeline->finish();
  return R;
}

void SimulateRun::warnTruncated(const timing::SimulationResult &R) const {
  fmt::print(stderr,
             "heddle: warning: stopped at cycle {} with {} of {} blocks done; "
             "the report covers that part\n",
             R.Cycles, R.BlocksDone, R.Grid.count());
}

/// The model again, with one limit of the machine lifted each time.
views::AdviceView SimulateRun::advice(uint64_t Cycles) {
  models::ModelRequest Request;
  Request.Model = "timing";
  Request.GPU = Options.GPU;
  Request.Sets = Options.Sets;
  Request.Threads = Options.Session.Threads;
  Progress Bar("lifting limits", "warp instructions", Options.Session.Quiet);
  Bar.keepPartialResult();
  Request.OnProgress = [&Bar](uint64_t Done, uint64_t Total, uint64_t Work) {
    return Bar.update(Done, Total, Work);
  };
  views::AdviceView Advice = take(models::advise(*Held, Spec, Request, Cycles));
  AdviceIsWhole = Advice.isWhole();
  return Advice;
}

void SimulateRun::report(const timing::SimulationResult &R) {
  views::SourceText Text = views::sourceFromFiles();
  views::ReportOptions Views = Options.Views;
  Views.Code = &Source->code();
  Views.Machine = &Spec;
  Views.Block = Source->header().blockResources();
  Views.Timeline = Timeline ? &*Timeline : nullptr;
  Views.Flow = &Flow->flow();
  for (const auto &V : EventViews)
    Views.Others.push_back(V.get());
  std::optional<views::AdviceView> Advice;
  if (Options.Advice && !R.Truncated)
    Views.Others.push_back(&Advice.emplace(advice(R.Cycles)));
  if (Warps)
    writePerfetto();
  Session *S = Launch ? &Launch->session() : nullptr;
  const KernelCode *Code =
      S ? &take(S->codeTable(levelFor(Spec, Options.Level))) : nullptr;
  auto reportText = [&] {
    return views::reportText(R, Text, Views) + codeLine(*Source, Code, S) +
           (Options.WarmL2 ? fmt::format("{}\n", FilledL2Note) : "");
  };
  const std::string &JSONFile = Options.Session.Json;
  const bool Quiet = JSONFile == "-" || Options.Session.Quiet;
  if (!JSONFile.empty() || Options.Metrics.any()) {
    views::JSON Out = views::reportJSON(R, Text, HEDDLE_VERSION, Views);
    addCode(Out, *Source, Code);
    S ? addInputs(Out, *S) : addSource(Out, Options.Session.Input);
    if (Options.WarmL2)
      Out["assumptions"].push_back(FilledL2Note);
    if (Options.Metrics.any())
      writeMetrics(Out, Options.Metrics, Quiet);
    try {
      if (!JSONFile.empty())
        writeJSON(JSONFile, Out);
    } catch (const CommandError &) {
      // A full disk: what took long to compute is shown all the same.
      if (JSONFile != "-")
        writeText("-", reportText());
      throw;
    }
  }
  if (!Quiet && !Options.Metrics.any())
    writeText("-", reportText());
}

void SimulateRun::writePerfetto() {
  TextOutput Out = take(TextOutput::create(Options.PerfettoFile));
  take(Warps->write(Source->code(), Source->header().Kernel, Spec.Name,
                    [&Out](std::string_view Text) { return Out.write(Text); }));
  take(Out.finish());
  if (!Options.Session.Quiet &&
      (Warps->resolutionCycles() > 1 || Warps->everyNthSM() > 1))
    fmt::print(stderr,
               "heddle: {}: one slice stands for {} cycles or more, {} "
               "(--perfetto-size)\n",
               Options.PerfettoFile, Warps->resolutionCycles(),
               Warps->everyNthSM() == 1
                   ? "all SMs are shown"
                   : fmt::format("one SM in {} is shown", Warps->everyNthSM()));
}

void addSimulateCommand(CLI::App &App) {
  CLI::App *Command = App.add_subcommand(
      "simulate", "Simulate a launch or a trace cycle by cycle");
  auto Options = std::make_shared<SimulateOptions>();
  Options->Session.Arch.clear();
  addSessionOptions(*Command, Options->Session);
  addMachineOptions(*Command, Options->GPU, Options->Sets);
  addLaunchOverheadOption(*Command, Options->Sets);
  Command->add_flag_callback(
      "--cold", [Options] { Options->Sets.push_back("launch.keep_l2=false"); },
      "recording: each launch finds empty caches; else L2 as the launch before "
      "left it, where the machine keeps it");
  addLevelOption(*Command, Options->Level, "instructions to simulate");
  Command
      ->add_option("--max-cycles", Options->MaxCycles,
                   "stop there and report what was done")
      ->check(aboveZero())
      ->default_str("");
  // The model runs again, on all of the launch and with empty caches.
  CLI::Option *Advice = addAdviceOption(*Command, Options->Advice);
  Command
      ->add_flag("--warm-l2", Options->WarmL2,
                 "start with the buffers' initial contents in L2, as a copy "
                 "from the host leaves them")
      ->excludes(Advice);
  views::ReportOptions &Views = Options->Views;
  Command->add_flag("--source", Views.Source,
                    "show the source with the cost of each line");
  Command->add_flag("--instructions", Views.Instructions,
                    "show the cost of every instruction");
  Command->add_flag("--occupancy", Views.Occupancy,
                    "show what limits the warps per SM, and other block sizes");
  Command->add_flag("--roofline", Views.Roofline,
                    "show operations and bytes per second against the peak");
  Command->add_flag("--bottlenecks", Views.Bottlenecks,
                    "show the costliest waits and what they wait for");
  std::vector<std::string> Names;
  std::string Shows = "show what a view has counted:";
  for (const views::EventViewRow &Row : views::eventViews()) {
    Names.emplace_back(Row.Name);
    Shows += fmt::format(" {} ({})", Row.Name, Row.Shows);
  }
  Command->add_option("--view", Options->EventViews, Shows)
      ->check(CLI::IsMember(Names))
      ->allow_extra_args(false)
      ->option_text("NAME");
  Command
      ->add_option_function<std::string>(
          "--timeline",
          [Options](const std::string &Text) {
            Options->Timeline = parseWindow(Text);
          },
          "show warps cycle by cycle: SM[:WARPS[:CYCLES[:BEGIN]]]")
      ->expected(0, 1)
      ->default_str("0:16:100")
      ->option_text("[WINDOW]");
  Command
      ->add_option("--section", Views.Sections,
                   "show these parts of the report and no others")
      ->check(CLI::IsMember(views::sectionNames()))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("NAME[,NAME...]");
  addMetricOptions(*Command, Options->Metrics);
  Command
      ->add_option("--perfetto", Options->PerfettoFile,
                   "write a trace of SMs and warps for ui.perfetto.dev")
      ->each(checkOutput)
      ->option_text("FILE");
  Command
      ->add_option("--perfetto-size", Options->PerfettoBytes,
                   "largest size of that file, e.g. 64MB")
      ->transform(CLI::AsSizeValue(false))
      ->default_str("64MB");
  Advice->excludes("--max-cycles");
  CLI::Option *Resume =
      Command
          ->add_option(
              "--resume", Options->Resume,
              "recording: database that keeps each launch when it is "
              "simulated; what is there is not simulated again. One "
              "launch: file that keeps its trace until it is simulated; "
              "FILE.state keeps the simulation, which goes on from there")
          ->option_text("FILE");
  Command
      ->add_option("--save-every", Options->SaveEvery,
                   "with --resume: seconds after which the simulation under "
                   "way is kept again")
      ->check(CLI::Range(0.0, 86400.0))
      ->needs(Resume)
      ->capture_default_str()
      ->option_text("SECONDS");
  addShardOptions(*Command, Options->Shards);
  Command->callback([Options] { SimulateRun(*Options).run(); });
}

} // namespace heddle::tool
