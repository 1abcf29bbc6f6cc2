//===- TuneCommand.cpp - heddle tune --------------------------------------===//
//
// Block sizes first, then, for the best of them, unrolling of the innermost
// loops and launch bounds, all by a fast model; the best few by simulation. A
// block size counts only if the buffers end up as those of the launch as given.
//
//===----------------------------------------------------------------------===//

#include "CommonOptions.h"
#include "Progress.h"
#include "TextOutput.h"
#include "TuneSpace.h"
#include "base/JSONText.h"

#include "arch/SpecReader.h"
#include "exec/TouchedPages.h"
#include "heddle/Analysis/AnalyzedKernel.h"
#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Driver/TraceModes.h"
#include "heddle/Heddle.h"
#include "launch/ScalarTypes.h"
#include "models/ModelRun.h"
#include "views/ResultHead.h"
#include "views/TextTable.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace heddle::tool {
namespace {

struct TuneOptions {
  SessionOptions Session;
  std::string GPU = "v100";
  std::vector<std::string> Sets;
  std::string Model = "pipeline";
  unsigned Best = 4;            ///< that are simulated
  std::vector<unsigned> Unroll; ///< counts to try
  double Tolerance = 1e-4;
};

struct Held {
  launch::ScalarType Type;
  exec::SparseBytes Bytes;
};
using Buffers = std::map<std::string, Held>;

/// A configuration and what the models say of it.
struct Candidate {
  TuneChoice Choice;
  BoundsChoice Bounds; ///< MinBlocks 0: none
  unsigned Registers = 0;
  double Occupancy = 0;
  double EstimateUs = 0, SimulateUs = 0; ///< 0: not run
  std::string Reason;                    ///< why it is out; empty: it is not
  bool IsGiven = false;                  ///< the launch as it is

  std::string status() const {
    return !Reason.empty() ? "out" : SimulateUs > 0 ? "simulated" : "estimated";
  }
};

class TuneRun {
public:
  explicit TuneRun(const TuneOptions &Given);
  void run();

private:
  void estimate(Candidate &C);
  void checkBuffers(Candidate &C);
  void simulateBest();
  void tryBlocks();
  void tryCode();
  void search();
  void add(Candidate C, bool IsNewBlock);
  void tell();
  void write(bool Stopped);
  std::vector<unsigned> innermostLoops() const;
  BoundLaunch bind(const Candidate &C);
  Buffers buffersOf(BoundLaunch &L) const;
  std::string difference(const Buffers &Now) const;
  std::vector<Candidate *> ranked();
  views::JSON headOf(BoundLaunch &L) const;
  std::string text(bool Stopped);
  views::JSON json(bool Stopped);

  TuneOptions Options;
  arch::GPUSpec Machine;
  launch::Launch Launch;
  std::map<unsigned, Program> Programs; ///< by unrolling
  std::vector<unsigned> Loops;
  std::vector<std::unique_ptr<Candidate>> All; ///< the given launch first
  Buffers Wanted;
  std::string Name; ///< of the kernel
  views::JSON Head; ///< of the JSON: all but the configurations
  uint64_t Planned = 1, Simulated = 0; ///< steps, at most; of which simulated
  Progress Bar;
};

} // namespace

TuneRun::TuneRun(const TuneOptions &Given)
    : Options(Given),
      Machine(take(arch::loadMachine(Options.GPU, Options.Sets))),
      Bar("tuning", "configurations", Options.Session.Quiet) {
  compileFor(Machine, Options.Session);
  Launch = take(readLaunch(Options.Session));
}

/// Lines of the loops that have no other in them, of this file.
std::vector<unsigned> TuneRun::innermostLoops() const {
  const SessionOptions &S = Options.Session;
  CompileOptions Compile;
  Compile.Path = S.Input;
  Compile.ClangArgs = S.ClangArgs;
  Compile.LinkWith = S.LinkWith;
  Compile.Arch = S.Arch;
  Compile.OptLevel = S.OptLevel;
  Compile.ForAnalysis = true;
  CompiledModule Module = take(compileInput(Compile));
  AnalyzedKernel Analyzed(*take(Module.kernel(Launch.Kernel)), {});
  const std::vector<LoopBound> &Bounds = Analyzed.loops().loops();
  std::set<unsigned> Lines;
  for (const LoopBound &L : Bounds) {
    const bool HasInner = std::ranges::any_of(
        Bounds, [&](const LoopBound &O) { return O.Parent == int(L.Loop); });
    if (!HasInner && L.Line && L.File == S.Input)
      Lines.insert(L.Line);
  }
  return {Lines.begin(), Lines.end()};
}

BoundLaunch TuneRun::bind(const Candidate &C) {
  auto At = Programs.find(C.Choice.Unroll);
  if (At == Programs.end()) {
    const SessionOptions &S = Options.Session;
    Source From{S.Input, S.Arch, S.ClangArgs, S.LinkWith, S.OptLevel};
    std::optional<UnrolledSource> Copy; // gone when it is compiled
    if (C.Choice.Unroll) {
      Copy.emplace(S.Input, Loops, C.Choice.Unroll);
      From.Path = Copy->path();
      const std::vector<std::string> Flags = Copy->flags();
      From.ClangArgs.insert(From.ClangArgs.end(), Flags.begin(), Flags.end());
    }
    At = Programs.emplace(C.Choice.Unroll, take(Program::compile(From))).first;
  }
  launch::Launch L = Launch;
  L.Grid = C.Choice.Grid;
  L.Block = C.Choice.Block;
  return take(At->second.bind(L));
}

void TuneRun::estimate(Candidate &C) try {
  BoundLaunch L = bind(C);
  Name = kernelName(L.session().kernel());
  std::vector<std::string> Sets = Options.Sets;
  Sets.insert(Sets.end(), C.Bounds.Sets.begin(), C.Bounds.Sets.end());
  const arch::GPUSpec Spec = take(arch::loadMachine(Options.GPU, Sets));
  const Prediction P = take(L.predict(Spec, Options.Model));
  const auto Result = views::JSON::parse(P.JSON);
  C.EstimateUs = P.TimeUs;
  C.Occupancy = Result["occupancy"]["theoretical"];
  C.Registers = Result["code"]["registers_per_thread"];
  if (C.IsGiven)
    Head = headOf(L);
} catch (const CommandError &E) {
  if (Progress::interrupted())
    throw;
  C.Reason = E.Message;
}

/// Executes the launch. Pragmas and bounds change no result; block sizes may.
void TuneRun::checkBuffers(Candidate &C) try {
  BoundLaunch L = bind(C);
  take(L.run([](auto...) { return !Progress::interrupted(); }));
  Buffers Now = buffersOf(L);
  if (C.IsGiven)
    Wanted = std::move(Now);
  else
    C.Reason = difference(Now);
} catch (const CommandError &E) {
  if (Progress::interrupted())
    throw;
  C.Reason = E.Message;
}

Buffers TuneRun::buffersOf(BoundLaunch &L) const {
  Buffers Out;
  for (const auto &B : L.session().memory().buffers())
    if (B->IsArgument) {
      Out[B->Name] = {B->Type.value_or(launch::ScalarType::U8),
                      exec::copyTouched(L.session().memory().bytes(*B))};
    }
  return Out;
}

/// Elements of a floating type are equal within the tolerance, since sums may
/// go another way; all others bit by bit.
static bool isEqual(launch::ScalarType Type, const uint8_t *A, const uint8_t *B,
                    double Tolerance) {
  if (!launch::isFloat(Type))
    return std::equal(A, A + launch::sizeOf(Type), B);
  const double X = launch::elementValue(Type, A),
               Y = launch::elementValue(Type, B);
  return X == Y || (std::isnan(X) && std::isnan(Y)) ||
         std::abs(X - Y) <=
             Tolerance * std::max({std::abs(X), std::abs(Y), 1e-30});
}

/// The first element by which \p A and \p B differ.
static std::optional<uint64_t>
firstDifference(const Held &A, const exec::SparseBytes &B, double Tolerance) {
  constexpr uint64_t ChunkBytes = exec::SparseBytes::ChunkBytes;
  const std::vector<uint8_t> Zeroes(ChunkBytes);
  const size_t Size = launch::sizeOf(A.Type);
  std::set<uint64_t> Numbers;
  for (const exec::SparseBytes *Each : {&A.Bytes, &B})
    for (const auto &[Number, Bytes] : Each->Chunks)
      Numbers.insert(Number);
  auto chunk = [&](const exec::SparseBytes &Of, uint64_t Number) {
    const auto At = Of.Chunks.find(Number);
    return At == Of.Chunks.end() ? Zeroes.data() : At->second.data();
  };
  for (uint64_t Number : Numbers) {
    const uint8_t *Old = chunk(A.Bytes, Number), *New = chunk(B, Number);
    const uint64_t Bytes =
        std::min(ChunkBytes, A.Bytes.Size - Number * ChunkBytes);
    for (uint64_t I = 0; I + Size <= Bytes; I += Size)
      if (!isEqual(A.Type, Old + I, New + I, Tolerance))
        return (Number * ChunkBytes + I) / Size;
  }
  return std::nullopt;
}

/// What buffer differs from that of the launch as given, empty if none does.
std::string TuneRun::difference(const Buffers &Now) const {
  for (const auto &[Name, As] : Wanted) {
    const auto At = Now.find(Name);
    if (At == Now.end() || At->second.Bytes.Size != As.Bytes.Size)
      return fmt::format("buffer '{}' is not there", Name);
    if (const auto Element =
            firstDifference(As, At->second.Bytes, Options.Tolerance))
      return fmt::format("other results: buffer '{}' differs at element {}",
                         Name, *Element);
  }
  return "";
}

/// Tries \p C. What it does to the buffers is looked at where the block is
/// another.
void TuneRun::add(Candidate C, bool IsNewBlock) {
  auto Tried = std::make_unique<Candidate>(std::move(C));
  estimate(*Tried);
  if (IsNewBlock && Tried->Reason.empty())
    checkBuffers(*Tried);
  All.push_back(std::move(Tried));
  tell();
}

/// A step is done: what is known until now is the result if the user ends it.
void TuneRun::tell() {
  const SessionOptions &S = Options.Session;
  Bar.keepPartialResult(
      [File = S.Json, Silent = S.Quiet || S.Json == "-", Text = text(true),
       JSON = S.Json.empty() ? "" : jsonText(json(true), 2) + "\n"] {
        if (!File.empty())
          writeText(File, JSON);
        if (!Silent)
          writeText("-", Text);
      });
  const uint64_t Done = All.size() + Simulated;
  if (!Bar.update(Done, std::max(Planned, Done), Done))
    throw CommandError{"interrupted"};
}

std::vector<Candidate *> TuneRun::ranked() {
  std::vector<Candidate *> Order;
  for (auto &C : All)
    if (C->Reason.empty())
      Order.push_back(C.get());
  std::ranges::stable_sort(Order, [](const Candidate *A, const Candidate *B) {
    const auto key = [](const Candidate *C) {
      return std::pair(C->SimulateUs > 0 ? 0 : 1,
                       C->SimulateUs > 0 ? C->SimulateUs : C->EstimateUs);
    };
    return key(A) < key(B);
  });
  return Order;
}

void TuneRun::tryBlocks() {
  const std::vector<TuneChoice> Choices =
      blockChoices(Launch.Grid, Launch.Block, Machine);
  constexpr unsigned MostBounds = 3; // boundsChoices()
  const uint64_t Bases = std::min<uint64_t>(Options.Best, Choices.size() + 1);
  const uint64_t Codes =
      (Loops.empty() ? 0 : Options.Unroll.size()) + MostBounds;
  Planned = 1 + Choices.size() + Bases * Codes + 1 + Options.Best;
  for (const TuneChoice &Choice : Choices) {
    Candidate C;
    C.Choice = Choice;
    add(std::move(C), /*IsNewBlock=*/true);
  }
}

/// Unrolling and launch bounds, for the best block sizes.
void TuneRun::tryCode() {
  std::vector<Candidate> Bases;
  for (Candidate *C : ranked())
    if (Bases.size() < Options.Best)
      Bases.push_back(*C);
  for (const Candidate &Base : Bases) {
    Candidate C = Base;
    C.IsGiven = false;
    for (unsigned Count :
         Loops.empty() ? std::vector<unsigned>() : Options.Unroll) {
      C.Choice.Unroll = Count;
      add(C, /*IsNewBlock=*/false);
    }
    C = Base;
    C.IsGiven = false;
    BoundLaunch L = bind(Base);
    const auto Source = take(L.source({.Level = levelFor(Machine)}));
    // Half of the registers would be no bound but another kernel.
    for (const BoundsChoice &Bounds : boundsChoices(
             Source->header().blockResources(), Machine, Base.Registers / 2)) {
      C.Bounds = Bounds;
      C.Choice.MinBlocks = Bounds.MinBlocks;
      add(C, /*IsNewBlock=*/false);
    }
  }
}

void TuneRun::simulateBest() {
  unsigned Done = 0;
  Planned = All.size() + 1 + Options.Best;
  auto simulate = [&](Candidate &C) {
    try {
      BoundLaunch L = bind(C);
      std::vector<std::string> Sets = Options.Sets;
      Sets.insert(Sets.end(), C.Bounds.Sets.begin(), C.Bounds.Sets.end());
      ModelOptions How;
      How.Threads = Options.Session.Threads;
      How.OnProgress = [](auto...) { return !Progress::interrupted(); };
      C.SimulateUs = take(L.predict(take(arch::loadMachine(Options.GPU, Sets)),
                                    "timing", How))
                         .TimeUs;
    } catch (const CommandError &E) {
      if (C.IsGiven || Progress::interrupted())
        throw;
      C.Reason = E.Message;
    }
    ++Simulated;
    tell();
  };
  simulate(*All.front());
  for (Candidate *C : ranked()) {
    if (Done == Options.Best)
      break;
    if (C->IsGiven)
      continue;
    simulate(*C);
    Done += C->Reason.empty();
  }
}

static std::string size(const Dim3 &D) {
  return D.Z > 1   ? fmt::format("{}x{}x{}", D.X, D.Y, D.Z)
         : D.Y > 1 ? fmt::format("{}x{}", D.X, D.Y)
                   : std::to_string(D.X);
}

static std::string boundsText(const Candidate &C) {
  return C.Bounds.MinBlocks
             ? fmt::format("{}, {}", C.Choice.Block.count(), C.Bounds.MinBlocks)
             : "-";
}

std::string TuneRun::text(bool Stopped) {
  using views::TextTable;
  constexpr size_t MostRows = 12;
  const auto Order = ranked();
  TextTable Table("llllrrrrrl",
                  {"block", "grid", "unroll", "launch bounds", "registers",
                   "occupancy", "estimate us", "simulate us", "speed-up", ""});
  const Candidate &Given = *All.front();
  bool HasBounds = false;
  for (size_t I = 0; I < Order.size(); ++I) {
    const Candidate &C = *Order[I];
    if (I >= MostRows && !C.IsGiven)
      continue;
    HasBounds |= C.Bounds.MinBlocks != 0;
    const double Now = C.SimulateUs > 0 ? C.SimulateUs : C.EstimateUs;
    const double Before =
        C.SimulateUs > 0 ? Given.SimulateUs : Given.EstimateUs;
    Table.row(
        {size(C.Choice.Block), size(C.Choice.Grid), C.Choice.unrollText(),
         boundsText(C),
         C.Bounds.MinBlocks ? fmt::format("<= {}", C.Bounds.Registers)
                            : std::to_string(C.Registers),
         views::percent(C.Occupancy, 1), fmt::format("{:.2f}", C.EstimateUs),
         C.SimulateUs > 0 ? fmt::format("{:.2f}", C.SimulateUs) : "-",
         fmt::format("{:.3f}", Before / Now), C.IsGiven ? "<- as given" : ""});
  }
  const std::string Extent =
      Stopped ? fmt::format("stopped early: {} of these simulated", Simulated)
              : fmt::format("the best {} simulated", Options.Best);
  std::string Out =
      fmt::format("{} on {}: {} configurations by model {}, {}\n{}", Name,
                  Machine.Name, All.size(), Options.Model, Extent, Table.str());
  if (Order.size() > MostRows)
    Out += fmt::format("  {} slower ones are in the JSON\n",
                       Order.size() - MostRows);
  if (!Loops.empty()) {
    Out += "  unroll: the innermost loops, at";
    for (unsigned Line : Loops)
      Out += fmt::format(" {}:{}", Options.Session.Input, Line);
    Out += "\n";
  }
  if (HasBounds)
    Out += "  launch bounds: a what-if that gives the blocks the registers "
           "they have now; spills are not modelled, so at most this\n";
  std::map<std::string, unsigned> Reasons;
  for (auto &C : All)
    if (!C->Reason.empty())
      ++Reasons[fmt::format("block {}: {}", size(C->Choice.Block), C->Reason)];
  for (const auto &[Reason, Count] : Reasons)
    Out += fmt::format("  left out: {}\n", Reason);
  return Out;
}

/// All but the configurations.
views::JSON TuneRun::headOf(BoundLaunch &L) const {
  views::JSON J = views::resultHead("tune", HEDDLE_VERSION);
  J["kernel"] = Name;
  J["gpu"] = Machine.Name;
  J["model"] = Options.Model;
  J["tolerance"] = Options.Tolerance;
  J["unrolled_loops"] = Loops;
  views::addMachine(J, Machine);
  addInputs(J, L.session());
  return J;
}

views::JSON TuneRun::json(bool Stopped) {
  views::JSON J = Head;
  const auto Order = ranked();
  if (Stopped)
    J["truncated"] = true;
  J["configurations"] = views::JSON::array();
  auto add = [&](const Candidate &C) {
    views::JSON One = {{"grid", views::triple(C.Choice.Grid)},
                       {"block", views::triple(C.Choice.Block)},
                       {"unroll", C.Choice.Unroll},
                       {"as_given", C.IsGiven},
                       {"status", C.status()}};
    if (C.Bounds.MinBlocks)
      One["launch_bounds"] = {{"threads", C.Choice.Block.count()},
                              {"min_blocks", C.Bounds.MinBlocks},
                              {"most_registers", C.Bounds.Registers},
                              {"what_if", C.Bounds.Sets}};
    if (!C.Reason.empty())
      One["reason"] = C.Reason;
    if (C.EstimateUs > 0) {
      One["registers"] = C.Registers;
      One["occupancy"] = C.Occupancy;
      One["estimate_us"] = C.EstimateUs;
    }
    if (C.SimulateUs > 0)
      One["simulate_us"] = C.SimulateUs;
    J["configurations"].push_back(std::move(One));
  };
  for (const Candidate *C : Order)
    add(*C);
  for (auto &C : All)
    if (!C->Reason.empty())
      add(*C);
  return J;
}

void TuneRun::write(bool Stopped) {
  const SessionOptions &S = Options.Session;
  if (!S.Json.empty())
    writeJSON(S.Json, json(Stopped));
  if (S.Json != "-" && !S.Quiet)
    writeText("-", text(Stopped));
}

void TuneRun::search() {
  tryBlocks();
  tryCode();
  simulateBest();
}

void TuneRun::run() {
  Loops = innermostLoops();
  Candidate Given;
  Given.Choice = {Launch.Grid, Launch.Block, 0, 0};
  Given.IsGiven = true;
  add(std::move(Given), /*IsNewBlock=*/true);
  if (!All.front()->Reason.empty())
    throw CommandError{All.front()->Reason};
  bool Stopped = false;
  try {
    search();
  } catch (const CommandError &) {
    if (!Progress::interrupted())
      throw;
    Stopped = true;
  }
  write(Stopped);
  if (Stopped)
    throw CommandError{"", Interrupted};
}

void addTuneCommand(CLI::App &App) {
  CLI::App *Command = App.add_subcommand(
      "tune", "Try block sizes, unrolling and launch bounds");
  auto Options = std::make_shared<TuneOptions>();
  Options->Session.Arch.clear();
  Options->Unroll = {1, 2, 4, 8};
  addSessionOptions(*Command, Options->Session);
  // Candidates are executed with the defaults.
  for (const char *Name : {"--engine", "--max-steps"})
    Command->remove_option(Command->get_option(Name));
  addMachineOptions(*Command, Options->GPU, Options->Sets);
  Command->add_option("--model", Options->Model, "the model that tries all")
      ->check(CLI::IsMember(models::fastModelNames()))
      ->capture_default_str();
  Command
      ->add_option("--best", Options->Best,
                   "how many are simulated, besides the launch as given")
      ->check(CLI::Range(1u, 64u))
      ->capture_default_str();
  Command
      ->add_option("--unroll", Options->Unroll,
                   "counts to try for the innermost loops; 1: not unrolled")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1u, 1024u))
      ->default_str("1,2,4,8");
  Command
      ->add_option("--tolerance", Options->Tolerance,
                   "how far floating results may be from those as given, "
                   "relative")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  Command->callback([Options] { TuneRun(*Options).run(); });
}

} // namespace heddle::tool
