//===- PTXModule.cpp - Variables and entries of a PTX file ----------------===//

#include "heddle/PTX/PTXModule.h"

#include "heddle/Analysis/KernelInfo.h"
#include "heddle/PTX/PTXConstant.h"
#include "heddle/PTX/PTXInstructions.h"
#include "heddle/PTX/PTXStatement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>
#include <optional>

using namespace llvm;

namespace heddle::ptx {

static uint64_t sizeOfType(StringRef Type) {
  const HeddlePTXType *T = findType(Type);
  return T ? T->Bytes : 0;
}

static SmallVector<StringRef, 12> wordsOf(StringRef Text) {
  SmallVector<StringRef, 12> Words;
  SplitString(Text, Words, " \t\r\n");
  return Words;
}

/// Splits "name[4][8]" into the name and the sizes, of which the first may be
/// missing, which is 0: "name[]".
static bool splitArray(StringRef Text, StringRef &Name,
                       SmallVectorImpl<uint64_t> &Sizes) {
  Name = Text.take_until([](char C) { return C == '['; });
  Text = Text.drop_front(Name.size());
  constexpr uint64_t MaxElements = uint64_t(1) << 40;
  uint64_t Count = 1;
  while (Text.consume_front("[")) {
    auto [Number, Rest] = Text.split(']');
    const auto N = readInteger(Number.trim().empty() ? "0" : Number);
    if (!N || *N < 0 || (*N && Count > MaxElements / *N))
      return false;
    Count *= std::max<uint64_t>(*N, 1);
    Sizes.push_back(*N);
    Text = Rest;
  }
  return Text.empty() && !Name.empty();
}

/// How many elements an array of \p Sizes has; 0 if that is not said.
static uint64_t elementsOf(ArrayRef<uint64_t> Sizes) {
  uint64_t Count = 1;
  for (uint64_t N : Sizes)
    Count *= N;
  return Count;
}

/// The parts of "x[2] = {1, 2}, y" between commas outside braces.
static SmallVector<StringRef, 2> splitDeclarators(StringRef Text) {
  SmallVector<StringRef, 2> Parts;
  size_t Begin = 0;
  unsigned Depth = 0;
  for (auto [I, C] : enumerate(Text)) {
    Depth += C == '{';
    Depth -= Depth && C == '}';
    if (Depth || C != ',')
      continue;
    Parts.push_back(Text.slice(Begin, I));
    Begin = I + 1;
  }
  Parts.push_back(Text.substr(Begin));
  return Parts;
}

static bool isAlignment(uint64_t Bytes) {
  constexpr uint64_t Most = 1 << 20;
  return isPowerOf2_64(Bytes) && Bytes <= Most;
}

bool declaresVariable(StringRef Statement) {
  for (StringRef Word : wordsOf(Statement)) {
    if (Word == ".visible" || Word == ".extern" || Word == ".weak" ||
        Word == ".common")
      continue;
    return Word == ".global" || Word == ".const" || Word == ".shared" ||
           Word == ".local";
  }
  return false;
}

namespace {

/// What stands before the names in a declaration of variables.
struct VariableHead {
  Variable V; ///< without a name
  StringRef Type;
  uint64_t Vector = 1;
};

} // namespace

/// Reads the words of a declaration; \p Rest is left with its names.
static Expected<VariableHead> readHead(StringRef &Rest) {
  VariableHead H;
  Rest = Rest.trim();
  while (Rest.starts_with(".")) {
    if (Rest.consume_front(".attribute")) { // .managed: of the host's interest
      Rest = Rest.split(')').second.ltrim();
      continue;
    }
    StringRef Word =
        Rest.take_until([](char C) { return isSpace(C); }).drop_front();
    Rest = Rest.drop_front(Word.size() + 1).ltrim();
    if (Word == "align") {
      if (Rest.consumeInteger(10, H.V.AlignBytes) ||
          !isAlignment(H.V.AlignBytes))
        return createStringError("malformed .align");
      Rest = Rest.ltrim();
    } else if (Word == "global" || Word == "const" || Word == "shared" ||
               Word == "local") {
      H.V.Space = Word.str();
    } else if (Word == "v2" || Word == "v4") {
      H.Vector = Word == "v2" ? 2 : 4;
    } else if (sizeOfType(Word)) {
      H.Type = Word;
    } else if (Word != "visible" && Word != "extern" && Word != "weak" &&
               Word != "common") {
      return createStringError("'." + Word + "' of a variable is not known");
    }
  }
  return H;
}

/// "name[4] = {1, 2}" behind \p H.
static Expected<Variable> readDeclarator(const VariableHead &H,
                                         StringRef Text) {
  Variable V = H.V;
  auto [Array, Init] = Text.split('=');
  // Blanks between the name and its brackets mean nothing.
  std::string Compact;
  copy_if(Array, std::back_inserter(Compact),
          [](char C) { return !isSpace(C); });
  StringRef Name;
  SmallVector<uint64_t, 4> Sizes;
  const uint64_t ElementBytes = sizeOfType(H.Type);
  if (!ElementBytes || V.Space.empty() || !splitArray(Compact, Name, Sizes))
    return createStringError("'" + Text.trim() +
                             "' is no declaration of a variable");
  V.Name = Name.str();
  if (H.Vector != 1)
    Sizes.push_back(H.Vector);
  V.SizeBytes = elementsOf(Sizes) * ElementBytes;
  V.AlignBytes = std::max(V.AlignBytes, ElementBytes * H.Vector);
  if (!Init.trim().empty())
    if (Error E = readInitialiser(Init, H.Type, Sizes, V))
      return std::move(E);
  return V;
}

Expected<std::vector<Variable>> parseVariables(StringRef Declaration) {
  StringRef Rest = Declaration;
  auto Head = readHead(Rest);
  if (!Head)
    return Head.takeError();
  std::vector<Variable> Variables;
  for (StringRef Declarator : splitDeclarators(Rest)) {
    auto V = readDeclarator(*Head, Declarator);
    if (!V)
      return V.takeError();
    Variables.push_back(std::move(*V));
  }
  if (Variables.empty())
    return createStringError("'" + Declaration.trim() +
                             "' is no declaration of a variable");
  return Variables;
}

Expected<Parameter> parseParameter(StringRef Text) {
  Parameter P;
  SmallVector<StringRef, 12> Words = wordsOf(Text);
  uint64_t Count = 1;
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Word = Words[I];
    if (Word == ".param")
      continue;
    if (Word == ".ptr") {
      P.IsPointer = true;
    } else if (Word == ".align") {
      if (++I == Words.size() || Words[I].getAsInteger(10, P.AlignBytes) ||
          !isAlignment(P.AlignBytes))
        return createStringError("malformed .align");
    } else if (Word.consume_front(".")) {
      if (uint64_t Bytes = sizeOfType(Word)) {
        P.Type = Word.str();
        P.SizeBytes = Bytes;
      } else if (P.IsPointer) {
        P.PointerSpace = Word.str();
      } else {
        return createStringError("parameter type '." + Word + "' is not known");
      }
    } else {
      StringRef Name;
      SmallVector<uint64_t, 4> Sizes;
      if (!splitArray(Word, Name, Sizes))
        return createStringError("'" + Word + "' is no parameter");
      P.IsStruct = !Sizes.empty();
      Count = elementsOf(Sizes);
      P.Name = Name.str();
    }
  }
  P.SizeBytes *= Count;
  constexpr uint64_t MaxBytes = 32764; // PTX ISA 8.8, "Kernel Parameters"
  if (P.SizeBytes > MaxBytes)
    return createStringError("'" + Text.trim() + "' is larger than " +
                             Twine(MaxBytes) + " bytes");
  if (P.Name.empty() || !P.SizeBytes)
    return createStringError("'" + Text.trim() + "' is no parameter");
  return P;
}

/// The numbers that \p Directive gives, "2,1,1"; empty without it.
static Expected<std::string> numbersOf(StringRef Directives,
                                       StringRef Directive) {
  auto [Before, After] = Directives.split(Directive);
  if (Before.size() == Directives.size())
    return std::string();
  SmallVector<StringRef, 3> Sizes;
  After.split('.').first.split(Sizes, ',');
  for (StringRef &Size : Sizes) {
    unsigned Blocks;
    Size = Size.trim();
    if (Size.getAsInteger(10, Blocks) || Sizes.size() > 3)
      return createStringError("malformed " + Directive +
                               ": one to three numbers are wanted");
  }
  return join(Sizes, ",");
}

/// Directives of an entry that say what a launch may be, as LLVM has them. A
/// required size of blocks is taken as their largest.
static constexpr std::pair<StringLiteral, StringLiteral> BoundDirectives[] = {
    {".reqnctapercluster", ClusterAttribute},
    {".maxntid", "nvvm.maxntid"},
    {".reqntid", "nvvm.maxntid"},
    {".minnctapersm", "nvvm.minctasm"},
    {".maxnreg", "nvvm.maxnreg"}};

static Expected<Entry> readEntry(const Token &T) {
  Entry E;
  E.Line = T.Line;
  E.Name = entryName(T.Text).str();
  if (E.Name.empty())
    return createStringError("an entry without a name");
  auto [List, Rest] = T.Text.split('(').second.split(')');
  SmallVector<StringRef, 8> Parts;
  List.split(Parts, ',');
  for (StringRef Part : Parts) {
    if (Part.trim().empty())
      continue;
    auto P = parseParameter(Part);
    if (!P)
      return P.takeError();
    E.Parameters.push_back(*P);
  }
  for (const auto &[Directive, Attribute] : BoundDirectives) {
    auto Numbers = numbersOf(T.Text, Directive);
    if (!Numbers)
      return Numbers.takeError();
    if (!Numbers->empty())
      E.Bounds.emplace_back(Attribute.str(), std::move(*Numbers));
  }
  E.NeedsCluster = T.Text.contains(".explicitcluster");
  return E;
}

/// One directive outside bodies, into \p M.
static Error readDirective(const Token &T, Module &M) {
  StringRef Word = wordsOf(T.Text).front();
  if (!T.Complete)
    return createStringError("the directive does not end");
  if (Word == ".target")
    M.Target = T.Text.drop_front(Word.size()).split(',').first.trim().str();
  for (StringRef Skipped : {".version", ".target", ".address_size", ".file",
                            ".loc", ".pragma", ".section"})
    if (Word == Skipped)
      return Error::success();
  if (T.Text.contains(".entry")) {
    auto E = readEntry(T);
    if (E)
      M.Entries.push_back(std::move(*E));
    return E.takeError();
  }
  if (T.Text.contains(".func"))
    return Error::success();
  if (!declaresVariable(T.Text))
    return createStringError("'" + Word + "' is not known");
  auto Variables = parseVariables(T.Text);
  if (Variables)
    llvm::move(*Variables, std::back_inserter(M.Variables));
  return Variables.takeError();
}

static Error readToken(const Token &T, Lexer &Tokens, Module &M) {
  if (T.Is == Token::Directive)
    return readDirective(T, M);
  if (T.Is != Token::Open)
    return createStringError("'" + T.Text.take_front(20).split('\n').first +
                             "' is no directive");
  if (!Tokens.skipBody())
    return createStringError("the body that begins here does not end");
  return Error::success();
}

Expected<Module> readModule(StringRef Text) {
  const std::string Clean = blankComments(Text);
  Module M;
  Lexer Tokens(Clean);
  for (Token T; Tokens.next(T);)
    if (Error E = readToken(T, Tokens, M))
      return createStringError("PTX line " + Twine(T.Line) + ": " +
                               toString(std::move(E)));
  if (M.Entries.empty())
    return createStringError("there is no .entry in this PTX");
  return std::move(M);
}

} // namespace heddle::ptx
