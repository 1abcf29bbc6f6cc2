//===- RegisterPasses.cpp - Heddle's passes for opt and Clang -------------===//

#include "heddle/Passes/RegisterPasses.h"

#include "heddle/Analysis/AnalyzedKernel.h"
#include "heddle/Transforms/ControlSlice.h"
#include "heddle/Transforms/ReduceTripCounts.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace heddle {

namespace {

/// Prints the result of an analysis; kernels and device functions alike.
template <typename AnalysisT>
class PrinterPass : public PassInfoMixin<PrinterPass<AnalysisT>> {
public:
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &AM) {
    AM.getResult<AnalysisT>(F).print(errs());
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

} // namespace

static bool addPrinter(StringRef Name, FunctionPassManager &FPM) {
#define HEDDLE_FUNCTION_ANALYSIS(NAME, ANALYSIS)                               \
  if (Name == "print<" NAME ">") {                                             \
    FPM.addPass(PrinterPass<ANALYSIS>());                                      \
    return true;                                                               \
  }
#include "PassRegistry.def"
  return false;
}

static bool addModulePass(StringRef Name, ModulePassManager &MPM,
                          const AnalyzeOptions &Options) {
#define HEDDLE_MODULE_PASS(NAME, PASS)                                         \
  if (Name == NAME) {                                                          \
    MPM.addPass(PASS);                                                         \
    return true;                                                               \
  }
#include "PassRegistry.def"
  return false;
}

/// What is wrong between the brackets goes to standard error: opt itself will
/// only say that it knows no such pass.
static bool addFunctionPass(StringRef Name, FunctionPassManager &FPM) {
#define HEDDLE_FUNCTION_PASS(NAME, PARSE, PASS)                                \
  if (PassBuilder::checkParametrizedPassName(Name, NAME)) {                    \
    auto Parameters = PassBuilder::parsePassParameters(PARSE, Name, NAME);     \
    if (!Parameters) {                                                         \
      errs() << NAME << ": " << toString(Parameters.takeError()) << "\n";      \
      return false;                                                            \
    }                                                                          \
    FPM.addPass(PASS(*Parameters));                                            \
    return true;                                                               \
  }
#include "PassRegistry.def"
  return false;
}

void registerPasses(PassBuilder &PB, const AnalyzeOptions &Options,
                    bool AtStart) {
  PB.registerAnalysisRegistrationCallback(
      [](FunctionAnalysisManager &AM) { registerAnalyses(AM); });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &FPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        return addPrinter(Name, FPM) || addFunctionPass(Name, FPM);
      });
  PB.registerPipelineParsingCallback(
      [Options](StringRef Name, ModulePassManager &MPM,
                ArrayRef<PassBuilder::PipelineElement>) {
        return addModulePass(Name, MPM, Options);
      });
  if (AtStart)
    PB.registerPipelineStartEPCallback(
        [Options](ModulePassManager &MPM, OptimizationLevel) {
          MPM.addPass(AnalyzeKernelsPass(Options));
        });
}

} // namespace heddle
