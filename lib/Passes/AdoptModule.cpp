//===- AdoptModule.cpp - A front end's module as one of Heddle's ----------===//

#include "Passes.h"

#include "heddle/Analysis/KernelInfo.h"

#include "llvm/IR/AutoUpgrade.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace heddle {

/// Bits of pointers into \p Space if \p M has others than the target, else 0.
static unsigned otherPointerBits(const Module &M, const TargetMachine &TM,
                                 unsigned Space) {
  const DataLayout &Layout = M.getDataLayout();
  unsigned Bits = Layout.getPointerSizeInBits(Space);
  return Layout.isDefault() ||
                 Bits == TM.createDataLayout().getPointerSizeInBits(Space)
             ? 0
             : Bits;
}

Error checkAdoptable(const Module &M, const TargetMachine &TM) {
  const Triple &T = M.getTargetTriple();
  if (T.getArch() != Triple::nvptx64)
    return createStringError(
        M.getModuleIdentifier() + ": the module is for " +
        (T.str().empty() ? "no target" : "'" + T.str() + "'") +
        "; kernels must be compiled for nvptx64 (clang "
        "--target=nvptx64-nvidia-cuda)");
  for (unsigned Space :
       {NVPTXAS::ADDRESS_SPACE_GENERIC, NVPTXAS::ADDRESS_SPACE_GLOBAL})
    if (unsigned Bits = otherPointerBits(M, TM, Space))
      return createStringError(M.getModuleIdentifier() +
                               ": pointers into address space " + Twine(Space) +
                               " have " + Twine(Bits) +
                               " bits; only 64 can be prepared");
  bool HasKernel = any_of(M, isKernel);
  if (const NamedMDNode *Named = M.getNamedMetadata("nvvm.annotations"))
    for (const MDNode *Node : Named->operands())
      for (const MDOperand &Field : Node->operands())
        if (const auto *Key = dyn_cast_or_null<MDString>(Field.get()))
          HasKernel |= Key->getString() == "kernel";
  if (!HasKernel)
    return createStringError(M.getModuleIdentifier() +
                             ": there is no kernel in this module");
  return Error::success();
}

/// Marks the atomics of header functions that stand for one instruction of a
/// GPU (lib/Frontend/CUDA/narrow_functions.h).
static void markPartsOfAtomics(Function &F) {
  const StringRef Kind = F.getName().split("__heddle_one_atomic_").second;
  if (Kind.empty())
    return;
  const unsigned Parts = Kind.starts_with("of_4")   ? 4
                         : Kind.starts_with("of_2") ? 2
                                                    : 1;
  for (Instruction &I : instructions(F))
    if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
      setPartsOfAtomic(I, Parts);
}

/// Functions are the kernels' own, whatever the source said about inlining.
static void claim(Function &F, StringRef Arch) {
  for (StringRef Attribute : {"target-cpu", "target-features", "frame-pointer",
                              "stack-protector-buffer-size"})
    F.removeFnAttr(Attribute);
  F.addFnAttr("target-cpu", Arch);
  if (F.isDeclaration())
    return;
  markPartsOfAtomics(F);
  F.removeFnAttr(Attribute::NoInline);
  F.removeFnAttr(Attribute::OptimizeNone);
  F.setComdat(nullptr);
  if (isKernel(F)) {
    F.setLinkage(GlobalValue::ExternalLinkage);
    F.setVisibility(GlobalValue::DefaultVisibility);
    return;
  }
  F.setLinkage(GlobalValue::InternalLinkage);
  F.addFnAttr(Attribute::AlwaysInline);
}

PreservedAnalyses AdoptModulePass::run(Module &M, ModuleAnalysisManager &) {
  auto TM = createTargetMachine(Arch, 3);
  Error E = TM ? checkAdoptable(M, **TM) : TM.takeError();
  if (E) {
    M.getContext().diagnose(
        PassDiagnostic(DS_Error, "", toString(std::move(E))));
    return PreservedAnalyses::all();
  }
  for (unsigned Space :
       {NVPTXAS::ADDRESS_SPACE_SHARED, NVPTXAS::ADDRESS_SPACE_CONST,
        NVPTXAS::ADDRESS_SPACE_LOCAL})
    if (unsigned Bits = otherPointerBits(M, **TM, Space))
      diagnose(M, DS_Remark,
               "pointers into address space " + Twine(Space) + " have " +
                   Twine(Bits) + " bits, 64 from here on");
  UpgradeNVVMAnnotations(M);
  M.setTargetTriple((*TM)->getTargetTriple());
  M.setDataLayout((*TM)->createDataLayout());
  for (const Function &F : M)
    if (StringRef CPU = F.getFnAttribute("target-cpu").getValueAsString();
        !F.isDeclaration() && !CPU.empty() && CPU != Arch) {
      diagnose(M, DS_Remark,
               "compiled for '" + CPU + "', prepared for '" + Arch + "'");
      break;
    }
  for (Function &F : M)
    claim(F, Arch);
  for (GlobalAlias &A : M.aliases())
    if (auto *F = dyn_cast<Function>(A.getAliasee()))
      A.replaceAllUsesWith(F);
  // Device variables are kept for the host, which does not exist here.
  for (StringRef Name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *Used = M.getGlobalVariable(Name))
      Used->eraseFromParent();
  return PreservedAnalyses::none();
}

} // namespace heddle
