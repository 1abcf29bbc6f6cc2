//===- PTXInstructions.cpp - What is known of a PTX opcode ----------------===//

#include "heddle/ABI/PTXInstructions.h"

#include "heddle/ABI/CodeTable.h"

#include <charconv>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace {

constexpr HeddlePTXRow Rows[] = {
#define HEDDLE_PTX(Name, Modifiers, Types, Operands, Class, Effect, Lift)      \
  {Name, Modifiers, Types, Operands, HEDDLE_OP_##Class, HEDDLE_PTX_##Effect},
#include "heddle/ABI/PTXInstructions.def"
};

struct MathRow {
  std::string_view Name;
  uint32_t Single, SingleTemporaries, Double, DoubleTemporaries;
};

constexpr MathRow MathRows[] = {
#define HEDDLE_PTX_MATH(Name, Single, SingleTemporaries, Double,               \
                        DoubleTemporaries)                                     \
  {Name, Single, SingleTemporaries, Double, DoubleTemporaries},
#include "heddle/ABI/PTXInstructions.def"
};

constexpr HeddlePTXType Types[] = {
#define HEDDLE_PTX_TYPE(Name, DataType, Bytes)                                 \
  {Name, HEDDLE_TYPE_##DataType, Bytes},
#include "heddle/ABI/PTXInstructions.def"
};

/// The text before \p Separator, which with it is taken off \p Rest.
std::string_view cut(std::string_view &Rest, char Separator) {
  const size_t At = Rest.find(Separator);
  const std::string_view First = Rest.substr(0, At);
  Rest = At == Rest.npos ? std::string_view() : Rest.substr(At + 1);
  return First;
}

uint32_t number(std::string_view Text) {
  uint32_t N = 0;
  std::from_chars(Text.data(), Text.data() + Text.size(), N);
  return N;
}

/// Whether one of \p Alternatives, "a|b|c*", is \p Word.
bool matchesWord(std::string_view Alternatives, std::string_view Word) {
  while (!Alternatives.empty()) {
    std::string_view One = cut(Alternatives, '|');
    if (One.ends_with('*') ? Word.starts_with(One.substr(0, One.size() - 1))
                           : Word == One)
      return true;
  }
  return false;
}

using Words = std::vector<std::string_view>;

/// Whether \p Found are words that \p Modifiers asks for, each for one group,
/// and no group that is needed is without one.
bool matchesModifiers(std::string_view Modifiers, Words Found) {
  if (Modifiers == "*")
    return true;
  while (!Modifiers.empty()) {
    std::string_view Group = cut(Modifiers, ' ');
    const bool Optional = Group.ends_with('?');
    if (Optional)
      Group.remove_suffix(1);
    bool Matched = false;
    for (auto It = Found.begin(); It != Found.end() && !Matched; ++It)
      if (matchesWord(Group, *It)) {
        Found.erase(It);
        Matched = true;
        break;
      }
    if (!Matched && !Optional)
      return false;
  }
  return Found.empty();
}

/// Whether \p Types has \p Word, and what that is issued as, into \p Form.
bool matchesType(std::string_view Types, std::string_view Word,
                 HeddlePTXForm &Form) {
  uint32_t Default = 1;
  while (!Types.empty()) {
    std::string_view Counts = cut(Types, ' ');
    if (Counts.starts_with('=')) {
      Default = number(Counts.substr(1));
      continue;
    }
    if (cut(Counts, ':') != Word)
      continue;
    std::string_view Temporaries = Counts;
    Form.Issued = Counts.empty() ? Default : number(cut(Temporaries, '+'));
    Form.Temporaries = Counts.empty() ? 0 : number(Temporaries);
    return true;
  }
  return false;
}

bool matches(const HeddlePTXRow &Row, Words Found, HeddlePTXForm &Form) {
  std::string_view Types = Row.Types;
  const size_t Dot = Types.find(" . ");
  Form.Issued = 1;
  Form.Temporaries = 0;
  // The counts are those of the first of two types.
  if (!Types.empty()) {
    if (Found.size() < 1u + (Dot != Types.npos))
      return false;
    if (Dot != Types.npos) {
      if (!matchesType(Types.substr(Dot + 3), Found.back(), Form))
        return false;
      Found.pop_back();
    }
    if (!matchesType(Types.substr(0, Dot), Found.back(), Form))
      return false;
    Found.pop_back();
  }
  return matchesModifiers(Row.Modifiers, std::move(Found));
}

/// "math.exp.f32": a function without a row costs about as much as the median
/// of those with one; half precision is computed in single and rounded.
void setMathCounts(const Words &Found, HeddlePTXForm &Form) {
  Form.Issued = 30;
  Form.Temporaries = 8;
  if (Found.size() < 2)
    return;
  const std::string_view Type = Found.back();
  // What is between the first word and the type, dots and all.
  const std::string_view Name(Found.front().data(),
                              Found[Found.size() - 2].end() -
                                  Found.front().begin());
  const bool Narrow = Type == "f16" || Type == "bf16";
  for (const MathRow &Row : MathRows)
    if (Row.Name == Name && (Narrow || Type == "f32" || Type == "f64")) {
      const bool Double = Type == "f64";
      Form.Issued = (Double ? Row.Double : Row.Single) + (Narrow ? 2 : 0);
      Form.Temporaries = Double ? Row.DoubleTemporaries : Row.SingleTemporaries;
    }
}

/// Rows by name; those of one name stand together.
std::map<std::string_view, std::pair<uint32_t, uint32_t>> rowsByName() {
  std::map<std::string_view, std::pair<uint32_t, uint32_t>> Result;
  for (uint32_t I = 0; I < std::size(Rows); ++I)
    Result.try_emplace(Rows[I].Name, I, 0).first->second.second = I + 1;
  return Result;
}

} // namespace

const HeddlePTXRow *heddlePTXRows(uint32_t *Count) {
  *Count = std::size(Rows);
  return Rows;
}

const HeddlePTXType *heddlePTXType(const char *Name, uint32_t Length) {
  for (const HeddlePTXType &T : Types)
    if (std::string_view(Name, Length) == T.Name)
      return &T;
  return nullptr;
}

int heddleFindPTX(const char *Opcode, uint32_t Length, HeddlePTXForm *Form) {
  static const auto ByName = rowsByName();
  std::string_view Rest(Opcode, Length);
  const auto It = ByName.find(cut(Rest, '.'));
  if (It == ByName.end())
    return 0;
  Words Found;
  while (!Rest.empty())
    Found.push_back(cut(Rest, '.'));
  // "max.s32.relu" is another way to write "max.relu.s32", and so is
  // "lg2.approx.f32.ftz".
  if (Found.size() > 1 && (Found.back() == "relu" || Found.back() == "ftz"))
    std::swap(Found.back(), Found[Found.size() - 2]);
  const auto [First, End] = It->second;
  *Form = {&Rows[First], First, 0, 1, 0};
  for (uint32_t I = First; I < End && !Form->Exact; ++I)
    if (HeddlePTXForm Own = {&Rows[I], I, 1, 1, 0};
        matches(Rows[I], Found, Own))
      *Form = Own;
  if (Form->Row->Class == HEDDLE_OP_MATH)
    setMathCounts(Found, *Form);
  return 1;
}
