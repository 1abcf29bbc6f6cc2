//===- Shard.h - A part of the work, and the jobs that do it ----*- C++ -*-===//

#ifndef HEDDLE_TOOLS_SHARD_H
#define HEDDLE_TOOLS_SHARD_H

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace heddle::tool {

/// Part number Part, from 0, of Of: every Of-th item from there on.
struct Shard {
  uint64_t Part = 0, Of = 1;

  bool holds(uint64_t Item) const { return Item % Of == Part; }
};

/// --shard and --shard-from, and what splits the work over a Slurm cluster.
struct ShardOptions {
  std::string Text;  ///< "I/N"
  unsigned From = 1; ///< what the first part is called: 0 or 1
  unsigned Slurm = 0;
  std::vector<std::string> Sbatch;

  Shard shard() const; ///< throws CommandError
};
void addShardOptions(CLI::App &Command, ShardOptions &Options);

/// An array of Slurm jobs, each with a database of its own, and a job that
/// merges them.
struct SlurmArray {
  std::string Database;          ///< the result; parts lie in Database.parts
  std::vector<std::string> Work; ///< words of the command of every task
  std::string PartOption;        ///< "-o": takes the task's database
  std::vector<std::string> MergeOptions; ///< of `heddle sweep merge`
  std::vector<std::string> After;        ///< a command for the merged database
  unsigned Tasks = 1;
  std::vector<std::string> Sbatch; ///< options of the user's

  static std::string folderOf(const std::string &Database);
  std::string part(unsigned Task) const; ///< from 1
};

/// Writes the scripts into the folder of the parts and submits the tasks
/// \p Missing, from 1, and the merge. Says on stdout what was submitted unless
/// \p Quiet. Throws CommandError.
void submit(const SlurmArray &Array, const std::vector<unsigned> &Missing,
            bool Quiet);

/// The path of this program.
std::string ownPath();

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_SHARD_H
