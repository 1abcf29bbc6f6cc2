//===- RegisterPasses.h - Heddle's passes for opt and Clang -----*- C++ -*-===//

#ifndef HEDDLE_PASSES_REGISTERPASSES_H
#define HEDDLE_PASSES_REGISTERPASSES_H

#include "heddle/Passes/Pipelines.h"

#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class PassBuilder;
class PassInstrumentationCallbacks;
} // namespace llvm

namespace heddle {

struct KernelCode;

/// A remark by code that knows machines: text in pieces; those with a key
/// become fields of the optimisation record.
struct KernelRemark {
  std::string Name;
  std::vector<std::pair<std::string, std::string>> Pieces; ///< key, text
};

/// Says more of a prepared kernel. \p Launch is what
/// annotate("heddle.launch=...") says of it, empty without.
using KernelAdvisor = std::function<std::vector<KernelRemark>(
    llvm::Function &Kernel, const KernelCode &Code, llvm::StringRef Launch)>;

/// What the plugin is told by options or the environment.
struct AnalyzeOptions {
  std::string Arch = "sm_70";
  KernelAdvisor Advisor; ///< may be empty
  std::string SaveDir;   ///< folder for bitcode and analysis; "": none
  bool Report = false;   ///< print the report to standard error
};

/// Analyses every kernel of a device module and reports what slows it down as
/// optimisation remarks of the pass "heddle" (docs/Plugin.md). Works on a copy
/// in the analysis form; the module stays as it is. Modules for other targets
/// are left alone.
class AnalyzeKernelsPass : public llvm::PassInfoMixin<AnalyzeKernelsPass> {
public:
  explicit AnalyzeKernelsPass(AnalyzeOptions Options)
      : Options(std::move(Options)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  AnalyzeOptions Options;
};

/// What a module is prepared for.
enum class PreparedForm {
  Execution, ///< the form above: prepareModule
  Analysis,  ///< the source's loops and branches: prepareForAnalysis
  Lifted,    ///< the blocks of a PTX file: prepareLifted
  Optimized, ///< by LLVM's default passes alone, as a device compiler does
};

/// The passes that prepare a module, in order, as opt's -passes takes them.
/// This is the only place where the order is written.
std::string preparationText(PreparedForm Form, const PrepareOptions &Options);

/// The same as passes, whose names \p Names learns if it is given. Fails for an
/// unknown architecture. The analyses that they run with should be those of a
/// target machine for Options.Arch, as in prepareModule.
llvm::Expected<llvm::ModulePassManager>
buildPreparation(PreparedForm Form, const PrepareOptions &Options,
                 llvm::PassInstrumentationCallbacks *Names = nullptr);

/// Makes the names of PassRegistry.def, and "heddle-analyze", known to \p PB.
/// With \p AtStart, the latter also runs at the start of every pipeline.
void registerPasses(llvm::PassBuilder &PB, const AnalyzeOptions &Options,
                    bool AtStart);

} // namespace heddle

#endif // HEDDLE_PASSES_REGISTERPASSES_H
