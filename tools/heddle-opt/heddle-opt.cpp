//===- heddle-opt.cpp - MLIR's driver with Heddle's dialect ---------------===//
//
// In the manner of mlir-opt: the passes on synth kernels (docs/SynthDialect.md)
// and, for kernels in MLIR's own dialects, those that bring a gpu.module to
// NVVM, as lib/Frontend/MLIR does in one go.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Synth/SynthPasses.h"

#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/NVGPU/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/Support/thread.h"

using namespace mlir;

static void registerDialects(DialectRegistry &Registry) {
  Registry
      .insert<heddle::synth::SynthDialect, affine::AffineDialect,
              arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
              gpu::GPUDialect, index::IndexDialect, LLVM::LLVMDialect,
              math::MathDialect, memref::MemRefDialect, nvgpu::NVGPUDialect,
              NVVM::NVVMDialect, scf::SCFDialect, vector::VectorDialect>();
  arith::registerConvertArithToLLVMInterface(Registry);
  cf::registerConvertControlFlowToLLVMInterface(Registry);
  index::registerConvertIndexToLLVMInterface(Registry);
  func::registerInlinerExtension(Registry);
  registerConvertFuncToLLVMInterface(Registry);
  registerConvertMathToLLVMInterface(Registry);
  registerConvertMemRefToLLVMInterface(Registry);
  registerConvertNVVMToLLVMInterface(Registry);
  vector::registerConvertVectorToLLVMInterface(Registry);
}

static void registerPasses() {
  heddle::synth::registerSynthPasses();
  registerTransformsPasses();
  registerGPUPasses();
  registerNVGPUPasses();
  memref::registerMemRefPasses();
  registerArithToLLVMConversionPass();
  registerConvertControlFlowToLLVMPass();
  registerConvertFuncToLLVMPass();
  registerConvertGpuOpsToNVVMOps();
  registerConvertIndexToLLVMPass();
  registerConvertMathToLLVMPass();
  registerConvertNVGPUToNVVMPass();
  registerConvertNVVMToLLVMPass();
  registerConvertVectorToLLVMPass();
  registerFinalizeMemRefToLLVMConversionPass();
  registerLowerAffinePass();
  registerReconcileUnrealizedCastsPass();
  registerSCFToControlFlowPass();
}

int main(int argc, char **argv) {
  registerPasses();
  DialectRegistry Registry;
  registerDialects(Registry);
  // MLIR's parser and printer recurse as deep as regions nest.
  constexpr unsigned StackBytes = 512 << 20;
  int Status = 0;
  llvm::thread(std::optional(StackBytes), [&] {
    Status = asMainReturnCode(MlirOptMain(
        argc, argv, "Heddle's driver for MLIR's passes\n", Registry));
  }).join();
  return Status;
}
