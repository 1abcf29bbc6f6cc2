//===- FunctionAddresses.cpp - Numbers for addresses of functions ---------===//

#include "CallStatements.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace heddle::ptx {

uint64_t addressOfTarget(size_t Target) { return 16 * (Target + 1); }

std::vector<std::string>
numberFunctions(std::string &Text, function_ref<bool(StringRef)> IsFunction) {
  std::vector<std::string> Targets;
  StringMap<size_t> Numbers;
  std::string Result;
  size_t Last = 0;
  const std::string Clean = blankComments(Text);
  Lexer Tokens(Clean);
  for (Token T; Tokens.next(T);) {
    const size_t Equals = T.Text.find('=');
    const auto S =
        T.Is == Token::Statement ? parseStatement(T.Text) : std::nullopt;
    const bool Moves = S && S->Name == "mov" && S->Operands.size() == 2;
    if (!Moves && (T.Is != Token::Directive || Equals == StringRef::npos))
      continue;
    const StringRef Value =
        Moves ? S->Operands[1] : T.Text.drop_front(Equals + 1);
    const std::string New = renamed(Value, [&](StringRef Name) -> std::string {
      if (!IsFunction(Name))
        return "";
      auto [It, IsNew] = Numbers.try_emplace(Name, Targets.size());
      if (IsNew)
        Targets.push_back(Name.str());
      return utostr(addressOfTarget(It->second));
    });
    if (New == Value)
      continue;
    const size_t At = Value.data() - Clean.data();
    Result += Text.substr(Last, At - Last) + New;
    Last = At + Value.size();
  }
  Text = Result + Text.substr(Last);
  return Targets;
}

} // namespace heddle::ptx
