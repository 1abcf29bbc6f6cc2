//===- CommonOptions.cpp - Options that commands share --------------------===//

#include "CommonOptions.h"

#include "Progress.h"
#include "TextOutput.h"

#include "heddle/Driver/Assumptions.h"
#include "heddle/PTX/PTXStatement.h"
#include "heddle/Support/Targets.h"
#include "views/Metrics.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

namespace heddle::tool {

CommandError commandError(llvm::Error E) {
  CommandError Out;
  llvm::handleAllErrors(
      std::move(E),
      [&](const Failure &F) {
        Out = {F.text(), F.kind() == Failure::Request     ? BadUsage
                         : F.kind() == Failure::Internal  ? InternalError
                         : F.kind() == Failure::Cancelled ? Interrupted
                                                          : BadInput};
      },
      [&](const llvm::ErrorInfoBase &Other) { Out = {Other.message()}; });
  return Out;
}

llvm::Error asError(CommandError E) {
  return failure(std::move(E.Message),
                 E.Status == BadUsage        ? Failure::Request
                 : E.Status == InternalError ? Failure::Internal
                 : E.Status == Interrupted   ? Failure::Cancelled
                                             : Failure::Input);
}

SessionOptions::SessionOptions() {
  OnNotes = [](const std::string &Notes) {
    Progress::clearLine();
    llvm::errs() << Notes;
  };
  OnPhase = Progress::showPhase;
  Cancelled = Progress::interrupted;
}

void checkPlainInput(const std::string &Path) {
  std::error_code Failed;
  const auto Status = std::filesystem::status(Path, Failed);
  if (Path == "-" || std::filesystem::is_fifo(Status) ||
      std::filesystem::is_character_file(Status))
    throw inputError(
        "{}: is read more than once, which a pipe or a terminal cannot give; "
        "save it in a file whose name says what it is, e.g. kernel.cu",
        Path);
}

/// The `.target` of the PTX file at \p Path; empty if it is none, or one that
/// the back end does not know.
static std::string targetOfPTX(const std::string &Path) {
  auto Text = llvm::MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!llvm::StringRef(Path).ends_with(".ptx") || !Text)
    return {};
  const std::string Clean = ptx::blankComments((*Text)->getBuffer());
  ptx::Lexer Tokens(Clean);
  for (ptx::Token T; Tokens.next(T) && T.Is == ptx::Token::Directive;) {
    llvm::StringRef Target = T.Text;
    if (!Target.consume_front(".target"))
      continue;
    Target = Target.split(',').first.trim();
    auto Machine = createNVPTXMachine(llvm::Triple("nvptx64-nvidia-cuda"),
                                      Target, {}, llvm::CodeGenOptLevel::None);
    if (Machine)
      return Target.str();
    llvm::consumeError(Machine.takeError());
    break;
  }
  return {};
}

void addInputOptions(CLI::App &Command, SessionOptions &Options) {
  Command
      .add_option("INPUT", Options.Input,
                  "kernel source (.cl, .cu), LLVM IR (.ll, .bc), MLIR or PTX")
      ->required()
      ->each(checkPlainInput)
      ->each([&Options](const std::string &Path) {
        // Before --arch is looked at. What is empty is the machine's to say.
        if (std::string Target = targetOfPTX(Path);
            !Options.Arch.empty() && !Target.empty())
          Options.Arch = std::move(Target);
      });
  Command.add_option("--kernel", Options.Kernel,
                     "kernel to use, where the file has several");
  Command
      .add_option("--arch", Options.Arch,
                  "architecture to compile for (sm_NN); of a PTX file its "
                  "target, if no machine is named")
      ->each([&Options](const std::string &) {
        Options.ArchFrom = ArchSource::Option;
      })
      ->capture_default_str();
  Command
      .add_option("-O,--opt-level", Options.OptLevel,
                  "optimisation level of the device compiler")
      ->check(CLI::Range(0, 3))
      ->capture_default_str();
  Command
      .add_option("--link", Options.LinkWith,
                  "another source whose device functions INPUT calls")
      ->allow_extra_args(false);
  Command.add_option("CLANG_ARGS", Options.ClangArgs,
                     "options for Clang, after '--'");
  addGuessOption(Command, Options.ClangArgs);
}

void addGuessOption(CLI::App &Command, std::vector<std::string> &ClangArgs) {
  // Behind CLANG_ARGS, which sets the whole list.
  Command.add_flag_callback(
      GuessMacrosFlag.str(),
      [&ClangArgs] { ClangArgs.push_back(GuessMacrosFlag.str()); },
      "give names that nothing declares the value that the project's files "
      "have");
  Command
      .add_option_function<std::string>(
          "--compiler",
          [&ClangArgs](const std::string &Name) {
            if (Name == "clang")
              ClangArgs.push_back(UnrollAsClangFlag.str());
          },
          "whose rules unroll loops: nvcc (default) or clang")
      ->check(CLI::IsMember({"nvcc", "clang"}));
  Command.add_flag_callback(
      "-v,--verbose",
      [&ClangArgs] { ClangArgs.push_back(AllErrorsFlag.str()); },
      "all errors of the source, with Clang's notes");
  Command
      .add_option_function<std::vector<std::string>>(
          "--instance",
          [&ClangArgs](const std::vector<std::string> &Names) {
            for (const std::string &Name : Names)
              ClangArgs.push_back(InstanceFlag.str() + Name);
          },
          "an instance of a CUDA kernel template that the file does not have, "
          "like 'scan<256, float>'")
      ->allow_extra_args(false);
}

void addLaunchOptions(CLI::App &Command, SessionOptions &Options) {
  Command.add_option("--launch", Options.LaunchFile,
                     "launch file (docs/LaunchFile.md)");
  Command.add_option("--grid", Options.Grid, "thread blocks, X[,Y[,Z]]");
  Command.add_option("--block", Options.Block, "threads per block, X[,Y[,Z]]");
  Command.add_option("--cluster", Options.Cluster,
                     "thread blocks per cluster, X[,Y[,Z]]");
  Command
      .add_option("--arg", Options.Args,
                  "next argument: TYPE=VALUE, TYPE[COUNT]=INIT, local=BYTES, "
                  "bytes=HEX, struct=MEMBER;...")
      ->allow_extra_args(false);
  Command.add_option("--dynamic-shared", Options.DynamicShared,
                     "bytes of dynamic shared memory per block");
}

void addExecutionOptions(CLI::App &Command, SessionOptions &Options) {
  static const std::map<std::string, EngineKind> Kinds = {
      {"auto", EngineKind::Auto},
      {"jit", EngineKind::JIT},
      {"interpreter", EngineKind::Interpreter}};
  Command.add_option("--engine", Options.Engine, "auto, jit or interpreter")
      ->transform(CLI::CheckedTransformer(Kinds, CLI::ignore_case))
      ->option_text("auto|jit|interpreter");
  Command.add_option("--threads", Options.Threads, "host threads")
      ->check(CLI::Range(1u, exec::DeviceMemory::MaxWorkers));
  Command
      .add_option(
          "--max-steps", Options.MaxSteps,
          "basic blocks that a warp may execute before it counts as endless")
      ->check(aboveZero());
}

void addOutputOptions(CLI::App &Command, SessionOptions &Options) {
  Command
      .add_option("--json", Options.Json,
                  "write the result as JSON ('-': stdout)")
      ->each(checkOutput);
  Command.add_flag("-q,--quiet", Options.Quiet, "no progress and no summary")
      ->each([](const std::string &) { Progress::hidePhases(); });
}

void addSessionOptions(CLI::App &Command, SessionOptions &Options) {
  addInputOptions(Command, Options);
  addLaunchOptions(Command, Options);
  addExecutionOptions(Command, Options);
  addOutputOptions(Command, Options);
}

void addMachineOptions(CLI::App &Command, std::string &GPU,
                       std::vector<std::string> &Sets) {
  Command
      .add_option("--gpu", GPU,
                  "machine: a name of `heddle gpus` or a machine file")
      ->capture_default_str();
  Command
      .add_option("--set", Sets, "change a field of the machine: FIELD=VALUE")
      ->allow_extra_args(false);
}

void compileFor(const arch::GPUSpec &Machine, SessionOptions &Options) {
  if (!Options.Arch.empty())
    return;
  Options.Arch = Machine.Target.empty() ? "sm_70" : Machine.Target;
  if (!Machine.Target.empty())
    Options.ArchFrom = ArchSource::Machine;
}

void addMetricOptions(CLI::App &Command, MetricOptions &Options) {
  Command
      .add_option("--metrics", Options.Names,
                  "show these numbers, by Nsight Compute's names, instead of "
                  "the report; 'all' for every one")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("NAME[,NAME...]");
  Command.add_option("--csv", Options.CSV,
                     "write them as CSV ('-': stdout), all if --metrics names "
                     "none");
}

void writeMetrics(const views::JSON &Result, const MetricOptions &Options,
                  bool Quiet) {
  const auto Metrics = take(views::metricsOf(
      Result,
      Options.Names.empty() ? std::vector<std::string>{"all"} : Options.Names));
  if (!Options.CSV.empty())
    writeText(Options.CSV, views::metricsCSV(Result, Metrics));
  if (Options.CSV.empty() && !Quiet)
    writeText("-", views::metricsText(Result, Metrics));
}

CLI::Option *addAdviceOption(CLI::App &Command, bool &Advice) {
  return Command.add_flag(
      "--advice", Advice,
      "run the model again with each limit of the machine lifted, and show "
      "what that gains");
}

void addLaunchOverheadOption(CLI::App &Command,
                             std::vector<std::string> &Sets) {
  Command.add_flag_callback(
      "--launch-overhead", [&Sets] { Sets.push_back("launch.in_cycles=true"); },
      "count what the launch takes before the first block starts");
}

void addLevelOption(CLI::App &Command, std::optional<ISA> &Level,
                    const std::string &Help) {
  static const std::map<std::string, ISA> Levels = [] {
    std::map<std::string, ISA> Map;
    for (ISA L : {ISA::Machine, ISA::SASS, ISA::PTX, ISA::IR})
      Map[nameOf(L).str()] = L;
    return Map;
  }();
  Command.add_option("--isa", Level, Help)
      ->transform(CLI::CheckedTransformer(Levels, CLI::ignore_case))
      ->option_text("machine|sass|ptx|ir");
}

std::string codeLine(const trace::TraceSource &Source, const KernelCode *Code,
                     const Session *Launch) {
  std::string Out =
      fmt::format("\nCode: level {} (--isa), {} registers per thread ({})\n",
                  Source.code().ISA, Source.header().RegistersPerThread,
                  registersFrom(Code));
  if (Code && !Code->Fallback.empty())
    Out += fmt::format("  {}\n", Code->Fallback);
  if (Launch && Source.code().ISA == nameOf(ISA::Machine))
    if (const std::string Note = functionAssumptions(Launch->kernel());
        !Note.empty())
      Out += "  " + Note;
  return Out;
}

std::string codeLine(ISA Level, std::span<const std::string> Notes) {
  std::string Out =
      fmt::format("\nCode: level {} (--isa)\n", nameOf(Level).str());
  for (const std::string &Note : Notes)
    Out += "  " + Note + "\n";
  return Out;
}

void addAssumeOption(CLI::App &Command, std::vector<std::string> &Assume) {
  Command
      .add_option("--assume", Assume,
                  "iterations of a loop that data decides: LINE=COUNT, "
                  "L0=COUNT or KERNEL:LINE=COUNT")
      ->allow_extra_args(false);
}

/// CLI11's own validators name the largest double, in 309 digits.
static CLI::Validator numberThat(const std::string &Must,
                                 const std::string &Name,
                                 const std::function<bool(double)> &IsGood,
                                 const std::string &Word = "") {
  return CLI::Validator(
      [=](std::string &Text) {
        double Value = 0;
        if ((!Word.empty() && Text == Word) ||
            (CLI::detail::lexical_cast(Text, Value) && std::isfinite(Value) &&
             IsGood(Value)))
          return std::string();
        return fmt::format("must be {}, not '{}'", Must, Text);
      },
      Name);
}

CLI::Validator aboveZero(const std::string &Word) {
  return numberThat(
      Word.empty() ? "a number above 0" : "a number above 0 or " + Word,
      Word.empty() ? "POSITIVE" : "POSITIVE or {" + Word + "}",
      [](double Value) { return Value > 0; }, Word);
}

CLI::Validator notNegative() {
  return numberThat("a number of at least 0", "NONNEGATIVE",
                    [](double Value) { return Value >= 0; });
}

BlockRange parseBlockRange(const std::string &Text, uint64_t Total) {
  BlockRange Range;
  const auto [First, Count] = llvm::StringRef(Text).split(':');
  const bool Good = !First.getAsInteger(10, Range.First) &&
                    !Count.getAsInteger(10, Range.Count);
  if (!Good || Range.Count == 0 || Range.First >= Total)
    throw usageError("--blocks takes FIRST:COUNT with FIRST below the grid's "
                     "{} thread blocks, not '{}'",
                     Total, Text);
  Range.Count = std::min(Range.Count, Total - Range.First);
  return Range;
}

void requireNoLaunch(const SessionOptions &O) {
  if (!O.LaunchFile.empty() || !O.Grid.empty() || !O.Block.empty() ||
      !O.Args.empty() || !O.Kernel.empty())
    throw usageError("{}: a trace holds its launch; leave out --kernel, "
                     "--launch, --grid, --block, --arg",
                     O.Input);
}

} // namespace heddle::tool
