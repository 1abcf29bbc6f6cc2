//===- ToolkitLibrary.cpp - Bodies that a CUDA toolkit brings -------------===//

#include "ToolkitLibrary.h"

#include "heddle/Passes/MathCalls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
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

Error linkToolkitLibrary(Module &M, StringRef Toolkit) {
  closeMathCalls(M);
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
