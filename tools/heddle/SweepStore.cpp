//===- SweepStore.cpp - Results of a sweep in SQLite ----------------------===//

#include "SweepStore.h"

#include "base/Fail.h"

#include <sqlite3.h>

#include <filesystem>

namespace heddle::tool {

static constexpr const char *FormatVersion = "1";

namespace {
/// A prepared statement.
class Statement {
public:
  Statement(sqlite3 *DB, const char *SQL) {
    sqlite3_prepare_v2(DB, SQL, -1, &S, nullptr);
  }
  ~Statement() { sqlite3_finalize(S); }
  Statement(const Statement &) = delete;
  Statement &operator=(const Statement &) = delete;

  explicit operator bool() const { return S != nullptr; }
  void bind(int At, const std::string &Text) {
    sqlite3_bind_text(S, At, Text.data(), int(Text.size()), SQLITE_TRANSIENT);
  }
  void bind(int At, uint64_t Value) {
    sqlite3_bind_int64(S, At, sqlite3_int64(Value));
  }
  void bind(int At, std::span<const uint8_t> Bytes) {
    sqlite3_bind_blob64(S, At, Bytes.data(), Bytes.size(), SQLITE_TRANSIENT);
  }
  int step() { return sqlite3_step(S); }
  std::string text(int Column) const {
    const unsigned char *T = sqlite3_column_text(S, Column);
    return T ? std::string(reinterpret_cast<const char *>(T),
                           size_t(sqlite3_column_bytes(S, Column)))
             : std::string();
  }
  std::span<const uint8_t> bytes(int Column) const { // until the next step
    const void *B = sqlite3_column_blob(S, Column);
    return {static_cast<const uint8_t *>(B),
            size_t(sqlite3_column_bytes(S, Column))};
  }
  uint64_t number(int Column) const {
    return uint64_t(sqlite3_column_int64(S, Column));
  }

private:
  sqlite3_stmt *S = nullptr;
};
} // namespace

void SweepStore::Close::operator()(sqlite3 *DB) const { sqlite3_close(DB); }

std::string SweepStore::message(const std::string &What) const {
  if (sqlite3_errcode(DB.get()) == SQLITE_BUSY)
    return fmt::format("{}: another process is writing it; wait for it or "
                       "choose another file",
                       Path);
  if (sqlite3_errcode(DB.get()) == SQLITE_NOTADB)
    return fmt::format("{}: is not a database; choose another file", Path);
  return fmt::format("{}: {}: {}", Path, What, sqlite3_errmsg(DB.get()));
}

Result<void> SweepStore::execute(const std::string &SQL) const {
  if (sqlite3_exec(DB.get(), SQL.c_str(), nullptr, nullptr, nullptr) !=
      SQLITE_OK)
    return fail(message("cannot be written"));
  return {};
}

Result<std::string> SweepStore::meta(const std::string &Key) const {
  Statement S(DB.get(), "SELECT value FROM sweep WHERE key = ?");
  if (!S)
    return fail(message("is not the database of a sweep"));
  S.bind(1, Key);
  if (S.step() != SQLITE_ROW)
    return fail("{}: is not the database of a sweep: '{}' is missing", Path,
                Key);
  return S.text(0);
}

Result<void> SweepStore::connect(const std::string &File, int Flags) {
  sqlite3 *Raw = nullptr;
  int Status = sqlite3_open_v2(File.c_str(), &Raw, Flags, nullptr);
  DB.reset(Raw);
  if (Status != SQLITE_OK)
    return fail(message("cannot be opened"));
  return {};
}

Result<SweepStore> SweepStore::open(const std::string &Path) {
  SweepStore S;
  S.Path = Path;
  if (!std::filesystem::exists(Path))
    return fail("{}: does not exist", Path);
  if (Result<void> R = S.connect(Path, SQLITE_OPEN_READWRITE); !R)
    return std::unexpected(R.error());
  if (Result<void> R = S.readPlan(); !R)
    return std::unexpected(R.error());
  return S;
}

Result<SweepStore> SweepStore::peek(const std::string &Path) {
  SweepStore S;
  S.Path = Path;
  if (!std::filesystem::exists(Path))
    return fail("{}: does not exist", Path);
  std::string URI = "file:";
  for (char C : Path)
    URI += C == '%' || C == '?' || C == '#'
               ? fmt::format("%{:02x}", unsigned(C))
               : std::string(1, C);
  if (Result<void> R = S.connect(URI + "?immutable=1",
                                 SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
      !R)
    return std::unexpected(R.error());
  if (Result<void> R = S.readPlan(); !R)
    return std::unexpected(R.error());
  return S;
}

Result<void> SweepStore::readPlan() {
  auto Version = meta("format");
  if (!Version)
    return std::unexpected(Version.error());
  if (*Version != FormatVersion)
    return fail("{}: has format {}, this heddle reads {}", Path, *Version,
                FormatVersion);
  auto Read = meta("plan");
  if (!Read)
    return std::unexpected(Read.error());
  Plan = *Read;
  return {};
}

bool SweepStore::isBlank(const std::string &Path) {
  SweepStore S;
  std::error_code Error;
  if (!std::filesystem::exists(Path, Error) ||
      std::filesystem::file_size(Path, Error) == 0)
    return true;
  if (!S.connect(Path, SQLITE_OPEN_READWRITE))
    return false;
  Statement Tables(S.DB.get(), "SELECT count(*) FROM sqlite_master");
  return Tables && Tables.step() == SQLITE_ROW && Tables.number(0) == 0;
}

Result<SweepStore> SweepStore::open(const std::string &Path,
                                    const std::string &Plan) {
  if (!isBlank(Path)) {
    auto S = open(Path);
    if (!S)
      return S;
    if (S->Plan != Plan)
      return fail("{}: holds the results of another sweep; choose another file "
                  "with -o, or remove it",
                  Path);
    if (Result<void> R = S->execute("PRAGMA locking_mode=EXCLUSIVE;"
                                    "PRAGMA synchronous=NORMAL;"
                                    "BEGIN EXCLUSIVE; COMMIT;");
        !R)
      return std::unexpected(R.error());
    return S;
  }
  SweepStore S;
  S.Path = Path;
  if (Result<void> R =
          S.connect(Path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
      !R)
    return std::unexpected(R.error());
  S.Plan = Plan;
  Result<void> R = S.execute(
      "PRAGMA locking_mode=EXCLUSIVE; PRAGMA synchronous=NORMAL;"
      "BEGIN EXCLUSIVE;"
      "CREATE TABLE sweep(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
      "CREATE TABLE points(id INTEGER PRIMARY KEY, settings TEXT NOT NULL,"
      " status TEXT NOT NULL, cycles INTEGER, time_us REAL, message TEXT,"
      " result TEXT);");
  if (!R)
    return std::unexpected(R.error());
  Statement Insert(S.DB.get(), "INSERT INTO sweep VALUES('format', ?), "
                               "('plan', ?)");
  Insert.bind(1, std::string(FormatVersion));
  Insert.bind(2, Plan);
  if (Insert.step() != SQLITE_DONE)
    return fail(S.message("cannot be written"));
  if (R = S.execute("COMMIT;"); !R)
    return std::unexpected(R.error());
  return S;
}

Result<std::set<uint64_t>> SweepStore::finished() const {
  Statement S(DB.get(), "SELECT id FROM points");
  if (!S)
    return fail(message("is not the database of a sweep"));
  std::set<uint64_t> Done;
  while (S.step() == SQLITE_ROW)
    Done.insert(S.number(0));
  return Done;
}

Result<void> SweepStore::add(const SweepRow &Row) {
  Statement S(DB.get(), "INSERT OR IGNORE INTO points VALUES(?1, ?2, ?3,"
                        " json_extract(nullif(?4, ''), '$.cycles'),"
                        " json_extract(nullif(?4, ''), '$.time_us'),"
                        " nullif(?5, ''), nullif(?4, ''))");
  if (!S)
    return fail(message("cannot be written"));
  S.bind(1, Row.Index);
  S.bind(2, Row.Settings);
  S.bind(3, std::string(Row.Result.empty() ? "failed" : "done"));
  S.bind(4, Row.Result);
  S.bind(5, Row.Message);
  if (S.step() != SQLITE_DONE)
    return fail(message("cannot be written"));
  return {};
}

Result<void> SweepStore::inOneStep(const std::function<Result<void>()> &Do) {
  if (Result<void> R = execute("BEGIN;"); !R)
    return R;
  Result<void> R = Do();
  if (R)
    R = execute("COMMIT;");
  if (!R && !sqlite3_get_autocommit(DB.get()))
    if (Result<void> Back = execute("ROLLBACK;"); !Back)
      return Back;
  return R;
}

Result<void> SweepStore::add(const SweepStore &Other) {
  return inOneStep([&]() -> Result<void> {
    if (Result<void> R =
            Other.forEach([&](const SweepRow &Row) { return add(Row); });
        !R)
      return R;
    return Other.forEachState([&](uint64_t Id, std::span<const uint8_t> Bytes) {
      return addState(Id, Bytes);
    });
  });
}

Result<void> SweepStore::addState(uint64_t Id, std::span<const uint8_t> Bytes) {
  if (Result<void> R = execute("CREATE TABLE IF NOT EXISTS states"
                               "(id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)");
      !R)
    return R;
  Statement S(DB.get(), "INSERT OR IGNORE INTO states VALUES(?1, ?2)");
  S.bind(1, Id);
  S.bind(2, Bytes);
  if (S.step() != SQLITE_DONE)
    return fail(message("cannot be written"));
  return {};
}

Result<void> SweepStore::dropState(uint64_t Id) {
  return execute(fmt::format("DELETE FROM states WHERE id = {}", int64_t(Id)));
}

Result<void> SweepStore::forEachState(
    const std::function<Result<void>(uint64_t, std::span<const uint8_t>)> &Call)
    const {
  Statement Tables(DB.get(),
                   "SELECT 1 FROM sqlite_master WHERE name = 'states'");
  if (const int Status = Tables.step(); Status == SQLITE_DONE)
    return {};
  Statement S(DB.get(), "SELECT id, bytes FROM states");
  int Status;
  while ((Status = S.step()) == SQLITE_ROW)
    if (Result<void> R = Call(S.number(0), S.bytes(1)); !R)
      return R;
  if (Status != SQLITE_DONE)
    return fail(message("cannot be read"));
  return {};
}

Result<void> SweepStore::forEach(
    const std::function<Result<void>(const SweepRow &)> &Call) const {
  Statement S(DB.get(), "SELECT id, settings, result, message FROM points "
                        "ORDER BY id");
  if (!S)
    return fail(message("is not the database of a sweep"));
  int Status;
  while ((Status = S.step()) == SQLITE_ROW)
    if (Result<void> R = Call({S.number(0), S.text(1), S.text(2), S.text(3)});
        !R)
      return R;
  if (Status != SQLITE_DONE)
    return fail(message("cannot be read"));
  return {};
}

Result<void> SweepStore::finish() { return execute("VACUUM;"); }

} // namespace heddle::tool
