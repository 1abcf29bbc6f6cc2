//===- RegisterPasses.cpp - Heddle's passes for opt and Clang -------------===//

#include "heddle/Passes/RegisterPasses.h"

#include "Passes.h"

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

/// What is wrong between the brackets goes to standard error: opt itself will
/// only say that it knows no such pass.
template <typename T>
static std::optional<T> orComplain(StringRef Name, Expected<T> Made) {
  if (Made)
    return std::move(*Made);
  errs() << "error: " << Name << ": " << toString(Made.takeError()) << "\n";
  return std::nullopt;
}

/// Adds \p PassT if \p Text is its name \p Name, with options or without.
template <typename PassT, typename ManagerT>
static bool addPass(StringRef Text, StringRef Name, ManagerT &PM) {
  if (!PassBuilder::checkParametrizedPassName(Text, Name))
    return false;
  StringRef Options = Text.drop_front(Name.size());
  if constexpr (requires { PassT::parse(Options); }) {
    if (!Options.empty())
      Options = Options.drop_front().drop_back();
    std::optional<PassT> Pass = orComplain(Name, PassT::parse(Options));
    if (Pass)
      PM.addPass(std::move(*Pass));
    return Pass.has_value();
  } else {
    if (!Options.empty())
      return false;
    PM.addPass(PassT());
    return true;
  }
}

static bool addFunctionPass(StringRef Text, FunctionPassManager &FPM) {
#define HEDDLE_FUNCTION_PASS(NAME, PASS)                                       \
  if (addPass<PASS>(Text, NAME, FPM))                                          \
    return true;
#include "PassRegistry.def"
  return false;
}

static bool addModulePass(StringRef Text, ModulePassManager &MPM) {
#define HEDDLE_MODULE_PASS(NAME, PASS)                                         \
  if (addPass<PASS>(Text, NAME, MPM))                                          \
    return true;
#include "PassRegistry.def"
  return false;
}

static bool addPipeline(StringRef Text, ModulePassManager &MPM,
                        PassInstrumentationCallbacks *Names) {
  auto Add = [&](StringRef Name, PreparedForm Form) {
    if (!PassBuilder::checkParametrizedPassName(Text, Name))
      return false;
    StringRef Between = Text.drop_front(Name.size());
    if (!Between.empty())
      Between = Between.drop_front().drop_back();
    PrepareOptions Options;
    Error E = parsePassOptions(Between, {{"arch", &Options.Arch},
                                         {"opt-level", &Options.OptLevel},
                                         {"keep-prints", &Options.KeepPrints},
                                         {"trip-factor", &Options.TripFactor},
                                         {"as-nvcc", &Options.AsNVCC}});
    std::optional<ModulePassManager> Passes = orComplain<ModulePassManager>(
        Name, E ? Expected<ModulePassManager>(std::move(E))
                : buildPreparation(Form, Options, Names));
    if (Passes)
      MPM.addPass(std::move(*Passes));
    return Passes.has_value();
  };
#define HEDDLE_PIPELINE(NAME, FORM)                                            \
  if (Add(NAME, FORM))                                                         \
    return true;
#include "PassRegistry.def"
  return false;
}

static std::string textOf(ArrayRef<PassBuilder::PipelineElement> Elements) {
  std::string Text;
  for (const PassBuilder::PipelineElement &E : Elements) {
    Text += (Text.empty() ? "" : ",") + E.Name.str();
    if (!E.InnerPipeline.empty())
      Text += "(" + textOf(E.InnerPipeline) + ")";
  }
  return Text;
}

/// heddle-while-changed<N>(FIRST,OTHERS...)
static bool addWhileChanged(StringRef Text, ModulePassManager &MPM,
                            ArrayRef<PassBuilder::PipelineElement> Inner,
                            PassBuilder &PB) {
  unsigned Most = 0;
  if (!Text.consume_front("heddle-while-changed<") ||
      Text.consumeInteger(10, Most) || Text != ">")
    return false;
  ModulePassManager First, Others;
  auto Parse = [&](ModulePassManager &To,
                   ArrayRef<PassBuilder::PipelineElement> Elements) {
    if (Elements.empty())
      return true;
    Error E = PB.parsePassPipeline(To, textOf(Elements));
    if (!E)
      return true;
    errs() << "error: heddle-while-changed: " << toString(std::move(E)) << "\n";
    return false;
  };
  if (!Parse(First, Inner.take_front(1)) ||
      !Parse(Others, Inner.drop_front(std::min<size_t>(1, Inner.size()))))
    return false;
  MPM.addPass(WhileChangedPass(Most, std::move(First), std::move(Others)));
  return true;
}

/// For -print-pipeline-passes and whatever else names a pass.
static void tellNames(PassInstrumentationCallbacks &Names) {
  Names.addClassToPassName(WhileChangedPass::name(), "heddle-while-changed");
  Names.addClassToPassName(AnalyzeKernelsPass::name(), "heddle-analyze");
#define HEDDLE_MODULE_PASS(NAME, PASS)                                         \
  Names.addClassToPassName(PASS::name(), NAME);
#define HEDDLE_FUNCTION_PASS(NAME, PASS)                                       \
  Names.addClassToPassName(PASS::name(), NAME);
#define HEDDLE_FUNCTION_ANALYSIS(NAME, ANALYSIS)                               \
  Names.addClassToPassName(PrinterPass<ANALYSIS>::name(), "print<" NAME ">");
#include "PassRegistry.def"
}

void registerPasses(PassBuilder &PB, const AnalyzeOptions &Options,
                    bool AtStart) {
  if (PassInstrumentationCallbacks *Names =
          PB.getPassInstrumentationCallbacks())
    tellNames(*Names);
  PB.registerAnalysisRegistrationCallback(
      [](FunctionAnalysisManager &AM) { registerAnalyses(AM); });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &FPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        return addPrinter(Name, FPM) || addFunctionPass(Name, FPM);
      });
  PB.registerPipelineParsingCallback(
      [Options, &PB](StringRef Name, ModulePassManager &MPM,
                     ArrayRef<PassBuilder::PipelineElement> Inner) {
        if (Name == "heddle-analyze") {
          MPM.addPass(AnalyzeKernelsPass(Options));
          return true;
        }
        return addModulePass(Name, MPM) ||
               addPipeline(Name, MPM, PB.getPassInstrumentationCallbacks()) ||
               addWhileChanged(Name, MPM, Inner, PB);
      });
  if (AtStart)
    PB.registerPipelineStartEPCallback(
        [Options](ModulePassManager &MPM, OptimizationLevel) {
          MPM.addPass(AnalyzeKernelsPass(Options));
        });
}

} // namespace heddle
