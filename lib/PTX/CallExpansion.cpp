//===- CallExpansion.cpp - Functions of PTX, inlined as text --------------===//

#include "heddle/PTX/CallExpansion.h"

#include "CallStatements.h"

#include "heddle/PTX/PTXModule.h"
#include "heddle/PTX/PTXStatement.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace heddle::ptx {

namespace {

/// How far recursion is written out, as UnrollRecursion has it.
constexpr unsigned MaxDepth = 16, MaxStatements = 16384;
/// How many statements a kernel may get of functions that are not recursive:
/// those of nvcc -G with cooperative groups have 20,000.
constexpr unsigned MaxInlined = 1u << 20;

/// A function with a body, and what that says of its parameters.
struct Function {
  StringRef Body;
  SmallVector<Parameter> Parameters, Results;
  StringMap<Uses> Accesses; ///< of both, by name
  StringSet<> Names; ///< labels, registers and variables that it declares
  StringMap<unsigned> Banks; ///< "%r" of ".reg .b32 %r<10>", and how many
  StringSet<> Callees;
  bool CallsTargets = false; ///< calls through a register
  bool IsRecursive = false;  ///< calls itself, or is called by what it calls
  unsigned Statements = 0;

  bool declares(StringRef Name) const {
    if (Names.contains(Name))
      return true;
    StringRef Base = Name.rtrim("0123456789");
    // "%rd" and "%rd1" may both be banks.
    for (; Base.size() < Name.size(); Base = Name.take_front(Base.size() + 1)) {
      unsigned N;
      if (auto It = Banks.find(Base);
          It != Banks.end() &&
          !Name.drop_front(Base.size()).getAsInteger(10, N) && N < It->second)
        return true;
    }
    return false;
  }
};

/// Where a variable of .param space is.
struct Place {
  bool InRegisters = false;
  std::string Name; ///< of local memory; with an offset, of a register

  std::string word(uint64_t Offset) const {
    return "%" + Name + "_" + utostr(Offset);
  }
};

/// The tokens of a scope that are not in another within it, which is one piece.
struct Piece {
  Token T;
  StringRef Inner; ///< between the braces of a scope
};

class Expander {
public:
  explicit Expander(StringRef Input)
      : Clean(blankComments(Input)), Original(Input.str()) {
    readFunctions();
    Targets = numberFunctions(
        Original, [&](StringRef Name) { return Functions.contains(Name); });
    if (!Targets.empty()) { // the bodies are now others
      Clean = blankComments(Original);
      Functions.clear();
      readFunctions();
    }
    markRecursive();
  }

  std::string run();

private:
  void readFunctions();
  bool declaresKnown(StringRef Head) const;
  void markRecursive();
  /// The body of an entry without calls that can be written out.
  std::string expandEntry(std::string Body);
  void readVariables(ArrayRef<Piece> Pieces, StringMap<Parameter> &Variables,
                     StringMap<Uses> &Accesses);
  /// A body or a scope with the calls that stand in it one level further.
  std::string expand(StringRef Scope);
  std::string declared(const Parameter &P, const Place &Its, const Uses &U);
  std::string called(StringRef Statement, const StringMap<Place> &Places);
  std::string inlined(const Call &C, const StringMap<Place> &Places);
  std::string chosen(const Call &C, const StringMap<Place> &Places);
  bool fits(const Call &C, const Function &F) const {
    return F.Parameters.size() == C.Arguments.size() &&
           F.Results.size() >= C.Results.size();
  }
  std::string refused(const Call &C, const StringMap<Place> &Places,
                      StringRef Kind);
  /// Whether the call stays as it is: what it passes is no variable, or not
  /// what the function takes.
  template <class Map> bool isOpaque(const Call &C, const Map &Variables) const;

  std::string Clean; ///< without comments
  std::string Original;
  StringMap<Function> Functions;
  /// Functions whose addresses the file takes. An address is a number.
  std::vector<std::string> Targets;
  unsigned Number = 0; ///< of bodies and scopes
  unsigned Added = 0;  ///< statements that this entry has got
  bool IsLast = false; ///< the level where recursion ends
  /// More levels than functions, each of which takes two where the call is
  /// indirect: one is in itself, and its text hides that.
  bool IsTooDeep = false;
  bool Changed = false; ///< this level has written out a call
};

/// The variables that a list "(.param .b32 a, .param .b8 b[16])" declares.
SmallVector<Parameter> parametersOf(StringRef List) {
  SmallVector<Parameter> Result;
  for (StringRef Part : split(List, ','))
    if (auto P = parseParameter(Part))
      Result.push_back(std::move(*P));
    else
      consumeError(P.takeError());
  return Result;
}

/// What a body declares, and how it uses the parameters.
void readBody(Function &F) {
  Lexer Tokens(F.Body);
  for (const auto *List : {&F.Parameters, &F.Results})
    for (const Parameter &P : *List)
      F.Accesses[P.Name];
  for (Token T; Tokens.next(T);) {
    F.Statements += T.Is == Token::Statement;
    if (T.Is == Token::Label)
      F.Names.insert(T.Text);
    if (T.Is == Token::Directive && T.Text.starts_with(".local")) {
      if (auto Variables = parseVariables(T.Text))
        for (const Variable &V : *Variables)
          F.Names.insert(V.Name);
      else
        consumeError(Variables.takeError());
    }
    const auto S = parseStatement(T.Text);
    if (T.Is == Token::Directive && S && S->Name == ".reg")
      for (StringRef Name : S->Operands) {
        auto [Base, Count] = Name.split('<');
        unsigned N = 0;
        if (Count.empty() || Count.consumeInteger(10, N))
          F.Names.insert(Name);
        else
          F.Banks[Base] = std::max(F.Banks[Base], N);
      }
    if (T.Is != Token::Statement)
      continue;
    if (const auto C = Call::of(T.Text); C && C->IsIndirect)
      F.CallsTargets = true;
    else if (C)
      F.Callees.insert(C->Callee);
    const auto A = ParamAccess::of(T.Text);
    if (A && F.Accesses.contains(A->Base)) {
      F.Accesses[A->Base].add(*A);
      continue;
    }
    renamed(T.Text, [&](StringRef Name) {
      if (auto It = F.Accesses.find(Name); It != F.Accesses.end())
        It->second.HasAddress = true;
      return std::string();
    });
  }
}

/// Finds all bodies: the name, and the place of what is between the braces. A
/// declaration of a function has none: both places are 0.
void forEachBody(
    StringRef Clean,
    function_ref<void(StringRef Head, size_t Begin, size_t End)> Visit) {
  Lexer Tokens(Clean);
  StringRef Head;
  for (Token T; Tokens.next(T);) {
    if (T.Is != Token::Open) {
      if (Head.contains(".func"))
        Visit(Head, 0, 0);
      Head = T.Is == Token::Directive ? T.Text : "";
      continue;
    }
    const size_t Begin = T.Text.end() - Clean.data();
    if (!Tokens.skipBody())
      return;
    if (!Head.empty())
      Visit(Head, Begin, Tokens.rest().data() - Clean.data() - 1);
    Head = "";
  }
}

void Expander::markRecursive() {
  for (auto &Entry : Functions)
    if (Entry.second.CallsTargets)
      for (const std::string &Target : Targets)
        Entry.second.Callees.insert(Target);
  for (auto &Entry : Functions) {
    StringSet<> Reached;
    SmallVector<StringRef, 8> Work = {Entry.getKey()};
    while (!Work.empty())
      if (auto It = Functions.find(Work.pop_back_val()); It != Functions.end())
        for (StringRef Callee : It->second.Callees.keys())
          if (Reached.insert(Callee).second)
            Work.push_back(Callee);
    Entry.second.IsRecursive = Reached.contains(Entry.getKey());
  }
}

void Expander::readFunctions() {
  forEachBody(Clean, [&](StringRef Head, size_t Begin, size_t End) {
    StringRef Rest = Head.split(".func").second.ltrim();
    if (Rest.empty() || !End)
      return;
    Function F;
    F.Body = StringRef(Clean).slice(Begin, End);
    if (Rest.consume_front("(")) {
      F.Results =
          parametersOf(Rest.take_until([](char C) { return C == ')'; }));
      Rest = Rest.split(')').second.ltrim();
    }
    StringRef Name = Rest.take_while(isNamePart);
    F.Parameters = parametersOf(Rest.split('(').second.split(')').first);
    readBody(F);
    Functions[Name] = std::move(F);
  });
}

template <class Map>
bool Expander::isOpaque(const Call &C, const Map &Variables) const {
  auto IsVariable = [&](StringRef Name) { return Variables.contains(Name); };
  if (isOurs(C.Callee) || !all_of(C.Arguments, IsVariable) ||
      !all_of(C.Results, IsVariable))
    return true;
  auto It = Functions.find(C.Callee);
  return It != Functions.end() && !fits(C, It->second);
}

/// A load or store as moves of registers.
std::string moved(const ParamAccess &A, const Place &Its) {
  const std::string Guard =
      A.S.Guard.empty()
          ? ""
          : (A.S.GuardNegated ? "@!" : "@") + A.S.Guard.str() + " ";
  SmallVector<std::string, 4> Moves;
  uint64_t Offset = A.Offset;
  for (StringRef Value : A.values()) {
    const std::string Word = Its.word(Offset);
    Offset += A.Bytes;
    if (Value == "_")
      continue;
    const bool IsNumber = isDigit(Value[0]) || !isNamePart(Value[0]);
    const std::string Type =
        IsNumber ? A.S.Suffix.str() : "b" + utostr(8 * A.Bytes);
    Moves.push_back(
        Guard + "mov." + Type + " " +
        (A.IsLoad ? Value.str() + ", " + Word : Word + ", " + Value.str()));
  }
  return join(Moves, "; ");
}

/// A statement of a function in which names of \p Places may stand.
std::string replaced(StringRef Statement, const StringMap<Place> &Places) {
  const auto A = ParamAccess::of(Statement);
  const auto It = A ? Places.find(A->Base) : Places.end();
  if (It != Places.end() && It->second.InRegisters)
    return moved(*A, It->second);
  std::string Out = renamed(Statement, [&](StringRef Name) {
    const auto Its = Places.find(Name);
    return Its == Places.end() ? "" : Its->second.Name;
  });
  // An address in a register leads to a parameter whose address was taken.
  if (A && (It != Places.end() || A->Base.starts_with("%")))
    if (size_t At = Out.find(".param"); At != std::string::npos)
      Out.replace(At, StringRef(".param").size(), ".local");
  return Out;
}

/// Ends the launch when a thread comes to it (StatementLowering).
std::string Expander::refused(const Call &C, const StringMap<Place> &Places,
                              StringRef Kind) {
  const std::string Name = "call_refused_" + Kind.str();
  if (C.Results.size() == 1 && Places.lookup(C.Results[0]).InRegisters)
    return "call (" + Places.lookup(C.Results[0]).word(0) + "), " + Name +
           ", ()";
  return "call " + Name + ", ()";
}

/// A call through a register: of the function that has this address.
std::string Expander::chosen(const Call &C, const StringMap<Place> &Places) {
  const std::string Own = "h" + utostr(++Number), Is = "%" + Own + "_is";
  std::string Out = "{ .reg .pred " + Is + "; ";
  for (auto [I, Name] : enumerate(Targets)) {
    if (!fits(C, Functions.lookup(Name)))
      continue;
    const std::string Next = Own + "_" + utostr(I);
    Call Direct = C;
    Direct.Callee = Name;
    Direct.IsIndirect = false;
    const std::string Body = inlined(Direct, Places);
    Out += "setp.ne.u64 " + Is + ", " + C.Callee.str() + ", " +
           utostr(addressOfTarget(I)) + "; @" + Is + " bra " + Next + "; " +
           Body + (StringRef(Body).ends_with(":") ? " " : "; ") + "bra " + Own +
           "_end; " + Next + ": ";
  }
  return Out + refused(C, Places, "target") + "; } " + Own + "_end:";
}

std::string Expander::inlined(const Call &C, const StringMap<Place> &Places) {
  if (C.IsIndirect)
    return chosen(C, Places);
  const auto It = Functions.find(C.Callee);
  if (It == Functions.end() && isKnown(C.Callee)) {
    auto Words = [&](ArrayRef<StringRef> Names) {
      return join(
          map_range(Names,
                    [&](StringRef N) { return Places.lookup(N).word(0); }),
          ", ");
    };
    return "call.uni " +
           (C.Results.empty() ? "" : "(" + Words(C.Results) + "), ") +
           C.Callee.str() + ", (" + Words(C.Arguments) + ")";
  }
  if (It == Functions.end())
    return refused(C, Places, C.Callee);
  const Function &F = It->second;
  if (F.IsRecursive || IsTooDeep
          ? IsLast || (Added && Added + F.Statements > MaxStatements)
          : Added + F.Statements > MaxInlined)
    return refused(C, Places,
                   F.IsRecursive || IsTooDeep ? "recursion" : "size");
  Changed = true;
  Added += F.Statements;
  const std::string Own = "h" + utostr(++Number);
  StringMap<Place> Its;
  for (auto [P, Name] : zip_equal(F.Parameters, C.Arguments))
    Its[P.Name] = Places.lookup(Name);
  for (auto [P, Name] : zip(F.Results, C.Results))
    Its[P.Name] = Places.lookup(Name);
  auto NewName = [&](StringRef Name) -> std::string {
    if (!F.declares(Name) && !F.Banks.contains(Name))
      return "";
    return Name.starts_with("%") ? "%" + Own + "_" + Name.drop_front().str()
                                 : Name.str() + "_" + Own;
  };
  std::string Out = "{ ";
  Lexer Tokens(F.Body);
  for (Token T; Tokens.next(T);) {
    if (T.Is == Token::Directive && T.Text.starts_with(".loc") &&
        !T.Text.starts_with(".local"))
      continue;
    std::string Line = renamed(T.Text, NewName);
    replace(Line, '\n', ' ');
    const auto S = parseStatement(Line);
    if (T.Is == Token::Statement && S && S->Name == "ret")
      Line.replace(S->Opcode.data() - Line.data(), S->Opcode.size(),
                   "bra " + Own + "_end");
    else if (T.Is == Token::Statement)
      Line = replaced(Line, Its);
    Out += Line + (T.Is == Token::Label                          ? ": "
                   : T.Is == Token::Open || T.Is == Token::Close ? " "
                                                                 : "; ");
  }
  return Out + "} " + Own + "_end:";
}

SmallVector<Piece> piecesOf(StringRef Scope) {
  SmallVector<Piece> Pieces;
  Lexer Tokens(Scope);
  for (Token T; Tokens.next(T);) {
    Pieces.push_back({T, {}});
    if (T.Is != Token::Open)
      continue;
    if (!Tokens.skipBody())
      break;
    const char *End = Tokens.rest().data();
    Pieces.back().Inner = StringRef(T.Text.end(), End - T.Text.end() - 1);
    Pieces.back().T.Text = StringRef(T.Text.data(), End - T.Text.data());
  }
  return Pieces;
}

/// The variables in .param space of a scope, which pass what its calls take and
/// give, and how they are used.
void Expander::readVariables(ArrayRef<Piece> Pieces,
                             StringMap<Parameter> &Variables,
                             StringMap<Uses> &Accesses) {
  for (const Piece &P : Pieces)
    if (P.T.Is == Token::Directive && P.T.Text.starts_with(".param"))
      for (Parameter &V : parametersOf(P.T.Text))
        Variables[V.Name] = std::move(V);
  for (const Piece &P : Pieces) {
    if (P.T.Is != Token::Statement)
      continue;
    if (const auto A = ParamAccess::of(P.T.Text);
        A && Variables.contains(A->Base)) {
      Accesses[A->Base].add(*A);
      continue;
    }
    const auto C = Call::of(P.T.Text);
    if (!C || isOpaque(*C, Variables)) {
      renamed(P.T.Text, [&](StringRef Name) {
        if (C)
          Variables.erase(Name);
        else if (Variables.contains(Name))
          Accesses[Name].HasAddress = true;
        return std::string();
      });
      continue;
    }
    SmallVector<const Function *, 4> Called;
    auto AddFunction = [&](StringRef Name) {
      if (auto F = Functions.find(Name); F != Functions.end())
        if (fits(*C, F->second))
          Called.push_back(&F->second);
    };
    if (C->IsIndirect)
      for_each(Targets, AddFunction);
    else
      AddFunction(C->Callee);
    if (Called.empty())
      for (StringRef Name : concat<const StringRef>(C->Arguments, C->Results))
        Accesses[Name].add(0, Variables[Name].SizeBytes);
    for (const Function *F : Called) {
      for (auto [Name, Formal] : zip(C->Arguments, F->Parameters))
        Accesses[Name].add(F->Accesses.lookup(Formal.Name));
      for (auto [Name, Formal] : zip(C->Results, F->Results))
        Accesses[Name].add(F->Accesses.lookup(Formal.Name));
    }
  }
}

/// The registers or the local memory of a variable.
std::string Expander::declared(const Parameter &P, const Place &Its,
                               const Uses &U) {
  if (!Its.InRegisters)
    return ".local .align " + utostr(std::max<uint64_t>(P.AlignBytes, 8)) +
           " .b8 " + Its.Name + "[" + utostr(P.SizeBytes) + "]";
  SmallVector<std::string, 4> Words;
  for (auto [Offset, Bytes] : U.Words)
    Words.push_back(".reg .b" + utostr(8 * Bytes) + " " + Its.word(Offset));
  return join(Words, "; ");
}

/// A label takes no semicolon: ptxas knows no empty statement.
bool endsInLabel(StringRef Text) { return Text.ends_with(":"); }

/// A statement of a scope whose variables are at \p Places.
std::string Expander::called(StringRef Statement,
                             const StringMap<Place> &Places) {
  if (const auto A = ParamAccess::of(Statement); A && !Places.contains(A->Base))
    return Statement.str();
  const auto C = Call::of(Statement);
  if (!C)
    return replaced(Statement, Places);
  if (isOpaque(*C, Places))
    return Statement.str();
  const std::string Body = inlined(*C, Places);
  if (C->S.Guard.empty())
    return Body;
  const std::string Past = "h" + utostr(++Number) + "_past";
  return (C->S.GuardNegated ? "@" : "@!") + C->S.Guard.str() + " bra " + Past +
         "; " + Body + (endsInLabel(Body) ? " " : "; ") + Past + ":";
}

std::string Expander::expand(StringRef Scope) {
  const SmallVector<Piece> Pieces = piecesOf(Scope);
  StringMap<Parameter> Variables;
  StringMap<Uses> Accesses;
  readVariables(Pieces, Variables, Accesses);
  const std::string Own = "hp" + utostr(++Number) + "_";
  StringMap<Place> Places;
  for (const auto &V : Variables)
    Places[V.getKey()] = {Accesses[V.getKey()].fitRegisters(),
                          Own + V.getKey().str()};
  std::string Out;
  const char *Last = Scope.data();
  for (const Piece &P : Pieces) {
    Out += StringRef(Last, P.T.Text.data() - Last);
    Last = P.T.Text.end();
    std::string New = P.T.Text.str();
    if (P.T.Is == Token::Open)
      New = "{" + expand(P.Inner) + "}";
    else if (P.T.Is == Token::Directive && P.T.Text.starts_with(".param"))
      for (const Parameter &V : parametersOf(P.T.Text))
        if (auto It = Places.find(V.Name); It != Places.end())
          New = declared(V, It->second, Accesses[V.Name]);
        else
          New = P.T.Text.str();
    else if (P.T.Is == Token::Statement)
      New = called(P.T.Text, Places);
    const size_t Lines = P.T.Text.count('\n'),
                 NewLines = StringRef(New).count('\n');
    Out += New + std::string(Lines > NewLines ? Lines - NewLines : 0, '\n');
    if (endsInLabel(New) && P.T.Is == Token::Statement) {
      const StringRef Rest(Last, Scope.end() - Last);
      const StringRef Before = Rest.take_until([](char C) { return C == ';'; });
      Out += Before;
      Last = Before.end() + (Before.size() < Rest.size());
    }
  }
  return Out + StringRef(Last, Scope.end() - Last).str();
}

std::string Expander::expandEntry(std::string Body) {
  Added = 0;
  Changed = true;
  for (unsigned Depth = 0; Changed; ++Depth) {
    IsLast = Depth >= MaxDepth;
    IsTooDeep = Depth > 2 * Functions.size();
    Changed = false;
    Body = expand(Body);
  }
  return Body;
}

/// Whether \p Head declares a function that the file defines.
bool Expander::declaresKnown(StringRef Head) const {
  return any_of(Functions.keys(), [&](StringRef Name) {
    const auto [Before, After] = Head.split(Name);
    return After.ltrim().starts_with("(") && !Before.empty() &&
           !isNamePart(Before.back());
  });
}

std::string Expander::run() {
  std::string Out;
  const StringRef Text = Original;
  size_t Last = 0;
  forEachBody(Clean, [&](StringRef Head, size_t Begin, size_t End) {
    StringRef Body = StringRef(Clean).slice(Begin, End);
    if (!Head.contains(".entry")) { // nothing calls it any more
      if (!End && !declaresKnown(Head))
        return;
      const size_t HeadBegin = Head.data() - Clean.data();
      Out += Text.slice(Last, HeadBegin);
      Last = (End ? End : Clean.find(';', HeadBegin)) + 1;
      Out += std::string(Text.slice(HeadBegin, Last).count('\n'), '\n');
      return;
    }
    if (!Body.contains("call"))
      return;
    Out += Text.slice(Last, Begin);
    Out += expandEntry(Body.str());
    Last = End;
  });
  return Out + Text.substr(Last).str();
}

} // namespace

std::string expandCalls(StringRef Text) {
  return Text.contains("call") ? Expander(passInVariables(Text)).run()
                               : Text.str();
}

} // namespace heddle::ptx
