//===- main.cpp - The heddle command --------------------------------------===//

#include "Commands.h"
#include "Commit.h"
#include "Progress.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/thread.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#if defined(__linux__) && defined(__GLIBC__)
#include <malloc.h>
#endif
#include <sys/resource.h>
#include <unistd.h>

using namespace heddle::tool;

/// \p Text without the bytes that a terminal would obey: messages may quote
/// files that are no text.
static std::string printable(std::string Text) {
  for (char &C : Text)
    if ((uint8_t(C) < ' ' && C != '\n' && C != '\t') || C == 0x7f)
      C = '?';
  return Text;
}

/// Whether the program was called by nvcc's name.
static bool isNvcc(std::string_view Name) {
  return Name.substr(Name.find_last_of('/') + 1) == "heddle-nvcc";
}

/// The arguments, with a second "--" where CLI11 would take the first for the
/// end of an option's values: behind an option whose value may be left out.
static std::vector<char *> keepTerminator(CLI::App &App, int Argc,
                                          char **Argv) {
  std::vector<char *> Args(Argv, Argv + Argc);
  auto End = std::ranges::find(Args, std::string_view("--"));
  if (End == Args.end() || End - Args.begin() < 3)
    return Args;
  const auto Commands = App.get_subcommands(
      [&](CLI::App *Command) { return Command->check_name(Argv[1]); });
  const CLI::Option *Before =
      Commands.empty() ? nullptr
                       : Commands.front()->get_option_no_throw(*(End - 1));
  if (Before && Before->get_items_expected_min() == 0 &&
      Before->get_items_expected_max() > 0)
    Args.insert(End, *End);
  return Args;
}

/// The option of \p Command that \p Given is likely to mean, else empty.
static std::string similarOption(const CLI::App &Command,
                                 std::string_view Given) {
  std::string Best;
  unsigned Least = unsigned(Given.size()) / 3 + 1;
  for (const CLI::Option *O : Command.get_options())
    for (const std::string &Name : O->get_lnames()) {
      const bool IsPart = Given.size() > 2 && Name.ends_with(Given);
      const unsigned Distance =
          IsPart ? 0 : llvm::StringRef(Name).edit_distance(Given);
      if (Distance < Least) {
        Least = Distance;
        Best = "--" + Name;
      }
    }
  return Best;
}

/// \p What says of an option with a list of values, as CLI11 does, in words:
/// "--isa: Check sas value in {ir->1,machine->2} OR {1,2} FAILED".
static std::string inWords(llvm::StringRef What) {
  auto [Option, Check] = What.split(": Check ");
  auto [Value, List] = Check.split(" value in {");
  if (List.empty() || !List.ends_with("FAILED"))
    return What.str();
  llvm::SmallVector<llvm::StringRef> Known;
  List.split('}').first.split(Known, ',');
  for (llvm::StringRef &Name : Known)
    Name = Name.split("->").first;
  return (Option + ": '" + Value + "' is none of " + llvm::join(Known, ", "))
      .str();
}

/// Help and version, which were asked for, or what is wrong: of an argument
/// that no option takes, which one may have been meant.
static int printUsageError(const CLI::App &App, const char *Name,
                           const CLI::ParseError &E) {
  const auto Commands = App.get_subcommands(
      [&](const CLI::App *Command) { return Command->check_name(Name); });
  const bool IsExtra = E.get_exit_code() == int(CLI::ExitCodes::ExtrasError);
  if (E.get_exit_code() == 0) {
    App.exit(E);
    return Done;
  }
  if (!IsExtra || Commands.empty()) {
    const std::string Of =
        Commands.empty() ? "" : " " + Commands.front()->get_name();
    std::fprintf(stderr, "heddle: error: %s; see 'heddle%s --help'\n",
                 printable(inWords(E.what())).c_str(), Of.c_str());
    return BadUsage;
  }
  const CLI::App &Command = *Commands.front();
  const std::string Text = E.what();
  std::string_view Given = Text;
  Given.remove_prefix(std::min(Text.size(), Text.rfind(": ") + 2));
  Given = Given.substr(0, Given.find_first_of(" ="));
  const std::string Similar = Given.starts_with("--")
                                  ? similarOption(Command, Given.substr(2))
                                  : std::string();
  const std::string Hint =
      !Similar.empty()
          ? "did you mean " + Similar + "?"
          : "'heddle " + Command.get_name() + " --help' lists what it takes";
  std::fprintf(stderr, "heddle: error: '%s' does not take '%s'; %s\n",
               Command.get_name().c_str(),
               printable(std::string(Given)).c_str(), Hint.c_str());
  return BadUsage;
}

static int sayOutOfMemory() {
  std::fputs("heddle: error: out of memory: give it more ('ulimit -v', a "
             "cgroup's or a batch job's limit), or fewer --threads\n",
             stderr);
  return BadInput;
}

/// Whether the command may show its name and the time on the terminal: not
/// with -q, nor beside the output of another program.
static bool showsItself(int Argc, char **Argv) {
  if (Argc < 2 || std::string_view(Argv[1]) == "record")
    return false;
  const std::span Words(Argv + 2, Argv + Argc);
  const auto End = std::ranges::find(Words, std::string_view("--"));
  return std::none_of(Words.begin(), End, [](std::string_view Word) {
    return Word == "-q" || Word == "--quiet";
  });
}

static int runCommand(int Argc, char **Argv) {
  if (std::error_code Gone; std::filesystem::current_path(Gone).empty()) {
    std::fprintf(stderr, "heddle: error: the working directory cannot be "
                         "read; it may be deleted: change to another\n");
    return BadInput;
  }
  if (Argc > 0 && isNvcc(Argv[0]))
    return runNvcc({Argv + 1, Argv + Argc});
  if (Argc > 1 && std::string_view(Argv[1]) == "cc")
    return runNvcc({Argv + 2, Argv + Argc});
  CLI::App App{
      "Heddle predicts how GPU kernels run, from their source and a launch."};
  App.name("heddle");
  App.set_version_flag("--version",
                       "heddle " HEDDLE_VERSION " (commit " HEDDLE_COMMIT
                       ")\nLLVM " LLVM_VERSION_STRING);
  App.require_subcommand(1);
  addKernelsCommand(App);
  addAnalyzeCommand(App);
  addRunCommand(App);
  addTraceCommand(App);
  addSimulateCommand(App);
  addEstimateCommand(App);
  addReportCommand(App);
  addDiffCommand(App);
  addValidateCommand(App);
  addSweepCommand(App);
  addTuneCommand(App);
  addGPUsCommand(App);
  addCalibrateCommand(App);
  addProfileCommand(App);
  addCloneCommand(App);
  addSampleCommand(App);
  addRecordCommand(App);
  addCcCommand(App);
  addHelpCommand(App);
  App.parse_complete_callback([&App] { checkOutputs(App); });

  auto IsNamed = [&](CLI::App *A) { return A->check_name(Argv[1]); };
  if (Argc > 1 && Argv[1][0] != '-' && App.get_subcommands(IsNamed).empty()) {
    std::fprintf(stderr,
                 "heddle: error: there is no command '%s'; 'heddle --help' "
                 "lists them\n",
                 Argv[1]);
    return BadUsage;
  }
  try {
    // What says nothing of its own shows that it is at work.
    Progress Whole(Argc > 1 ? Argv[1] : "", "", !showsItself(Argc, Argv));
    std::vector<char *> Args = keepTerminator(App, Argc, Argv);
    App.parse(int(Args.size()), Args.data());
    return Done;
  } catch (const CLI::ParseError &E) {
    return printUsageError(App, Argc > 1 ? Argv[1] : "", E);
  } catch (CommandError &E) {
    // Errors on their way through the runtime half are only text.
    if (E.Status == BadInput && Progress::interrupted())
      E.Status = Interrupted;
    if (!E.Message.empty())
      std::fprintf(stderr, "heddle: %serror: %s\n",
                   E.Status == InternalError ? "internal " : "",
                   printable(E.Message).c_str());
    return E.Status;
  } catch (const std::bad_alloc &) {
    return sayOutOfMemory();
  } catch (const std::exception &E) {
    std::fprintf(stderr, "heddle: internal error: %s\n", E.what());
    return InternalError;
  }
}

/// Bytes of address space that may still be mapped.
static uint64_t addressSpaceLeft() {
  struct rlimit Limit = {};
  if (::getrlimit(RLIMIT_AS, &Limit) != 0 || Limit.rlim_cur == RLIM_INFINITY)
    return UINT64_MAX;
  uint64_t Pages = 0;
  std::ifstream("/proc/self/statm") >> Pages;
  const uint64_t Mapped = Pages * uint64_t(::sysconf(_SC_PAGESIZE));
  return Limit.rlim_cur > Mapped ? Limit.rlim_cur - Mapped : 0;
}

/// The command's thread shares the program's heap, which grows in large steps
/// and may lie in huge pages. A heap of its own would grow page by page, with a
/// system call and a page fault for each.
static void allocateFromOneHeap() {
#if defined(__linux__) && defined(__GLIBC__)
  mallopt(M_ARENA_MAX, 1);
#endif
}

int main(int Argc, char **Argv) {
  // With less even threads and their stacks cannot be made, in LLVM and TBB.
  constexpr uint64_t LeastBytes = 128 << 20;
  const uint64_t Left = addressSpaceLeft();
  if (Left < LeastBytes)
    return sayOutOfMemory();
  // A file that grows beyond the shell's limit is a message, not a signal.
  std::signal(SIGXFSZ, SIG_IGN);
  reportFatalErrors();
  attend();
  // Clang and the passes recurse as deep as the source nests: its limit of 2048
  // brackets must come before the end of the stack. Where address space is
  // limited, such a stack may be more than there is.
  const unsigned StackBytes = unsigned(std::min<uint64_t>(512 << 20, Left / 4));
  allocateFromOneHeap();
  int Status = Done;
  llvm::thread(std::optional(StackBytes), [&] {
    Status = runCommand(Argc, Argv);
  }).join();
  return Status;
}
