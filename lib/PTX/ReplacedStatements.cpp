//===- ReplacedStatements.cpp - PTX statements read as others -------------===//

#include "heddle/PTX/PTXStatement.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::ptx {

std::string pseudoOf(StringRef Statement) {
  if (!Statement.starts_with("mov.") && !Statement.starts_with("call"))
    return "";
  const std::optional<PTXStatement> S = parseStatement(Statement);
  if (!S || S->Operands.size() < 2)
    return "";
  if (S->Name == "mov") {
    static constexpr StringLiteral Values[] = {
        "globaloffset.x", "globaloffset.y", "globaloffset.z", "workdim"};
    StringRef Source = S->Operands[1];
    unsigned Number = 0;
    if (!Source.consume_front("%envreg") || Source.getAsInteger(10, Number) ||
        Number < 3 || Number > 6)
      return "";
    return ("special." + Values[Number - 3] + " " + S->Operands[0]).str();
  }
  if (S->Opcode != "call" && S->Opcode != "call.uni")
    return "";
  auto Inner = [](StringRef Group) { return Group.trim("()"); };
  std::string Opcode = S->Operands[S->Operands.size() - 2].str();
  std::replace(Opcode.begin(), Opcode.end(), '_', '.');
  if (Opcode == "barrier.grid.sync")
    return Opcode + " _";
  if (StringRef(Opcode).starts_with("call.refused.")) {
    const StringRef Result =
        S->Operands.size() == 3 ? Inner(S->Operands[0]) : "_";
    const StringRef Args = Inner(S->Operands.back());
    return (Opcode + " " + Result + (Args.empty() ? "" : ", ") + Args).str();
  }
  if (Opcode == "vprintf" || Opcode == "..assertfail") {
    const StringRef Result =
        S->Operands.size() == 3 ? Inner(S->Operands[0]) : "_";
    return ("call." + S->Operands[S->Operands.size() - 2] + " " + Result +
            ", " + Inner(S->Operands.back()))
        .str();
  }
  if (S->Operands.size() != 3 || !StringRef(Opcode).starts_with("math."))
    return "";
  return (Opcode + " " + Inner(S->Operands[0]) + ", " + Inner(S->Operands[2]))
      .str();
}

std::vector<std::string> movesOf(const PTXStatement &S) {
  const bool IsVector = S.Name == "mov" && (S.has("v2") || S.has("v4"));
  if (!IsVector || S.Operands.size() != 2)
    return {};
  auto Elements = [](StringRef List) { return splitOperands(List.trim("{}")); };
  const auto Targets = Elements(S.Operands[0]);
  auto Sources = Elements(S.Operands[1]);
  const bool IsRegister = !S.Operands[1].starts_with("{");
  if (!S.Operands[0].starts_with("{") ||
      Targets.size() != (IsRegister ? 4 : Sources.size()))
    return {};
  const std::string Guard =
      S.Guard.empty() ? ""
                      : ((S.GuardNegated ? "@!" : "@") + S.Guard + " ").str();
  std::vector<std::string> Moves;
  for (auto [N, Target] : enumerate(Targets)) {
    const std::string Source =
        !IsRegister ? Sources[N].str()
        : N == 3    ? "0"
                    : (S.Operands[1] + "." + Twine("xyz"[N])).str();
    if (is_contained(ArrayRef(Targets).take_front(N), Source))
      return {};
    if (Target != "_")
      Moves.push_back(
          (Guard + "mov." + S.Suffix + " " + Target + ", " + Source).str());
  }
  return Moves;
}

} // namespace heddle::ptx
