//===- LineMatch.cpp - The same lines in two results ----------------------===//

#include "views/LineMatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <set>

namespace heddle::views {
namespace {

using Lines = std::vector<CostedLine>; ///< of one function, by number

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
  std::map<std::string, Lines> byFunction() const {
    std::map<std::string, Lines> Out;
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

bool isSame(const Lines &A, size_t I, const Lines &B, size_t J) {
  if (A[I].Text.empty() || B[J].Text.empty())
    return A[I].Text == B[J].Text &&
           A[I].Number - A.front().Number == B[J].Number - B.front().Number;
  return A[I].Text == B[J].Text;
}

/// Numbers of equal lines, ascending in both: the longest common subsequence.
std::vector<std::pair<size_t, size_t>> equalLines(const Lines &A,
                                                  const Lines &B) {
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
void pairUp(const Lines &A, const Lines &B, std::vector<LinePair> &Out) {
  auto Equal = equalLines(A, B);
  Equal.emplace_back(A.size(), B.size());
  size_t I = 0, J = 0;
  for (auto [EndA, EndB] : Equal) {
    Lines OldOnes, NewOnes;
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

std::vector<LinePair> matchLines(const JSON &Before, const JSON &After) {
  const auto Old = ResultLines(Before).byFunction(),
             New = ResultLines(After).byFunction();
  std::set<std::string> Names;
  for (const auto *Side : {&Old, &New})
    for (const auto &[Name, L] : *Side)
      Names.insert(Name);
  std::vector<LinePair> Pairs;
  const Lines None;
  for (const std::string &Name : Names) {
    auto A = Old.find(Name), B = New.find(Name);
    pairUp(A == Old.end() ? None : A->second, B == New.end() ? None : B->second,
           Pairs);
  }
  return Pairs;
}

} // namespace heddle::views
