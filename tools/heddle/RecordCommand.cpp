//===- RecordCommand.cpp - heddle record ----------------------------------===//

#include "Commands.h"

#include "record/Format.h"
#include "record/Recording.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <memory>

extern char **environ;

namespace heddle::tool {

namespace {

namespace fs = std::filesystem;

struct RecordOptions {
  std::string Folder;
  std::vector<std::string> Command;
  bool Quiet = false;
};

/// Beside the bin/ that this program is in: lib/heddle/ where it is installed,
/// lib/ where it is built.
std::string layerPath() {
  std::error_code Failed;
  const fs::path Prefix =
      fs::read_symlink("/proc/self/exe", Failed).parent_path().parent_path();
  fs::path Layer = Prefix / "lib" / "heddle" / "libHeddleOpenCLLayer.so";
  if (!fs::exists(Layer))
    Layer = Prefix / "lib" / Layer.filename();
  if (Failed || !fs::exists(Layer))
    throw CommandError{fmt::format("the OpenCL layer '{}' is missing; "
                                   "utils/deps installs the headers that "
                                   "its build needs",
                                   Layer.string())};
  return Layer.string();
}

/// Makes the folder, or empties that of an earlier recording.
void prepareFolder(const std::string &Folder) {
  std::error_code Failed;
  const fs::path Log = fs::path(Folder) / record::LogName;
  if (fs::exists(Folder) && !fs::is_empty(Folder, Failed)) {
    if (Failed || !fs::exists(Log))
      throw CommandError{fmt::format(
          "'{}' exists and is not a recording; choose another folder", Folder)};
    fs::remove(Log, Failed);
    for (uint64_t N = 0;
         !Failed &&
         fs::remove(fs::path(Folder) / record::programName(N), Failed);
         ++N)
      ;
  } else {
    fs::create_directories(Folder, Failed);
  }
  if (Failed)
    throw CommandError{
        fmt::format("cannot write '{}': {}", Folder, Failed.message())};
}

/// Runs the program under the layer and returns how wait() says it ended.
int runProgram(const RecordOptions &Options) {
  std::string Layers = layerPath();
  // Layers that the user has set up stay between the program and ours.
  if (const char *Given = std::getenv("OPENCL_LAYERS"); Given && *Given)
    Layers = std::string(Given) + ":" + Layers;
  ::setenv("OPENCL_LAYERS", Layers.c_str(), 1);
  ::setenv("HEDDLE_RECORDING", fs::absolute(Options.Folder).c_str(), 1);
  std::vector<char *> Words;
  for (const std::string &Word : Options.Command)
    Words.push_back(const_cast<char *>(Word.c_str()));
  Words.push_back(nullptr);
  pid_t Child;
  if (int Error = ::posix_spawnp(&Child, Words[0], nullptr, nullptr,
                                 Words.data(), environ))
    throw CommandError{
        fmt::format("cannot run '{}': {}", Words[0], std::strerror(Error))};
  // Ctrl-C is for the program; what it has done by then is recorded.
  std::signal(SIGINT, SIG_IGN);
  int Status = 0;
  while (::waitpid(Child, &Status, 0) < 0 && errno == EINTR)
    ;
  std::signal(SIGINT, SIG_DFL);
  return Status;
}

void runRecord(const RecordOptions &Options) {
  prepareFolder(Options.Folder);
  std::error_code Ignored;
  int Status = 0;
  try {
    Status = runProgram(Options);
  } catch (const CommandError &) {
    fs::remove(Options.Folder, Ignored);
    throw;
  }
  const fs::path Log = fs::path(Options.Folder) / record::LogName;
  if (!fs::exists(Log)) {
    fs::remove(Options.Folder, Ignored);
    throw CommandError{fmt::format(
        "'{}' did not use OpenCL through the ICD loader, so there is nothing "
        "to record",
        Options.Command[0])};
  }
  const record::Recording R = take(record::readRecording(Options.Folder));
  for (const auto &[What, Times] : R.Unsupported)
    fmt::print(stderr, "heddle: warning: not recorded: {}{}\n", What,
               Times > 1 ? fmt::format(" ({} times)", Times) : "");
  if (!Options.Quiet)
    fmt::print(stderr,
               "heddle: recorded {} launches, {} results read, {} contents of "
               "{} bytes in a log of {} bytes: {}\n",
               R.Launches, R.Reads, R.Blobs, R.BlobBytes, R.FileBytes,
               Options.Folder);
  if (WIFSIGNALED(Status))
    throw CommandError{fmt::format(
        "the program was killed by signal {} ({}); the recording holds what "
        "it did until shortly before",
        WTERMSIG(Status), ::strsignal(WTERMSIG(Status)))};
  if (WEXITSTATUS(Status) != 0)
    throw CommandError{
        fmt::format("the program ended with status {}; the recording holds "
                    "what it did",
                    WEXITSTATUS(Status))};
}

} // namespace

void addRecordCommand(CLI::App &App) {
  CLI::App *Command = App.add_subcommand(
      "record", "run an unmodified OpenCL program and record it");
  auto Options = std::make_shared<RecordOptions>();
  Command->add_option("-o", Options->Folder, "folder of the recording")
      ->required();
  Command->add_flag("-q,--quiet", Options->Quiet, "no summary");
  Command
      ->add_option("PROGRAM", Options->Command,
                   "program and its arguments, after '--'")
      ->required();
  Command->callback([Options] { runRecord(*Options); });
}

} // namespace heddle::tool
