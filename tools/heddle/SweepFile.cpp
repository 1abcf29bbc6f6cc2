//===- SweepFile.cpp - Reads sweep descriptions ---------------------------===//

#include "SweepPlan.h"

#include "base/Fail.h"

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace heddle::tool {

namespace {

/// Recursive descent; throws Error, which readSweepFile returns.
class Reader {
public:
  explicit Reader(const std::string &Path) : Path(Path) {}
  SweepPlan read(const YAML::Node &Root);

  [[noreturn]] void error(const YAML::Node &At,
                          const std::string &Reason) const {
    throw Error{fmt::format("{}:{}: {}", Path, At.Mark().line + 1, Reason)};
  }

private:
  std::string text(const YAML::Node &N, std::string_view What) const {
    if (!N.IsScalar())
      error(N, fmt::format("{} must be a single value", What));
    return N.Scalar();
  }
  std::string path(const YAML::Node &N, std::string_view What) const {
    std::filesystem::path P = text(N, What);
    if (P.is_relative())
      P = std::filesystem::path(Path).parent_path() / P;
    return P.lexically_normal().string();
  }
  std::vector<std::string> list(const YAML::Node &N,
                                const std::string &What) const;
  void axis(SweepPlan &Plan, const YAML::Node &Map) const;

  const std::string &Path;
};

} // namespace

/// A list of values, one value, or a range {from, to, step | factor}.
std::vector<std::string> Reader::list(const YAML::Node &N,
                                      const std::string &What) const {
  if (N.IsScalar())
    return {N.Scalar()};
  std::vector<std::string> Values;
  if (N.IsSequence()) {
    for (const YAML::Node &V : N) {
      if (V.IsScalar()) {
        Values.push_back(V.Scalar());
        continue;
      }
      if (!V.IsSequence())
        error(V, fmt::format("a value of '{}' must be a number, a word, or a "
                             "list such as [16, 16]",
                             What));
      std::string Joined;
      for (const YAML::Node &Part : V)
        Joined += (Joined.empty() ? "" : "x") + text(Part, "a size");
      Values.push_back(Joined);
    }
    return Values;
  }
  if (!N.IsMap())
    error(N, fmt::format("'{}' has no values", What));
  std::string From, To, Step;
  for (const auto &Entry : N) {
    std::string Key = text(Entry.first, "a key"),
                Value = text(Entry.second, "'" + Key + "'");
    if (Key == "from")
      From = Value;
    else if (Key == "to")
      To = Value;
    else if (Key == "step")
      Step = ":" + Value;
    else if (Key == "factor")
      Step = ":*" + Value;
    else
      error(Entry.first, fmt::format("unknown key '{}' in the range of '{}'; "
                                     "known are: from, to, step, factor",
                                     Key, What));
  }
  if (From.empty() || To.empty())
    error(N, fmt::format("the range of '{}' needs from and to", What));
  SweepPlan Scratch;
  if (Result<void> R = addVary(Scratch, What + "=" + From + ":" + To + Step);
      !R)
    error(N, R.error().Message);
  for (auto &V : Scratch.Axes.front().Values)
    Values.push_back(V.front());
  return Values;
}

/// A mapping whose lists are walked together.
void Reader::axis(SweepPlan &Plan, const YAML::Node &Map) const {
  SweepAxis Axis;
  Axis.Where = fmt::format("{}:{}", Path, Map.Mark().line + 1);
  for (const auto &Entry : Map) {
    std::string Key = text(Entry.first, "a key");
    std::vector<std::string> Values = list(Entry.second, Key);
    if (Values.empty())
      error(Entry.first, fmt::format("'{}' has no values", Key));
    if (!Axis.Keys.empty() && Values.size() != Axis.Values.size())
      error(Entry.first,
            fmt::format("'{}' has {} values, but '{}', which it goes together "
                        "with, has {}",
                        Key, Values.size(), Axis.Keys[0], Axis.Values.size()));
    Axis.Keys.push_back(Key);
    Axis.Values.resize(Values.size());
    for (size_t I = 0; I < Values.size(); ++I)
      Axis.Values[I].push_back(Values[I]);
  }
  Plan.Axes.push_back(std::move(Axis));
}

SweepPlan Reader::read(const YAML::Node &Root) {
  if (!Root.IsMap())
    error(Root, "a sweep must be a mapping (key: value)");
  SweepPlan Plan;
  for (const auto &Entry : Root) {
    std::string Key = text(Entry.first, "a key");
    const YAML::Node &V = Entry.second;
    if (Key == "input")
      Plan.Input = path(V, "'input'");
    else if (Key == "launch")
      Plan.Launch = path(V, "'launch'");
    else if (Key == "kernel")
      Plan.Kernel = text(V, "'kernel'");
    else if (Key == "trace")
      Plan.Trace = text(V, "'trace'");
    else if (Key == "clang")
      Plan.ClangArgs = list(V, Key);
    else if (Key == "vary") {
      // A mapping multiplies its keys; a list multiplies its mappings, whose
      // keys go together.
      if (V.IsSequence()) {
        for (const YAML::Node &Map : V) {
          if (!Map.IsMap())
            error(Map, "an entry of 'vary' must be a mapping (key: values)");
          axis(Plan, Map);
        }
      } else if (V.IsMap()) {
        for (const auto &One : V) {
          SweepAxis Axis;
          Axis.Where = fmt::format("{}:{}", Path, One.first.Mark().line + 1);
          Axis.Keys = {text(One.first, "a key")};
          for (std::string &Value : list(One.second, Axis.Keys[0]))
            Axis.Values.push_back({std::move(Value)});
          if (Axis.Values.empty())
            error(One.first, fmt::format("'{}' has no values", Axis.Keys[0]));
          Plan.Axes.push_back(std::move(Axis));
        }
      } else {
        error(V, "'vary' must be a mapping, or a list of mappings");
      }
    } else
      error(Entry.first,
            fmt::format("unknown key '{}' in a sweep; known are: input, "
                        "launch, kernel, trace, clang, vary",
                        Key));
  }
  if (Plan.Input.empty())
    error(Root, "the sweep has no 'input'; name a kernel source");
  if (Plan.Launch.empty())
    error(Root, "the sweep has no 'launch'; name a launch file to start from");
  return Plan;
}

Result<SweepPlan> readSweepFile(const std::string &Path) {
  std::ifstream In(Path);
  if (!In)
    return fail("{}: cannot be opened", Path);
  std::stringstream Text;
  Text << In.rdbuf();
  try {
    return Reader(Path).read(YAML::Load(Text.str()));
  } catch (const YAML::Exception &E) {
    return fail("{}:{}: {}", Path, E.mark.line + 1, E.msg);
  } catch (const Error &E) {
    return std::unexpected(E);
  }
}

} // namespace heddle::tool
