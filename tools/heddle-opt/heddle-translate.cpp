//===- heddle-translate.cpp - synth kernels in other languages ------------===//
//
// In the manner of mlir-translate: --synth-to-ptx writes what `heddle clone`
// writes of a kernel of the synth dialect (docs/SynthDialect.md).
//
//===----------------------------------------------------------------------===//

#include "PlanKernel.h"

#include "heddle/Synthesis/BehaviorConversion.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;

int main(int argc, char **argv) {
  llvm::cl::opt<std::string> Arch(
      "arch", llvm::cl::init("sm_70"),
      llvm::cl::desc("Architecture that the kernel is planned for"));
  TranslateFromMLIRRegistration Registration(
      "synth-to-ptx", "a synth kernel as PTX",
      [&](ModuleOp Module, llvm::raw_ostream &OS) {
        auto Kernels = Module.getOps<heddle::synth::KernelOp>();
        if (!llvm::hasSingleElement(Kernels))
          return LogicalResult(Module.emitError(
              "a module with one synth.kernel is one PTX file"));
        heddle::synth::KernelOp Kernel = *Kernels.begin();
        auto Profile = heddle::synth::exportBehavior(Kernel);
        llvm::Expected<std::string> PTX =
            Profile ? heddle::planKernel(std::move(*Profile),
                                         heddle::synth::exportReduction(Kernel),
                                         Arch)
                    : Profile.takeError();
        if (!PTX)
          return LogicalResult(
              Kernel.emitError(llvm::toString(PTX.takeError())));
        OS << *PTX;
        return success();
      },
      [](DialectRegistry &Registry) {
        Registry.insert<heddle::synth::SynthDialect>();
      });
  return failed(
      mlirTranslateMain(argc, argv, "Heddle's translations of MLIR\n"));
}
