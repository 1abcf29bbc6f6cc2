//===- heddle-opt.cpp - Reads, checks and transforms synth kernels --------===//
//
// In the manner of mlir-opt; see docs/SynthDialect.md.
//
//===----------------------------------------------------------------------===//

#include "PlanKernel.h"

#include "heddle/Dialect/Synth/SynthPasses.h"
#include "heddle/Synthesis/SynthToNVVM.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

static llvm::Expected<std::string> plan(const std::string &Behavior,
                                        const std::string &Reduction,
                                        const std::string &Arch) {
  std::string Error;
  std::string PTX = heddle::planKernel(Behavior, Reduction, Arch, Error);
  if (PTX.empty())
    return llvm::createStringError(Error);
  return PTX;
}

int main(int argc, char **argv) {
  heddle::synth::registerSynthPasses();
  heddle::synth::registerSynthToNVVM(plan);
  mlir::DialectRegistry Registry;
  Registry.insert<heddle::synth::SynthDialect, mlir::LLVM::LLVMDialect,
                  mlir::NVVM::NVVMDialect>();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "Heddle's driver for passes on behaviour\n", Registry));
}
