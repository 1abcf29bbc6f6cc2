//===- Diagnostics.cpp - What passes report, preserve and are told --------===//

#include "Passes.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {

PassDiagnostic::PassDiagnostic(DiagnosticSeverity Severity,
                               std::string Position, std::string Message)
    : DiagnosticInfo(kind(), Severity), Position(std::move(Position)),
      Message(std::move(Message)) {}

int PassDiagnostic::kind() {
  static const int Kind = getNextAvailablePluginDiagnosticKind();
  return Kind;
}

void PassDiagnostic::print(DiagnosticPrinter &Printer) const {
  if (!Position.empty())
    Printer << Position << ": ";
  Printer << Message;
}

void diagnose(const Function &F, const DebugLoc &Where,
              DiagnosticSeverity Severity, const Twine &Message) {
  F.getContext().diagnose(
      PassDiagnostic(Severity, sourcePosition(Where), Message.str()));
}

void diagnose(const Module &M, DiagnosticSeverity Severity,
              const Twine &Message) {
  M.getContext().diagnose(PassDiagnostic(
      Severity, "", (M.getModuleIdentifier() + ": " + Message).str()));
}

std::string sourcePosition(const DebugLoc &Where) {
  const DILocation *Loc = Where.get();
  while (Loc && Loc->getInlinedAt() && Loc->getLine() == 0)
    Loc = Loc->getInlinedAt();
  if (!Loc)
    return "";
  return (Loc->getFilename() + ":" + Twine(Loc->getLine())).str();
}

bool isKernel(const Function &F) {
  return !F.isDeclaration() && F.getCallingConv() == CallingConv::PTX_Kernel;
}

PreservedAnalyses preserved(bool Changed, bool KeepsFlow) {
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  if (KeepsFlow)
    Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

Error parsePassOptions(StringRef Text, ArrayRef<PassOption> Options) {
  SmallVector<StringRef, 4> Parts, Seen;
  Text.split(Parts, ';', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    auto [Name, Value] = Part.split('=');
    const auto *Option =
        find_if(Options, [&](const PassOption &O) { return O.Name == Name; });
    if (Option == Options.end() || is_contained(Seen, Name)) {
      std::string Known;
      for (const PassOption &O : Options)
        Known += (Known.empty() ? "" : ", ") + O.Name.str();
      return createStringError(
          "'" + Name +
          (Option == Options.end() ? "' is no option; "
                                   : "' is given twice; ") +
          (Known.empty() ? "there are none" : "options are: " + Known));
    }
    Seen.push_back(Name);
    bool IsFlag = std::holds_alternative<bool *>(Option->To);
    if (IsFlag ? Part.contains('=') : Value.empty())
      return createStringError(
          "'" + Name + "' takes " +
          (IsFlag ? "no value" : "a value: " + Name + "=..."));
    if (auto *Flag = std::get_if<bool *>(&Option->To))
      **Flag = true;
    else if (auto *Text = std::get_if<std::string *>(&Option->To))
      **Text = Value.str();
    else if (uint64_t *Number = std::get<uint64_t *>(Option->To);
             Value.getAsInteger(10, *Number))
      return createStringError("'" + Value + "' is no number");
  }
  return Error::success();
}

void printPassOptions(raw_ostream &OS, ArrayRef<PassOption> Options) {
  std::string Text;
  for (const PassOption &O : Options) {
    std::string Part;
    if (const auto *Flag = std::get_if<bool *>(&O.To))
      Part = **Flag ? O.Name.str() : "";
    else if (const auto *Value = std::get_if<std::string *>(&O.To))
      Part = (O.Name + "=" + **Value).str();
    else
      Part = (O.Name + "=" + Twine(*std::get<uint64_t *>(O.To))).str();
    if (!Part.empty())
      Text += (Text.empty() ? "" : ";") + Part;
  }
  if (!Text.empty())
    OS << '<' << Text << '>';
}

} // namespace heddle
