//===- ResultFile.cpp - Reads results back --------------------------------===//

#include "views/ResultFile.h"

#include "base/Fail.h"
#include "base/JSONText.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

namespace heddle::views {

Result<double> StoredResult::number(const std::string &Key) const {
  auto It = Data.find(Key);
  if (It == Data.end() || !It->is_number())
    return fail("{}: the result has no number '{}'; write it again with a "
                "command that gives it",
                Where, Key);
  return It->get<double>();
}

/// What the views read besides numbers: key and whether it is a list.
static constexpr std::pair<const char *, bool> Structured[] = {
    {"cpi_stack", false}, {"occupancy", false},   {"sms", false},
    {"spaces", false},    {"l1", false},          {"l2", false},
    {"dram", false},      {"pipes", false},       {"occupancy_table", false},
    {"timeline", false},  {"bottlenecks", true},  {"source_lines", true},
    {"sources", true},    {"instructions", true}, {"control_flow", false},
    {"grid", true},       {"block", true},        {"constant_cache", false},
    {"overlap", false},
};

/// Kinds of results with the cycles of a launch or an application.
static constexpr std::string_view Timed[] = {"simulation", "estimate",
                                             "application", "sample"};

/// The kind in the name of the result's schema; empty if there is none.
static std::string kindOf(const JSON &D) {
  if (!D.contains("schema") || !D["schema"].is_string())
    return "";
  const std::string Schema = D["schema"];
  return Schema.substr(0, Schema.find('/'));
}

static Result<void> check(const StoredResult &R, const std::string &Version) {
  const JSON &D = R.Data;
  auto missing = [&R](const std::string &What) {
    return fail("{}: {}; is it a result that heddle wrote with --json?",
                R.Where, What);
  };
  if (!D.is_object())
    return missing("not a JSON object");
  for (const char *Key : {"tool", "version", "kernel"})
    if (!D.contains(Key) || !D[Key].is_string())
      return missing(fmt::format("the key '{}' is missing", Key));
  if (D["tool"] != "heddle")
    return missing(fmt::format("written by '{}', not by heddle",
                               D["tool"].get<std::string>()));
  if (!Version.empty() && D["version"] != Version)
    return fail("{}: written by heddle {}, this is heddle {}: the models may "
                "differ; write it again, or compare anyway with --any-version",
                R.Where, D["version"].get<std::string>(), Version);
  const bool HasCycles = D.contains("cycles") && D["cycles"].is_number();
  if (const std::string Kind = kindOf(D);
      !HasCycles && !Kind.empty() &&
      std::ranges::find(Timed, Kind) == std::end(Timed))
    return fail("{}: a result of kind '{}' has no cycles of its own; report, "
                "diff and validate take those of simulate, estimate and sample",
                R.Where, Kind);
  if (!HasCycles)
    return missing("the key 'cycles' is missing");
  if (D["cycles"].get<double>() < 0)
    return missing("the key 'cycles' is negative");
  for (auto [Key, IsList] : Structured)
    if (auto It = D.find(Key); It != D.end()) {
      if (IsList ? !It->is_array() : !It->is_object())
        return missing(fmt::format("the key '{}' is not {}", Key,
                                   IsList ? "a list" : "an object"));
    }
  for (const char *Key : {"gpu", "model", "error_kind"})
    if (D.contains(Key) && !D[Key].is_string())
      return missing(fmt::format("the key '{}' is not a string", Key));
  return {};
}

Result<std::vector<StoredResult>> readResults(const std::string &Path,
                                              const std::string &Version) {
  std::ifstream In(Path, std::ios::binary);
  if (!In)
    return fail("{}: {}", Path, std::strerror(errno));
  std::string Text;
  try {
    Text.assign(std::istreambuf_iterator<char>(In), {});
  } catch (const std::ios_base::failure &) {
    // What libstdc++ throws for a folder, among others.
    return fail("{}: {}", Path, std::strerror(errno));
  }
  return parseResults(Text, Path, Version);
}

/// Whether no fraction below \p At is beyond what an integer holds: some views
/// count with them.
static bool hasSaneFractions(const JSON &At) {
  constexpr double Most = 1e18;
  if (At.is_number_float())
    return std::abs(At.get<double>()) <= Most;
  return !At.is_structured() || std::ranges::all_of(At, hasSaneFractions);
}

Result<std::vector<StoredResult>> parseResults(const std::string &Text,
                                               const std::string &Path,
                                               const std::string &Version) {
  if (nestsTooDeep(Text))
    return fail(Path + NestsTooDeep);
  JSON Data;
  try {
    Data = JSON::parse(Text);
  } catch (const JSON::parse_error &E) {
    size_t At = std::min<size_t>(E.byte ? E.byte - 1 : 0, Text.size());
    auto Line = 1 + std::count(Text.begin(), Text.begin() + At, '\n');
    return fail(
        "{}:{}: {}", Path, Line,
        At >= Text.size()
            ? "the file ends in the middle of a value; was it cut short?"
            : "not JSON; heddle writes results with --json");
  } catch (const JSON::exception &E) {
    return fail("{}: a number is out of range", Path);
  }

  if (!hasSaneFractions(Data))
    return fail("{}: a number is out of range", Path);
  std::vector<StoredResult> All;
  if (!Data.is_array()) {
    All.push_back({Path, Path, std::move(Data)});
  } else {
    for (size_t I = 0; I < Data.size(); ++I)
      All.push_back(
          {Path, fmt::format("{}: result {}", Path, I), std::move(Data[I])});
  }
  if (All.empty())
    return fail(Path + ": an empty list of results");
  for (const StoredResult &R : All)
    if (Result<void> Checked = check(R, Version); !Checked)
      return std::unexpected(Checked.error());
  return All;
}

} // namespace heddle::views
