//===- PTXStatement.cpp - The lexer of PTX --------------------------------===//

#include "heddle/PTX/PTXStatement.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle {
namespace ptx {

/// The length of the comment or string that \p Text begins with, else 0.
static size_t quotedLength(StringRef Text, StringRef Begin, StringRef End,
                           bool WithEnd) {
  if (!Text.starts_with(Begin))
    return 0;
  const size_t At = Text.find(End, Begin.size());
  return At == StringRef::npos ? Text.size() : At + (WithEnd ? End.size() : 0);
}

static size_t stringLength(StringRef Text) {
  return quotedLength(Text, "\"", "\"", true);
}

std::string blankComments(StringRef Text) {
  std::string Out = Text.str();
  for (size_t I = 0; I < Text.size();) {
    StringRef Rest = Text.substr(I);
    size_t Length = quotedLength(Rest, "//", "\n", false);
    if (!Length)
      Length = quotedLength(Rest, "/*", "*/", true);
    std::replace_if(
        Out.begin() + I, Out.begin() + I + Length,
        [](char C) { return C != '\n'; }, ' ');
    I += Length ? Length : std::max<size_t>(stringLength(Rest), 1);
  }
  return Out;
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

static bool startsWithWord(StringRef Text, StringRef Word) {
  return Text.consume_front(Word) && (Text.empty() || isSpace(Text.front()));
}

/// The length of a directive at the start of \p Text that ends with its line,
/// or where the next directive of that line begins; 0 for others.
static size_t lineDirectiveLength(StringRef Text) {
  for (StringRef Word :
       {".version", ".target", ".address_size", ".file", ".loc", ".section"}) {
    if (!startsWithWord(Text, Word))
      continue;
    StringRef Whole = Text.take_until([](char C) { return C == '\n'; });
    return Word == ".section" ? Whole.take_front(Whole.find('{')).size()
                              : std::min(Whole.find(" ."), Whole.size());
  }
  return 0;
}

/// The length of the head of an entry or a function at the start of \p Text,
/// whose body follows; 0 if there is none.
static size_t headLength(StringRef Text) {
  const size_t End = Text.find_first_of(";{");
  StringRef Head = Text.take_front(End);
  return End != StringRef::npos && Text[End] == '{' &&
                 (Head.contains(".entry") || Head.contains(".func"))
             ? End
             : 0;
}

bool isNamePart(char C) {
  return isAlnum(C) || C == '_' || C == '$' || C == '%';
}

std::string renamed(StringRef Text,
                    function_ref<std::string(StringRef)> NewName) {
  std::string Out;
  for (size_t I = 0; I < Text.size();) {
    size_t End = I;
    while (End < Text.size() && isNamePart(Text[End]))
      ++End;
    if (End == I) {
      Out += Text[I++];
      continue;
    }
    StringRef Name = Text.slice(I, End);
    const bool IsModifier = I && Text[I - 1] == '.';
    std::string New = IsModifier ? "" : NewName(Name);
    Out += New.empty() ? Name.str() : New;
    I = End;
  }
  return Out;
}

StringRef entryName(StringRef Directive) {
  auto [Before, Name] = Directive.split(".entry");
  return Name.ltrim().take_until([](char C) { return isSpace(C) || C == '('; });
}

bool Lexer::next(Token &T) {
  skip(Rest.take_while([](char C) { return isSpace(C) || C == ';'; }).size());
  if (Rest.empty())
    return false;
  T = {};
  T.Line = Line;
  if (Rest.front() == '{' || Rest.front() == '}') {
    T.Is = Rest.front() == '{' ? Token::Open : Token::Close;
    T.Text = Rest.take_front();
    skip(1);
    return true;
  }
  if (size_t Length = labelLength(Rest)) {
    T.Is = Token::Label;
    T.Text = Rest.take_front(Length);
    skip(Rest.find(':', Length) + 1);
    return true;
  }
  T.Is = Rest.starts_with(".") ? Token::Directive : Token::Statement;
  size_t End = 0;
  if (T.Is == Token::Directive && !(End = lineDirectiveLength(Rest)))
    End = headLength(Rest);
  T.Complete = End;
  if (!End) {
    while (End < Rest.size() && Rest[End] != ';')
      End += std::max<size_t>(stringLength(Rest.substr(End)), 1);
    T.Complete = End < Rest.size();
  }
  T.Text = Rest.take_front(End).rtrim();
  skip(End);
  return true;
}

bool Lexer::skipBody() {
  for (unsigned Depth = 1; Depth;) {
    size_t At = Rest.find_first_of("{}\"");
    if (At == StringRef::npos)
      return false;
    Depth += Rest[At] == '{';
    Depth -= Rest[At] == '}';
    skip(At + std::max<size_t>(stringLength(Rest.substr(At)), 1));
  }
  return true;
}

SmallVector<StringRef, 4> splitOperands(StringRef Text) {
  SmallVector<StringRef, 4> Operands;
  unsigned Depth = 0;
  size_t Start = 0;
  auto Add = [&](size_t End) {
    Operands.push_back(Text.slice(Start, End).trim());
    Start = End;
  };
  auto IsName = [](char C) {
    return isAlnum(C) || StringRef("_$%").contains(C);
  };
  for (size_t I = 0; I < Text.size(); ++I) {
    const char C = Text[I];
    if (StringRef("{[(").contains(C)) {
      ++Depth;
    } else if (StringRef("}])").contains(C)) {
      Depth -= Depth != 0;
    } else if (!Depth && C == ',') {
      Add(I);
      ++Start;
    } else if (!Depth && isSpace(C) && !Text.slice(Start, I).trim().empty()) {
      StringRef Next = Text.substr(I).ltrim();
      const char Last = Text.slice(Start, I).rtrim().back();
      if (!Next.empty() &&
          (IsName(Next[0]) || Next[0] == '[' || Next[0] == '{') &&
          (IsName(Last) || Last == ']' || Last == '}'))
        Add(I);
    }
  }
  if (!Text.substr(Start).trim().empty())
    Add(Text.size());
  return Operands;
}

} // namespace ptx

std::optional<PTXStatement> parseStatement(StringRef Text) {
  PTXStatement S;
  auto IsSpace = [](char C) { return isSpace(C); };
  if (Text.consume_front("@")) {
    Text = Text.ltrim();
    S.GuardNegated = Text.consume_front("!");
    Text = Text.ltrim();
    S.Guard = Text.take_until(IsSpace);
    Text = Text.drop_front(S.Guard.size()).ltrim();
  }
  S.Opcode = Text.take_until(IsSpace);
  StringRef Rest = Text.drop_front(S.Opcode.size()).trim();
  // ".reg .b16 a" and ".reg.b16 a"
  StringRef Type = S.Opcode;
  if (Type.consume_front(".reg") && (Type.empty() || Type[0] == '.')) {
    if (Type.empty()) {
      Type = Rest.take_until(IsSpace);
      Rest = Rest.drop_front(Type.size());
    }
    S.Name = ".reg";
    S.Suffix = Type.ltrim('.');
    if (S.Suffix == "v2" || S.Suffix == "v4") {
      S.Modifiers.push_back(S.Suffix);
      Rest = Rest.ltrim();
      S.Suffix = Rest.take_until(IsSpace).ltrim('.');
      Rest = Rest.drop_until(IsSpace);
    }
    S.Operands = ptx::splitOperands(Rest);
    return S;
  }
  SmallVector<StringRef, 8> Words;
  S.Opcode.split(Words, '.', -1, /*KeepEmpty=*/false);
  if (S.Opcode.starts_with(".") || Words.empty() ||
      !all_of(Words.front(), isAlnum))
    return std::nullopt;
  S.Name = Words.front();
  S.Modifiers.append(Words.begin() + 1, Words.end());
  if (!S.Modifiers.empty())
    S.Suffix = S.Modifiers.pop_back_val();
  // ptxas takes "max.s32.relu" as well, and nvcc writes it; headers have
  // "lg2.approx.f32.ftz".
  if ((S.Suffix == "relu" || S.Suffix == "ftz") && !S.Modifiers.empty())
    std::swap(S.Suffix, S.Modifiers.back());
  S.Operands = ptx::splitOperands(Rest);
  return S;
}

std::optional<std::vector<PTXStatement>> parsePTX(StringRef Text) {
  std::vector<PTXStatement> Statements;
  ptx::Lexer Tokens(Text);
  for (ptx::Token T; Tokens.next(T);) {
    if (T.Is == ptx::Token::Open || T.Is == ptx::Token::Close)
      continue;
    if (T.Is == ptx::Token::Label) {
      PTXStatement &Label = Statements.emplace_back();
      Label.Name = ":";
      Label.Operands.push_back(T.Text);
      continue;
    }
    std::optional<PTXStatement> S = parseStatement(T.Text);
    if (!S)
      return std::nullopt;
    Statements.push_back(std::move(*S));
  }
  return Statements;
}

} // namespace heddle
