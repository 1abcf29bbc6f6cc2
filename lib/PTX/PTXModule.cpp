//===- PTXModule.cpp - Variables and entries of a PTX file ----------------===//

#include "heddle/PTX/PTXModule.h"

#include "heddle/Analysis/KernelInfo.h"
#include "heddle/PTX/PTXInstructions.h"
#include "heddle/PTX/PTXStatement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

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

/// Splits "name[4][8]" into the name and the number of elements; 0 elements
/// for "name[]", 1 without brackets.
static bool splitArray(StringRef Text, StringRef &Name, uint64_t &Count,
                       bool &IsArray) {
  Name = Text.take_until([](char C) { return C == '['; });
  Text = Text.drop_front(Name.size());
  IsArray = !Text.empty();
  Count = 1;
  constexpr uint64_t MaxElements = uint64_t(1) << 40;
  while (Text.consume_front("[")) {
    uint64_t N = 0;
    auto [Number, Rest] = Text.split(']');
    if (!Number.trim().empty() && Number.trim().getAsInteger(0, N))
      return false;
    if (N && Count > MaxElements / N)
      return false;
    Count *= N;
    Text = Rest;
  }
  return Text.empty() && !Name.empty();
}

static bool isAlignment(uint64_t Bytes) {
  constexpr uint64_t Most = 1 << 20;
  return isPowerOf2_64(Bytes) && Bytes <= Most;
}

/// "generic(name)+8" or "name".
static std::optional<InitialAddress> readAddress(StringRef Text) {
  InitialAddress A;
  StringRef Symbol = Text;
  if (const size_t At = Text.find_last_of("+-"); At != StringRef::npos) {
    Symbol = Text.take_front(At).trim();
    if (Text.drop_front(At + (Text[At] == '+')).getAsInteger(0, A.AddendBytes))
      return std::nullopt;
  }
  A.IsGeneric = Symbol.consume_front("generic(") && Symbol.consume_back(")");
  A.Symbol = Symbol.trim().str();
  auto IsPart = [](char C) {
    return isAlnum(C) || C == '_' || C == '$' || C == '%';
  };
  if (A.Symbol.empty() || isDigit(A.Symbol[0]) || !all_of(A.Symbol, IsPart))
    return std::nullopt;
  return A;
}

/// An address in an array of words, or "0xFF00(generic(name))", a byte of one
/// in an array of bytes that has all eight in order.
static bool addAddress(StringRef Text, uint64_t Bytes, Variable &V) {
  unsigned Byte = 0;
  if (Bytes == 1) {
    auto [Mask, Inner] = Text.split('(');
    uint64_t Bits;
    if (Mask.getAsInteger(0, Bits) || !Inner.consume_back(")") || !Bits ||
        Bits != uint64_t(0xff) << countr_zero(Bits))
      return false;
    Byte = countr_zero(Bits) / 8;
    Text = Inner;
  }
  std::optional<InitialAddress> A = readAddress(Text);
  if (!A || (Bytes != 1 && Bytes != 8))
    return false;
  A->OffsetBytes = V.Init.size() - Byte;
  const bool Overlaps = !V.Addresses.empty() &&
                        V.Init.size() < V.Addresses.back().OffsetBytes + 8;
  if (Byte == 0 && !Overlaps)
    V.Addresses.push_back(*A);
  return !V.Addresses.empty() && V.Addresses.back() == *A;
}

/// "{1, 2, {3, 4}}" as numbers of \p Bytes each.
static bool readInitialiser(StringRef Text, uint64_t Bytes, Variable &V) {
  std::string Flat;
  for (char C : Text)
    Flat += C == '{' || C == '}' ? ' ' : C;
  SmallVector<StringRef, 0> Parts;
  StringRef(Flat).split(Parts, ',');
  for (StringRef Part : Parts) {
    Part = Part.trim();
    if (Part.empty())
      continue;
    uint64_t Bits = 0;
    int64_t Signed;
    if (Part.starts_with_insensitive("0f") ||
        Part.starts_with_insensitive("0d")) {
      if (Part.drop_front(2).getAsInteger(16, Bits))
        return false;
    } else if (!Part.getAsInteger(0, Signed)) {
      Bits = uint64_t(Signed);
    } else if (Part.getAsInteger(0, Bits) && !addAddress(Part, Bytes, V)) {
      V.HoldsUnreadAddresses = isAlpha(Part[0]) || Part[0] == '_' ||
                               Part[0] == '$' || Part.contains('(');
      V.Init.clear();
      return V.HoldsUnreadAddresses;
    }
    for (uint64_t I = 0; I < Bytes; ++I)
      V.Init.push_back(uint8_t(Bits >> (8 * I)));
  }
  if (V.Init.size() > V.SizeBytes)
    return false;
  if (!V.Addresses.empty() &&
      V.Addresses.back().OffsetBytes + 8 > V.SizeBytes) {
    V.HoldsUnreadAddresses = true;
    V.Addresses.clear();
  }
  V.Init.resize(V.SizeBytes);
  return true;
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

Expected<Variable> parseVariable(StringRef Declaration) {
  Variable V;
  auto [Head, Init] = Declaration.split('=');
  uint64_t ElementBytes = 0, Vector = 1;
  StringRef Rest = Head.trim();
  while (Rest.starts_with(".")) {
    if (Rest.consume_front(".attribute")) { // .managed: of the host's interest
      Rest = Rest.split(')').second.ltrim();
      continue;
    }
    StringRef Word =
        Rest.take_until([](char C) { return isSpace(C); }).drop_front();
    Rest = Rest.drop_front(Word.size() + 1).ltrim();
    if (Word == "align") {
      if (Rest.consumeInteger(10, V.AlignBytes) || !isAlignment(V.AlignBytes))
        return createStringError("malformed .align");
      Rest = Rest.ltrim();
    } else if (Word == "global" || Word == "const" || Word == "shared" ||
               Word == "local") {
      V.Space = Word.str();
    } else if (Word == "v2" || Word == "v4") {
      Vector = Word == "v2" ? 2 : 4;
    } else if (uint64_t Bytes = sizeOfType(Word)) {
      ElementBytes = Bytes;
    } else if (Word != "visible" && Word != "extern" && Word != "weak" &&
               Word != "common") {
      return createStringError("'." + Word + "' of a variable is not known");
    }
  }
  // Blanks between the name and its brackets mean nothing.
  std::string Compact;
  for (char C : Rest)
    if (!isSpace(C))
      Compact += C;
  StringRef Name;
  uint64_t Count;
  bool IsArray;
  if (!ElementBytes || V.Space.empty() ||
      !splitArray(Compact, Name, Count, IsArray))
    return createStringError("'" + Declaration.trim() +
                             "' is no declaration of a variable");
  V.Name = Name.str();
  V.SizeBytes = Count * ElementBytes * Vector;
  V.AlignBytes = std::max(V.AlignBytes, ElementBytes * Vector);
  // All of it is held at once.
  constexpr uint64_t MaxInitialised = uint64_t(1) << 28;
  if (!Init.trim().empty() && V.SizeBytes > MaxInitialised)
    return createStringError("'" + V.Name + "' is too large to be initialised");
  if (!Init.trim().empty() && !readInitialiser(Init, ElementBytes, V))
    return createStringError("the initialiser of '" + V.Name +
                             "' is not numbers that fit");
  return V;
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
      if (!splitArray(Word, Name, Count, P.IsStruct))
        return createStringError("'" + Word + "' is no parameter");
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
  auto V = parseVariable(T.Text);
  if (V)
    M.Variables.push_back(std::move(*V));
  return V.takeError();
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
