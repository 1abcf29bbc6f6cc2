//===- EmbeddedKernels.cpp - OpenCL in a host's strings -------------------===//

#include "EmbeddedKernels.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

#include <vector>

using namespace llvm;

namespace heddle {

bool isHostSource(StringRef Path) {
  return StringSwitch<bool>(sys::path::extension(Path))
      .Cases({".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".inc"}, true)
      .Default(false);
}

namespace {
struct Piece {
  unsigned Line;
  std::string Text;
};
} // namespace

/// What an ordinary literal means.
static std::string unescape(StringRef Literal) {
  std::string Text;
  for (size_t I = 0; I < Literal.size(); ++I) {
    if (Literal[I] != '\\' || I + 1 == Literal.size()) {
      Text += Literal[I];
      continue;
    }
    char C = Literal[++I];
    // A line of the host that goes on in the next.
    if (C == '\r' && I + 1 < Literal.size() && Literal[I + 1] == '\n')
      C = Literal[++I];
    if (C != '\n')
      Text += C == 'n' ? '\n' : C == 't' ? '\t' : C == 'r' ? '\r' : C;
  }
  return Text;
}

static std::string meaningOf(StringRef Literal) {
  size_t Quote = Literal.find('"');
  if (Quote == StringRef::npos || !Literal.ends_with("\""))
    return "";
  bool IsRaw = Literal.take_front(Quote).contains('R');
  StringRef Inside = Literal.substr(Quote + 1).drop_back();
  if (!IsRaw)
    return unescape(Inside);
  auto [Delimiter, Rest] = Inside.split('(');
  return Rest.drop_back(std::min(Rest.size(), Delimiter.size() + 1)).str();
}

static bool holdsKernel(StringRef Text) {
  static const Regex Kernel(
      "(^|[^A-Za-z0-9_])(__)?kernel[ \t\r\n]+(void|__attr)|"
      "void[ \t\r\n]+__kernel");
  return Text.contains('{') && Kernel.match(Text);
}

std::string embeddedOpenCL(StringRef Host) {
  if (!Host.contains("kernel"))
    return "";
  clang::LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.CPlusPlus17 = true;
  Options.RawStringLiterals = true;
  std::string Copy = Host.str(); // the lexer wants a zero behind the last
  const char *Begin = Copy.data(), *End = Begin + Copy.size();
  clang::Lexer Lexer(clang::SourceLocation(), Options, Begin, Begin, End);
  std::vector<Piece> Pieces;
  Piece Strings;     // adjacent literals
  unsigned Line = 1; // at Seen
  const char *Seen = Begin, *Outer = nullptr;
  unsigned Depth = 0;
  bool InMacro = false;
  clang::Token T;
  while (true) {
    Lexer.LexFromRawLexer(T);
    const char *Stop = Lexer.getBufferLocation();
    const char *Start = Stop - T.getLength();
    unsigned FirstLine = Line + std::count(Seen, Start, '\n');
    Line = FirstLine + std::count(Start, Stop, '\n');
    Seen = Stop;
    StringRef Text(Start, T.getLength());
    if (T.is(clang::tok::string_literal)) {
      if (Strings.Text.empty())
        Strings.Line = FirstLine;
      Strings.Text += meaningOf(Text);
      continue;
    }
    if (!Strings.Text.empty()) {
      if (holdsKernel(Strings.Text))
        Pieces.push_back(std::move(Strings));
      Strings = Piece();
    }
    if (T.is(clang::tok::eof))
      break;
    if (T.is(clang::tok::l_paren) && Depth++ == 0) {
      Outer = Stop;
      InMacro = false;
    } else if (T.is(clang::tok::r_paren) && Depth && --Depth == 0) {
      if (InMacro && holdsKernel(StringRef(Outer, Start - Outer)))
        Pieces.push_back({unsigned(1 + std::count(Begin, Outer, '\n')),
                          std::string(Outer, Start)});
    } else if (T.is(clang::tok::raw_identifier)) {
      InMacro |= Depth && (Text == "__kernel" || Text == "kernel");
    }
  }
  std::string Result;
  for (const Piece &P : Pieces) {
    unsigned Here = 1 + StringRef(Result).count('\n');
    if (P.Line > Here)
      Result.append(P.Line - Here, '\n');
    Result += P.Text + "\n";
  }
  return Result;
}

} // namespace heddle
