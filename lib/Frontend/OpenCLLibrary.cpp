//===- OpenCLLibrary.cpp - Bodies of the OpenCL built-ins -----------------===//

#include "OpenCLLibrary.h"

#include "EmbeddedFiles.h"
#include "heddle/Passes/MathCalls.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace heddle {

static Error linkNeeded(Module &M, std::unique_ptr<Module> Library) {
  Library->setTargetTriple(M.getTargetTriple());
  Library->setDataLayout(M.getDataLayout());
  // Not inheriting the version that the library was written in.
  if (NamedMDNode *Version = Library->getNamedMetadata("opencl.ocl.version"))
    Version->eraseFromParent();
  if (Linker::linkModules(M, std::move(Library), Linker::LinkOnlyNeeded))
    return createStringError("cannot link the OpenCL built-in functions");
  return Error::success();
}

static Expected<std::unique_ptr<Module>> readLibclc(LLVMContext &Context) {
  auto Buffer = MemoryBuffer::getFile(HEDDLE_LIBCLC, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return createStringError("cannot read " HEDDLE_LIBCLC
                             " (Debian package libclc-22): " +
                             Buffer.getError().message());
  return getOwningLazyBitcodeModule(std::move(*Buffer), Context,
                                    /*ShouldLazyLoadMetadata=*/true);
}

Error linkOpenCLLibrary(Module &M) {
  closeMathCalls(M);
  SMDiagnostic Diagnostic;
  for (const EmbeddedFile &File : embeddedFiles()) {
    if (!File.Name.starts_with("OpenCL/"))
      continue;
    std::unique_ptr<Module> Own =
        parseAssemblyString(File.Text, Diagnostic, M.getContext());
    if (!Own)
      return createStringError(File.Name + ": " + Diagnostic.getMessage());
    if (Error E = linkNeeded(M, std::move(Own)))
      return E;
  }
  auto Library = readLibclc(M.getContext());
  if (!Library)
    return Library.takeError();
  return linkNeeded(M, std::move(*Library));
}

} // namespace heddle
