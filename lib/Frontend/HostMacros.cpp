//===- HostMacros.cpp - Macros that a project's own files set -------------===//

#include "HostMacros.h"

#include "clang/Basic/CharInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace heddle {

/// As much as a project's folder has; enough not to read a system's.
static constexpr unsigned MaxFiles = 300;
static constexpr uint64_t MaxBytes = 1 << 20;

/// \p Text as a value: a number, a name, a type, an expression of those.
static bool isValue(StringRef Text) {
  return !Text.empty() && Text.count('(') == Text.count(')') &&
         all_of(Text, [](char C) {
           return clang::isAsciiIdentifierContinue(C) ||
                  StringRef(" .+-*/()<>").contains(C);
         });
}

/// -DNAME=VALUE and -D NAME=VALUE, in a build file or a host's string.
static std::string inFlag(StringRef Text, size_t At, size_t End) {
  StringRef Before = Text.take_front(At).rtrim(" '\"\\");
  if (!Before.rtrim(' ').ends_with("-D"))
    return "";
  StringRef Name = Text.slice(At, End), Rest = Text.drop_front(End);
  if (!Rest.consume_front("="))
    return Rest.empty() || !clang::isAsciiIdentifierContinue(Rest[0])
               ? (Name + "=1").str()
               : "";
  StringRef Value = Rest.take_while([](char C) {
    return clang::isAsciiIdentifierContinue(C) || C == '.' || C == '-' ||
           C == '+';
  });
  return isValue(Value) ? (Name + "=" + Value).str() : "";
}

/// #define NAME VALUE and #define NAME(A) VALUE, on one line.
static std::string inDefine(StringRef Text, size_t At, size_t End) {
  StringRef Before = Text.take_front(At).rtrim(" \t");
  if (!Before.consume_back("define") || !Before.rtrim(" \t").ends_with("#"))
    return "";
  StringRef Rest = Text.drop_front(End).take_until(
      [](char C) { return C == '\n' || C == '\r'; });
  if (Rest.ends_with("\\"))
    return "";
  std::string Name = Text.slice(At, End).str();
  if (Rest.starts_with("(")) {
    size_t Close = Rest.find(')');
    if (Close == StringRef::npos)
      return "";
    Name += Rest.take_front(Close + 1);
    Rest = Rest.drop_front(Close + 1);
  }
  Rest = Rest.split("//").first.split("/*").first.trim();
  return Rest.empty() ? "" : Name + "=" + Rest.str();
}

/// const int NAME = VALUE;
static std::string inConstant(StringRef Text, size_t At, size_t End) {
  size_t Start = Text.take_front(At).find_last_of(";{}\n") + 1;
  StringRef Before = Text.slice(Start, At).trim();
  StringRef Rest = Text.drop_front(End).ltrim();
  if ((!Before.contains("const ") && !Before.contains("constexpr ")) ||
      Before.contains('*') || Before.contains('(') || !Rest.consume_front("="))
    return "";
  StringRef Value = Rest.take_until([](char C) { return C == ';'; }).trim();
  return isValue(Value) ? (Text.slice(At, End) + "=(" + Value + ")").str() : "";
}

/// typedef TYPE NAME;
static std::string inTypedef(StringRef Text, size_t At, size_t End) {
  size_t Start = Text.take_front(At).find_last_of(";{}\n") + 1;
  StringRef Before = Text.slice(Start, At).trim();
  if (!Text.drop_front(End).ltrim().starts_with(";") ||
      !Before.consume_front("typedef "))
    return "";
  std::string Type = Before.trim().str();
  Type = StringSwitch<std::string>(Type)
             .Case("cl_float", "float")
             .Case("cl_double", "double")
             .Case("cl_int", "int")
             .Case("cl_uint", "uint")
             .Case("cl_uchar", "uchar")
             .Case("cl_long", "long")
             .Case("cl_ulong", "ulong")
             .Default(Type);
  bool Simple = all_of(Type, [](char C) { return isAlnum(C) || C == ' '; }) &&
                !StringRef(Type).starts_with("struct");
  return Simple ? (Text.slice(At, End) + "=" + Type).str() : "";
}

enum : unsigned { InFlag, InDefine, InConstant, InTypedef };
static constexpr std::string (*Ways[])(StringRef, size_t, size_t) = {
    inFlag, inDefine, inConstant, inTypedef};

/// The value that \p Text gives \p Name in one of the Ways, as "NAME=VALUE" for
/// -D, and the number of the line that says so; "" if none does.
static std::string macroIn(StringRef Text, StringRef Name, unsigned Way,
                           unsigned &Line) {
  for (size_t At = Text.find(Name); At != StringRef::npos;
       At = Text.find(Name, At + 1)) {
    size_t End = At + Name.size();
    // "-DNAME" is one word.
    bool Flag = At >= 2 && Text.slice(At - 2, At) == "-D";
    if ((At && clang::isAsciiIdentifierContinue(Text[At - 1]) && !Flag) ||
        (End < Text.size() && clang::isAsciiIdentifierContinue(Text[End])))
      continue;
    std::string Found = Ways[Way](Text, At, End);
    // A macro that is itself (#define N N) says nothing.
    if (Found.empty() || Found == (Name + "=" + Name).str())
      continue;
    Line = Text.take_front(At).count('\n') + 1;
    return Found;
  }
  return "";
}

/// Files that may say how kernels are built, of one folder, by name.
static void filesIn(StringRef Folder, std::vector<std::string> &Files,
                    std::vector<std::string> *Folders) {
  std::vector<std::string> Here;
  std::error_code Code;
  unsigned Left = MaxFiles;
  for (sys::fs::directory_iterator I(Folder, Code), End;
       I != End && !Code && Left; I.increment(Code), --Left) {
    StringRef Name = sys::path::filename(I->path());
    if (Name.starts_with("."))
      continue;
    if (I->type() == sys::fs::file_type::directory_file) {
      if (Folders)
        Folders->push_back(I->path());
      continue;
    }
    bool Known = StringSwitch<bool>(sys::path::extension(Name))
                     .Cases({".c", ".cc", ".cpp", ".cxx", ".h", ".hh"}, true)
                     .Cases({".hpp", ".cu", ".cuh", ".cl", ".mk"}, true)
                     .Cases({".py", ".sh", ".cmake", ".config", ".inc"}, true)
                     .Default(Name.starts_with_insensitive("makefile") ||
                              Name == "CMakeLists.txt" || Name == "run");
    uint64_t Size = 0;
    if (Known && !sys::fs::file_size(I->path(), Size) && Size <= MaxBytes)
      Here.push_back(I->path());
  }
  llvm::sort(Here);
  append_range(Files, Here);
}

/// Beside the source, below it, above it, beside the folder above.
static std::vector<std::vector<std::string>> rings(StringRef Source) {
  SmallString<128> Own(Source);
  if (sys::fs::make_absolute(Own))
    return {}; // the current folder is gone
  sys::path::remove_dots(Own, /*remove_dot_dot=*/true);
  StringRef Folder = sys::path::parent_path(Own);
  std::vector<std::vector<std::string>> Rings(3);
  std::vector<std::string> Inner, Beside;
  filesIn(Folder, Rings[0], &Inner);
  llvm::sort(Inner);
  for (const std::string &F : Inner)
    filesIn(F, Rings[1], nullptr);
  bool IsTop = sys::fs::exists(Folder + "/.git");
  StringRef Above = sys::path::parent_path(Folder);
  // "/" and what lies directly in it belong to no project.
  if (!IsTop &&
      std::distance(sys::path::begin(Above), sys::path::end(Above)) > 2)
    filesIn(Above, Rings[2], nullptr);
  for (std::vector<std::string> &Files : Rings) {
    erase_if(Files, [&](const std::string &F) { return F == Own; });
    if (Files.size() > MaxFiles)
      Files.resize(MaxFiles);
  }
  return Rings;
}

/// Blanks the comments of \p Text; lines and strings stay. In a build file
/// "#" begins a comment.
static void blankComments(std::string &Text, bool IsBuildFile) {
  enum { Code, Line, Block, String } In = Code;
  char Quote = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    const StringRef Rest = StringRef(Text).drop_front(I);
    const char C = Text[I];
    switch (In) {
    case Code:
      if (IsBuildFile ? C == '#' : Rest.starts_with("//"))
        In = Line;
      else if (!IsBuildFile && Rest.starts_with("/*"))
        In = Block;
      else if (!IsBuildFile && (C == '"' || C == '\''))
        In = String, Quote = C;
      break;
    case Line:
      if (C == '\n')
        In = Code;
      break;
    case Block:
      if (Rest.starts_with("*/")) {
        Text[I] = Text[I + 1] = ' ';
        ++I;
        In = Code;
      }
      break;
    case String:
      if (C == '\\')
        ++I;
      else if (C == Quote || C == '\n')
        In = Code;
      break;
    }
    if ((In == Line || In == Block) && Text[I] != '\n')
      Text[I] = ' ';
  }
}

/// Blanks what "#if 0" and "#if 1 ... #else" leave out.
static void blankDeadBranches(std::string &Text) {
  struct Branch {
    bool Dead, WasAlive; ///< alive: a branch whose condition is known to hold
  };
  std::vector<Branch> Open;
  for (size_t Begin = 0; Begin < Text.size();) {
    size_t End = std::min(Text.find('\n', Begin), Text.size());
    StringRef Line = StringRef(Text).slice(Begin, End).trim();
    if (Line.consume_front("#")) {
      Line = Line.ltrim();
      const StringRef Word = Line.take_while(isAlpha);
      const StringRef Condition = Line.drop_front(Word.size()).trim();
      const bool Holds = Condition == "1", Fails = Condition == "0";
      if (Word == "if")
        Open.push_back({Fails, Holds});
      else if (Word.starts_with("if"))
        Open.push_back({false, false});
      else if (Word == "endif" && !Open.empty())
        Open.pop_back();
      else if (Word.starts_with("el") && !Open.empty())
        Open.back() = {Open.back().WasAlive || (Word == "elif" && Fails),
                       Open.back().WasAlive || (Word == "elif" && Holds)};
    }
    if (any_of(Open, [](const Branch &B) { return B.Dead; }))
      std::fill(Text.begin() + Begin, Text.begin() + End, ' ');
    Begin = End + 1;
  }
}

/// What of \p File counts.
StringRef MacroSearch::codeOf(const std::string &File) {
  auto [It, IsNew] = Codes.try_emplace(File);
  if (!IsNew)
    return It->second;
  auto Buffer = MemoryBuffer::getFile(File);
  if (!Buffer)
    return "";
  It->second = (*Buffer)->getBuffer().str();
  const bool IsSource =
      StringSwitch<bool>(sys::path::extension(File))
          .Cases({".mk", ".py", ".sh", ".cmake", ".config", ""}, false)
          .Default(
              sys::path::filename(File) != "CMakeLists.txt" &&
              !sys::path::filename(File).starts_with_insensitive("makefile"));
  blankComments(It->second, !IsSource);
  if (IsSource)
    blankDeadBranches(It->second);
  return It->second;
}

std::vector<MacroSearch::Candidate>
MacroSearch::candidates(const UnknownName &Unknown) {
  if (Rings.empty())
    Rings = rings(Source);
  const bool IsCapital =
      none_of(Unknown.Name, [](char C) { return isLower(C); });
  std::vector<Candidate> Found;
  for (const std::vector<std::string> &Files : Rings)
    for (unsigned Way = 0; Way < std::size(Ways); ++Way) {
      if (!IsCapital && Way != InFlag && (!Unknown.IsType || Way == InConstant))
        continue;
      for (const std::string &File : Files) {
        unsigned Line = 0;
        std::string Macro = macroIn(codeOf(File), Unknown.Name, Way, Line);
        if (!Macro.empty() && none_of(Found, [&](const Candidate &C) {
              return C.Macro == Macro;
            }))
          Found.push_back(
              {std::move(Macro), File + ":" + std::to_string(Line)});
      }
    }
  return Found;
}

std::string MacroSearch::adviseOnIncluder() {
  if (Rings.empty())
    Rings = rings(Source);
  const std::string Name = (sys::path::filename(Source) + "\"").str();
  for (const std::vector<std::string> &Files : Rings)
    for (const std::string &File : Files) {
      const StringRef Text = codeOf(File);
      for (size_t At = Text.find(Name); At != StringRef::npos;
           At = Text.find(Name, At + 1)) {
        const StringRef Before = Text.take_front(At);
        StringRef Line = Before.substr(Before.rfind('\n') + 1).trim();
        if (Line.consume_front("#") && Line.ltrim().consume_front("include") &&
            (Line.ends_with("\"") || Line.ends_with("/")))
          return "note: " + File + ":" +
                 std::to_string(Before.count('\n') + 1) +
                 " includes this file; give that one if it does not stand "
                 "alone\n";
      }
    }
  return "";
}

static StringRef valueOf(StringRef Macro) { return Macro.split('=').second; }

std::vector<std::string> MacroSearch::guess(ArrayRef<UnknownName> Names,
                                            std::string &Notes) {
  std::vector<std::string> Flags;
  for (const UnknownName &Unknown : Names) {
    if (!Tried.insert(Unknown.Name).second)
      continue;
    const std::vector<Candidate> Found = candidates(Unknown);
    if (Found.empty())
      continue;
    const Candidate &First = Found.front();
    Flags.push_back("-D" + First.Macro);
    Notes += ("note: " + Unknown.Name + " is not defined; guessed as '" +
              valueOf(First.Macro) + "' from " + First.Place +
              "; another value: -D" + Unknown.Name + "=... after '--'\n")
                 .str();
  }
  return Flags;
}

std::string MacroSearch::advise(ArrayRef<UnknownName> Names) {
  constexpr size_t MaxListed = 4;
  std::string Notes;
  std::set<std::string> Named;
  for (const UnknownName &Unknown : Names) {
    if (!Named.insert(Unknown.Name).second)
      continue;
    const std::vector<Candidate> Found = candidates(Unknown);
    if (Found.empty())
      continue;
    Notes += "note: " + Unknown.Name + " is not defined; give -D" +
             Unknown.Name + "=... after '--'; the project has ";
    for (size_t N = 0; N < std::min(Found.size(), MaxListed); ++N)
      Notes += ((N ? ", '" : "'") + valueOf(Found[N].Macro) + "' at " +
                Found[N].Place)
                   .str();
    if (Found.size() > MaxListed)
      Notes += " and " + std::to_string(Found.size() - MaxListed) + " more";
    Notes += "; --guess-macros takes the first\n";
  }
  return Notes;
}

} // namespace heddle
