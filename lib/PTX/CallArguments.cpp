//===- CallArguments.cpp - Registers and numbers as arguments -------------===//
//
// A call may pass registers and constants, and a function may have registers
// for parameters and results. Written with variables of .param space in their
// place, both are what nvcc writes:
//
//   .func (.reg .u32 o) sq(.reg .u32 a) { mul.lo.u32 o, a, a; ret; }
//   call (r1), sq, (4);
//
//===----------------------------------------------------------------------===//

#include "CallStatements.h"

#include "heddle/PTX/PTXModule.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace heddle::ptx {

namespace {

/// A parameter or a result of a function.
struct Formal {
  Parameter P;
  bool IsRegister = false;

  /// The variable in its place.
  std::string variable() const {
    return IsRegister ? StringRef(P.Name).ltrim('%').str() + "_passed" : P.Name;
  }
  std::string bits() const { return "b" + utostr(8 * P.SizeBytes); }
};

struct Signature {
  SmallVector<Formal, 2> Results;
  SmallVector<Formal, 8> Parameters;

  bool hasRegisters() const {
    return any_of(concat<const Formal>(Results, Parameters),
                  [](const Formal &F) { return F.IsRegister; });
  }
  /// Declares the registers and reads the arguments.
  std::string prologue() const;
  /// Writes the results; \p Guard is "@p " or empty.
  std::string epilogue(StringRef Guard) const;
};

std::string Signature::prologue() const {
  std::string Out;
  for (const Formal &F : concat<const Formal>(Results, Parameters))
    if (F.IsRegister)
      Out += " .reg ." + F.P.Type + " " + F.P.Name + ";";
  for (const Formal &F : Parameters)
    if (F.IsRegister)
      Out += " ld.param." + F.bits() + " " + F.P.Name + ", [" + F.variable() +
             "];";
  return Out;
}

std::string Signature::epilogue(StringRef Guard) const {
  std::string Out;
  for (const Formal &F : Results)
    if (F.IsRegister)
      Out += Guard.str() + "st.param." + F.bits() + " [" + F.variable() +
             "], " + F.P.Name + "; ";
  return Out;
}

/// The list "(.reg .u32 a, .param .b32 b)"; empty if it is none.
template <class List> bool readFormals(StringRef Text, List &Formals) {
  for (StringRef Part : split(Text, ',')) {
    if (Part.trim().empty())
      continue;
    const auto [Before, After] = Part.split(".reg");
    const bool IsRegister = Before.size() != Part.size();
    auto P = parseParameter(IsRegister ? After : Part);
    if (!P) {
      consumeError(P.takeError());
      return false;
    }
    Formals.push_back({std::move(*P), IsRegister});
  }
  return true;
}

class ArgumentPasser {
public:
  explicit ArgumentPasser(StringRef Input)
      : Text(Input), Clean(blankComments(Input)) {}

  std::string run();

private:
  void replace(StringRef Old, StringRef New);
  void insert(const char *At, StringRef New) { replace(StringRef(At, 0), New); }
  void readHead(StringRef Head);
  void readDirective(StringRef Directive);
  void readStatement(StringRef Statement);
  void open(StringRef Brace);
  void close(StringRef Brace);
  void rewriteCall(const Call &C, const Signature &Its, StringRef Statement);
  bool isVariable(StringRef Name) const {
    return any_of(Scopes,
                  [&](const auto &Scope) { return Scope.contains(Name); });
  }

  StringRef Text;
  std::string Clean; ///< without comments
  std::string Out;
  size_t Last = 0; ///< up to where the text is in Out
  StringMap<Signature> Signatures;
  const Signature *Head = nullptr;   ///< of the function whose body comes next
  const Signature *Inside = nullptr; ///< of the function around
  std::vector<StringSet<>> Scopes;   ///< variables of .param space
  bool Returns = false;              ///< the last statement
  unsigned Number = 0;               ///< of calls
};

/// Lines stay.
void ArgumentPasser::replace(StringRef Old, StringRef New) {
  const size_t Begin = Old.data() - Clean.data();
  Out += Text.slice(Last, Begin);
  Out += New;
  if (const size_t Lines = Old.count('\n'); Lines > New.count('\n'))
    Out += std::string(Lines - New.count('\n'), '\n');
  Last = Begin + Old.size();
}

/// ".visible .func (.reg .u32 o) sq(.reg .u32 a)"
void ArgumentPasser::readHead(StringRef Directive) {
  StringRef Rest = Directive.split(".func").second.ltrim();
  Signature Its;
  StringRef Results;
  if (Rest.consume_front("(")) {
    Results = Rest.split(')').first;
    Rest = Rest.split(')').second.ltrim();
  }
  const StringRef Name = Rest.take_while(isNamePart);
  const StringRef Parameters = Rest.split('(').second.split(')').first;
  if (!readFormals(Results, Its.Results) ||
      !readFormals(Parameters, Its.Parameters))
    return;
  for (auto [List, Formals] :
       {std::pair(Results, ArrayRef<Formal>(Its.Results)),
        std::pair(Parameters, ArrayRef<Formal>(Its.Parameters))}) {
    if (none_of(Formals, [](const Formal &F) { return F.IsRegister; }))
      continue;
    SmallVector<StringRef, 8> Parts(split(List, ','));
    std::string New;
    for (auto [F, Part] : zip(Formals, Parts))
      New += (New.empty() ? "" : ", ") +
             (F.IsRegister ? ".param ." + F.P.Type + " " + F.variable()
                           : Part.trim().str());
    replace(List, New);
  }
  Head = &(Signatures[Name] = std::move(Its));
}

/// ".param .b32 x, y" declares two variables.
void ArgumentPasser::readDirective(StringRef Directive) {
  Head = nullptr;
  if (Directive.contains(".func"))
    return readHead(Directive);
  if (Scopes.empty() || !Directive.starts_with(".param"))
    return;
  SmallVector<StringRef, 4> Names(split(Directive, ','));
  StringRef &First = Names.front();
  First = First.rtrim();
  const size_t At = First.find_last_of(" \t\n");
  const StringRef Words = First.take_front(At + 1);
  First = First.substr(At + 1);
  SmallVector<std::string, 4> Declarations;
  for (StringRef Name : Names) {
    Scopes.back().insert(Name.trim().split('[').first.rtrim());
    Declarations.push_back((Words + Name.trim()).str());
  }
  if (Names.size() > 1)
    replace(Directive, join(Declarations, "; "));
}

std::string guardOf(const PTXStatement &S) {
  return S.Guard.empty()
             ? ""
             : ((S.GuardNegated ? "@!" : "@") + S.Guard + " ").str();
}

void ArgumentPasser::readStatement(StringRef Statement) {
  const auto S = parseStatement(Statement);
  Returns = S && S->Name == "ret" && S->Guard.empty();
  if (S && S->Name == "ret" && Inside)
    insert(Statement.data(), Inside->epilogue(guardOf(*S)));
  const auto C = Call::of(Statement);
  if (!C || isKnown(C->Callee) || isOurs(C->Callee))
    return;
  const auto It = Signatures.find(C->Callee);
  if (It != Signatures.end() &&
      It->second.Parameters.size() == C->Arguments.size() &&
      It->second.Results.size() == C->Results.size())
    rewriteCall(*C, It->second, Statement);
}

/// Stores arguments that are no variables to variables, and loads such results.
void ArgumentPasser::rewriteCall(const Call &C, const Signature &Its,
                                 StringRef Statement) {
  const std::string Guard = guardOf(C.S), Own = "hv" + utostr(++Number) + "_";
  std::string Before, After;
  auto VariableFor = [&](StringRef Name, const Formal &F, bool IsResult) {
    if (isVariable(Name) || F.P.IsStruct)
      return Name.str();
    const std::string Variable = Own + F.variable();
    Before += ".param ." + F.P.Type + " " + Variable + "; ";
    if (!IsResult)
      Before += Guard + "st.param." + F.P.Type + " [" + Variable + "], " +
                Name.str() + "; ";
    else if (Name != "_")
      After += Guard + "ld.param." + F.bits() + " " + Name.str() + ", [" +
               Variable + "]; ";
    return Variable;
  };
  SmallVector<std::string, 8> Arguments, Results;
  for (auto [Name, F] : zip(C.Arguments, Its.Parameters))
    Arguments.push_back(VariableFor(Name, F, false));
  for (auto [Name, F] : zip(C.Results, Its.Results))
    Results.push_back(VariableFor(Name, F, true));
  if (Before.empty())
    return;
  // In no scope of its own: other variables of the call are of this one.
  replace(Statement,
          Before + Guard + C.S.Opcode.str() + " " +
              (Results.empty() ? "" : "(" + join(Results, ", ") + "), ") +
              C.Callee.str() + ", (" + join(Arguments, ", ") + "); " + After);
}

void ArgumentPasser::open(StringRef Brace) {
  if (Head && Head->hasRegisters()) {
    insert(Brace.end(), Head->prologue());
    Inside = Head;
  }
  Head = nullptr;
  Scopes.emplace_back();
}

void ArgumentPasser::close(StringRef Brace) {
  if (Scopes.size() == 1 && Inside) {
    if (!Returns)
      insert(Brace.data(), Inside->epilogue(""));
    Inside = nullptr;
  }
  if (!Scopes.empty())
    Scopes.pop_back();
}

std::string ArgumentPasser::run() {
  Lexer Tokens(Clean);
  for (Token T; Tokens.next(T);) {
    switch (T.Is) {
    case Token::Directive:
      readDirective(T.Text);
      break;
    case Token::Statement:
      readStatement(T.Text);
      break;
    case Token::Label:
      Returns = false;
      break;
    case Token::Open:
      open(T.Text);
      break;
    case Token::Close:
      close(T.Text);
      break;
    }
  }
  return Out + Text.substr(Last).str();
}

} // namespace

std::string passInVariables(StringRef Text) {
  return ArgumentPasser(Text).run();
}

} // namespace heddle::ptx
