//===- ErrorText.cpp - Clang's errors in a few lines ----------------------===//

#include "ErrorText.h"

#include "ClangInvocation.h"

#include "clang/Basic/DiagnosticSema.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace heddle {

static constexpr unsigned MaxCauses = 3;
static constexpr size_t MaxColumns = 150;

namespace {
/// One error as lines of Clang's text.
class ErrorLines {
public:
  explicit ErrorLines(StringRef Text) {
    Text.rtrim('\n').split(Lines, '\n');
    while (Error < Lines.size() && !Lines[Error].contains("error: "))
      ++Error;
  }

  /// What is wrong, without the place.
  StringRef message() const {
    return Error < Lines.size() ? Lines[Error].split("error: ").second : "";
  }

  std::string brief(unsigned Times) const {
    if (Error == Lines.size())
      return "";
    size_t At = Error;
    std::string Head = Lines[Error].str();
    if (isOurs(Lines[Error])) {
      At = userLine();
      StringRef Place = Lines[At];
      if (Place.consume_front("In file included from "))
        Place = Place.rtrim(":");
      else
        Place = Place.split(": note: ").first;
      Head =
          (Place + ": error: " + message() + " [in " + ourPlace() + "]").str();
    }
    if (Times > 1)
      Head += " (" + std::to_string(Times) + " times)";
    std::string Text = Head.substr(0, 4 * MaxColumns) + "\n";
    for (size_t N = At + 1; N < Lines.size() && N <= At + 2; ++N) {
      if (Lines[N].contains(": note: ") || Lines[N].contains("error: ") ||
          !Lines[N].contains(" | ") || isOurs(Lines[At]))
        break;
      Text += Lines[N].take_front(MaxColumns).str() + "\n";
    }
    return Text;
  }

private:
  static bool isOurs(StringRef Line) {
    Line.consume_front("In file included from ");
    return Line.starts_with(VirtualFolder);
  }
  /// The header of ours and its line.
  StringRef ourPlace() const {
    StringRef Place =
        Lines[Error].drop_front(StringRef(VirtualFolder).size() + 1);
    auto [File, Rest] = Place.split(':');
    return Place.take_front(File.size() + 1 + Rest.find(':'));
  }
  /// The first line that names a place of the user's: what made us look into
  /// our header.
  size_t userLine() const {
    for (size_t N = Error + 1; N < Lines.size(); ++N)
      if (Lines[N].contains(": note: ") && !isOurs(Lines[N]))
        return N;
    for (size_t N = 0; N < Error; ++N)
      if (Lines[N].starts_with("In file included from ") && !isOurs(Lines[N]))
        return N;
    return Error;
  }

  SmallVector<StringRef, 16> Lines;
  size_t Error = 0;
};
} // namespace

std::string briefErrors(ArrayRef<const LoggedError *> Errors) {
  MapVector<StringRef, std::pair<const LoggedError *, unsigned>> Causes;
  for (const LoggedError *E : Errors) {
    auto &[First, Times] =
        Causes[E->Undeclared.empty() ? ErrorLines(E->Text).message()
                                     : StringRef(E->Undeclared)];
    First = First ? First : E;
    ++Times;
  }
  std::string Text;
  unsigned Shown = 0, Left = 0;
  for (const auto &[Cause, Met] : Causes) {
    if (Shown++ < MaxCauses)
      Text += ErrorLines(Met.first->Text).brief(Met.second);
    else
      Left += Met.second;
  }
  if (Left)
    Text += "note: " + std::to_string(Left) +
            (Left == 1 ? " more error" : " more errors") + "; -v shows all\n";
  return Text;
}

std::string adviseOnToolkit(ArrayRef<const LoggedError *> Errors) {
  std::string Text;
  StringSet<> Named;
  for (const LoggedError *E : Errors) {
    StringRef Message = ErrorLines(E->Text).message();
    const bool InLibrary =
        any_of(ArrayRef<StringRef>{"'cub'", "'thrust'", "'cuda'", "'nvcuda'",
                                   "'cooperative_groups'", "'cuda::std'"},
               [&](StringRef Space) {
                 return Message.contains(("namespace " + Space).str());
               });
    const bool IsIntrinsic = StringRef(E->Undeclared).starts_with("__");
    if (!InLibrary && !IsIntrinsic)
      continue;
    const std::string Name =
        IsIntrinsic ? E->Undeclared
                    : Message.split('\'').second.split('\'').first.str();
    if (Named.insert(Name).second && Named.size() <= 2)
      Text += "note: Heddle's own headers have no " + Name +
              "; a toolkit's may: --cuda-path=FOLDER after '--'\n";
  }
  return Text;
}

} // namespace heddle
