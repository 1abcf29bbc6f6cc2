//===- PassSupport.h - What the passes share --------------------*- C++ -*-===//

#ifndef HEDDLE_LIB_PASSES_PASSSUPPORT_H
#define HEDDLE_LIB_PASSES_PASSSUPPORT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace llvm {
class CallBase;
class CallInst;
class DebugLoc;
class Function;
class IRBuilderBase;
class Module;
class PassBuilder;
class TargetMachine;
class Type;
class Value;
} // namespace llvm

namespace heddle {

using llvm::FunctionAnalysisManager;
using llvm::PreservedAnalyses;

/// Errors stop a preparation; warnings are results for the user; remarks help
/// those who run a pass by hand.
class PassDiagnostic : public llvm::DiagnosticInfo {
public:
  PassDiagnostic(llvm::DiagnosticSeverity Severity, std::string Position,
                 std::string Message);
  void print(llvm::DiagnosticPrinter &Printer) const override;
  /// Of all diagnostics of this class.
  static int kind();
  static bool classof(const llvm::DiagnosticInfo *DI) {
    return DI->getKind() == kind();
  }

  const std::string Position; ///< FILE:LINE, or ""
  const std::string Message;
};

/// Reports \p Message about what stands at \p Where in \p F.
void diagnose(const llvm::Function &F, const llvm::DebugLoc &Where,
              llvm::DiagnosticSeverity Severity, const llvm::Twine &Message);
/// The same about \p M as a whole, whose name goes before the message.
void diagnose(const llvm::Module &M, llvm::DiagnosticSeverity Severity,
              const llvm::Twine &Message);

/// "FILE:LINE" of the outermost source position at \p Where, or "".
std::string sourcePosition(const llvm::DebugLoc &Where);

bool isKernel(const llvm::Function &F);

/// Passes that later ones rely on: they run for optnone functions too.
template <typename PassT> struct RequiredPass : llvm::PassInfoMixin<PassT> {
  static bool isRequired() { return true; }
};

/// All analyses unless \p Changed; those of the control flow if it stands.
llvm::PreservedAnalyses preserved(bool Changed, bool KeepsFlow = false);

/// One option between the brackets of "NAME<...>": a flag, a number or a text.
struct PassOption {
  llvm::StringRef Name;
  std::variant<bool *, uint64_t *, std::string *> To;
};
/// Reads "flag;name=value;...", each at most once.
llvm::Error parsePassOptions(llvm::StringRef Text,
                             llvm::ArrayRef<PassOption> Options);
/// Writes what parsePassOptions reads, in brackets; nothing if none is set.
void printPassOptions(llvm::raw_ostream &OS,
                      llvm::ArrayRef<PassOption> Options);

/// A pass whose options() say what stands between its brackets.
template <typename PassT> struct ConfiguredPass : RequiredPass<PassT> {
  static llvm::Expected<PassT> parse(llvm::StringRef Text) {
    PassT Pass;
    if (llvm::Error E = parsePassOptions(Text, Pass.options()))
      return std::move(E);
    return Pass;
  }
  void
  printPipeline(llvm::raw_ostream &OS,
                llvm::function_ref<llvm::StringRef(llvm::StringRef)> NameOf) {
    RequiredPass<PassT>::printPipeline(OS, NameOf);
    printPassOptions(OS, static_cast<PassT *>(this)->options());
  }
};

/// A call of heddle.math.\p Name for the type of the first operand.
llvm::Value *createMathCall(llvm::IRBuilderBase &Builder, llvm::StringRef Name,
                            llvm::ArrayRef<llvm::Value *> Operands,
                            llvm::Type *Result);

/// Replaces \p Call by one of heddle.refused.\p Kind (Pipelines.h) and returns
/// the function that is called now.
llvm::Function *refuseCall(llvm::CallBase &Call, llvm::StringRef Kind,
                           const llvm::Twine &Reason);
/// Kind of the refused call behind the functions that a pointer may reach: of a
/// pointer that is made as the language has it, it is never reached.
inline constexpr llvm::StringLiteral OtherTarget = "target";
/// Kind of the refused call that a kernel comes to if alloca() takes too much.
inline constexpr llvm::StringLiteral StackOverflow = "stack";

/// Inline PTX as IR, into the place of \p Call; false if it stays.
bool lowerInlineAsm(llvm::CallInst &Call);

/// The target machine for the target-cpu of the functions in \p M; null, after
/// an error, if they name none or several.
std::unique_ptr<llvm::TargetMachine> targetMachineOf(const llvm::Module &M);

/// What keeps \p M from being prepared for \p TM: another target, generic or
/// global pointers of another size, no kernel.
llvm::Error checkAdoptable(const llvm::Module &M,
                           const llvm::TargetMachine &TM);

} // namespace heddle

#endif // HEDDLE_LIB_PASSES_PASSSUPPORT_H
