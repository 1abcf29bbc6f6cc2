//===- ErrorLog.cpp - Errors, by the function that they are in ------------===//

#include "ErrorLog.h"

#include "ClangInvocation.h"
#include "heddle/Frontend/Compiler.h"

#include "clang/AST/Decl.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace heddle {

ErrorLog::ErrorLog(clang::CompilerInstance &Compiler)
    : Compiler(Compiler),
      Printer(std::make_unique<clang::TextDiagnosticPrinter>(
          Stream, Compiler.getInvocation().getDiagnosticOpts())) {}

void ErrorLog::BeginSourceFile(const clang::LangOptions &Options,
                               const clang::Preprocessor *PP) {
  Printer->BeginSourceFile(Options, PP);
}

void ErrorLog::EndSourceFile() { Printer->EndSourceFile(); }

void ErrorLog::forget() { Compiler.getDiagnostics().Reset(/*soft=*/true); }

void ErrorLog::HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                                const clang::Diagnostic &Info) {
  size_t Start = Text.size();
  Printer->HandleDiagnostic(Level, Info);
  StringRef Printed = StringRef(Text).substr(Start);
  if (Level >= clang::DiagnosticsEngine::Error)
    record(Level, Info);
  else if (Level != clang::DiagnosticsEngine::Note)
    LastWasError = false;
  if (LastWasError)
    Errors.back().Text += Printed;
  else
    Warnings += Printed;
}

void ErrorLog::record(clang::DiagnosticsEngine::Level Level,
                      const clang::Diagnostic &Info) {
  LastWasError = true;
  LoggedError &E = Errors.emplace_back();
  E.DiagID = Info.getID();
  E.ExactLoc = Info.getLocation();
  if (Info.hasSourceManager() && Info.getLocation().isValid())
    E.Loc = Info.getSourceManager().getExpansionLoc(Info.getLocation());
  if (Compiler.hasSema())
    for (const clang::DeclContext *Context = Compiler.getSema().CurContext;
         Context; Context = Context->getParent())
      if (const auto *F = dyn_cast<clang::FunctionDecl>(Context))
        E.Functions.push_back(F);
  auto FirstArgument = [&]() -> std::string {
    switch (Info.getNumArgs() ? Info.getArgKind(0)
                              : clang::DiagnosticsEngine::ak_uint) {
    case clang::DiagnosticsEngine::ak_std_string:
      return Info.getArgStdStr(0);
    case clang::DiagnosticsEngine::ak_c_string:
      return Info.getArgCStr(0);
    case clang::DiagnosticsEngine::ak_identifierinfo:
      return Info.getArgIdentifier(0)->getName().str();
    case clang::DiagnosticsEngine::ak_declarationname:
      return clang::DeclarationName::getFromOpaqueInteger(Info.getRawArg(0))
          .getAsString();
    default:
      return "";
    }
  };
  switch (Info.getID()) {
  case clang::diag::err_pp_file_not_found:
    E.MissingHeader = FirstArgument();
    // The parser has read one token ahead: the function that it is still in
    // may end before the directive. The position tells.
    E.Functions.clear();
    forget(); // the error is fatal to Clang, and has no notes
    return;
  case clang::diag::err_cuda_device_kernel_launch_require_rdc:
    E.NeedsLinking = true;
    return;
  case clang::diag::err_undeclared_var_use:
  case clang::diag::err_undeclared_use:
  case clang::diag::err_undeclared_var_use_suggest:
  case clang::diag::err_undeclared_use_suggest:
  case clang::diag::err_unknown_typename:
  case clang::diag::err_unknown_typename_suggest:
    E.Undeclared = FirstArgument();
    return;
  case clang::diag::err_pp_hash_error:
  case clang::diag::err_static_assert_failed:
  case clang::diag::err_static_assert_requirement_failed:
    E.StopsFile = E.Functions.empty();
    return;
  default:
    E.StopsFile = Level == clang::DiagnosticsEngine::Fatal;
  }
}

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
    if (ofInstance(Lines[Error]))
      return briefInstance();
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
  /// Of an instance that was asked for: its name instead of the line that asks
  /// Clang for it, and what its template says.
  std::string briefInstance() const {
    const StringRef Code = Error + 1 < Lines.size() ? Lines[Error + 1] : "",
                    Name = Code.split("(void)&").second.rsplit("; }").first,
                    Message = message().contains("address of overloaded")
                                  ? "no template takes these arguments"
                                  : message();
    std::string Text =
        ("--instance '" + Name + "': error: " + Message + "\n").str();
    size_t Note = Error + 1;
    while (Note < Lines.size() &&
           (!Lines[Note].contains(": note: ") || ofInstance(Lines[Note])))
      ++Note;
    for (size_t N = Note; N < std::min(Note + 2, Lines.size()); ++N)
      Text += Lines[N].take_front(MaxColumns).str() + "\n";
    return Text;
  }
  static bool ofInstance(StringRef Line) {
    return Line.consume_front(InstanceFlag.drop_back()) &&
           Line.starts_with(":");
  }
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

std::string errorLine(StringRef Text) {
  return StringRef(ErrorLines(Text).brief(1)).split('\n').first.str();
}

std::string adviseOnToolkit(ArrayRef<const LoggedError *> Errors) {
  std::string Text;
  if (any_of(Errors, [](const LoggedError *E) {
        return E->DiagID == clang::diag::err_cluster_attr_not_supported;
      }))
    Text += "note: clusters need sm_90; name a --gpu that has it, or "
            "--arch sm_90\n";
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
