//===- MLIRModule.cpp - gpu.module operations as LLVM IR ------------------===//

#include "MLIRModule.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"

namespace heddle {

static void registerDialects(mlir::DialectRegistry &Registry) {
  Registry.insert<mlir::affine::AffineDialect, mlir::arith::ArithDialect,
                  mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
                  mlir::gpu::GPUDialect, mlir::LLVM::LLVMDialect,
                  mlir::NVVM::NVVMDialect, mlir::math::MathDialect,
                  mlir::memref::MemRefDialect, mlir::nvgpu::NVGPUDialect,
                  mlir::scf::SCFDialect, mlir::vector::VectorDialect>();
  mlir::arith::registerConvertArithToLLVMInterface(Registry);
  mlir::cf::registerConvertControlFlowToLLVMInterface(Registry);
  mlir::registerConvertFuncToLLVMInterface(Registry);
  mlir::registerConvertMathToLLVMInterface(Registry);
  mlir::registerConvertMemRefToLLVMInterface(Registry);
  mlir::registerConvertNVVMToLLVMInterface(Registry);
  mlir::vector::registerConvertVectorToLLVMInterface(Registry);
  mlir::registerBuiltinDialectTranslation(Registry);
  mlir::registerGPUDialectTranslation(Registry);
  mlir::registerLLVMDialectTranslation(Registry);
  mlir::registerNVVMDialectTranslation(Registry);
}

/// Whether all memrefs that kernels take have known shapes: they are plain
/// pointers then, as launch files like them.
static bool canPassPointers(mlir::gpu::GPUModuleOp Module) {
  bool All = true;
  Module.walk([&](mlir::gpu::GPUFuncOp Function) {
    for (mlir::Type T : Function.getArgumentTypes())
      if (auto M = llvm::dyn_cast<mlir::MemRefType>(T))
        All &= M.hasStaticShape() && M.getLayout().isIdentity();
  });
  return All;
}

static bool hasRedux(llvm::StringRef Arch) {
  unsigned Number = 0;
  return Arch.consume_front("sm_") && !Arch.consumeInteger(10, Number) &&
         Number >= 80;
}

static mlir::LogicalResult lower(mlir::gpu::GPUModuleOp Module, bool HasRedux) {
  mlir::PassManager PM(Module.getContext(),
                       mlir::gpu::GPUModuleOp::getOperationName());
  PM.addPass(mlir::createLowerAffinePass());
  PM.addPass(mlir::createSCFToControlFlowPass());
  PM.addPass(createWarpOperationsPass(HasRedux));
  PM.addPass(mlir::createConvertNVGPUToNVVMPass());
  PM.addPass(mlir::memref::createExpandStridedMetadataPass());
  PM.addPass(mlir::createLowerAffinePass()); // which that pass makes
  mlir::ConvertGpuOpsToNVVMOpsOptions Options;
  Options.hasRedux = HasRedux;
  Options.useBarePtrCallConv = canPassPointers(Module);
  PM.addPass(mlir::createConvertGpuOpsToNVVMOps(Options));
  PM.addPass(mlir::createReconcileUnrealizedCastsPass());
  return PM.run(Module);
}

llvm::Expected<std::unique_ptr<llvm::Module>>
readMLIR(llvm::LLVMContext &Context, std::unique_ptr<llvm::MemoryBuffer> Buffer,
         llvm::StringRef Arch) {
  const std::string Path = Buffer->getBufferIdentifier().str();
  mlir::DialectRegistry Registry;
  registerDialects(Registry);
  mlir::MLIRContext MLIR(Registry, mlir::MLIRContext::Threading::DISABLED);
  MLIR.loadAllAvailableDialects();

  std::string Messages;
  llvm::raw_string_ostream Stream(Messages);
  llvm::SourceMgr Sources;
  Sources.AddNewSourceBuffer(std::move(Buffer), llvm::SMLoc());
  mlir::SourceMgrDiagnosticHandler Handler(Sources, &MLIR, Stream);
  auto failed = [&](const char *What) {
    return llvm::createStringError(Path + ": " + What + "\n" +
                                   llvm::StringRef(Messages).rtrim());
  };
  mlir::OwningOpRef<mlir::ModuleOp> Parsed =
      mlir::parseSourceFile<mlir::ModuleOp>(Sources, &MLIR);
  if (!Parsed)
    return failed("is not valid MLIR");

  llvm::SmallVector<mlir::gpu::GPUModuleOp> Modules;
  Parsed->walk([&](mlir::gpu::GPUModuleOp M) { Modules.push_back(M); });
  if (Modules.empty())
    return llvm::createStringError(
        Path + ": no gpu.module operation, so there are no kernels; outline "
               "them first (mlir-opt -gpu-kernel-outlining)");
  auto All = std::make_unique<llvm::Module>(Path, Context);
  for (mlir::gpu::GPUModuleOp M : Modules)
    if (mlir::failed(lower(M, hasRedux(Arch))))
      return failed("cannot be lowered to NVVM");
  // MLIR's locations become lines only inside of a subprogram.
  mlir::PassManager Lines(&MLIR);
  Lines.addPass(mlir::LLVM::createDIScopeForLLVMFuncOpPass());
  if (mlir::failed(Lines.run(*Parsed)))
    return failed("has locations that cannot be translated");
  for (mlir::gpu::GPUModuleOp M : Modules) {
    std::unique_ptr<llvm::Module> Part =
        mlir::translateModuleToLLVMIR(M, Context, Path);
    if (!Part)
      return failed("cannot be translated to LLVM IR");
    Part->setTargetTriple(llvm::Triple("nvptx64-nvidia-cuda"));
    if (All->empty()) {
      All = std::move(Part);
      continue;
    }
    for (const llvm::Function &F : *Part)
      if (const llvm::Function *Other = All->getFunction(F.getName());
          Other && !F.isDeclaration() && !Other->isDeclaration())
        return llvm::createStringError(
            Path + ": two gpu.module operations define '" + F.getName() +
            "'; rename one, kernels are chosen by name");
    if (llvm::Linker::linkModules(*All, std::move(Part)))
      return failed("has gpu.module operations that do not fit together");
  }
  return All;
}

} // namespace heddle
