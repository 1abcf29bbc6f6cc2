//===- PTXReader.cpp - PTX text as instructions ---------------------------===//

#include "heddle/PTX/PTXReader.h"

#include "heddle/PTX/PTXModule.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace heddle::ptx {

/// True if the first operand of \p Opcode is not written.
static bool hasNoResult(StringRef Opcode) {
  StringRef Base = Opcode.split('.').first;
  return StringSwitch<bool>(Base)
             .Cases({"st", "red", "bra", "brx", "bar", "barrier", "membar",
                     "fence"},
                    true)
             .Cases({"ret", "exit", "trap", "brkpt", "prefetch", "prefetchu",
                     "sust"},
                    true)
             .Cases({"nanosleep", "discard", "applypriority", "stmatrix", "cp"},
                    true)
             .Cases({"mbarrier", "griddepcontrol", "pmevent"}, true)
             .Default(false) &&
         !Opcode.starts_with("barrier.cluster.get") &&
         !(Opcode.starts_with("bar.red") || Opcode.starts_with("barrier.red") ||
           Opcode.contains(".red.popc"));
}

static std::optional<RegisterKind> kindOfType(StringRef Type) {
  return StringSwitch<std::optional<RegisterKind>>(Type)
      .Case(".pred", RegisterKind::Predicate)
      .Cases({".b8", ".s8", ".u8", ".b16", ".s16", ".u16", ".f16", ".bf16"},
             RegisterKind::B16)
      .Cases({".b32", ".s32", ".u32", ".f32", ".f16x2", ".bf16x2"},
             RegisterKind::B32)
      .Cases({".b64", ".s64", ".u64", ".f64"}, RegisterKind::B64)
      .Case(".b128", RegisterKind::B128)
      .Default(std::nullopt);
}

namespace {

/// Registers that a kernel may declare, all declarations together. Code tables
/// number those that are used with 16 bits.
constexpr unsigned MaxDeclared = 1u << 20;

bool isNameChar(char C) {
  return isAlnum(C) || C == '_' || C == '$' || C == '%' || C == '.';
}

class Reader {
public:
  Reader(StringRef Text, StringRef Name) : Text(Text) { K.Name = Name.str(); }

  Expected<Kernel> read();

private:
  Error error(const Twine &Message) {
    return createStringError("PTX line " + Twine(LineNumber) + ": " + Message);
  }

  /// Skips to the body of the kernel; false if there is none.
  bool findBody();
  Error readLine(StringRef Line);
  Error readStatement(StringRef Statement);
  Error readDirective(StringRef Statement);
  Error readRegisters(StringRef Declaration);
  Error readInst(StringRef Statement);
  Error readOperand(Inst &I, StringRef Operand, bool Write);
  Error readAddress(Inst &I, StringRef Address);
  Error resolveBranches();

  void startBlock(StringRef Label, StringRef Comment);
  /// The number of the register \p Name, or 0 if it is none. Registers are
  /// numbered as they are first named, so that the numbers are dense.
  unsigned find(StringRef Name);

  struct Declared {
    RegisterKind Kind;
    unsigned Number;
  };

  StringRef Text;
  Kernel K;
  unsigned LineNumber = 0;
  unsigned Loc = 0;
  unsigned NumDeclared = 0; ///< by "%r<N>"
  bool Done = false;
  std::string Pending; ///< a statement that goes on in the next line
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

bool Reader::findBody() {
  std::string Head = ".entry " + K.Name + "(";
  std::string HeadAlone = ".entry " + K.Name;
  bool InHead = false;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    ++LineNumber;
    StringRef Code = Line.split("//").first.rtrim();
    if (!InHead)
      InHead = Code.contains(Head) || Code.ends_with(HeadAlone);
    if (InHead && Code.trim() == "{")
      return true;
  }
  return false;
}

Expected<Kernel> Reader::read() {
  if (!findBody())
    return createStringError("PTX has no entry '%s'", K.Name.c_str());
  K.Registers.push_back({"", RegisterKind::Predicate});
  Scopes.emplace_back();
  startBlock("", "");
  while (!Text.empty() && !Done) {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    ++LineNumber;
    if (Error E = readLine(Line))
      return std::move(E);
  }
  if (!Done)
    return error("the body of '" + K.Name + "' does not end");
  erase_if(K.Blocks, [](const Block &B) {
    return B.Insts.empty() && B.Label.empty() && B.IRBlock.empty();
  });
  if (Error E = resolveBranches())
    return std::move(E);
  return std::move(K);
}

void Reader::startBlock(StringRef Label, StringRef Comment) {
  K.Blocks.emplace_back();
  K.Blocks.back().Label = Label.str();
  K.Blocks.back().IRBlock = irBlockName(Comment).str();
}

Error Reader::readLine(StringRef Line) {
  auto [Code, Comment] = Line.split("//");
  if (Code.trim().empty() && Comment.trim().starts_with("%bb.")) {
    // A block without a label: "// %bb.3:   // %name".
    startBlock("", Comment.split("//").second);
    return Error::success();
  }
  while (!Code.empty() && !Done) {
    if (Pending.empty()) {
      Code = Code.ltrim();
      if (Code.empty())
        break;
      if (Code.consume_front("{")) {
        Scopes.emplace_back();
        continue;
      }
      if (Code.consume_front("}")) {
        Scopes.pop_back();
        Done = Scopes.empty();
        continue;
      }
      size_t NameEnd = Code.find_if_not(isNameChar);
      if (NameEnd != StringRef::npos && NameEnd != 0 &&
          Code.substr(NameEnd).ltrim().starts_with(":") &&
          !Code.substr(NameEnd).ltrim().starts_with("::")) {
        StringRef Label = Code.take_front(NameEnd);
        Code = Code.substr(NameEnd).ltrim().drop_front();
        // Labels of debug information and of the function's ends start no
        // block.
        if (!Label.starts_with("$L__tmp") && !Label.starts_with("$L__func_"))
          startBlock(Label, Comment);
        continue;
      }
      // These directives end with the line.
      if (Code.starts_with(".loc ") || Code.starts_with(".loc\t") ||
          Code.starts_with(".file") || Code.starts_with(".pragma") ||
          Code.starts_with(".section"))
        return readDirective(Code);
    }
    size_t End = Code.find(';');
    Pending += Code.substr(0, End).str();
    if (End == StringRef::npos) {
      Pending += ' ';
      break;
    }
    Code = Code.substr(End + 1);
    std::string Statement;
    std::swap(Statement, Pending);
    if (Error E = readStatement(StringRef(Statement).trim()))
      return E;
  }
  return Error::success();
}

Error Reader::readStatement(StringRef Statement) {
  if (Statement.empty())
    return Error::success();
  if (Statement.starts_with("."))
    return readDirective(Statement);
  return readInst(Statement);
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
  if (Statement.consume_front(".reg"))
    return readRegisters(Statement);
  if (declaresVariable(Statement))
    K.Declarations.emplace_back(LineNumber, Statement.str());
  if (Statement.starts_with(".local")) {
    // ".local .align 4 .b8 __local_depot0[32]"
    StringRef Size = Statement.rsplit('[').second.split(']').first;
    uint64_t Bytes = 0;
    if (!Size.getAsInteger(10, Bytes))
      K.LocalBytes += Bytes;
  }
  return Error::success();
}

/// ".reg .b32 %r<7>" or ".reg .pred p, q".
Error Reader::readRegisters(StringRef Declaration) {
  Declaration = Declaration.trim();
  auto [Type, Names] =
      std::pair(Declaration.take_until([](char C) { return isSpace(C); }),
                Declaration.drop_until([](char C) { return isSpace(C); }));
  std::optional<RegisterKind> Kind = kindOfType(Type);
  if (!Kind)
    return error("register type '" + Type + "' is unknown");
  SmallVector<StringRef, 4> Parts;
  Names.split(Parts, ',');
  for (StringRef Part : Parts) {
    Part = Part.trim();
    auto [Base, Count] = Part.split('<');
    if (Count.empty()) {
      Scopes.back()[Part] = {*Kind, 0};
      continue;
    }
    unsigned N;
    if (Count.consumeInteger(10, N) || Count != ">")
      return error("malformed register declaration");
    if (N > MaxDeclared - NumDeclared)
      return error("'" + K.Name + "' declares more than " + Twine(MaxDeclared) +
                   " registers");
    NumDeclared += N;
    for (unsigned I = 0; I != N; ++I)
      Scopes.back()[(Base + Twine(I)).str()] = {*Kind, 0};
  }
  return Error::success();
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

/// Cuts \p Text at commas outside brackets.
SmallVector<StringRef, 8> splitOperands(StringRef Text) {
  SmallVector<StringRef, 8> Parts;
  int Depth = 0;
  size_t Start = 0;
  for (size_t I = 0; I != Text.size(); ++I) {
    char C = Text[I];
    if (C == '{' || C == '[' || C == '(')
      ++Depth;
    else if (C == '}' || C == ']' || C == ')')
      --Depth;
    else if (C == ',' && Depth == 0) {
      Parts.push_back(Text.slice(Start, I).trim());
      Start = I + 1;
    }
  }
  if (StringRef Last = Text.substr(Start).trim(); !Last.empty())
    Parts.push_back(Last);
  return Parts;
}

/// "call (%d), math_exp_f32, (%a)" as the pseudo instruction that it stands
/// for, "math.exp.f32 %d, %a"; empty if it is no such call.
std::string pseudoOfCall(StringRef Statement) {
  if (!Statement.consume_front("call ") &&
      !Statement.consume_front("call.uni "))
    return "";
  SmallVector<StringRef, 8> Parts = splitOperands(Statement);
  if (Parts.size() != 3 || !Parts[1].starts_with("math_"))
    return "";
  std::string Opcode = Parts[1].str();
  std::replace(Opcode.begin(), Opcode.end(), '_', '.');
  for (StringRef *Group : {&Parts[0], &Parts[2]})
    if (!Group->consume_front("(") || !Group->consume_back(")"))
      return "";
  return Opcode + " " + Parts[0].str() + ", " + Parts[2].str();
}

Error Reader::readInst(StringRef Statement) {
  const std::string Pseudo = pseudoOfCall(Statement);
  if (!Pseudo.empty())
    Statement = Pseudo;
  Inst I;
  I.Line = Loc;
  I.TextLine = LineNumber;
  I.Text = Statement.str();
  if (Statement.consume_front("@")) {
    I.GuardNegated = Statement.consume_front("!");
    StringRef Guard = Statement.take_while(isNameChar);
    Statement = Statement.drop_front(Guard.size()).ltrim();
    unsigned Register = find(Guard);
    if (!Register)
      return error("guard '" + Guard + "' is no register");
    I.Uses.push_back(Register);
    I.Guarded = true;
  }
  StringRef Opcode = Statement.take_until([](char C) { return isSpace(C); });
  // "::" joins the parts of some modifiers, e.g. ".shared::cta".
  for (char C : Opcode)
    if (!isNameChar(C) && C != ':')
      return error("'" + Opcode + "' is no opcode");
  I.Opcode = Opcode.str();
  SmallVector<StringRef, 8> Operands =
      splitOperands(Statement.drop_front(Opcode.size()));
  bool Branch = Opcode == "bra" || Opcode.starts_with("bra.");
  if (Branch) {
    if (Operands.size() != 1)
      return error("a branch needs one label");
    I.Label = Operands.front().str();
  } else {
    if (Opcode.starts_with("brx") || Opcode == "call" ||
        Opcode.starts_with("call.uni"))
      return error("'" + Opcode + "' is not taken");
    bool First = !hasNoResult(Opcode);
    for (StringRef Operand : Operands) {
      if (Error E = readOperand(I, Operand, First))
        return E;
      First = false;
    }
  }
  K.Blocks.back().Insts.push_back(std::move(I));
  return Error::success();
}

Error Reader::readAddress(Inst &I, StringRef Address) {
  // "[%rd1+8]", "[sym]", "[sym+4]", "[%rd1]"; textures have "[%t, {%x, %y}]".
  SmallVector<StringRef, 8> Parts = splitOperands(Address);
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
  if (Rest.consume_front("+") && Rest.trim().getAsInteger(0, I.Offset))
    return error("'[" + Address + "]' is no address");
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
    SmallVector<StringRef, 8> Parts =
        splitOperands(Operand.drop_front().drop_back());
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
  if (Operand.contains('|')) {
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

Error Reader::resolveBranches() {
  StringMap<unsigned> Labels;
  for (auto [Number, B] : enumerate(K.Blocks))
    if (!B.Label.empty())
      Labels[B.Label] = Number;
  for (auto [Number, B] : enumerate(K.Blocks)) {
    bool FallsThrough = true;
    for (const Inst &I : B.Insts) {
      if (!I.Label.empty()) {
        auto It = Labels.find(I.Label);
        if (It == Labels.end())
          return createStringError("PTX line " + Twine(I.TextLine) +
                                   ": no label '" + I.Label + "'");
        if (!is_contained(B.Successors, It->second))
          B.Successors.push_back(It->second);
      }
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
