//===- ResultDiff.cpp - Is it slower than before? -------------------------===//

#include "views/ResultDiff.h"
#include "base/Fail.h"
#include "views/View.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace heddle::views {

namespace {
/// A line of source of one result and its share of the warp cycles.
struct CostedLine {
  std::string File, Function; ///< Function: empty where it is not known
  unsigned Number = 0;
  std::string Text; ///< without indentation; empty: not in the result
  double Share = 0;
};

/// A line before and after a change; Number 0 where there is none.
struct LinePair {
  CostedLine Before, After;
};

using FunctionLines = std::vector<CostedLine>; ///< of one function, by number

/// Beyond this the table of the comparison grows too large; the pairs are then
/// those of equal numbers.
constexpr size_t MostLines = 4000;

std::string trimmed(const std::string &Text) {
  const size_t First = Text.find_first_not_of(" \t\r");
  if (First == std::string::npos)
    return "";
  return Text.substr(First, Text.find_last_not_of(" \t\r") - First + 1);
}

template <typename T> T valueOf(const JSON &From, const char *Key, T Default) {
  auto At = From.find(Key);
  if (At == From.end())
    return Default;
  if constexpr (std::is_unsigned_v<T>)
    return At->is_number_unsigned() &&
                   At->get<uint64_t>() <= std::numeric_limits<T>::max()
               ? At->get<T>()
               : Default;
  else if constexpr (std::is_arithmetic_v<T>)
    return At->is_number() ? At->get<T>() : Default;
  else
    return At->is_string() ? At->get<T>() : Default;
}

/// The list under \p Key, empty if there is none.
const JSON &listOf(const JSON &From, const char *Key) {
  static const JSON None = JSON::array();
  auto At = From.find(Key);
  return At != From.end() && At->is_array() ? *At : None;
}

class ResultLines {
public:
  explicit ResultLines(const JSON &Result) : Result(Result) {
    readFunctions();
    readTexts();
    readShares();
  }

  /// By function, or by file where that is not known.
  std::map<std::string, FunctionLines> byFunction() const {
    std::map<std::string, FunctionLines> Out;
    for (const auto &[Place, Line] : All) {
      const std::string Name =
          Line.Function.empty()
              ? std::filesystem::path(Line.File).filename().string()
              : Line.Function;
      Out[Name].push_back(Line);
    }
    return Out;
  }

private:
  using Place = std::pair<std::string, unsigned>;

  void readFunctions() {
    for (const JSON &F : listOf(Result, "functions"))
      if (F.is_object())
        Functions[{valueOf(F, "file", std::string()), valueOf(F, "line", 0u)}] =
            valueOf(F, "name", std::string());
  }
  void readTexts() {
    for (const JSON &Part : listOf(Result, "sources")) {
      if (!Part.is_object())
        continue;
      const std::string File = valueOf(Part, "file", std::string());
      unsigned Number = valueOf(Part, "first_line", 1u);
      for (const JSON &Text : listOf(Part, "lines")) {
        // Blank lines are no content to match by.
        std::string Content =
            Text.is_string() ? trimmed(Text.get<std::string>()) : "";
        if (!Content.empty())
          at({File, Number}).Text = std::move(Content);
        ++Number;
      }
    }
  }
  void readShares() {
    for (const JSON &L : listOf(Result, "source_lines"))
      if (L.is_object() && valueOf(L, "line", 0u))
        at({valueOf(L, "file", std::string()), valueOf(L, "line", 0u)}).Share +=
            valueOf(L, "share", 0.0);
  }
  CostedLine &at(const Place &P) {
    auto [It, IsNew] = All.try_emplace(P);
    if (IsNew)
      It->second = {P.first, functionAt(P), P.second, "", 0};
    return It->second;
  }
  /// The last function that begins at or before the line.
  std::string functionAt(const Place &P) const {
    auto After = Functions.upper_bound(P);
    if (After == Functions.begin() || std::prev(After)->first.first != P.first)
      return "";
    return std::prev(After)->second;
  }

  const JSON &Result;
  std::map<Place, std::string> Functions;
  std::map<Place, CostedLine> All;
};

bool isSame(const FunctionLines &A, size_t I, const FunctionLines &B,
            size_t J) {
  if (A[I].Text.empty() || B[J].Text.empty())
    return A[I].Text == B[J].Text &&
           A[I].Number - A.front().Number == B[J].Number - B.front().Number;
  return A[I].Text == B[J].Text;
}

/// Numbers of equal lines, ascending in both: the longest common subsequence.
std::vector<std::pair<size_t, size_t>> equalLines(const FunctionLines &A,
                                                  const FunctionLines &B) {
  std::vector<std::pair<size_t, size_t>> Equal;
  if (A.size() > MostLines || B.size() > MostLines) {
    for (size_t I = 0; I < std::min(A.size(), B.size()); ++I)
      if (isSame(A, I, B, I))
        Equal.emplace_back(I, I);
    return Equal;
  }
  const size_t Width = B.size() + 1;
  std::vector<uint16_t> Length((A.size() + 1) * Width);
  for (size_t I = A.size(); I-- > 0;)
    for (size_t J = B.size(); J-- > 0;)
      Length[I * Width + J] =
          isSame(A, I, B, J) ? uint16_t(Length[(I + 1) * Width + J + 1] + 1)
                             : std::max(Length[(I + 1) * Width + J],
                                        Length[I * Width + J + 1]);
  for (size_t I = 0, J = 0; I < A.size() && J < B.size();)
    if (isSame(A, I, B, J))
      Equal.emplace_back(I++, J++);
    else
      Length[(I + 1) * Width + J] >= Length[I * Width + J + 1] ? ++I : ++J;
  return Equal;
}

/// Pairs \p A and \p B: equal lines, and between them those with a cost in
/// order.
void pairUp(const FunctionLines &A, const FunctionLines &B,
            std::vector<LinePair> &Out) {
  auto Equal = equalLines(A, B);
  Equal.emplace_back(A.size(), B.size());
  size_t I = 0, J = 0;
  for (auto [EndA, EndB] : Equal) {
    FunctionLines OldOnes, NewOnes;
    for (; I < EndA; ++I)
      if (A[I].Share > 0)
        OldOnes.push_back(A[I]);
    for (; J < EndB; ++J)
      if (B[J].Share > 0)
        NewOnes.push_back(B[J]);
    for (size_t K = 0; K < std::max(OldOnes.size(), NewOnes.size()); ++K)
      Out.push_back({K < OldOnes.size() ? OldOnes[K] : CostedLine(),
                     K < NewOnes.size() ? NewOnes[K] : CostedLine()});
    if (I < A.size() && J < B.size() && A[I].Share + B[J].Share > 0)
      Out.push_back({A[I], B[J]});
    I = EndA + 1;
    J = EndB + 1;
  }
}

} // namespace

/// Pairs the lines of two results by function and content, so that a comment
/// above a line, another file name or moved functions change nothing. Lines in
/// between that do not match are taken for rewritten ones, in order, and the
/// rest for removed or new. Without text, lines pair by their distance from the
/// function's first line.
static std::vector<LinePair> matchLines(const JSON &Before, const JSON &After) {
  const auto Old = ResultLines(Before).byFunction(),
             New = ResultLines(After).byFunction();
  std::set<std::string> Names;
  for (const auto *Side : {&Old, &New})
    for (const auto &[Name, L] : *Side)
      Names.insert(Name);
  std::vector<LinePair> Pairs;
  const FunctionLines None;
  for (const std::string &Name : Names) {
    auto A = Old.find(Name), B = New.find(Name);
    pairUp(A == Old.end() ? None : A->second, B == New.end() ? None : B->second,
           Pairs);
  }
  return Pairs;
}

/// Numbers that are compared besides the metric, as JSON pointers.
static constexpr std::pair<const char *, const char *> Compared[] = {
    {"/cycles", "cycles"},
    {"/time_us", "time, us"},
    {"/warp_instructions", "warp instructions"},
    {"/ipc", "instructions per cycle"},
    {"/occupancy/achieved", "achieved occupancy"},
    {"/l1/misses", "L1 misses"},
    {"/l2/misses", "L2 misses"},
    {"/dram/read_bytes", "DRAM bytes read"},
    {"/dram/write_bytes", "DRAM bytes written"},
    {"/shared_conflict_cycles", "shared conflict cycles"}};

static std::optional<double> numberAt(const JSON &Data, const char *Pointer) {
  JSON::json_pointer At(Pointer);
  if (!Data.contains(At) || !Data[At].is_number())
    return std::nullopt;
  return Data[At].get<double>();
}

static void compareLines(ResultDiff &D, const StoredResult &A,
                         const StoredResult &B, const DiffOptions &Options) {
  const bool HasA = A.Data.contains("source_lines"),
             HasB = B.Data.contains("source_lines");
  if (HasA != HasB)
    D.NotCompared.push_back("lines: only one of the results has them");
  if (!HasA || !HasB)
    return;
  for (const LinePair &P : matchLines(A.Data, B.Data)) {
    ResultDiff::Line L;
    L.IsGone = !P.After.Number;
    const CostedLine &Shown = L.IsGone ? P.Before : P.After;
    L.File = Shown.File;
    L.Number = Shown.Number;
    L.NumberBefore = P.Before.Number;
    L.Function = Shown.Function;
    L.Text = Shown.Text;
    L.Before = P.Before.Share * D.MetricBefore;
    L.After = P.After.Share * D.MetricAfter;
    L.Regressed = Options.FailOver &&
                  L.After - L.Before > *Options.FailOver * D.MetricBefore;
    if (L.Before != L.After)
      D.Lines.push_back(std::move(L));
  }
  std::ranges::sort(D.Lines, [](const auto &X, const auto &Y) {
    double GrowthX = std::abs(X.After - X.Before),
           GrowthY = std::abs(Y.After - Y.Before);
    return GrowthX != GrowthY
               ? GrowthX > GrowthY
               : std::tie(X.File, X.Number) < std::tie(Y.File, Y.Number);
  });
}

/// What decides a result besides its kernel, as JSON pointers.
static constexpr std::pair<const char *, const char *> Decided[] = {
    {"/gpu", "machine"},
    {"/machine/overrides", "machine fields"},
    {"/grid", "grid"},
    {"/block", "block"},
    {"/launch/dynamic_shared", "dynamic shared memory"},
    {"/launch/args", "arguments"},
    {"/compiler/arch", "architecture"},
    {"/compiler/opt_level", "optimisation level"},
    {"/compiler/flags", "compiler flags"},
    {"/compiler/loops", "rules of unrolling"},
    {"/code/level", "level of code"},
    {"/code/registers_from", "source of register counts"},
    {"/trace", "trace"},
    {"/assumptions", "assumptions"}};

static JSON valueAt(const JSON &Data, const char *Pointer) {
  JSON::json_pointer At(Pointer);
  return Data.contains(At) ? Data[At] : JSON();
}

static void noteDifferences(ResultDiff &D, const StoredResult &A,
                            const StoredResult &B) {
  for (auto [Pointer, Name] : Decided) {
    const JSON X = valueAt(A.Data, Pointer), Y = valueAt(B.Data, Pointer);
    if (X != Y)
      D.Differs.push_back(fmt::format("{}: {} -> {}", Name,
                                      X.is_null() ? "not said" : X.dump(),
                                      Y.is_null() ? "not said" : Y.dump()));
  }
}

/// Whether instructions are of one kind on both sides.
static bool sameLevel(const StoredResult &A, const StoredResult &B) {
  return valueAt(A.Data, "/code/level") == valueAt(B.Data, "/code/level");
}

static void compareNumbers(ResultDiff &D, const StoredResult &A,
                           const StoredResult &B) {
  for (auto [Pointer, Name] : Compared) {
    auto X = numberAt(A.Data, Pointer), Y = numberAt(B.Data, Pointer);
    const std::string_view Text = Name;
    if (!X && !Y)
      continue;
    if (!X || !Y)
      D.NotCompared.push_back(
          fmt::format("{}: only one of the results has it", Name));
    else if (Text.find("instructions") != Text.npos && !sameLevel(A, B))
      D.NotCompared.push_back(
          fmt::format("{}: the levels of code differ", Name));
    else
      D.Numbers.push_back({Name, *X, *Y});
  }
}

static void compareStates(ResultDiff &D, const StoredResult &A,
                          const StoredResult &B) {
  auto Stack = A.Data.find("cpi_stack"), Other = B.Data.find("cpi_stack");
  if (Stack == A.Data.end() || Other == B.Data.end())
    return;
  if (!sameLevel(A, B)) {
    D.NotCompared.push_back("waits per instruction: the levels of code differ");
    return;
  }
  std::map<std::string, std::pair<double, double>> States;
  for (const auto &[Name, Value] : Stack->items())
    if (Value.is_number())
      States[Name].first = Value;
  for (const auto &[Name, Value] : Other->items())
    if (Value.is_number())
      States[Name].second = Value;
  for (const auto &[Name, Values] : States)
    if (Values.first != Values.second)
      D.States.push_back({Name, Values.first, Values.second});
  std::ranges::sort(D.States, [](const auto &X, const auto &Y) {
    double GrowthX = std::abs(X.After - X.Before),
           GrowthY = std::abs(Y.After - Y.Before);
    return GrowthX != GrowthY ? GrowthX > GrowthY : X.Name < Y.Name;
  });
}

static bool isStopped(const StoredResult &R) {
  return valueAt(R.Data, "/truncated") == true ||
         valueAt(R.Data, "/interrupted") == true;
}

/// Why \p A and \p B are no pair, empty if they are one.
static std::string whyNot(const StoredResult &A, const StoredResult &B) {
  if (A.kernel() != B.kernel())
    return fmt::format("{} is of kernel '{}', {} of kernel '{}': only results "
                       "of one kernel can be compared",
                       A.Where, A.kernel(), B.Where, B.kernel());
  if (A.model() != B.model())
    return fmt::format("{} comes from model '{}', {} from model '{}': a "
                       "difference would be the models'",
                       A.Where, A.model(), B.Where, B.model());
  for (const StoredResult *R : {&A, &B})
    if (isStopped(*R))
      return R->Where + ": the simulation was stopped early; only whole "
                        "launches can be compared";
  return "";
}

static Result<ResultDiff> diffPair(const StoredResult &A, const StoredResult &B,
                                   const DiffOptions &Options) {
  Result<double> Before = A.number(Options.Metric),
                 After = B.number(Options.Metric);
  if (!Before)
    return std::unexpected(Before.error());
  if (!After)
    return std::unexpected(After.error());
  if (*Before <= 0)
    return fail("{}: '{}' is {}, no change of it can be given in percent",
                A.Where, Options.Metric, *Before);
  ResultDiff D;
  D.Kernel = A.kernel();
  D.Before = A.Where;
  D.After = B.Where;
  D.GPU = A.gpu() == B.gpu() ? A.gpu() : A.gpu() + " -> " + B.gpu();
  D.MetricBefore = *Before;
  D.MetricAfter = *After;
  D.Regressed = Options.FailOver && D.change() > *Options.FailOver;
  noteDifferences(D, A, B);
  if (Options.Metric == "cycles" &&
      valueAt(A.Data, "/core_mhz") != valueAt(B.Data, "/core_mhz"))
    D.NotCompared.push_back("time: the machines have other clocks, and cycles "
                            "do not say it; --metric time_us does");
  compareNumbers(D, A, B);
  compareStates(D, A, B);
  compareLines(D, A, B, Options);
  return D;
}

/// The result of \p After that is not \p Taken and is most like \p A: of the
/// same launch on the same machine, else the first that can be compared.
static std::optional<size_t> partnerOf(const StoredResult &A,
                                       const std::vector<StoredResult> &After,
                                       const std::vector<bool> &Taken) {
  auto find = [&](bool SameLaunch) -> std::optional<size_t> {
    for (size_t I = 0; I < After.size(); ++I) {
      const auto same = [&](const char *Key) {
        return valueAt(A.Data, Key) == valueAt(After[I].Data, Key);
      };
      if (!Taken[I] && whyNot(A, After[I]).empty() &&
          (!SameLaunch || (same("/grid") && same("/block") && same("/gpu"))))
        return I;
    }
    return std::nullopt;
  };
  const auto Same = find(true);
  return Same ? Same : find(false);
}

Result<ResultDiffs> diffResults(const std::vector<StoredResult> &Before,
                                const std::vector<StoredResult> &After,
                                const DiffOptions &Options) {
  ResultDiffs All;
  std::vector<bool> Taken(After.size());
  for (const StoredResult &A : Before) {
    const auto At = partnerOf(A, After, Taken);
    if (!At) {
      const bool IsOnly = After.size() == 1;
      All.NotCompared.push_back(
          IsOnly ? whyNot(A, After.front())
                 : fmt::format("{}: no result of kernel '{}' to compare it "
                               "with in {}",
                               A.Where, A.kernel(), After.front().File));
      if (All.NotCompared.back().empty()) // its partner is taken
        All.NotCompared.back() = fmt::format("{}: {} has fewer results",
                                             A.Where, After.front().File);
      All.LostResults = true;
      continue;
    }
    Taken[*At] = true;
    Result<ResultDiff> D = diffPair(A, After[*At], Options);
    if (!D)
      return std::unexpected(D.error());
    All.Pairs.push_back(std::move(*D));
  }
  if (All.Pairs.empty())
    return fail(All.NotCompared.front());
  for (size_t I = 0; I < After.size(); ++I)
    if (!Taken[I])
      All.NotCompared.push_back(fmt::format("{}: no result before it to "
                                            "compare it with",
                                            After[I].Where));
  return All;
}

} // namespace heddle::views
