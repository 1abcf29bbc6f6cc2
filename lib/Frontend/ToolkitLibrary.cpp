//===- ToolkitLibrary.cpp - Bodies that a CUDA toolkit brings -------------===//

#include "ToolkitLibrary.h"

#include "heddle/Analysis/Barriers.h"
#include "heddle/Passes/Pipelines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace heddle {

static bool needsLibrary(const Module &M) {
  return any_of(M, [](const Function &F) {
    return F.isDeclaration() && !F.use_empty() &&
           F.getName().starts_with("__nv_");
  });
}

/// The library asks how it is compiled: denormals are kept, divisions and
/// square roots are precise (0 to __CUDA_FTZ, 1 to __CUDA_PREC_*).
static void answerReflection(Module &M) {
  Function *Reflect = M.getFunction("__nvvm_reflect");
  if (!Reflect)
    return;
  for (User *U : make_early_inc_range(Reflect->users())) {
    auto *Call = dyn_cast<CallInst>(U);
    if (!Call)
      continue;
    StringRef Question;
    auto *Name =
        dyn_cast<GlobalVariable>(Call->getArgOperand(0)->stripPointerCasts());
    if (auto *Text =
            Name && Name->hasInitializer()
                ? dyn_cast<ConstantDataSequential>(Name->getInitializer())
                : nullptr;
        Text && Text->isCString())
      Question = Text->getAsCString();
    Call->replaceAllUsesWith(
        ConstantInt::get(Call->getType(), Question.starts_with("__CUDA_PREC")));
    Call->eraseFromParent();
  }
}

/// The toolkit's cooperative groups count arrivals in the driver's workspace
/// and spin, which warps that run one after the other cannot; the wait is the
/// engines' barrier instead, and the workspace is not looked at.
static void replaceGridBarriers(Module &M) {
  for (Function &F : M) {
    if (F.isDeclaration() || !F.getName().contains("cooperative_groups"))
      continue;
    const std::string Name = demangle(F.getName());
    const bool Waits = StringRef(Name).contains("::sync_grids_wait(");
    if (!Waits && !StringRef(Name).contains("::sync_grids_arrive(") &&
        !StringRef(Name).contains("::get_grid_workspace("))
      continue;
    F.deleteBody();
    F.setComdat(nullptr);
    F.setLinkage(GlobalValue::InternalLinkage);
    IRBuilder<> B(BasicBlock::Create(M.getContext(), "", &F));
    if (F.getReturnType()->isPointerTy()) {
      // Anywhere: null is a launch that is not cooperative.
      B.CreateRet(B.CreateIntToPtr(B.getInt64(16), F.getReturnType()));
    } else if (Waits) {
      FunctionCallee Barrier = M.getOrInsertFunction(
          GridBarrierName, FunctionType::get(B.getVoidTy(), false));
      auto *Declared = cast<Function>(Barrier.getCallee());
      Declared->setConvergent();
      Declared->setDoesNotThrow();
      B.CreateCall(Barrier)->setConvergent();
      B.CreateRetVoid();
    } else {
      B.CreateRet(Constant::getNullValue(F.getReturnType()));
    }
  }
}

Error linkToolkitLibrary(Module &M, StringRef Toolkit) {
  closeMathCalls(M);
  replaceGridBarriers(M);
  if (!needsLibrary(M))
    return Error::success();
  SmallString<128> Path(Toolkit);
  sys::path::append(Path, "nvvm", "libdevice", "libdevice.10.bc");
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return createStringError("cannot read '" + Path +
                             "': " + Buffer.getError().message() +
                             "; --cuda-path names no complete toolkit");
  auto Library = getOwningLazyBitcodeModule(std::move(*Buffer), M.getContext(),
                                            /*ShouldLazyLoadMetadata=*/true);
  if (!Library)
    return Library.takeError();
  (*Library)->setTargetTriple(M.getTargetTriple());
  (*Library)->setDataLayout(M.getDataLayout());
  if (Linker::linkModules(M, std::move(*Library), Linker::LinkOnlyNeeded))
    return createStringError("cannot link '" + Path + "'");
  answerReflection(M);
  return Error::success();
}

} // namespace heddle
