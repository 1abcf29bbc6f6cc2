//===- SpecReader.cpp - Machine files
//--------------------------------------===//

#include "arch/SpecReader.h"

#include "arch/BuiltinMachines.h"
#include "arch/SpecAssign.h"
#include "arch/SpecCheck.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace heddle::arch {
namespace {

namespace fs = std::filesystem;

/// Machine files are a few KiB; more is a mistake.
constexpr size_t MaxFileBytes = 1 << 20;
/// "base" may point to a file with a base of its own.
constexpr unsigned MaxBaseDepth = 8;
constexpr unsigned MaxNesting = 4;

const BuiltinMachine *findBuiltin(std::string_view Name) {
  for (const BuiltinMachine &M : builtinMachineFiles())
    if (M.Name == Name)
      return &M;
  return nullptr;
}

std::string position(std::string_view File, const YAML::Node &Node) {
  return fmt::format("{}:{}", File, Node.Mark().line + 1);
}

/// Turns the tree of a machine file into assignments in file order.
Result<void> flatten(const YAML::Node &Node, const std::string &Path,
                     std::string_view File, unsigned Depth,
                     std::vector<Assignment> &Out) {
  Assignment A{Path, {}, false, position(File, Node)};
  switch (Node.Type()) {
  case YAML::NodeType::Scalar:
    A.Values.push_back(Node.Scalar());
    Out.push_back(std::move(A));
    return {};
  case YAML::NodeType::Sequence:
    A.IsList = true;
    for (const YAML::Node &Element : Node) {
      if (!Element.IsScalar())
        return fail(fmt::format("{}: {}: a list of plain values is expected",
                                A.Where, Path));
      A.Values.push_back(Element.Scalar());
    }
    Out.push_back(std::move(A));
    return {};
  case YAML::NodeType::Map:
    if (Depth == MaxNesting)
      return fail(
          fmt::format("{}: {}: sections are nested too deeply", A.Where, Path));
    for (std::set<std::string> Names; const auto &Entry : Node) {
      if (!Entry.first.IsScalar())
        return fail(fmt::format("{}: a field name is expected",
                                position(File, Entry.first)));
      std::string Name = Path.empty() ? Entry.first.Scalar()
                                      : Path + "." + Entry.first.Scalar();
      if (!Names.insert(Name).second)
        return fail(fmt::format("{}: {} is given twice",
                                position(File, Entry.first), Name));
      if (Entry.second.IsNull())
        return fail(fmt::format("{}: {} has no value",
                                position(File, Entry.first), Name));
      if (Result<void> R = flatten(Entry.second, Name, File, Depth + 1, Out);
          !R)
        return R;
    }
    return {};
  default:
    return fail(fmt::format("{}: {} has no value", A.Where, Path));
  }
}

Result<std::string> readFile(const fs::path &Path) {
  std::ifstream In(Path, std::ios::binary);
  if (!In || !fs::is_regular_file(Path))
    return fail(fmt::format("{}: cannot read the machine file", Path.string()));
  std::string Text(std::istreambuf_iterator<char>(In), {});
  if (Text.size() > MaxFileBytes)
    return fail(fmt::format("{}: a machine file has at most {} bytes, this has "
                            "{}",
                            Path.string(), MaxFileBytes, Text.size()));
  return Text;
}

Error unknownMachine(std::string_view Name, std::string_view Where) {
  return Error{fmt::format(
      "{}{}{} is neither a machine file nor one of the built-in machines {}",
      Where, Where.empty() ? "" : ": ", Name,
      fmt::join(builtinMachines(), ", "))};
}

/// Reads \p Text after whatever its "base" names. What a \p Builtin machine or
/// a whole machine of the user's says is the machine; what a user's file says
/// beside its base is a change.
Result<void> collect(std::string_view Text, std::string_view File, bool Builtin,
                     unsigned Depth, std::vector<Assignment> &Out) {
  std::vector<Assignment> Own;
  try {
    YAML::Node Root = YAML::Load(std::string(Text));
    if (!Root.IsMap())
      return fail(fmt::format("{}:1: a machine file is a map of fields", File));
    if (Result<void> R = flatten(Root, "", File, 0, Own); !R)
      return R;
  } catch (const YAML::Exception &E) {
    return fail(fmt::format("{}:{}: {}", File, E.mark.line + 1, E.msg));
  }
  auto Base = std::ranges::find(Own, "base", &Assignment::Path);
  if (Base != Own.end()) {
    if (Base->IsList)
      return fail(
          fmt::format("{}: base takes one machine, not a list", Base->Where));
    if (Depth == MaxBaseDepth)
      return fail(fmt::format("{}: base: more than {} machines in a chain; do "
                              "they refer to each other?",
                              Base->Where, MaxBaseDepth));
    const std::string &Name = Base->Values.front();
    if (const BuiltinMachine *M = findBuiltin(Name)) {
      if (Result<void> R =
              collect(M->Text, Name + ".yaml", true, Depth + 1, Out);
          !R)
        return R;
    } else {
      fs::path Path = fs::path(File).parent_path() / Name;
      std::error_code Code;
      if (!fs::is_regular_file(Path, Code))
        return std::unexpected(unknownMachine(Name, Base->Where + ": base"));
      Result<std::string> BaseText = readFile(Path);
      if (!BaseText)
        return std::unexpected(BaseText.error());
      if (Result<void> R =
              collect(*BaseText, Path.string(), false, Depth + 1, Out);
          !R)
        return R;
    }
    Own.erase(Base);
    for (Assignment &A : Own)
      A.Origin =
          Builtin ? Assignment::From::Machine : Assignment::From::UserFile;
  }
  Out.insert(Out.end(), std::make_move_iterator(Own.begin()),
             std::make_move_iterator(Own.end()));
  return {};
}

Result<Assignment> parseSet(const std::string &Set) {
  size_t Equals = Set.find('=');
  if (Equals == 0 || Equals == std::string::npos || Equals + 1 == Set.size())
    return fail(
        fmt::format("--set {}: expected FIELD=VALUE, e.g. sm.count=40", Set));
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

Result<GPUSpec> readMachine(std::string_view Text, std::string_view File,
                            bool Builtin, std::span<const std::string> Sets) {
  std::vector<Assignment> Assignments;
  if (Result<void> R = collect(Text, File, Builtin, 0, Assignments); !R)
    return std::unexpected(R.error());
  for (const std::string &Set : Sets) {
    Result<Assignment> A = parseSet(Set);
    if (!A)
      return std::unexpected(A.error());
    Assignments.push_back(std::move(*A));
  }

  GPUSpec Spec;
  Spec.PlainName = fs::path(File).stem().string();
  if (!Builtin) {
    Spec.File = File;
    // A user's v100.yaml is not the v100.
    if (findBuiltin(Spec.PlainName))
      Spec.PlainName = Spec.File;
  }
  Spec.Name = Spec.PlainName;
  SpecAssigner Assigner(Spec);
  for (const Assignment &A : Assignments)
    if (Result<void> R = Assigner.assign(A); !R)
      return std::unexpected(R.error());
  for (const UserField &Field : Spec.UserFields)
    if (Field.IsWhatIf)
      Spec.Name +=
          fmt::format("{}{}={}", Spec.Name == Spec.PlainName ? " with " : ", ",
                      Field.Path, Field.Value);
  completeSpec(Spec);
  if (std::optional<FieldError> E = checkSpec(Spec)) {
    std::string Where = Assigner.where(E->Field);
    return fail(fmt::format("{}: {} {}", Where.empty() ? File : Where, E->Field,
                            E->Message));
  }
  return Spec;
}

} // namespace

std::vector<std::string_view> builtinMachines() {
  std::vector<std::string_view> Names;
  for (const BuiltinMachine &M : builtinMachineFiles())
    Names.push_back(M.Name);
  return Names;
}

Result<GPUSpec> parseMachine(std::string_view Text, std::string_view File,
                             std::span<const std::string> Sets) {
  return readMachine(Text, File, false, Sets);
}

Result<std::string> baseOfMachine(std::string_view NameOrFile) {
  const BuiltinMachine *M = findBuiltin(NameOrFile);
  Result<std::string> Text =
      M ? Result<std::string>(M->Text) : readFile(fs::path(NameOrFile));
  if (!Text)
    return Text;
  const YAML::Node Base = YAML::Load(*Text)["base"];
  if (!Base)
    return std::string();
  const std::string &Name = Base.Scalar();
  return findBuiltin(Name)
             ? Name
             : (fs::path(NameOrFile).parent_path() / Name).string();
}

Result<GPUSpec> loadMachine(std::string_view NameOrFile,
                            std::span<const std::string> Sets) {
  if (const BuiltinMachine *M = findBuiltin(NameOrFile))
    return readMachine(M->Text, std::string(NameOrFile) + ".yaml", true, Sets);
  std::error_code Code;
  if (!fs::is_regular_file(fs::path(NameOrFile), Code))
    return std::unexpected(unknownMachine(NameOrFile, ""));
  Result<std::string> Text = readFile(fs::path(NameOrFile));
  if (!Text)
    return std::unexpected(Text.error());
  return parseMachine(*Text, NameOrFile, Sets);
}

} // namespace heddle::arch
