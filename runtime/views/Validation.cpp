//===- Validation.cpp - Results against a table of truths -----------------===//

#include "views/Validation.h"

#include "base/Fail.h"
#include "views/TextTable.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <vector>

namespace heddle::views {

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

static std::string dimensions(const JSON &Result, const char *Key) {
  std::string Text;
  if (auto It = Result.find(Key); It != Result.end())
    for (const JSON &N : *It)
      if (N.is_number_unsigned())
        Text += fmt::format("{}{}", Text.empty() ? "" : "x", N.get<uint64_t>());
  return Text;
}

/// \p Name of a kernel, however a tool prints it: demangled, without the result
/// and parameters, spaces and what profilers write before template arguments
/// that are numbers ("int=4", "(int)4").
static std::string plainName(std::string Name) {
  if (Name.starts_with("_Z")) {
    int Status = 0;
    std::unique_ptr<char, decltype(&std::free)> Text(
        abi::__cxa_demangle(Name.c_str(), nullptr, nullptr, &Status),
        &std::free);
    if (Text)
      Name = Text.get();
  }
  if (Name.starts_with("void "))
    Name.erase(0, 5);
  std::string Plain;
  int Depth = 0;
  for (size_t I = 0; I < Name.size(); ++I) {
    const char C = Name[I];
    if (C == '(' && Depth == 0)
      break;
    if (C == '(' || C == '=') {
      // A type before a number: drop it.
      const size_t After = C == '=' ? I : Name.find(')', I);
      if (After < Name.size() - 1 && std::isdigit(Name[After + 1])) {
        if (C == '=')
          while (!Plain.empty() && std::isalnum(Plain.back()))
            Plain.pop_back();
        I = After;
        continue;
      }
    }
    Depth += C == '<';
    Depth -= C == '>';
    if (C != ' ')
      Plain += C;
  }
  return Plain;
}

namespace {
enum class Likeness { None, SameTemplate, SameInstance, SameText };
} // namespace

/// How well \p Row, a table's name of a kernel, stands for \p Kernel. A row
/// without template arguments stands for all instances.
static Likeness likeness(const std::string &Row, const std::string &Kernel) {
  if (Row == Kernel)
    return Likeness::SameText;
  const std::string A = plainName(Row), B = plainName(Kernel);
  if (A == B)
    return Likeness::SameInstance;
  return A.find('<') == std::string::npos && A == B.substr(0, B.find('<'))
             ? Likeness::SameTemplate
             : Likeness::None;
}

Result<Validation> Validation::make(const std::vector<StoredResult> &Results,
                                    const CSVTable &Table,
                                    const ValidationOptions &Options) {
  int Truth = Table.column(Options.Metric);
  if (Truth < 0)
    return fail("{}:1: no column '{}'", Table.File, Options.Metric);
  if (Table.column("kernel") < 0)
    return fail("{}:1: no column 'kernel'", Table.File);
  int Kind = Table.column("error_kind");
  if (Kind < 0 && Options.ErrorKind.empty())
    return fail("{}:1: no column 'error_kind'; say with --error-kind what the "
                "truth is: same-simulator, other-simulator or hardware",
                Table.File);

  std::vector<double> Actual;
  for (size_t Row = 0; Row < Table.Rows.size(); ++Row) {
    const std::string &Text = Table.Rows[Row][Truth];
    double Value = 0;
    auto [End, Error] =
        std::from_chars(Text.data(), Text.data() + Text.size(), Value);
    if (Error != std::errc() || End != Text.data() + Text.size() ||
        !std::isfinite(Value) || Value <= 0)
      return fail("{}:{}: '{}' is not a positive number of {}", Table.File,
                  Table.Lines[Row], Text, Options.Metric);
    Actual.push_back(Value);
  }

  Validation V;
  V.Options = Options;
  std::vector<bool> Used(Table.Rows.size());
  std::set<std::string> Kinds;
  for (const StoredResult &R : Results) {
    Result<double> Predicted = R.number(Options.Metric);
    if (!Predicted)
      return std::unexpected(Predicted.error());
    const std::pair<const char *, std::string> Keys[] = {
        {"gpu", R.gpu()},
        {"file", std::filesystem::path(R.File).stem().string()},
        {"grid", dimensions(R.Data, "grid")},
        {"block", dimensions(R.Data, "block")}};
    std::optional<size_t> Match;
    Likeness Best = Likeness::None;
    for (size_t Row = 0; Row < Table.Rows.size(); ++Row) {
      const Likeness Name =
          likeness(Table.Rows[Row][Table.column("kernel")], R.kernel());
      bool Agrees = Name != Likeness::None && Name >= Best;
      for (const auto &[Name, Value] : Keys)
        if (int C = Table.column(Name); C >= 0 && !Table.Rows[Row][C].empty())
          Agrees &= Table.Rows[Row][C] == Value;
      if (!Agrees)
        continue;
      if (Match && Name == Best)
        return fail("{}: lines {} and {} of {} both belong to it; tell them "
                    "apart by a column gpu, grid, block or file",
                    R.Where, Table.Lines[*Match], Table.Lines[Row], Table.File);
      Match = Row;
      Best = Name;
    }
    if (!Match) {
      V.Unmatched.push_back(R.Where);
      continue;
    }
    Used[*Match] = true;
    Pair P{R.kernel(),
           R.gpu(),
           R.model(),
           R.Where,
           Kind >= 0 ? Table.Rows[*Match][Kind] : Options.ErrorKind,
           {*Predicted, Actual[*Match]}};
    if (P.Kind.empty())
      P.Kind = Options.ErrorKind;
    Kinds.insert(P.Kind);
    V.Pairs.push_back(std::move(P));
  }
  for (bool B : Used)
    V.UnusedRows += !B;
  if (V.Pairs.empty())
    return fail("{}: no row belongs to any of the results; kernel and gpu must "
                "be spelt as in the results ('{}' on '{}')",
                Table.File, Results.front().kernel(), Results.front().gpu());
  for (const std::string &K : Kinds)
    V.Kinds += (V.Kinds.empty() ? "" : ", ") + K;
  V.group();
  return V;
}

void Validation::group() {
  std::map<std::pair<int, std::string>, std::vector<const Pair *>> Members;
  for (const Pair &P : Pairs) {
    Members[{0, ""}].push_back(&P);
    Members[{1, P.Kernel}].push_back(&P);
    Members[{2, P.GPU}].push_back(&P);
  }
  static constexpr const char *Names[] = {"all", "kernel", "machine"};
  for (const auto &[Key, List] : Members) {
    std::vector<Estimate> Values;
    for (const Pair *P : List)
      Values.push_back(P->Values);
    Group G{Names[Key.first], Key.second, errorStatistics(Values, Options.TopK),
            ""};
    G.Worst = List[G.Statistics.WorstIndex]->Where;
    Groups.push_back(std::move(G));
  }
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

std::string Validation::text() const {
  TextTable Table("lrrrrrr",
                  {"", "results", "mean", "median", "worst", "Kendall tau",
                   fmt::format("top-{} regret", Options.TopK)});
  for (const Group &G : Groups) {
    const ErrorStatistics &S = G.Statistics;
    Table.row({G.Name.empty() ? G.What : G.What + " " + G.Name,
               grouped(S.Count), percent(S.Mean, 1),
               S.Count > 1 ? percent(S.Median, 1) : "-",
               S.Count > 1 ? percent(S.Worst, 1) : "-",
               S.Tau ? fmt::format("{:.2f}", *S.Tau) : "-",
               S.Regret ? percent(*S.Regret, 1) : "-"});
  }
  std::string Text =
      fmt::format("Absolute error of {} against {} ({} of {} results)\n",
                  Options.Metric, Kinds, Pairs.size(),
                  Pairs.size() + Unmatched.size()) +
      Table.str();
  Text += fmt::format("  worst: {}\n", Groups.front().Worst);
  for (const std::string &W : Unmatched)
    Text += fmt::format("  no row for {}\n", W);
  if (UnusedRows)
    Text += fmt::format("  {} rows have no result\n", UnusedRows);
  return Text;
}

void Validation::addTo(JSON &Out) const {
  Out["metric"] = Options.Metric;
  Out["error_kind"] = Kinds;
  Out["top_k"] = Options.TopK;
  JSON All = JSON::array(), List = JSON::array();
  auto orNull = [](std::optional<double> D) { return D ? JSON(*D) : JSON(); };
  for (const Group &G : Groups)
    All.push_back({{"group", G.What},
                   {"name", G.Name},
                   {"results", G.Statistics.Count},
                   {"mape", 100 * G.Statistics.Mean},
                   {"median", 100 * G.Statistics.Median},
                   {"worst", 100 * G.Statistics.Worst},
                   {"worst_result", G.Worst},
                   {"kendall_tau", orNull(G.Statistics.Tau)},
                   {"regret", orNull(G.Statistics.Regret)}});
  for (const Pair &P : Pairs)
    List.push_back({{"result", P.Where},
                    {"kernel", P.Kernel},
                    {"gpu", P.GPU},
                    {"model", P.Model},
                    {"predicted", P.Values.Predicted},
                    {"actual", P.Values.Actual},
                    {"error", 100 * P.Values.error()},
                    {"error_kind", P.Kind}});
  Out["groups"] = std::move(All);
  Out["results"] = std::move(List);
  Out["unmatched"] = Unmatched;
  Out["unused_rows"] = UnusedRows;
}

double Estimate::error() const { return std::abs(Predicted - Actual) / Actual; }

/// Tau-b by comparing all pairs: tables of results have at most thousands.
static std::optional<double> kendall(std::span<const Estimate> E) {
  int64_t Balance = 0, Pairs = 0, TiesP = 0, TiesA = 0;
  for (size_t I = 0; I < E.size(); ++I)
    for (size_t J = I + 1; J < E.size(); ++J) {
      int P =
          (E[I].Predicted > E[J].Predicted) - (E[I].Predicted < E[J].Predicted);
      int A = (E[I].Actual > E[J].Actual) - (E[I].Actual < E[J].Actual);
      ++Pairs;
      TiesP += P == 0;
      TiesA += A == 0;
      Balance += P * A;
    }
  double Scale = std::sqrt(double(Pairs - TiesP) * double(Pairs - TiesA));
  if (Scale == 0)
    return std::nullopt;
  return Balance / Scale;
}

static std::optional<double> regret(std::span<const Estimate> E, unsigned K) {
  if (E.size() < 2)
    return std::nullopt;
  std::vector<size_t> Order(E.size());
  std::iota(Order.begin(), Order.end(), size_t(0));
  std::ranges::sort(Order, [&](size_t I, size_t J) {
    return E[I].Predicted != E[J].Predicted ? E[I].Predicted < E[J].Predicted
                                            : I < J;
  });
  double Best = E[0].Actual, Chosen = E[Order[0]].Actual;
  for (const Estimate &X : E)
    Best = std::min(Best, X.Actual);
  for (size_t I = 0; I < std::min<size_t>(K, E.size()); ++I)
    Chosen = std::min(Chosen, E[Order[I]].Actual);
  return Chosen / Best - 1;
}

ErrorStatistics errorStatistics(std::span<const Estimate> E, unsigned K) {
  ErrorStatistics S;
  S.Count = E.size();
  if (E.empty())
    return S;
  std::vector<double> Errors;
  for (size_t I = 0; I < E.size(); ++I) {
    Errors.push_back(E[I].error());
    S.Mean += Errors.back() / E.size();
    if (Errors.back() > S.Worst) {
      S.Worst = Errors.back();
      S.WorstIndex = I;
    }
  }
  std::ranges::sort(Errors);
  size_t Middle = Errors.size() / 2;
  S.Median = Errors.size() % 2 ? Errors[Middle]
                               : (Errors[Middle - 1] + Errors[Middle]) / 2;
  S.Tau = kendall(E);
  S.Regret = regret(E, std::max(1u, K));
  return S;
}

} // namespace heddle::views
