//===- SweepStatus.cpp - How far a sweep is -------------------------------===//

#include "SweepPlan.h"

#include "Commands.h"
#include "Shard.h"
#include "SweepStore.h"
#include "TextOutput.h"

#include "views/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <vector>

namespace heddle::tool {

namespace fs = std::filesystem;

namespace {
struct PartStatus {
  std::string Name;
  unsigned Part = 1, Of = 1;
  uint64_t Points = 0, Done = 0, Failed = 0;
};
/// By message, how often.
using Failures = std::map<std::string, uint64_t>;
} // namespace

uint64_t plannedPoints(const std::string &Plan) {
  uint64_t Total = 1;
  for (const auto &Axis : nlohmann::json::parse(Plan)["axes"])
    Total *= Axis["values"].size();
  return Total;
}

uint64_t finishedIn(const std::string &Database, const std::string &Plan) {
  if (SweepStore::isBlank(Database))
    return 0;
  const SweepStore Store = take(SweepStore::peek(Database));
  if (Store.plan() != Plan)
    throw inputError("{}: holds the results of another sweep; remove it, or "
                     "choose another file with -o",
                     Database);
  return take(Store.finished()).size();
}

/// What another process writes at this moment may be unreadable once.
static PartStatus readPart(const std::string &Path, Failures &Why) {
  for (unsigned Tries = 3;; --Tries) {
    PartStatus S;
    Failures Found;
    auto Store = SweepStore::peek(Path);
    Result<void> Read =
        Store ? Store->forEach([&](const SweepRow &Row) -> Result<void> {
          ++(Row.Result.empty() ? S.Failed : S.Done);
          if (Row.Result.empty())
            ++Found[Row.Message];
          return {};
        })
              : std::unexpected(Store.error());
    if (!Read && Tries)
      continue;
    take(std::move(Read));
    for (const auto &[Message, Times] : Found)
      Why[Message] += Times;
    S.Points = plannedPoints(Store->plan());
    return S;
  }
}

/// The databases of the tasks, in order.
static std::vector<PartStatus> readParts(const std::string &Folder,
                                         Failures &Why) {
  std::vector<PartStatus> Parts;
  uint64_t Total = 0; ///< of the sweep
  for (const auto &Entry : fs::directory_iterator(Folder)) {
    unsigned Part = 0, Of = 0;
    const std::string Name = Entry.path().filename().string();
    if (std::sscanf(Name.c_str(), "part-%u-of-%u.db", &Part, &Of) != 2 ||
        !Name.ends_with(".db") || !Part || Part > Of)
      continue;
    PartStatus S;
    if (!SweepStore::isBlank(Entry.path().string()))
      S = readPart(Entry.path().string(), Why);
    S.Name = Name;
    S.Part = Part;
    S.Of = Of;
    Total = std::max(Total, S.Points);
    Parts.push_back(std::move(S));
  }
  // Tasks that were submitted and have not begun.
  unsigned Tasks = 0;
  std::ifstream(Folder + "/jobs") >> Tasks;
  for (unsigned Part = 1; Part <= Tasks; ++Part)
    if (std::ranges::none_of(Parts, [&](const PartStatus &S) {
          return S.Part == Part && S.Of == Tasks;
        }))
      Parts.push_back({fmt::format("part-{}-of-{}.db: not begun", Part, Tasks),
                       Part, Tasks});
  for (PartStatus &S : Parts)
    S.Points = Total < S.Part ? 0 : (Total - S.Part) / S.Of + 1;
  std::ranges::sort(
      Parts, {}, [](const PartStatus &S) { return std::pair(S.Of, S.Part); });
  return Parts;
}

/// What Slurm says of the jobs of \p Folder; empty where it cannot be asked.
static std::string queueText(const std::string &Folder) {
  std::ifstream File(Folder + "/jobs");
  std::string Array, Merge;
  unsigned Tasks;
  if (!(File >> Tasks >> Array >> Merge))
    return {};
  const std::string Command = fmt::format(
      "squeue -h -j {},{} -o '  %i %j %T %M %R' 2>/dev/null", Array, Merge);
  std::unique_ptr<FILE, int (*)(FILE *)> Pipe(::popen(Command.c_str(), "r"),
                                              ::pclose);
  std::string Out;
  char Buffer[256];
  while (Pipe && std::fgets(Buffer, sizeof(Buffer), Pipe.get()))
    Out += Buffer;
  return fmt::format(
      "jobs {} and {} (merge): {}{}", Array, Merge,
      Out.empty() ? "not in Slurm's queue\n" : "in Slurm's queue\n", Out);
}

void printStatus(const std::string &Database) {
  const std::string Folder = SlurmArray::folderOf(Database);
  Failures Why;
  std::vector<PartStatus> Parts;
  if (fs::is_directory(Folder))
    Parts = readParts(Folder, Why);
  if (fs::exists(Database)) {
    Failures Same; // as in the parts
    Parts.push_back(readPart(Database, Parts.empty() ? Why : Same));
    Parts.back().Name = fs::path(Database).filename().string();
  } else if (!fs::is_directory(Folder)) {
    throw inputError("{}: does not exist", Database);
  }
  using views::TextTable;
  TextTable Table("lrrr", {"database", "done", "failed", "missing"});
  for (const PartStatus &S : Parts)
    Table.row(
        {S.Name, std::to_string(S.Done), std::to_string(S.Failed),
         std::to_string(S.Points - std::min(S.Points, S.Done + S.Failed))});
  std::string Text = Table.str() + queueText(Folder);
  for (const auto &[Message, Times] : Why)
    Text += fmt::format("failed {} time{}: {}\n", Times, Times == 1 ? "" : "s",
                        Message);
  writeText("-", Text);
}

} // namespace heddle::tool
