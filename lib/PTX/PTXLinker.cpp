//===- PTXLinker.cpp - One PTX file of several ----------------------------===//

#include "heddle/PTX/PTXLinker.h"

#include "heddle/PTX/PTXModule.h"
#include "heddle/PTX/PTXStatement.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace heddle::ptx {

namespace {

enum class Linkage { Own, Visible, Weak, Declared };

/// What stands outside of bodies: a variable, a function or a kernel.
struct Symbol {
  StringRef Name, Text; ///< Text with the body
  Linkage Is = Linkage::Own;
  bool IsVariable = false;
};

/// One of the files.
struct Source {
  std::string Clean; ///< without comments
  std::vector<Symbol> Symbols;
  double Version = 0;
  StringRef Target;
};

} // namespace

static Linkage linkageOf(StringRef Head) {
  for (auto [Word, Is] : {std::pair(".visible", Linkage::Visible),
                          {".weak", Linkage::Weak},
                          {".common", Linkage::Weak},
                          {".extern", Linkage::Declared}})
    if (Head.starts_with(Word))
      return Is;
  return Linkage::Own;
}

/// "name" of ".visible .func (.param .b32 r) name (...)" and the like.
static Expected<StringRef> nameOf(StringRef Head) {
  if (StringRef Name = entryName(Head); !Name.empty())
    return Name;
  if (StringRef Rest = Head.split(".func").second; !Rest.empty()) {
    Rest = Rest.ltrim();
    if (Rest.starts_with("("))
      Rest = Rest.split(')').second.ltrim();
    return Rest.take_while(isNamePart);
  }
  auto V = parseVariables(Head);
  if (!V)
    return V.takeError();
  const StringRef Name = V->front().Name;
  return Head.substr(Head.split('=').first.find(Name), Name.size());
}

/// Cuts what is outside of bodies into symbols.
static Error readSymbols(Source &S) {
  Lexer Tokens(S.Clean);
  bool HasHead = false; // of a function or kernel, before its body
  for (Token T; Tokens.next(T);) {
    if (T.Is == Token::Open) {
      if (!Tokens.skipBody())
        return createStringError("a body does not end");
      if (HasHead) { // else of a .section
        StringRef &Its = S.Symbols.back().Text;
        Its = StringRef(Its.data(), Tokens.rest().data() - Its.data());
      }
      continue;
    }
    HasHead = false;
    StringRef Text = T.Text;
    if (Text.consume_front(".version")) {
      Text.trim().getAsDouble(S.Version);
      continue;
    }
    if (Text.consume_front(".target")) {
      S.Target = Text.split(',').first.trim();
      continue;
    }
    const bool IsVariable = declaresVariable(T.Text);
    if (!IsVariable && !T.Text.contains(".entry") && !T.Text.contains(".func"))
      continue;
    auto Name = nameOf(T.Text);
    if (!Name)
      return Name.takeError();
    S.Symbols.push_back({*Name, T.Text, linkageOf(T.Text), IsVariable});
    HasHead = !IsVariable;
  }
  return Error::success();
}

/// A symbol's text as the linked file has it.
static std::string textOf(const Symbol &S,
                          const StringMap<std::string> &Names) {
  std::string Out =
      renamed(S.Text, [&](StringRef Name) { return Names.lookup(Name); });
  // The numbers of source files are each file's own.
  std::string WithoutPlaces;
  for (StringRef Line : split(StringRef(Out), '\n'))
    if (!Line.ltrim().starts_with(".loc\t") &&
        !Line.ltrim().starts_with(".loc "))
      WithoutPlaces += Line.str() + '\n';
  if (!Out.ends_with("}"))
    WithoutPlaces.insert(WithoutPlaces.size() - 1, ";");
  return WithoutPlaces;
}

/// New names for what each file keeps to itself, where others have the name.
static std::vector<StringMap<std::string>> ownNames(ArrayRef<Source> Sources) {
  StringMap<unsigned> Files;
  for (const Source &S : Sources) {
    StringSet<> Seen;
    for (const Symbol &Sym : S.Symbols)
      if (Seen.insert(Sym.Name).second)
        ++Files[Sym.Name];
  }
  std::vector<StringMap<std::string>> Names(Sources.size());
  for (auto [I, S] : enumerate(Sources))
    for (const Symbol &Sym : S.Symbols)
      if (Sym.Is == Linkage::Own && Files[Sym.Name] > 1)
        Names[I][Sym.Name] = (Sym.Name + "_file" + Twine(I)).str();
  return Names;
}

/// Which file has the definition of a symbol that all see.
static Expected<StringMap<const Symbol *>>
definitions(ArrayRef<Source> Sources) {
  StringMap<const Symbol *> Of;
  for (Linkage Wanted : {Linkage::Visible, Linkage::Weak, Linkage::Declared})
    for (const Source &S : Sources)
      for (const Symbol &Sym : S.Symbols)
        if (Sym.Is == Wanted) {
          const Symbol *&Its = Of[Sym.Name];
          const bool HasBody = Sym.IsVariable || Sym.Text.ends_with("}");
          if (!Its || (!Its->IsVariable && !Its->Text.ends_with("}")))
            Its = &Sym;
          else if (Wanted == Linkage::Visible && HasBody && Its != &Sym)
            return createStringError("two files define '" + Sym.Name + "'");
        }
  return Of;
}

/// sm_75 before sm_90.
static unsigned numberOf(StringRef Target) {
  unsigned N = 0;
  Target.drop_while([](char C) { return !isDigit(C); }).consumeInteger(10, N);
  return N;
}

Expected<std::string> linkPTX(ArrayRef<std::string> Files) {
  std::vector<Source> Sources;
  for (const std::string &File : Files) {
    Sources.push_back({blankComments(File), {}, 0, {}});
    if (Error E = readSymbols(Sources.back()))
      return E;
  }
  auto Defined = definitions(Sources);
  if (!Defined)
    return Defined.takeError();
  const std::vector<StringMap<std::string>> Names = ownNames(Sources);
  StringRef Target;
  std::string Variables, Code;
  double Newest = 0;
  for (auto [S, Own] : zip_equal(Sources, Names)) {
    Newest = std::max(Newest, S.Version);
    if (numberOf(S.Target) >= numberOf(Target))
      Target = S.Target;
    for (const Symbol &Sym : S.Symbols)
      if (Sym.Is == Linkage::Own || Defined->lookup(Sym.Name) == &Sym)
        (Sym.IsVariable ? Variables : Code) += textOf(Sym, Own);
  }
  return formatv(".version {0:F1}\n.target {1}\n.address_size 64\n", Newest,
                 Target)
             .str() +
         Variables + Code;
}

} // namespace heddle::ptx
