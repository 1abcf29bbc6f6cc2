//===- heddle-opt.cpp - Reads, checks and transforms synth kernels --------===//
//
// In the manner of mlir-opt; see docs/SynthDialect.md.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Synth/SynthDialect.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry Registry;
  Registry.insert<heddle::synth::SynthDialect>();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "Heddle's driver for passes on behaviour\n", Registry));
}
