//===- SpecAssign.cpp - "field = value" onto a machine --------------------===//

#include "arch/SpecAssign.h"

#include "arch/SpecFields.h"
#include "base/Fail.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <type_traits>

namespace heddle::arch {
namespace {

/// "96 KiB" and "6 MiB" are allowed where the unit is bytes.
std::optional<double> parseNumber(std::string_view Text, bool Bytes) {
  std::string Copy(Text);
  char *End = nullptr;
  double Value = std::strtod(Copy.c_str(), &End);
  if (End == Copy.c_str() || !std::isfinite(Value))
    return std::nullopt;
  std::string_view Rest(End);
  while (!Rest.empty() && Rest.front() == ' ')
    Rest.remove_prefix(1);
  if (Rest.empty())
    return Value;
  if (Bytes && Rest == "KiB")
    return Value * 1024;
  if (Bytes && Rest == "MiB")
    return Value * 1024 * 1024;
  return std::nullopt;
}

/// \p Text, a value of \p A or an element of its list, is not what is allowed.
Error badValue(const Assignment &A, const FieldInfo &Field,
               std::string_view Text, std::string_view Allowed) {
  const auto At = std::ranges::find(A.Values, Text);
  return Error{fmt::format(
      "{}: {}{} is '{}', but must be {}{}{}", A.Where, Field.Name,
      A.IsList ? fmt::format(", element {},", At - A.Values.begin() + 1) : "",
      Text, Allowed, Field.Unit.empty() ? "" : " ", Field.Unit)};
}

template <typename NumberT>
Result<NumberT> toNumber(const Assignment &A, const FieldInfo &Field,
                         std::string_view Text) {
  std::optional<double> Value = parseNumber(Text, Field.Unit == "bytes");
  constexpr bool Whole = std::is_integral_v<NumberT>;
  if (!Value || *Value < Field.Min || *Value > Field.Max ||
      (Whole && *Value != std::floor(*Value)))
    return std::unexpected(
        badValue(A, Field, Text,
                 fmt::format("a {}number from {} to {}", Whole ? "whole " : "",
                             Field.Min, Field.Max)));
  return NumberT(*Value);
}

/// Sets one field from the text; one overload per type of field.
struct SetField {
  const Assignment &A;
  const FieldInfo &Field;

  Result<void> operator()(std::string &Value) const {
    Value = A.Values.front();
    return {};
  }
  Result<void> operator()(bool &Value) const {
    const std::string &Text = A.Values.front();
    if (Text != "true" && Text != "false")
      return std::unexpected(badValue(A, Field, Text, "true or false"));
    Value = Text == "true";
    return {};
  }
  Result<void> operator()(std::vector<uint32_t> &Value) const {
    Value.clear();
    for (const std::string &Text : A.Values) {
      Result<uint32_t> Number = toNumber<uint32_t>(A, Field, Text);
      if (!Number)
        return std::unexpected(Number.error());
      Value.push_back(*Number);
    }
    return {};
  }
  template <typename T> Result<void> operator()(T &Value) const {
    if constexpr (std::is_enum_v<T>) {
      auto Names = enumNames(T());
      auto It = std::ranges::find(Names, A.Values.front());
      if (It == Names.end())
        return std::unexpected(
            badValue(A, Field, A.Values.front(),
                     fmt::format("one of {}", fmt::join(Names, ", "))));
      Value = T(It - Names.begin());
    } else {
      Result<T> Number = toNumber<T>(A, Field, A.Values.front());
      if (!Number)
        return std::unexpected(Number.error());
      Value = *Number;
    }
    return {};
  }
};

std::vector<std::string_view> split(std::string_view Text, char Separator) {
  std::vector<std::string_view> Parts;
  for (;;) {
    size_t At = Text.find(Separator);
    Parts.push_back(Text.substr(0, At));
    if (At == std::string_view::npos)
      return Parts;
    Text.remove_prefix(At + 1);
  }
}

/// The indices that "mad|mul" or "*" stands for; empty if a name is unknown.
template <size_t N>
std::vector<unsigned> matching(std::string_view Pattern,
                               const std::array<std::string_view, N> &Names) {
  std::vector<unsigned> Found;
  for (std::string_view Part : split(Pattern, '|')) {
    size_t Before = Found.size();
    for (unsigned I = 0; I != N; ++I)
      if (Part == "*" || Part == Names[I])
        Found.push_back(I);
    if (Found.size() == Before)
      return {};
  }
  return Found;
}

} // namespace

Result<Assignment> parseSet(const std::string &Set) {
  size_t Equals = Set.find('=');
  if (Equals == 0 || Equals == std::string::npos || Equals + 1 == Set.size())
    return fail("--set {}: expected FIELD=VALUE, e.g. sm.count=40", Set);
  Assignment A{
      Set.substr(0, Equals), {}, false, "--set", Assignment::From::Option};
  std::string Value = Set.substr(Equals + 1);
  if (Value.front() == '[' && Value.back() == ']') {
    A.IsList = true;
    Value = Value.substr(1, Value.size() - 2);
    for (size_t At = 0; At <= Value.size();) {
      size_t Comma = std::min(Value.find(',', At), Value.size());
      A.Values.push_back(Value.substr(At, Comma - At));
      At = Comma + 1;
    }
  } else {
    A.Values.push_back(std::move(Value));
  }
  return A;
}

std::string SpecAssigner::where(std::string_view Field) const {
  auto It = Origins.find(Field);
  return It == Origins.end() ? std::string() : It->second;
}

Result<void> SpecAssigner::assign(const Assignment &A) {
  Changed = false;
  const std::string_view Section = split(A.Path, '.').front();
  Result<void> Status = Section == "pipes" ? assignPipe(A)
                        : Section == "ops" ? assignOp(A)
                                           : assignField(A);
  // The description and the compiler's target are no model's.
  const bool IsModels = A.Path.find('.') != std::string::npos;
  const bool IsOption = A.Origin == Assignment::From::Option;
  if (Status && IsModels &&
      (IsOption || (A.Origin == Assignment::From::UserFile && Changed)))
    note(A, IsOption);
  return Status;
}

/// Remembers that the user gave the field its value.
void SpecAssigner::note(const Assignment &A, bool IsOption) {
  auto At = std::ranges::find(Spec.UserFields, A.Path, &UserField::Path);
  if (At == Spec.UserFields.end())
    At = Spec.UserFields.insert(At, {A.Path, {}, false});
  At->Value = A.IsList ? fmt::format("[{}]", fmt::join(A.Values, ", "))
                       : A.Values.front();
  // How the launch is counted is no change of the machine.
  At->IsWhatIf |= IsOption && Changed && A.Path != "launch.in_cycles";
}

Result<void> SpecAssigner::assignField(const Assignment &A) {
  bool Found = false;
  Result<void> Status;
  forEachField(Spec, [&](const FieldInfo &Field, auto &Value) {
    if (Found || Field.Name != A.Path)
      return;
    Found = true;
    constexpr bool TakesList =
        std::is_same_v<std::remove_reference_t<decltype(Value)>,
                       std::vector<uint32_t>>;
    if (A.IsList && !TakesList)
      Status = fail("{}: {} takes one value, not a list", A.Where, A.Path);
    else {
      const auto Before = Value;
      Status = SetField{A, Field}(Value);
      Changed = Value != Before;
    }
  });
  if (!Found)
    return unknownField(A);
  if (Status)
    Origins[A.Path] = A.Where;
  return Status;
}

Result<void> SpecAssigner::assignPipe(const Assignment &A) {
  auto Parts = split(A.Path, '.');
  if (Parts.size() != 3 || A.IsList)
    return fail("{}: {}: a pipe is written as pipes: {{NAME: {{units: N, "
                "per_scheduler: true|false, queue: N, collectors: N}}}}",
                A.Where, A.Path);
  auto It = std::ranges::find(Spec.Pipes, Parts[1], &PipeSpec::Name);
  if (It == Spec.Pipes.end()) {
    if (Spec.Pipes.size() == 16)
      return fail("{}: {}: a machine has at most 16 pipes", A.Where, A.Path);
    It = Spec.Pipes.emplace(Spec.Pipes.end());
    It->Name = Parts[1];
  }
  FieldInfo Field{A.Path, "", 0, 64, ""};
  SetField Set{A, Field};
  auto Assign = [&](auto &Value) {
    const auto Before = Value;
    Result<void> Status = Set(Value);
    Changed = Value != Before;
    if (Status)
      Origins[A.Path] = A.Where;
    return Status;
  };
  if (Parts[2] == "units")
    return Assign(It->Units);
  if (Parts[2] == "per_scheduler")
    return Assign(It->PerScheduler);
  if (Parts[2] == "queue")
    return Assign(It->QueueInsts);
  if (Parts[2] == "collectors")
    return Assign(It->Collectors);
  return fail("{}: {} is not a field of a pipe; there are units, "
              "per_scheduler, queue and collectors",
              A.Where, A.Path);
}

Result<void> SpecAssigner::assignOp(const Assignment &A) {
  auto Parts = split(A.Path, '.');
  if (Parts.size() != 4 || A.IsList)
    return fail("{}: {}: timing is written as ops: {{CLASS.TYPE: {{pipe: NAME, "
                "latency: N, initiation: N}}}}",
                A.Where, A.Path);
  std::vector<unsigned> Classes = matching(Parts[1], OpClassNames);
  if (Classes.empty())
    return fail("{}: {}: '{}' is not an instruction class; there are {}",
                A.Where, A.Path, Parts[1], fmt::join(OpClassNames, ", "));
  std::vector<unsigned> Types = matching(Parts[2], DataTypeNames);
  if (Types.empty())
    return fail("{}: {}: '{}' is not a data type; there are {}", A.Where,
                A.Path, Parts[2], fmt::join(DataTypeNames, ", "));

  OpTiming Timing;
  Result<void> Status;
  size_t Matrix = 0; // of latency_N
  while (Matrix != Timing.MatrixLatencies.size() &&
         Parts[3] != fmt::format("latency_{}", OpTiming::MinMatrix << Matrix))
    ++Matrix;
  if (Parts[3] == "pipe") {
    auto It = std::ranges::find(Spec.Pipes, A.Values.front(), &PipeSpec::Name);
    if (It == Spec.Pipes.end()) {
      std::vector<std::string_view> Names;
      for (const PipeSpec &P : Spec.Pipes)
        Names.push_back(P.Name);
      return fail("{}: {} is '{}', but must be one of the pipes {}", A.Where,
                  A.Path, A.Values.front(), fmt::join(Names, ", "));
    }
    Timing.Pipe = uint8_t(It - Spec.Pipes.begin());
  } else if (Parts[3] == "latency") {
    Status = SetField{A, {A.Path, "cycles", 1, 10000, ""}}(Timing.Latency);
  } else if (Parts[3] == "initiation") {
    Status = SetField{A, {A.Path, "cycles", 1, 10000, ""}}(Timing.Initiation);
  } else if (Parts[3] == "products") {
    Status = SetField{A, {A.Path, "per cycle and unit", 0, 65535, ""}}(
        Timing.Products);
  } else if (Parts[3] == "group_products") {
    Status = SetField{A, {A.Path, "per cycle and unit", 0, 65535, ""}}(
        Timing.GroupProducts);
  } else if (Parts[3] == "group_latency") {
    Status = SetField{A, {A.Path, "cycles", 1, 10000, ""}}(Timing.GroupLatency);
  } else if (Matrix != Timing.MatrixLatencies.size()) {
    Status = SetField{A, {A.Path, "cycles", 1, 10000, ""}}(
        Timing.MatrixLatencies[Matrix]);
  } else {
    return fail(
        "{}: {} is not a field of an operation; there are pipe, latency and "
        "initiation, and for matrix products also products, group_products, "
        "group_latency and latency_N, N from {} to {} by powers of two",
        A.Where, A.Path, OpTiming::MinMatrix,
        OpTiming::MinMatrix << (Timing.MatrixLatencies.size() - 1));
  }
  if (!Status)
    return Status;
  for (unsigned Class : Classes)
    for (unsigned Type : Types) {
      OpTiming &Entry = Spec.Ops.at(Class, Type);
      const OpTiming Before = Entry;
      if (Parts[3] == "pipe")
        Entry.Pipe = Timing.Pipe;
      else if (Parts[3] == "latency")
        Entry.Latency = Timing.Latency;
      else if (Parts[3] == "initiation")
        Entry.Initiation = Timing.Initiation;
      else if (Parts[3] == "products")
        Entry.Products = Timing.Products;
      else if (Parts[3] == "group_products")
        Entry.GroupProducts = Timing.GroupProducts;
      else if (Parts[3] == "group_latency")
        Entry.GroupLatency = Timing.GroupLatency;
      else
        Entry.MatrixLatencies[Matrix] = Timing.MatrixLatencies[Matrix];
      Changed |= Entry != Before;
    }
  return {};
}

size_t editDistance(std::string_view A, std::string_view B) {
  std::vector<size_t> Row(B.size() + 1);
  for (size_t J = 0; J <= B.size(); ++J)
    Row[J] = J;
  for (size_t I = 1; I <= A.size(); ++I) {
    size_t Diagonal = Row[0];
    Row[0] = I;
    for (size_t J = 1; J <= B.size(); ++J) {
      size_t Above = Row[J];
      Row[J] = std::min(
          {Above + 1, Row[J - 1] + 1, Diagonal + (A[I - 1] != B[J - 1])});
      Diagonal = Above;
    }
  }
  return Row[B.size()];
}

/// Fails if \p A gives a value to a section, or fields to a field.
Result<void> SpecAssigner::checkNesting(const Assignment &A) const {
  Result<void> Status;
  forEachField(Spec, [&](const FieldInfo &Field, auto &) {
    if (!Status)
      return;
    if (Field.Name.starts_with(A.Path + "."))
      Status = A.Origin == Assignment::From::Option
                   ? fail("{}: {} is a section; set one of its fields, such as "
                          "{}",
                          A.Where, A.Path, Field.Name)
                   : fail("{}: {} must be a map of fields, such as {}", A.Where,
                          A.Path, Field.Name);
    else if (A.Path.starts_with(std::string(Field.Name) + "."))
      Status = fail("{}: {} takes a value, not a map of fields", A.Where,
                    Field.Name);
  });
  return Status;
}

Result<void> SpecAssigner::unknownField(const Assignment &A) const {
  if (Result<void> Status = checkNesting(A); !Status)
    return Status;
  std::string_view Best;
  size_t BestDistance = ~size_t(0);
  forEachField(Spec, [&](const FieldInfo &Field, auto &) {
    size_t Distance = editDistance(A.Path, Field.Name);
    if (Distance < BestDistance) {
      BestDistance = Distance;
      Best = Field.Name;
    }
  });
  std::string Message =
      fmt::format("{}: {} is not a field of a machine", A.Where, A.Path);
  if (BestDistance <= std::max<size_t>(2, A.Path.size() / 3))
    Message += fmt::format("; did you mean {}?", Best);
  else
    Message += "; 'heddle gpus v100' lists them";
  return fail(std::move(Message));
}

} // namespace heddle::arch
