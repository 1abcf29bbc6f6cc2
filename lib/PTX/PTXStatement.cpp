//===- PTXStatement.cpp - Statements of hand-written PTX ------------------===//

#include "heddle/PTX/PTXStatement.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle {

/// Operands between commas that are not inside braces or brackets.
static std::vector<StringRef> splitOperands(StringRef Text) {
  std::vector<StringRef> Operands;
  unsigned Depth = 0;
  size_t Start = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    Depth += C == '{' || C == '[';
    Depth -= (C == '}' || C == ']') && Depth;
    if (C == ',' && !Depth) {
      Operands.push_back(Text.slice(Start, I).trim());
      Start = I + 1;
    }
  }
  if (StringRef Last = Text.substr(Start).trim(); !Last.empty())
    Operands.push_back(Last);
  return Operands;
}

/// The length of "NAME:" at the start of \p Text, without the colon; 0 if there
/// is no label. "${:uid}", of inline assembly, may be part of a name.
static size_t labelLength(StringRef Text) {
  size_t I = 0;
  while (I < Text.size()) {
    if (isAlnum(Text[I]) || Text[I] == '_' || Text[I] == '$' || Text[I] == '%')
      ++I;
    else if (I && Text[I - 1] == '$' && Text.substr(I).starts_with("{:uid}"))
      I += StringRef("{:uid}").size();
    else
      break;
  }
  StringRef Rest = Text.substr(I).ltrim();
  return I && Rest.starts_with(":") && !Rest.starts_with("::") ? I : 0;
}

static std::optional<PTXStatement> parseStatement(StringRef Text) {
  PTXStatement S;
  if (Text.consume_front("@")) {
    S.GuardNegated = Text.consume_front("!");
    StringRef Guard = Text.take_until([](char C) { return isSpace(C); });
    S.Guard = Guard.str();
    Text = Text.drop_front(Guard.size()).trim();
  }
  size_t End = Text.find_first_of(" \t\n");
  StringRef Opcode = Text.substr(0, End);
  StringRef Rest = End == StringRef::npos ? "" : Text.substr(End).trim();
  // ".reg .b16 a" and ".reg.b16 a"
  if (Opcode.consume_front(".reg") && (Opcode.empty() || Opcode[0] == '.')) {
    auto [Type, Registers] =
        Opcode.empty() ? Rest.split(' ') : std::pair(Opcode, Rest);
    S.Name = ".reg";
    S.Suffix = Type.ltrim('.').str();
    S.Operands = splitOperands(Registers);
    return S;
  }
  if (Opcode.starts_with("."))
    return std::nullopt;
  SmallVector<StringRef, 6> Parts;
  Opcode.split(Parts, '.', -1, /*KeepEmpty=*/false);
  if (Parts.empty() || !all_of(Parts.front(), isAlnum))
    return std::nullopt;
  S.Name = Parts.front().str();
  for (StringRef Part : drop_begin(Parts))
    S.Modifiers.push_back(Part.str());
  if (!S.Modifiers.empty()) {
    S.Suffix = S.Modifiers.back();
    S.Modifiers.pop_back();
  }
  S.Operands = splitOperands(Rest);
  return S;
}

std::optional<std::vector<PTXStatement>> parsePTX(StringRef Text) {
  std::vector<PTXStatement> Statements;
  while (!Text.trim().empty()) {
    Text = Text.ltrim();
    // Comments and the braces of a scope. A brace of an operand list is never
    // the first character of a statement.
    if (Text.starts_with("//")) {
      Text = Text.drop_until([](char C) { return C == '\n'; });
      continue;
    }
    if (Text.starts_with("/*")) {
      size_t End = Text.find("*/");
      if (End == StringRef::npos)
        return std::nullopt;
      Text = Text.substr(End + 2);
      continue;
    }
    if (Text.starts_with("{") || Text.starts_with("}") ||
        Text.starts_with(";")) {
      Text = Text.drop_front();
      continue;
    }
    if (size_t Length = labelLength(Text)) {
      PTXStatement Label;
      Label.Name = ":";
      Label.Operands.push_back(Text.take_front(Length));
      Statements.push_back(std::move(Label));
      Text = Text.substr(Length).ltrim().drop_front();
      continue;
    }
    size_t End = Text.find(';');
    std::optional<PTXStatement> S = parseStatement(Text.substr(0, End).trim());
    if (!S)
      return std::nullopt;
    Statements.push_back(std::move(*S));
    Text = End == StringRef::npos ? "" : Text.substr(End + 1);
  }
  return Statements;
}

} // namespace heddle
