//===- PTXReader.cpp - PTX text as instructions ---------------------------===//

#include "heddle/PTX/PTXReader.h"

#include "heddle/PTX/PTXConstant.h"
#include "heddle/PTX/PTXInstructions.h"
#include "heddle/PTX/PTXModule.h"
#include "heddle/PTX/PTXStatement.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace heddle::ptx {

/// True if the first operand of \p Opcode is not written.
static bool hasNoResult(StringRef Opcode) {
  const auto Form = findInstruction(Opcode);
  return Form && Form->Row->Operands[0] == '=';
}

static std::optional<RegisterKind> kindOfType(StringRef Type) {
  const HeddlePTXType *T = findType(Type);
  if (!T)
    return std::nullopt;
  if (T->Data == HEDDLE_TYPE_PRED)
    return RegisterKind::Predicate;
  return T->Bytes <= 2   ? RegisterKind::B16
         : T->Bytes == 4 ? RegisterKind::B32
         : T->Bytes == 8 ? RegisterKind::B64
                         : RegisterKind::B128;
}

namespace {

/// Registers that a kernel may declare, all declarations together. Code tables
/// number those that are used with 16 bits.
constexpr unsigned MaxDeclared = 1u << 20;

/// The elements of a vector.
constexpr char Axes[] = "xyzw";

bool isNameChar(char C) {
  return isAlnum(C) || C == '_' || C == '$' || C == '%' || C == '.';
}

class Reader {
public:
  Reader(StringRef Text, StringRef Name)
      : Text(Text), Clean(blankComments(Text)) {
    K.Name = Name.str();
    StringRef Target = StringRef(Clean).split(".target").second.ltrim();
    Target.consume_front("sm_");
    Target.consumeInteger(10, K.Target);
  }

  Expected<Kernel> read();

private:
  Error error(const Twine &Message) {
    return createStringError("PTX line " + Twine(LineNumber) + ": " + Message);
  }

  /// Skips to the body of the kernel; false if there is none.
  bool findBody(Lexer &Tokens);
  void readComments(size_t Begin, size_t End);
  Error readToken(const Token &T);
  Error readDirective(StringRef Statement);
  Error readRegisters(StringRef Declaration);
  void declare(const Twine &Name, RegisterKind Kind, unsigned Elements);
  void readTargets(StringRef List);
  Error readInst(StringRef Statement);
  Error readBranch(Inst &I, const PTXStatement &S);
  Error readGuardedJump(const PTXStatement &S);
  Error connect(Block &From, const Inst &I, const StringMap<unsigned> &Labels);
  Error readOperand(Inst &I, StringRef Operand, bool Write);
  Error readAddress(Inst &I, StringRef Address);
  Error resolveBranches();
  void findDebugTargets(Lexer Tokens);

  void startBlock(StringRef Label, StringRef Comment);
  /// The number of the register \p Name, or 0 if it is none. Registers are
  /// numbered as they are first named, so that the numbers are dense.
  unsigned find(StringRef Name);

  std::string withElements(StringRef Operand) const;

  StringSet<> DebugTargets; ///< their labels to which branches go

  struct Declared {
    RegisterKind Kind;
    unsigned Number;
  };
  /// Null if nothing has the name.
  const Declared *declared(const Twine &Name) const;

  StringRef Text;    ///< with the comments that name blocks
  std::string Clean; ///< the same without comments
  Kernel K;
  unsigned LineNumber = 0;
  unsigned Loc = 0;
  unsigned NumDeclared = 0; ///< by "%r<N>"
  bool HasVectors = false;  ///< among the registers
  /// Registers by name; inline assembly opens scopes of its own.
  std::vector<StringMap<Declared>> Scopes;
};

/// "%name" in a comment of the printer, without the sign.
StringRef irBlockName(StringRef Comment) {
  Comment = Comment.trim();
  if (!Comment.consume_front("%"))
    return "";
  return Comment.take_while([](char C) { return !isSpace(C); });
}

bool Reader::findBody(Lexer &Tokens) {
  bool InHead = false;
  for (Token T; Tokens.next(T);) {
    if (T.Is == Token::Open && InHead)
      return true;
    if (T.Is == Token::Open && !Tokens.skipBody())
      return false;
    InHead = T.Is == Token::Directive && entryName(T.Text) == K.Name;
  }
  return false;
}

Expected<Kernel> Reader::read() {
  Lexer Tokens(Clean);
  if (!findBody(Tokens))
    return createStringError("PTX has no entry '%s'", K.Name.c_str());
  K.Registers.push_back({"", RegisterKind::Predicate});
  Scopes.emplace_back();
  startBlock("", "");
  findDebugTargets(Tokens);
  size_t End = Text.size();
  for (Token T; !Scopes.empty();) {
    if (!Tokens.next(T))
      return error("the body of '" + K.Name + "' does not end");
    const size_t Begin = T.Text.data() - Clean.data();
    readComments(End, Begin);
    End = Begin + T.Text.size();
    LineNumber = T.Line;
    if (Error E = readToken(T))
      return std::move(E);
  }
  erase_if(K.Blocks, [](const Block &B) {
    return B.Insts.empty() && B.Label.empty() && B.IRBlock.empty();
  });
  if (Error E = resolveBranches())
    return std::move(E);
  return std::move(K);
}

/// nvcc -G may jump to a label of debug information.
void Reader::findDebugTargets(Lexer Tokens) {
  for (Token T; Tokens.next(T);) {
    auto [Before, Name] = T.Text.rsplit('$');
    if (T.Is == Token::Statement && Name.starts_with("L__tmp") &&
        Before.contains("bra"))
      DebugTargets.insert(("$" + Name.trim()).str());
  }
}

/// Between two tokens: "// %bb.3:   // %name" is a block without a label.
void Reader::readComments(size_t Begin, size_t End) {
  StringRef Gap = Text.slice(Begin, std::max(Begin, End));
  while (!Gap.empty()) {
    auto [Line, Rest] = Gap.split('\n');
    auto [Name, IRName] = Line.split("//").second.split("//");
    if (Name.trim().starts_with("%bb."))
      startBlock("", IRName);
    Gap = Rest;
  }
}

void Reader::startBlock(StringRef Label, StringRef Comment) {
  K.Blocks.emplace_back();
  K.Blocks.back().Label = Label.str();
  K.Blocks.back().IRBlock = irBlockName(Comment).str();
}

Error Reader::readToken(const Token &T) {
  switch (T.Is) {
  case Token::Open:
    Scopes.emplace_back();
    return Error::success();
  case Token::Close:
    Scopes.pop_back();
    return Error::success();
  case Token::Label:
    // Labels of debug information and of the function's ends start no block.
    if ((!T.Text.starts_with("$L__tmp") || DebugTargets.contains(T.Text)) &&
        !T.Text.starts_with("$L__func_"))
      startBlock(T.Text, Text.substr(T.Text.end() - Clean.data())
                             .split('\n')
                             .first.split("//")
                             .second);
    return Error::success();
  case Token::Directive:
  case Token::Statement:
    break;
  }
  if (!T.Complete)
    return error("the body of '" + K.Name + "' does not end");
  std::string Line = T.Text.str();
  replace(Line, '\n', ' ');
  return T.Is == Token::Directive ? readDirective(Line) : readInst(Line);
}

Error Reader::readDirective(StringRef Statement) {
  if (Statement.consume_front(".loc\t") || Statement.consume_front(".loc ")) {
    SmallVector<StringRef, 8> Words;
    SplitString(Statement, Words, " \t");
    if (Words.size() < 2 || Words[1].getAsInteger(10, Loc))
      return error("malformed .loc");
    return Error::success();
  }
  if (StringRef Registers = Statement.split("heddle.registers ").second;
      Statement.starts_with(".pragma") && !Registers.empty())
    Registers.consumeInteger(10, K.Registers32);
  if (Statement.starts_with(".pragma") && Statement.contains("nounroll"))
    K.Blocks.back().NoUnroll = true;
  if (Statement.consume_front(".branchtargets")) {
    readTargets(Statement);
    return Error::success();
  }
  if (Statement.consume_front(".reg"))
    return readRegisters(Statement);
  if (declaresVariable(Statement))
    K.Declarations.emplace_back(LineNumber, Statement.str());
  if (Statement.starts_with(".local")) {
    // ".local .align 4 .b8 __local_depot0[32]"
    auto Variables = parseVariables(Statement);
    if (!Variables)
      return error(toString(Variables.takeError()));
    for (const Variable &V : *Variables)
      K.LocalBytes += V.SizeBytes;
  }
  return Error::success();
}

/// ".branchtargets A, B", whose label began a block although it is none.
void Reader::readTargets(StringRef List) {
  Block &Last = K.Blocks.back();
  std::vector<std::string> &Targets = K.BranchTargets[Last.Label];
  Targets.clear();
  for (StringRef Label : splitOperands(List))
    Targets.push_back(Label.str());
  if (Last.Insts.empty() && K.Blocks.size() > 1)
    K.Blocks.pop_back();
}

/// Declares \p Name. A vector is its elements, "v.x" to "v.w".
void Reader::declare(const Twine &Name, RegisterKind Kind, unsigned Elements) {
  HasVectors |= Elements > 1;
  if (Elements == 1)
    Scopes.back()[Name.str()] = {Kind, 0};
  else
    for (unsigned N = 0; N != Elements; ++N)
      Scopes.back()[(Name + "." + Twine(Axes[N])).str()] = {Kind, 0};
}

/// ".reg .b32 %r<7>", ".reg .pred p, q" or ".reg .v4 .f32 v".
Error Reader::readRegisters(StringRef Declaration) {
  const std::string Text = ".reg " + Declaration.trim().str();
  const PTXStatement S = *parseStatement(Text);
  const std::optional<RegisterKind> Kind = kindOfType(S.Suffix);
  if (!Kind)
    return error("register type '." + S.Suffix + "' is unknown");
  const unsigned Elements = S.has("v4") ? 4 : S.has("v2") ? 2 : 1;
  for (StringRef Part : S.Operands) {
    auto [Base, Count] = Part.split('<');
    if (Count.empty()) {
      declare(Part, *Kind, Elements);
      continue;
    }
    unsigned N;
    if (Count.consumeInteger(10, N) || Count != ">")
      return error("malformed register declaration");
    if (N > (MaxDeclared - NumDeclared) / Elements)
      return error("'" + K.Name + "' declares more than " + Twine(MaxDeclared) +
                   " registers");
    NumDeclared += N * Elements;
    for (unsigned I = 0; I != N; ++I)
      declare(Base + Twine(I), *Kind, Elements);
  }
  return Error::success();
}

const Reader::Declared *Reader::declared(const Twine &Name) const {
  const std::string Text = Name.str();
  for (const auto &Scope : reverse(Scopes))
    if (auto It = Scope.find(Text); It != Scope.end())
      return &It->second;
  return nullptr;
}

/// \p Operand with vectors as their elements: "v" is "{v.x, v.y, v.z, v.w}",
/// and "v.r" is "v.x".
std::string Reader::withElements(StringRef Operand) const {
  std::string Out;
  while (!Operand.empty()) {
    StringRef Name = Operand.take_while(isNamePart);
    Operand = Operand.drop_front(std::max<size_t>(Name.size(), 1));
    if (Name.empty() || declared(Name) || !declared(Name + ".x")) {
      Out += Name.empty() ? StringRef(Operand.data() - 1, 1) : Name;
      continue;
    }
    if (Operand.starts_with(".")) {
      const size_t At = StringRef("xyzwrgba").find(Operand.substr(1, 1));
      Out += Name;
      if (Operand.size() > 1 && At != StringRef::npos) {
        Out += std::string(".") + Axes[At % 4];
        Operand = Operand.drop_front(2);
      }
      continue;
    }
    const unsigned Elements = declared(Name + ".z") ? 4 : 2;
    for (unsigned N = 0; N != Elements; ++N)
      Out += (N ? ", " : "{") + Name.str() + "." + Axes[N];
    Out += "}";
  }
  return Out;
}

unsigned Reader::find(StringRef Name) {
  for (auto &Scope : reverse(Scopes))
    if (auto It = Scope.find(Name); It != Scope.end()) {
      Declared &D = It->second;
      if (!D.Number) {
        D.Number = K.Registers.size();
        K.Registers.push_back({Name.str(), D.Kind});
      }
      return D.Number;
    }
  return 0;
}

/// The label of a branch, or the index and the list of brx.idx.
Error Reader::readBranch(Inst &I, const PTXStatement &S) {
  const ArrayRef<StringRef> Operands = S.Operands;
  const bool IsIndexed = I.isIndexedJump();
  if (Operands.size() != (IsIndexed ? 2 : 1))
    return error(IsIndexed ? "brx.idx needs an index and a list of labels"
                           : "a branch needs one label");
  I.Label = Operands.back().str();
  return IsIndexed ? readOperand(I, Operands[0], false) : Error::success();
}

/// A guarded brx.idx, as one behind a branch around it.
Error Reader::readGuardedJump(const PTXStatement &S) {
  const std::string Past = "heddle_past_" + utostr(K.Blocks.size());
  if (Error E = readInst(
          ((S.GuardNegated ? "@" : "@!") + S.Guard + " bra " + Past).str()))
    return E;
  startBlock("", "");
  if (Error E = readInst((S.Opcode + " " + join(S.Operands, ", ")).str()))
    return E;
  startBlock(Past, "");
  return Error::success();
}

Error Reader::readInst(StringRef Statement) {
  const std::string Pseudo = pseudoOf(Statement);
  if (!Pseudo.empty())
    Statement = Pseudo;
  Inst I;
  I.Line = Loc;
  I.TextLine = LineNumber;
  I.Text = Statement.str();
  std::optional<PTXStatement> S = parseStatement(Statement);
  if (!S)
    return error("'" + Statement.take_until([](char C) { return isSpace(C); }) +
                 "' is no opcode");
  if (HasVectors) {
    const size_t Begin = S->Opcode.end() - Statement.data();
    const std::string Operands = withElements(Statement.drop_front(Begin));
    if (Operands != Statement.drop_front(Begin))
      return readInst(Statement.take_front(Begin).str() + Operands);
  }
  if (const auto Moves = movesOf(*S); !Moves.empty()) {
    for (const std::string &Move : Moves)
      if (Error E = readInst(Move))
        return E;
    return Error::success();
  }
  if (S->Name == "brx" && !S->Guard.empty())
    return readGuardedJump(*S);
  if (!S->Guard.empty()) {
    unsigned Register = find(S->Guard);
    if (!Register)
      return error("guard '" + S->Guard + "' is no register");
    I.Uses.push_back(Register);
    I.Guarded = true;
    I.GuardNegated = S->GuardNegated;
  }
  const StringRef Opcode = S->Opcode;
  // "::" joins the parts of some modifiers, e.g. ".shared::cta".
  for (char C : Opcode)
    if (!isNameChar(C) && C != ':')
      return error("'" + Opcode + "' is no opcode");
  I.Opcode = Opcode.str();
  ArrayRef<StringRef> Operands = S->Operands;
  const bool Branch =
      Opcode == "bra" || Opcode.starts_with("bra.") || I.isIndexedJump();
  if (Branch) {
    if (Error E = readBranch(I, *S))
      return E;
  } else {
    if (Opcode == "call" || Opcode.starts_with("call.uni"))
      return error("'" + Opcode + "' is not taken");
    bool First = !hasNoResult(Opcode);
    for (StringRef Operand : Operands) {
      if (Error E = readOperand(I, Operand, First))
        return E;
      First = false;
    }
  }
  // What follows a branch without a label is a block too; only LLVM marks it.
  // A second branch says where the other lanes go.
  if (!Branch && any_of(K.Blocks.back().Insts,
                        [](const Inst &Last) { return !Last.Label.empty(); }))
    startBlock("", "");
  K.Blocks.back().Insts.push_back(std::move(I));
  return Error::success();
}

Error Reader::readAddress(Inst &I, StringRef Address) {
  // "[%rd1+8]", "[sym]", "[sym+4]", "[%rd1]"; textures have "[%t, {%x, %y}]".
  auto Parts = splitOperands(Address);
  if (Parts.size() > 1) {
    for (StringRef Part : Parts) {
      if (Part.starts_with("["))
        return error("'[" + Address + "]' is no address");
      if (Error E = readOperand(I, Part, false))
        return E;
    }
    return Error::success();
  }
  StringRef Base = Address.take_while(isNameChar);
  StringRef Rest = Address.drop_front(Base.size()).trim();
  if (unsigned Register = find(Base))
    I.Uses.push_back(Register);
  else
    I.Symbol = Base.str();
  if (Rest.consume_front("+")) {
    const auto Offset = readInteger(Rest);
    if (!Offset)
      return error("'[" + Address + "]' is no address");
    I.Offset = *Offset;
  }
  return Error::success();
}

Error Reader::readOperand(Inst &I, StringRef Operand, bool Write) {
  if (Operand.empty() || Operand == "_")
    return Error::success();
  if (Operand.starts_with("[")) {
    if (!Operand.ends_with("]"))
      return error("'" + Operand + "' lacks a bracket");
    return readAddress(I, Operand.drop_front().drop_back().trim());
  }
  if (Operand.starts_with("{")) {
    if (!Operand.ends_with("}"))
      return error("'" + Operand + "' lacks a brace");
    auto Parts = splitOperands(Operand.drop_front().drop_back());
    I.NumElements = std::max<unsigned>(I.NumElements, Parts.size());
    for (StringRef Part : Parts) {
      if (Part.starts_with("{") || Part.starts_with("["))
        return error("'" + Operand + "' is no list of registers");
      if (Error E = readOperand(I, Part, Write))
        return E;
    }
    return Error::success();
  }
  // "%p|%q": two results.
  if (Write && Operand.contains('|')) {
    auto [A, B] = Operand.split('|');
    if (B.contains('|'))
      return error("'" + Operand + "' is more than two results");
    if (Error E = readOperand(I, A.trim(), Write))
      return E;
    return readOperand(I, B.trim(), Write);
  }
  Operand.consume_front("!");
  Operand.consume_front("-");
  // Vector elements of a register: "%v.x".
  unsigned Register = find(Operand);
  if (!Register) {
    auto [Base, Element] = Operand.rsplit('.');
    if (Element.size() == 1 && StringRef("xyzw").contains(Element))
      Register = find(Base);
  }
  if (!Register && !Write && Operand.starts_with("%"))
    I.Symbol = Operand.str();
  if (!Register)
    return Write ? error("'" + Operand + "' is written but was not declared")
                 : Error::success();
  if (Write)
    I.Defs.push_back(Register);
  else
    I.Uses.push_back(Register);
  return Error::success();
}

/// Adds where \p I goes to the blocks behind \p From.
Error Reader::connect(Block &From, const Inst &I,
                      const StringMap<unsigned> &Labels) {
  auto Missing = [&](StringRef What, StringRef Name) {
    return createStringError("PTX line " + Twine(I.TextLine) + ": no " + What +
                             " '" + Name + "'");
  };
  std::vector<std::string> Targets = {I.Label};
  if (I.isIndexedJump()) {
    Targets = K.BranchTargets.lookup(I.Label);
    if (Targets.empty())
      return Missing(".branchtargets", I.Label);
  }
  for (const std::string &Target : Targets) {
    auto It = Labels.find(Target);
    if (It == Labels.end())
      return Missing("label", Target);
    if (!is_contained(From.Successors, It->second))
      From.Successors.push_back(It->second);
  }
  return Error::success();
}

Error Reader::resolveBranches() {
  StringMap<unsigned> Labels;
  for (auto [Number, B] : enumerate(K.Blocks))
    if (!B.Label.empty())
      Labels[B.Label] = Number;
  for (auto [Number, B] : enumerate(K.Blocks)) {
    bool FallsThrough = true;
    for (const Inst &I : B.Insts) {
      if (!I.Label.empty())
        if (Error E = connect(B, I, Labels))
          return E;
      bool Leaves = !I.Label.empty() || I.Opcode == "ret" || I.Opcode == "exit";
      if (Leaves && !I.Guarded)
        FallsThrough = false;
    }
    if (FallsThrough) {
      if (Number + 1 == K.Blocks.size())
        return createStringError("PTX of '" + K.Name +
                                 "': control runs past the end");
      if (!is_contained(B.Successors, Number + 1))
        B.Successors.push_back(Number + 1);
    }
  }
  return Error::success();
}

} // namespace

Expected<Kernel> readKernel(StringRef Text, StringRef Name) {
  return Reader(Text, Name).read();
}

} // namespace heddle::ptx
