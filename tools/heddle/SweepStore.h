//===- SweepStore.h - Results of a sweep in SQLite --------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_SWEEPSTORE_H
#define HEDDLE_TOOLS_SWEEPSTORE_H

#include "base/Result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>

struct sqlite3;

namespace heddle::tool {

/// One finished configuration.
struct SweepRow {
  uint64_t Index = 0;
  std::string Settings; ///< JSON object: key -> value
  std::string Result;   ///< JSON object of the model; empty: it failed
  std::string Message;  ///< why it failed
};

/// A database with the sweep's description and a row per finished
/// configuration. Every row is on disk when add returns, so a process that is
/// killed loses none. Rows say nothing of time and order, so that the same
/// sweep gives the same content.
class SweepStore {
public:
  /// Creates or opens \p Path for the sweep \p Plan (its canonical text).
  /// Fails if the file is something else, holds another sweep, or another
  /// process writes it.
  static Result<SweepStore> open(const std::string &Path,
                                 const std::string &Plan);
  /// Opens an existing one.
  static Result<SweepStore> open(const std::string &Path);
  /// Whether \p Path is absent or has nothing in it, as a full disk leaves what
  /// could not be made.
  static bool isBlank(const std::string &Path);
  /// Opens an existing one to look at it, without a lock: another process may
  /// write it, and what it is writing is not seen.
  static Result<SweepStore> peek(const std::string &Path);
  SweepStore(SweepStore &&) = default;
  SweepStore &operator=(SweepStore &&) = default;

  const std::string &plan() const { return Plan; }
  const std::string &path() const { return Path; }
  Result<std::set<uint64_t>> finished() const;
  Result<void> add(const SweepRow &Row);
  /// Adds all rows and states of \p Other in one step.
  Result<void> add(const SweepStore &Other);
  Result<void> forEach(const std::function<Result<void>(const SweepRow &)>
                           &Call) const; ///< by index
  /// Does what \p Do does to the file in one step, or nothing.
  Result<void> inOneStep(const std::function<Result<void>()> &Do);

  // States: bytes that points to come need of those before.
  Result<void> addState(uint64_t Id, std::span<const uint8_t> Bytes);
  Result<void> dropState(uint64_t Id); ///< one that was added
  Result<void> forEachState(
      const std::function<Result<void>(uint64_t, std::span<const uint8_t>)>
          &Call) const;

  /// Puts the file into its final form: rows in order, nothing beside it.
  Result<void> finish();

private:
  SweepStore() = default;
  Result<void> execute(const std::string &SQL) const;
  Result<void> connect(const std::string &File, int Flags);
  Result<void> readPlan();
  Result<std::string> meta(const std::string &Key) const;
  std::string message(const std::string &What) const;

  struct Close {
    void operator()(sqlite3 *DB) const;
  };
  std::unique_ptr<sqlite3, Close> DB;
  std::string Path, Plan;
};

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_SWEEPSTORE_H
