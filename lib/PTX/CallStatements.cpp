//===- CallStatements.cpp - Calls and their variables in PTX --------------===//

#include "CallStatements.h"

#include "heddle/PTX/PTXConstant.h"
#include "heddle/PTX/PTXInstructions.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle::ptx {

bool isKnown(StringRef Name) {
  return Name == "vprintf" || Name == "__assertfail";
}

bool isOurs(StringRef Name) {
  return Name.starts_with("math_") || Name.starts_with("call_refused_") ||
         Name == "barrier_grid_sync";
}

std::optional<ParamAccess> ParamAccess::of(StringRef Text) {
  const auto S = parseStatement(Text);
  if (!S || (S->Name != "ld" && S->Name != "st") || S->Operands.size() != 2 ||
      !S->has("param"))
    return std::nullopt;
  ParamAccess A;
  A.S = *S;
  A.IsLoad = S->Name == "ld";
  A.Value = S->Operands[A.IsLoad ? 0 : 1];
  StringRef Address = S->Operands[A.IsLoad ? 1 : 0].trim("[] \t");
  auto [Base, Offset] = Address.split('+');
  A.Base = Base.trim();
  const auto Bytes = readInteger(Offset.empty() ? "0" : Offset);
  if (!Bytes || *Bytes < 0)
    return std::nullopt;
  A.Offset = *Bytes;
  const HeddlePTXType *T = findType(S->Suffix);
  A.Bytes = T ? T->Bytes : 0;
  return A;
}

void Uses::add(const ParamAccess &A) {
  // A wider register would get the sign.
  HasAddress |= A.IsLoad && A.S.Suffix == "s32";
  for (size_t I = 0; I < A.values().size(); ++I)
    add(A.Offset + I * A.Bytes, A.Bytes);
}

void Uses::add(uint64_t Offset, uint64_t Bytes) {
  HasAddress |= Bytes != 4 && Bytes != 8;
  const auto [It, IsNew] = Words.try_emplace(Offset, Bytes);
  HasAddress |= It->second != Bytes;
}

void Uses::add(const Uses &Other) {
  for (auto [Offset, Bytes] : Other.Words)
    add(Offset, Bytes);
  HasAddress |= Other.HasAddress;
}

bool Uses::fitRegisters() const {
  uint64_t End = 0;
  for (auto [Offset, Bytes] : Words) {
    if (Offset < End)
      return false;
    End = Offset + Bytes;
  }
  return !HasAddress;
}

std::optional<Call> Call::of(StringRef Text) {
  const auto S = parseStatement(Text);
  if (!S || S->Name != "call" || S->Operands.empty())
    return std::nullopt;
  Call C;
  C.S = *S;
  size_t I = 0;
  auto Group = [](StringRef Operand) {
    return splitOperands(Operand.trim("()"));
  };
  if (S->Operands[0].starts_with("("))
    for (StringRef Name : Group(S->Operands[I++]))
      C.Results.push_back(Name);
  if (I == S->Operands.size())
    return std::nullopt;
  C.Callee = S->Operands[I++];
  if (I < S->Operands.size() && S->Operands[I].starts_with("("))
    for (StringRef Name : Group(S->Operands[I++]))
      C.Arguments.push_back(Name);
  // Through a register: a prototype stands behind.
  C.IsIndirect = C.Callee.starts_with("%");
  I += C.IsIndirect && I + 1 == S->Operands.size();
  if (I != S->Operands.size() || !all_of(C.Callee, isNamePart))
    return std::nullopt;
  return C;
}

} // namespace heddle::ptx
