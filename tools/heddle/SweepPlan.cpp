//===- SweepPlan.cpp - The configurations of a sweep ----------------------===//

#include "SweepPlan.h"

#include "TextOutput.h"

#include "arch/SpecReader.h"
#include "base/Fail.h"
#include "base/JSONText.h"
#include "launch/LaunchFile.h"
#include "launch/ScalarTypes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace heddle::tool {

using Point = std::vector<std::pair<std::string, std::string>>;

uint64_t SweepPlan::size() const {
  uint64_t N = 1;
  for (const SweepAxis &A : Axes) {
    if (A.Values.empty())
      return 0;
    if (N > MaxSweepPoints / A.Values.size())
      return MaxSweepPoints + 1;
    N *= A.Values.size();
  }
  return N;
}

Point SweepPlan::point(uint64_t Index) const {
  std::vector<uint64_t> Entry(Axes.size());
  for (size_t A = Axes.size(); A-- > 0;) {
    Entry[A] = Index % Axes[A].Values.size();
    Index /= Axes[A].Values.size();
  }
  Point P;
  for (size_t A = 0; A < Axes.size(); ++A)
    for (size_t K = 0; K < Axes[A].Keys.size(); ++K)
      P.emplace_back(Axes[A].Keys[K], Axes[A].Values[Entry[A]][K]);
  return P;
}

std::string SweepPlan::canonical() const {
  nlohmann::ordered_json J;
  J["input"] = Input;
  J["launch"] = Launch;
  J["kernel"] = Kernel;
  J["trace"] = Trace;
  J["clang"] = ClangArgs;
  J["axes"] = nlohmann::ordered_json::array();
  for (const SweepAxis &A : Axes)
    J["axes"].push_back({{"keys", A.Keys}, {"values", A.Values}});
  return jsonText(J);
}

static bool isNumber(std::string_view Text, double &Value) {
  auto [End, Error] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  return Error == std::errc() && End == Text.data() + Text.size();
}

static std::vector<std::string> split(llvm::StringRef Text, char At) {
  llvm::SmallVector<llvm::StringRef> Parts;
  Text.split(Parts, At);
  return {Parts.begin(), Parts.end()};
}

/// "FROM:TO[:STEP]" or "FROM:TO:*FACTOR".
static Result<std::vector<std::string>> expandRange(const std::string &Text) {
  auto Parts = split(Text, ':');
  bool Geometric = Parts.size() == 3 && Parts[2].starts_with("*");
  double From = 0, To = 0, Step = 1;
  auto Bad = [&](std::string_view Reason) {
    return fail(
        "'{}' {}; write a range as FROM:TO, FROM:TO:STEP or FROM:TO:*FACTOR",
        Text, Reason);
  };
  if (Parts.size() < 2 || Parts.size() > 3 || !isNumber(Parts[0], From) ||
      !isNumber(Parts[1], To) ||
      (Parts.size() == 3 && !isNumber(Parts[2].substr(Geometric), Step)))
    return Bad("is not a range of numbers");
  if (!(From <= To))
    return Bad("ends before it begins");
  if (Geometric ? !(Step > 1) || !(From > 0) : !(Step > 0))
    return Bad("does not grow");
  const double Steps =
      Geometric ? std::log(To / From) / std::log(Step) : (To - From) / Step;
  if (!(Steps + 1 <= double(MaxSweepPoints)))
    return Bad("has too many values");
  std::vector<std::string> Values;
  // A little beyond the end: steps such as 0.1 do not add up exactly.
  for (double V = From; V <= To * (1 + 1e-12) + 1e-300;
       V = Geometric ? V * Step : From + Step * double(Values.size()))
    Values.push_back(fmt::format("{:.12g}", V));
  return Values;
}

static Result<std::vector<std::string>> expandList(const std::string &Text) {
  if (Text.find(':') != Text.npos && Text.find(',') == Text.npos)
    return expandRange(Text);
  std::vector<std::string> Values = split(Text, ',');
  for (const std::string &V : Values)
    if (V.empty())
      return fail("'{}' has an empty value", Text);
  return Values;
}

Result<void> addVary(SweepPlan &Plan, const std::string &Text) {
  SweepAxis Axis;
  Axis.Where = "--vary " + Text;
  for (const std::string &Part : split(Text, ';')) {
    size_t Equals = Part.find('=');
    if (Equals == 0 || Equals == Part.npos)
      return fail("--vary {}: write it as KEY=VALUES", Text);
    auto Values = expandList(Part.substr(Equals + 1));
    if (!Values)
      return fail("--vary {}: {}", Text, Values.error().Message);
    if (!Axis.Keys.empty() && Values->size() != Axis.Values.size())
      return fail("--vary {}: lists that go together must be equally long, not "
                  "{} and {} values",
                  Text, Axis.Values.size(), Values->size());
    Axis.Keys.push_back(Part.substr(0, Equals));
    Axis.Values.resize(Values->size());
    for (size_t I = 0; I < Values->size(); ++I)
      Axis.Values[I].push_back(std::move((*Values)[I]));
  }
  Plan.Axes.push_back(std::move(Axis));
  return {};
}

static bool isIndexed(llvm::StringRef Rest, unsigned &Index) {
  return !Rest.getAsInteger(10, Index);
}

static bool knownKey(const std::string &Key) {
  static const std::set<std::string> Plain = {
      "model", "gpu",     "grid",    "grid.x",  "grid.y",        "grid.z",
      "block", "block.x", "block.y", "block.z", "dynamic_shared"};
  unsigned Index;
  if (Plain.count(Key))
    return true;
  if (Key.starts_with("set.") || Key.starts_with("define."))
    return Key.back() != '.';
  if (!Key.starts_with("arg."))
    return false;
  std::string Rest = Key.substr(4);
  if (Rest.ends_with(".count"))
    Rest.resize(Rest.size() - 6);
  return isIndexed(Rest, Index);
}

Result<void> checkPlan(SweepPlan &Plan) {
  if (Plan.Input.empty())
    return fail("the sweep has no input; name a kernel source");
  std::set<std::string> Seen;
  for (const SweepAxis &A : Plan.Axes)
    for (const std::string &Key : A.Keys) {
      if (!knownKey(Key))
        return fail("{}: nothing is called '{}'; known are: model, gpu, grid, "
                    "block, grid.x (y, z), block.x (y, z), dynamic_shared, "
                    "arg.N, arg.N.count, define.NAME, set.FIELD",
                    A.Where, Key);
      if (!Seen.insert(Key).second)
        return fail("{}: '{}' varies twice", A.Where, Key);
    }
  for (const char *Dim : {"grid", "block"})
    for (const char *Part : {".x", ".y", ".z"})
      if (Seen.count(Dim) && Seen.count(std::string(Dim) + Part))
        return fail("'{}' and '{}{}' vary at the same time", Dim, Dim, Part);
  if (Plan.size() == 0)
    return fail("the sweep has no configurations: a list is empty");
  if (Plan.size() > MaxSweepPoints)
    return fail("the sweep has more than {} configurations; vary fewer values "
                "or run several sweeps",
                MaxSweepPoints);
  return {};
}

static Result<void> setDim(Dim3 &D, const std::string &Key,
                           const std::string &Value) {
  std::string Text = Value;
  std::replace(Text.begin(), Text.end(), 'x', ',');
  if (size_t Dot = Key.find('.'); Dot != Key.npos) {
    auto Count = launch::parseCount(Text, UINT32_MAX);
    if (!Count)
      return fail("{}={}: is not a whole number", Key, Value);
    (Key[Dot + 1] == 'x'   ? D.X
     : Key[Dot + 1] == 'y' ? D.Y
                           : D.Z) = uint32_t(*Count);
    return {};
  }
  auto Parsed = launch::parseDim3(Text, Key);
  if (!Parsed)
    return std::unexpected(Parsed.error());
  D = *Parsed;
  return {};
}

static Result<void> setArgument(launch::Launch &L, const std::string &Key,
                                const std::string &Value) {
  std::string Rest = Key.substr(4);
  bool Count = Rest.ends_with(".count");
  unsigned Index = 0;
  isIndexed(Count ? Rest.substr(0, Rest.size() - 6) : Rest, Index);
  auto Bad = [&](std::string_view Reason) {
    return fail("{}={}: {}", Key, Value, Reason);
  };
  if (Index >= L.Args.size())
    return Bad(fmt::format("the launch has {} arguments, counted from 0",
                           L.Args.size()));
  auto &Arg = L.Args[Index].Value;
  if (Count) {
    auto *B = std::get_if<launch::BufferArg>(&Arg);
    auto Elements = launch::parseCount(Value, uint64_t(1) << 36);
    if (!B)
      return Bad("is no buffer");
    if (!Elements)
      return Bad("is not a number of elements");
    B->Count = *Elements;
    return {};
  }
  if (auto *Local = std::get_if<launch::LocalArg>(&Arg)) {
    auto Bytes = launch::parseCount(Value, UINT32_MAX);
    if (!Bytes)
      return Bad("is not a number of bytes");
    Local->SizeBytes = *Bytes;
    return {};
  }
  auto *S = std::get_if<launch::ScalarArg>(&Arg);
  if (!S)
    return Bad("is a buffer or a struct; vary arg.N.count, or give scalars");
  if (launch::isFloat(S->Type)) {
    auto Float = launch::parseFloat(Value);
    if (!Float)
      return Bad("is not a number");
    S->Float = *Float;
    return {};
  }
  auto Integer = launch::parseInteger(S->Type, Value);
  if (!Integer)
    return Bad(
        fmt::format("is not a value of type {}", launch::nameOf(S->Type)));
  S->Integer = *Integer;
  return {};
}

Result<SweepSettings> settingsOf(const SweepPlan &Plan,
                                 const launch::Launch &Launch,
                                 const Point &Point) {
  SweepSettings S;
  S.Launch = Launch;
  S.ClangArgs = Plan.ClangArgs;
  if (!Plan.Kernel.empty())
    S.Launch.Kernel = Plan.Kernel;
  for (const auto &[Key, Value] : Point) {
    Result<void> Ok;
    if (Key == "model")
      S.Model = Value;
    else if (Key == "gpu")
      S.GPU = Value;
    else if (Key.starts_with("set."))
      S.Sets.push_back(Key.substr(4) + "=" + Value);
    else if (Key.starts_with("define."))
      S.ClangArgs.push_back("-D" + Key.substr(7) + "=" + Value);
    else if (Key == "dynamic_shared") {
      auto Bytes = launch::parseCount(Value, UINT32_MAX);
      if (!Bytes)
        return fail("{}={}: is not a number of bytes", Key, Value);
      S.Launch.DynamicSharedBytes = *Bytes;
    } else if (Key.starts_with("grid"))
      Ok = setDim(S.Launch.Grid, Key, Value);
    else if (Key.starts_with("block"))
      Ok = setDim(S.Launch.Block, Key, Value);
    else
      Ok = setArgument(S.Launch, Key, Value);
    if (!Ok)
      return std::unexpected(Ok.error());
  }
  if (Result<void> Ok = launch::checkLimits(S.Launch); !Ok)
    return std::unexpected(Ok.error());
  return S;
}

} // namespace heddle::tool
