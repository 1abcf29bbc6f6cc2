//===- Shard.cpp - A part of the work, and the jobs that do it ------------===//

#include "Shard.h"

#include "Commands.h"
#include "TextOutput.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <sys/wait.h>

namespace heddle::tool {

namespace fs = std::filesystem;

Shard ShardOptions::shard() const {
  if (Text.empty())
    return {};
  int Read = 0;
  unsigned long long Part = 0, Of = 0;
  const bool Good =
      std::sscanf(Text.c_str(), "%llu/%llu%n", &Part, &Of, &Read) == 2 &&
      size_t(Read) == Text.size() && Of > 0;
  if (Good && Part == 0 && From == 1)
    throw usageError("--shard {}: parts are counted from 1; where they are "
                     "counted from 0, as ranks are, add --shard-from 0",
                     Text);
  if (!Good || Part < From || Part - From >= Of)
    throw usageError("--shard {}: write it as I/N with I from {}, e.g. {}/4",
                     Text, From ? "1 to N" : "0 to N-1", From);
  return {Part - From, Of};
}

void addShardOptions(CLI::App &Command, ShardOptions &Options) {
  Command.add_option("--shard", Options.Text, "do part I of N only: I/N");
  Command
      .add_option("--shard-from", Options.From,
                  "what the first part is called, 0 or 1")
      ->check(CLI::Range(0u, 1u))
      ->capture_default_str();
  CLI::Option *Slurm =
      Command
          .add_option("--slurm", Options.Slurm,
                      "submit an array of N Slurm jobs and one that merges "
                      "their results")
          ->check(CLI::Range(1u, 10000u))
          ->option_text("N")
          ->excludes("--shard");
  Command
      .add_option("--sbatch", Options.Sbatch,
                  "option for sbatch, e.g. --sbatch=--time=60")
      ->allow_extra_args(false)
      ->needs(Slurm);
}

std::string ownPath() {
  std::error_code Failed;
  const fs::path Path = fs::read_symlink("/proc/self/exe", Failed);
  return Failed ? "heddle" : Path.string();
}

/// \p Word for a shell, whatever it holds.
static std::string shellWord(const std::string &Word) {
  static constexpr std::string_view Plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_-+=./,:@%";
  if (!Word.empty() && Word.find_first_not_of(Plain) == Word.npos)
    return Word;
  std::string Out = "'";
  for (char C : Word)
    Out += C == '\'' ? std::string("'\\''") : std::string(1, C);
  return Out + "'";
}

static std::string commandLine(const std::vector<std::string> &Words) {
  std::string Out;
  for (const std::string &Word : Words)
    Out += (Out.empty() ? "" : " ") + shellWord(Word);
  return Out;
}

std::string SlurmArray::folderOf(const std::string &Database) {
  return Database + ".parts";
}

std::string SlurmArray::part(unsigned Task) const {
  return fmt::format("{}/part-{}-of-{}.db", folderOf(Database), Task, Tasks);
}

/// What every task runs. Slurm sends SIGTERM to all of a job when its time is
/// up; Heddle then ends with status 5, and the task asks for another run if
/// this one got somewhere.
static std::string taskScript(const SlurmArray &A) {
  // What is for Clang comes last.
  const auto Clang = std::ranges::find(A.Work, std::string("--"));
  return fmt::format(
      R"sh(#!/bin/bash
# One part of {0}. Written by heddle --slurm.
#SBATCH --job-name=heddle
#SBATCH --open-mode=append
#SBATCH --requeue
part={1}/part-$SLURM_ARRAY_TASK_ID-of-{2}.db
state() {{ stat -c '%s %y' "$part" 2>/dev/null; }}
left=$(squeue -h -j "${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID" -o %L 2>/dev/null | awk '/^[0-9:-]+$/ {{
  n = split($0, a, /[-:]/); print a[n] + 60 * a[n-1] + 3600 * a[n-2] + 86400 * a[n-3] }}')
before=$(state)
trap : TERM
{3} --shard "$SLURM_ARRAY_TASK_ID/{2}" {4} "$part" {5}
status=$?
if [ $status = 5 ] && [ -n "$left" ] && [ $SECONDS -ge $((left - 2)) ] && [ "$(state)" != "$before" ]; then
  scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID"
fi
exit $status
)sh",
      A.Database, shellWord(A.folderOf(A.Database)), A.Tasks,
      commandLine({A.Work.begin(), Clang}), A.PartOption,
      commandLine({Clang, A.Work.end()}));
}

static std::string mergeScript(const SlurmArray &A) {
  std::vector<std::string> Merge = {ownPath(), "sweep", "merge"};
  std::string Text = fmt::format(
      "#!/bin/bash\n"
      "# Joins the parts of {}. Written by heddle --slurm.\n"
      "#SBATCH --job-name=heddle-merge\n"
      "#SBATCH --open-mode=append\n"
      "{} {}/part-*.db -o {} {} || exit\n",
      A.Database, commandLine(Merge), shellWord(A.folderOf(A.Database)),
      shellWord(A.Database), commandLine(A.MergeOptions));
  if (!A.After.empty())
    Text += commandLine(A.After) + "\n";
  return Text;
}

/// Runs sbatch and returns the number of the job.
static std::string sbatch(std::vector<std::string> Words) {
  Words.insert(Words.begin(), {"sbatch", "--parsable"});
  std::fflush(stdout);
  const std::string Line = commandLine(Words);
  std::unique_ptr<FILE, int (*)(FILE *)> Pipe(::popen(Line.c_str(), "r"),
                                              ::pclose);
  std::string Out;
  char Buffer[256];
  while (Pipe && std::fgets(Buffer, sizeof(Buffer), Pipe.get()))
    Out += Buffer;
  const int Status = Pipe ? ::pclose(Pipe.release()) : -1;
  if (Status != 0)
    throw CommandError{
        WIFEXITED(Status) && WEXITSTATUS(Status) == 127
            ? "there is no sbatch in PATH; --slurm needs Slurm's commands"
            : "sbatch refused the job (its message is above): " + Line};
  // "123;cluster"
  return Out.substr(0, Out.find_first_of(";\n"));
}

void submit(const SlurmArray &A, const std::vector<unsigned> &Missing,
            bool Quiet) {
  const std::string Folder = A.folderOf(A.Database);
  std::error_code Failed;
  fs::create_directories(Folder, Failed);
  if (Failed)
    throw inputError("cannot make '{}': {}", Folder, Failed.message());
  writeText(Folder + "/task.sh", taskScript(A));
  writeText(Folder + "/merge.sh", mergeScript(A));
  std::vector<std::string> Task = {
      fmt::format("--array={}", fmt::join(Missing, ",")),
      "--output=" + Folder + "/task-%a.log"};
  Task.insert(Task.end(), A.Sbatch.begin(), A.Sbatch.end());
  Task.push_back(Folder + "/task.sh");
  const std::string Job = sbatch(Task);
  const std::string Merge =
      sbatch({"--dependency=afterany:" + Job,
              "--output=" + Folder + "/merge.log", Folder + "/merge.sh"});
  writeText(Folder + "/jobs", fmt::format("{} {} {}\n", A.Tasks, Job, Merge));
  if (!Quiet)
    fmt::print("{}: submitted job {} with {} task{}, and job {} that merges; "
               "`heddle sweep --status {}` tells how far they are\n",
               A.Database, Job, Missing.size(), Missing.size() == 1 ? "" : "s",
               Merge, A.Database);
}

} // namespace heddle::tool
