//===- RecordCommand.cpp - heddle record ----------------------------------===//

#include "Commands.h"

#include "record/Format.h"
#include "record/Recording.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <spawn.h>
#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <memory>

extern char **environ;

namespace heddle::tool {

namespace {

namespace fs = std::filesystem;

constexpr const char *LayerName = "libHeddleOpenCLLayer.so";

struct RecordOptions {
  std::string Folder;
  std::vector<std::string> Command;
  bool Quiet = false, Check = false;
};

/// lib/heddle/, beside the bin/ that this program is in.
fs::path libraryFolder() {
  std::error_code Failed;
  return fs::read_symlink("/proc/self/exe", Failed)
             .parent_path()
             .parent_path() /
         "lib" / "heddle";
}

/// Puts \p Entry in front of what the user has set.
void prepend(const char *Variable, const std::string &Entry, bool Last) {
  const char *Given = std::getenv(Variable);
  std::string Value = Entry;
  if (Given && *Given)
    Value = Last ? Given + (":" + Entry) : Entry + ":" + Given;
  ::setenv(Variable, Value.c_str(), 1);
}

/// The folder in which a recording grows until the program has ended; then it
/// replaces the one that was there before.
class GrowingRecording {
public:
  /// Fails if \p Folder holds anything else than a recording.
  explicit GrowingRecording(std::string Given)
      : Folder(std::move(Given)), Part(Folder + ".part") {
    std::error_code Failed;
    if (fs::exists(Folder) && !fs::is_empty(Folder, Failed) &&
        !fs::exists(fs::path(Folder) / record::LogName))
      throw inputError(
          "'{}' exists and is not a recording; choose another folder", Folder);
    remove(Part);
    fs::create_directories(Part, Failed);
    if (Failed)
      throw inputError("cannot write '{}': {}", Folder, Failed.message());
  }
  ~GrowingRecording() { remove(Part); }

  const std::string &path() const { return Part; }
  bool hasLog() const { return fs::exists(fs::path(Part) / record::LogName); }
  void commit() const {
    std::error_code Failed;
    remove(Folder);
    fs::rename(Part, Folder, Failed);
    if (Failed)
      throw inputError("cannot rename '{}' to '{}': {}", Part, Folder,
                       Failed.message());
  }

private:
  /// Removes what a recording consists of, and nothing else.
  static void remove(const fs::path &Recording) {
    std::error_code Ignored;
    fs::remove(Recording / record::LogName, Ignored);
    std::vector<fs::path> Programs;
    for (const auto &Entry : fs::directory_iterator(Recording, Ignored))
      if (Entry.path().filename().string().starts_with("program-"))
        Programs.push_back(Entry.path());
    for (const fs::path &Program : Programs)
      fs::remove(Program, Ignored);
    fs::remove(Recording, Ignored);
  }

  const std::string Folder, Part;
};

/// The program that runs now, for the handler of SIGTERM, in whatever thread.
std::atomic<pid_t> Running = 0;

/// Runs the program under the layers and returns how wait() says it ended.
int runProgram(const RecordOptions &Options, const std::string &Folder) {
  // Layers that the user has set up stay between the program and ours.
  const fs::path Libraries = libraryFolder();
  for (const fs::path &Layer :
       {Libraries / LayerName, Libraries.parent_path() / LayerName})
    if (fs::exists(Layer)) {
      prepend("OPENCL_LAYERS", Layer.string(), /*Last=*/true);
      break;
    }
  // A program that another compiler has linked finds our libcudart here.
  prepend("LD_LIBRARY_PATH", (Libraries / "cuda").string(), /*Last=*/false);
  // So does one with NVIDIA's header of NVTX 3, unless a tool of the user's
  // listens.
  ::setenv("NVTX_INJECTION64_PATH",
           (Libraries / "cuda" / "libnvToolsExt.so").c_str(), /*replace=*/0);
  if (Options.Check)
    ::setenv("HEDDLE_CHECK", "1", 1);
  ::setenv("HEDDLE_RECORDING", fs::absolute(Folder).c_str(), 1);
  std::vector<char *> Words;
  for (const std::string &Word : Options.Command)
    Words.push_back(const_cast<char *>(Word.c_str()));
  Words.push_back(nullptr);
  pid_t Child;
  if (int Error = ::posix_spawnp(&Child, Words[0], nullptr, nullptr,
                                 Words.data(), environ))
    throw inputError("cannot run '{}': {}", Words[0], std::strerror(Error));
  // Ctrl-C is for the program, which the terminal tells itself; what it has
  // done by then is recorded.
  Running = Child;
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, [](int) { ::kill(Running, SIGTERM); });
  int Status = 0;
  while (::waitpid(Child, &Status, 0) < 0 && errno == EINTR)
    ;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  return Status;
}

void runRecord(const RecordOptions &Options) {
  const GrowingRecording Growing(Options.Folder);
  const int Status = runProgram(Options, Growing.path());
  if (!Growing.hasLog())
    throw inputError("'{}' used neither OpenCL through the ICD loader nor CUDA "
                     "through a libcudart.so, so there is nothing to record",
                     Options.Command[0]);
  Growing.commit();
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
    throw inputError("the program was killed by signal {} ({}); the recording "
                     "holds what it did until shortly before",
                     WTERMSIG(Status), ::strsignal(WTERMSIG(Status)));
  if (WEXITSTATUS(Status) != 0)
    throw inputError(
        "the program ended with status {}; the recording holds what it did",
        WEXITSTATUS(Status));
}

} // namespace

void addRecordCommand(CLI::App &App) {
  CLI::App *Command = App.add_subcommand(
      "record", "Run an unmodified OpenCL or CUDA program and record it");
  auto Options = std::make_shared<RecordOptions>();
  Command->add_option("-o", Options->Folder, "folder of the recording")
      ->required();
  Command->add_flag("-q,--quiet", Options->Quiet, "no summary");
  Command->add_flag("--check", Options->Check,
                    "CUDA: name memory that is never freed, and host code that "
                    "uses device memory");
  Command
      ->add_option("PROGRAM", Options->Command,
                   "program and its arguments, after '--'")
      ->required();
  Command->callback([Options] { runRecord(*Options); });
}

} // namespace heddle::tool
