//===- SynthConversionPasses.td - From synth to other dialects ------------===//

#ifndef HEDDLE_DIALECT_SYNTH_SYNTHCONVERSIONPASSES
#define HEDDLE_DIALECT_SYNTH_SYNTHCONVERSIONPASSES

include "mlir/Pass/PassBase.td"

def SynthToNVVM : Pass<"synth-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "Turn a synth kernel into an LLVM function for NVPTX";
  let description = [{
    Plans the kernel as `heddle clone` does (docs/Clones.md) and puts an
    `llvm.func` in its place: one `llvm.inline_asm` for each block, which no
    later pass may take apart, so that each planned PTX instruction comes out
    exactly once. What stands outside of the entry in PTX becomes the module's
    assembly.

    ```
    heddle-opt --synth-to-nvvm micro.mlir | mlir-translate --mlir-to-llvmir | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_70
    ```

    A module holds one kernel. Errors: what the planning says.
  }];
  // The planning is passed in.
  let constructor = "::heddle::synth::createSynthToNVVM({})";
  let options = [
    Option<"Arch", "arch", "std::string", "\"sm_70\"", "architecture that the kernel is planned for">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

#endif // HEDDLE_DIALECT_SYNTH_SYNTHCONVERSIONPASSES
