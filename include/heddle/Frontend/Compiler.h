//===- Compiler.h - From a file to a prepared module ------------*- C++ -*-===//

#ifndef HEDDLE_FRONTEND_COMPILER_H
#define HEDDLE_FRONTEND_COMPILER_H

#include "heddle/Passes/Pipelines.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// Among CompileOptions::ClangArgs: names that nothing declares get the first
/// value that the project's own files have for them. It stands there, and in no
/// field alone, so that it goes wherever flags go.
inline constexpr llvm::StringLiteral GuessMacrosFlag = "--guess-macros";

/// Among CompileOptions::ClangArgs: every error of Clang's with its notes.
inline constexpr llvm::StringLiteral AllErrorsFlag = "--all-errors";

/// Among CompileOptions::ClangArgs: loops are unrolled as by Clang, not as by
/// nvcc.
inline constexpr llvm::StringLiteral UnrollAsClangFlag = "--compiler=clang";

/// Among CompileOptions::ClangArgs, followed by an instance of a kernel
/// template as C++ names it: "--instance=attention<64, 4, true>".
inline constexpr llvm::StringLiteral InstanceFlag = "--instance=";

/// Among CompileOptions::ClangArgs, followed by a number: the registers per
/// thread that kernels without launch bounds get at most.
inline constexpr llvm::StringLiteral MaxRegistersFlag = "--max-registers=";

struct CompileOptions {
  std::string Path; ///< .cl, .cu, .ll, .bc; told by content, then by name
  /// If not empty: PTX that was made from what Path holds, or bitcode, compiled
  /// instead.
  std::string PTX;
  std::vector<std::string> ClangArgs; ///< what stands after "--"
  /// More sources of the same kind whose device functions and variables Path
  /// uses; their kernels are compiled too.
  std::vector<std::string> LinkWith;
  std::string Arch = "sm_70"; ///< target of the NVPTX back end
  unsigned OptLevel = 3;
  /// The analysis form (heddle/Passes/Pipelines.h) instead of the prepared one.
  bool ForAnalysis = false;
  /// Keep what kernels print: to execute them, not to model their time.
  bool KeepPrints = false;
  bool GuessMacros = false;            ///< set by compile() from ClangArgs
  bool AllErrors = false;              ///< set by compile() from ClangArgs
  bool AsNVCC = true;                  ///< set by compile() from ClangArgs
  std::vector<std::string> Instances;  ///< set by compile() from ClangArgs
  unsigned MaxRegisters = 0;           ///< set by compile() from ClangArgs
  std::optional<bool> PreciseDivision; ///< set by compile() from ClangArgs
  std::optional<bool> PreciseRoot;     ///< set by compile() from ClangArgs
  /// Trip counts are divided by this before the optimiser sees them, as far as
  /// the source counts (heddle/Transforms/ReduceTripCounts.h).
  uint64_t TripFactor = 1;
};

/// A verified nvptx64 module, optimised as a device compiler would, in the
/// form that every later part relies on (heddle/Passes/Pipelines.h says all of
/// it):
///  - every call to a function with a body is inlined into its kernel;
///  - what is left to call are llvm.* and llvm.nvvm.* intrinsics, and
///    math functions as llvm.* intrinsics or "heddle.math.NAME" declarations;
///  - memcpy and memset are loops, switches are branches;
///  - address spaces are inferred; debug locations name source lines.
struct CompiledModule {
  std::unique_ptr<llvm::LLVMContext> Context; // outlives Module
  std::unique_ptr<llvm::Module> Module;
  std::string Path;
  std::string Arch;
  /// Warnings as Clang prints them, the errors of refused kernels, and what was
  /// dropped.
  std::string Warnings;
  /// Those of them that results depend on, one note a line: values that macros
  /// were given, repairs of the text.
  std::string Assumptions;
  std::vector<RefusedKernel> Refused;
  /// What compiled kernels do and what is not executed.
  std::vector<RefusedCall> NotExecuted;

  /// Kernels in the order of the file.
  std::vector<llvm::Function *> kernels() const;
  /// The kernel called \p Name; the only kernel if \p Name is empty. The error
  /// lists the kernels that there are. Demangled names and prefixes match
  /// where they are unique.
  llvm::Expected<llvm::Function *> kernel(llvm::StringRef Name) const;
};

/// A note, ending in a newline, where \p Name is but the beginning of the name
/// of \p Kernel; else nothing.
std::string prefixNote(llvm::StringRef Name, const llvm::Function &Kernel);

/// Compiles \p Options.Path. Errors in the source come back as Clang prints
/// them, with file, line and caret.
llvm::Expected<CompiledModule> compile(const CompileOptions &Options);

/// The device side of the CUDA source \p Options.Path as LLVM bitcode that
/// compile() takes: before any optimisation, with what the source says of
/// kernels' arguments. A kernel that does not compile is an error.
/// \p Warnings gets what Clang says.
llvm::Expected<std::string> deviceBitcode(const CompileOptions &Options,
                                          std::string &Warnings);

/// Writes CUDA's headers as they are inside this program to \p Folder, for
/// compilers of host code.
llvm::Error writeHeaders(const std::string &Folder);

/// The first of \p ClangArgs (what stands after "--") that is no flag and no
/// flag's value, or "": a second input, which Clang would not say clearly.
std::string surplusInput(llvm::ArrayRef<std::string> ClangArgs);

} // namespace heddle

#endif // HEDDLE_FRONTEND_COMPILER_H
