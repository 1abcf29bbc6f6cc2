//===- SourceRepairs.cpp - What other compilers take ----------------------===//

#include "SourceRepairs.h"

#include "clang/AST/Decl.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <optional>
#include <tuple>

using namespace llvm;

namespace heddle {

namespace {
/// A place in the text of a file.
struct Place {
  std::string File;
  StringRef Text;
  unsigned Offset;
  unsigned Line;

  std::string note(const Twine &What) const {
    return ("note: " + File + ":" + Twine(Line) + ": " + What + "\n").str();
  }
};
} // namespace

/// Where \p Loc stands; nothing for what a macro wrote.
static std::optional<Place> placeOf(const clang::SourceManager &Sources,
                                    clang::SourceLocation Loc) {
  if (Loc.isInvalid() || Loc.isMacroID())
    return std::nullopt;
  auto [ID, Offset] = Sources.getDecomposedLoc(Loc);
  auto File = Sources.getFileEntryRefForID(ID);
  bool Invalid = false;
  StringRef Text = Sources.getBufferData(ID, &Invalid);
  if (!File || Invalid || Offset >= Text.size())
    return std::nullopt;
  return Place{File->getName().str(), Text, Offset,
               Sources.getSpellingLineNumber(Loc)};
}

/// The first of \p Words that stands as a word in \p Text, and where.
static std::optional<std::pair<StringRef, size_t>>
findWord(StringRef Text, ArrayRef<StringRef> Words) {
  for (StringRef Word : Words)
    for (size_t At = Text.find(Word); At != StringRef::npos;
         At = Text.find(Word, At + 1)) {
      bool Starts = At == 0 || !clang::isAsciiIdentifierContinue(Text[At - 1]);
      size_t End = At + Word.size();
      if (Starts &&
          (End == Text.size() || !clang::isAsciiIdentifierContinue(Text[End])))
        return std::pair(Word, At);
    }
  return std::nullopt;
}

/// kernel<<<grid, {16, 16}>>>(...): the braces are a dim3.
static void repairLaunch(const Place &P, std::vector<SourceRepair> &Repairs) {
  if (P.Text[P.Offset] != '{')
    return;
  StringRef Before = P.Text.take_front(P.Offset).rtrim();
  StringRef Statement =
      Before.substr(Before.find_last_of(";}") == StringRef::npos
                        ? 0
                        : Before.find_last_of(";}") + 1);
  if ((!Before.ends_with(",") && !Before.ends_with("<<<")) ||
      !Before.contains("<<<") || Statement.contains(">>>"))
    return;
  Repairs.push_back({P.File, P.Offset, 0, "dim3", ""});
}

/// asm("..." : "=r"(a) "r"(b)): nvcc takes operands without a comma.
static void repairOperands(const Place &P, std::vector<SourceRepair> &Repairs) {
  StringRef Before = P.Text.take_front(P.Offset);
  const size_t Asm = Before.rfind("asm");
  if (P.Text[P.Offset] != '"' || !Before.rtrim().ends_with(")") ||
      Asm == StringRef::npos)
    return;
  // Inside of its parentheses; those in strings do not count.
  int Depth = 0;
  bool InString = false;
  for (char C : Before.drop_front(Asm)) {
    InString ^= C == '"';
    Depth += InString ? 0 : (C == '(') - (C == ')');
  }
  if (Depth == 1)
    Repairs.push_back({P.File, P.Offset, 0, ", ", ""});
}

/// A configuration that names what is not known; its values do not matter to
/// the kernel, and without them the launch would not name its instance.
static void repairConfiguration(const Place &P,
                                std::vector<SourceRepair> &Repairs) {
  size_t Start = P.Text.take_front(P.Offset).rfind("<<<");
  size_t End = P.Text.find(">>>", P.Offset);
  if (Start == StringRef::npos || End == StringRef::npos)
    return;
  Start += 3;
  StringRef Configuration = P.Text.slice(Start, End);
  if (Configuration.find_first_of(";{}") != StringRef::npos ||
      Configuration.contains(">>>") || Configuration.trim() == "1, 1")
    return;
  Repairs.push_back({P.File, unsigned(Start), unsigned(End - Start),
                     "1, 1" + std::string(Configuration.count('\n'), '\n'),
                     ""});
}

/// Kernel parameters of types whose size the device chooses.
static void repairParameter(const Place &P,
                            std::vector<SourceRepair> &Repairs) {
  static constexpr std::pair<StringLiteral, StringLiteral> Types[] = {
      {"size_t", "ulong"},
      {"ptrdiff_t", "long"},
      {"intptr_t", "long"},
      {"uintptr_t", "ulong"},
      {"bool", "uchar"}};
  size_t Start = P.Text.take_front(P.Offset).find_last_of("(,") + 1;
  StringRef Declaration = P.Text.slice(Start, P.Offset);
  for (auto [Type, Fixed] : Types)
    if (auto Found = findWord(Declaration, StringRef(Type))) {
      Repairs.push_back(
          {P.File, unsigned(Start + Found->second), unsigned(Type.size()),
           Fixed.str(),
           P.note("a parameter of type " + Type + " as " + Fixed)});
      return;
    }
}

/// The offset behind the brace that opens the body of \p F, or 0.
static size_t bodyOf(const clang::SourceManager &Sources,
                     const clang::FunctionDecl &F, const Place &Inside) {
  std::optional<Place> Name = placeOf(Sources, F.getLocation());
  if (!Name || Name->File != Inside.File)
    return 0;
  size_t At = Name->Text.find('(', Name->Offset);
  unsigned Depth = 0;
  for (; At < Inside.Offset; ++At) {
    char C = Name->Text[At];
    Depth += C == '(';
    Depth -= C == ')';
    if (C == '{' && Depth == 0)
      return At + 1;
  }
  return 0;
}

/// __local or __constant where Clang wants neither.
static void repairVariable(const clang::SourceManager &Sources,
                           const LoggedError &E, const Place &P,
                           std::vector<SourceRepair> &Repairs) {
  size_t Start = P.Text.take_front(P.Offset).find_last_of(";{}") + 1;
  Start =
      std::min<size_t>(P.Text.find_first_not_of(" \t\r\n", Start), P.Offset);
  size_t End = P.Text.find(';', P.Offset);
  if (End == StringRef::npos)
    return;
  StringRef Declaration = P.Text.slice(Start, End + 1);
  StringRef Qualifiers = P.Text.slice(Start, P.Offset);
  if (auto Found = findWord(Qualifiers, {"__constant", "constant"})) {
    Repairs.push_back(
        {P.File, unsigned(Start + Found->second), unsigned(Found->first.size()),
         "const",
         P.note("a " + Found->first + " variable in a function as const")});
    return;
  }
  if (E.DiagID != clang::diag::err_opencl_addrspace_scope ||
      E.Functions.empty() || Declaration.contains('\n') ||
      !findWord(Qualifiers, {"__local", "local"}))
    return;
  if (size_t Body = bodyOf(Sources, *E.Functions.front(), P)) {
    Repairs.push_back({P.File, unsigned(Body), 0, (" " + Declaration).str(),
                       P.note("a __local variable inside of a block as one of "
                              "the whole kernel")});
    Repairs.push_back({P.File, unsigned(Start), unsigned(Declaration.size()),
                       std::string(Declaration.size() - 1, ' ') + ";", ""});
  }
}

/// nvcc does not run the constructor of a __shared__ variable and says so in a
/// warning; here it becomes bytes that are seen as the type.
static void repairShared(const Place &P, std::vector<SourceRepair> &Repairs) {
  constexpr StringLiteral Shared = "__shared__";
  size_t Start = P.Text.take_front(P.Offset).rfind(Shared);
  size_t End = P.Text.find(';', P.Offset);
  if (Start == StringRef::npos || End == StringRef::npos)
    return;
  StringRef Type = P.Text.slice(Start + Shared.size(), P.Offset).trim();
  StringRef Declarator = P.Text.slice(P.Offset, End);
  size_t Length = 0;
  while (Length < Declarator.size() &&
         clang::isAsciiIdentifierContinue(Declarator[Length]))
    ++Length;
  StringRef Name = Declarator.take_front(Length);
  StringRef Dimensions = Declarator.substr(Length).trim();
  if (Type.empty() || Type.find_first_of(";{}=") != StringRef::npos ||
      Name.empty() || Dimensions.find_first_of(",=({\n") != StringRef::npos)
    return;
  StringRef Before = P.Text.take_front(Start).rtrim();
  if (Before.ends_with("static"))
    Start = Before.size() - StringRef("static").size();
  std::string T = ("__heddle_type_" + Name).str(),
              Bytes = ("__heddle_bytes_" + Name).str();
  Repairs.push_back(
      {P.File, unsigned(Start), unsigned(End - Start),
       ("typedef " + Type + " " + T + Dimensions + "; __shared__ alignas(" + T +
        ") unsigned char " + Bytes + "[sizeof(" + T + ")]; " + T + " &" + Name +
        " = reinterpret_cast<" + T + " &>(" + Bytes + ")")
           .str(),
       P.note("the constructor of a __shared__ variable is not run")});
}

SourceRepairs findRepairs(const clang::SourceManager &Sources,
                          const ErrorLog &Log) {
  SourceRepairs Result;
  for (const LoggedError &E : Log.errors()) {
    // A configuration may stand in a macro, or in an argument of one.
    bool AnyPlace = E.DiagID != clang::diag::err_bad_kernel_param_type &&
                    E.DiagID != clang::diag::err_opencl_addrspace_scope &&
                    E.DiagID != clang::diag::err_opencl_function_variable;
    std::optional<Place> P = placeOf(
        Sources, AnyPlace ? Sources.getSpellingLoc(E.ExactLoc) : E.ExactLoc);
    if (!P)
      continue;
    size_t Before = Result.Changes.size();
    switch (E.DiagID) {
    case clang::diag::err_expected_expression:
      repairLaunch(*P, Result.Changes);
      break;
    case clang::diag::err_expected:
      repairOperands(*P, Result.Changes);
      break;
    case clang::diag::err_undeclared_var_use:
    case clang::diag::err_undeclared_var_use_suggest:
    case clang::diag::err_no_member:
    case clang::diag::err_undeclared_use:
      repairConfiguration(*P, Result.Changes);
      break;
    case clang::diag::err_bad_kernel_param_type:
      repairParameter(*P, Result.Changes);
      break;
    case clang::diag::err_shared_var_init:
      repairShared(*P, Result.Changes);
      break;
    case clang::diag::err_opencl_addrspace_scope:
    case clang::diag::err_opencl_function_variable:
      repairVariable(Sources, E, *P, Result.Changes);
      break;
    default:
      break;
    }
    if (Result.Changes.size() > Before)
      Result.Texts[P->File] = P->Text.str();
  }
  return Result;
}

bool RepairedFiles::apply(SourceRepairs Repairs, std::string &Notes) {
  // Each round may bring errors to light that the one before hid.
  constexpr unsigned MaxRounds = 4;
  std::vector<SourceRepair> &Changes = Repairs.Changes;
  if (Changes.empty() || ++Rounds > MaxRounds)
    return false;
  for (auto &[File, Text] : Repairs.Texts)
    Texts[File] = std::move(Text);
  // A file that is included twice has each error twice.
  // From the end, so that offsets hold.
  llvm::sort(Changes, [](const SourceRepair &A, const SourceRepair &B) {
    return std::tie(B.File, B.Offset, B.Text) <
           std::tie(A.File, A.Offset, A.Text);
  });
  const SourceRepair *Last = nullptr;
  std::vector<std::string> Lines;
  for (const SourceRepair &R : Changes) {
    bool Twice = Last && Last->File == R.File && Last->Offset == R.Offset &&
                 Last->Text == R.Text;
    Last = &R;
    if (Twice)
      continue;
    Texts.at(R.File).replace(R.Offset, R.Length, R.Text);
    Lines.push_back(R.Note);
  }
  for (const std::string &Line : llvm::reverse(Lines))
    Notes += Line;
  return true;
}

} // namespace heddle
