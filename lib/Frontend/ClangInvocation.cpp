//===- ClangInvocation.cpp - Source to module, through Clang --------------===//

#include "ClangInvocation.h"

#include "EmbeddedFiles.h"

#include "clang/Basic/DiagnosticOptions.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace heddle {

/// The real file system with the CUDA headers laid over it.
static IntrusiveRefCntPtr<vfs::FileSystem> createFileSystem() {
  auto Headers = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  for (const EmbeddedFile &File : embeddedFiles()) {
    StringRef Name = File.Name;
    if (!Name.consume_front("CUDA/"))
      continue;
    SmallString<128> Path(VirtualCUDAHeaders);
    sys::path::append(Path, Name);
    Headers->addFile(Path, 0, MemoryBuffer::getMemBuffer(File.Text, Path));
  }
  auto Overlay =
      makeIntrusiveRefCnt<vfs::OverlayFileSystem>(vfs::getRealFileSystem());
  Overlay->pushOverlay(Headers);
  return Overlay;
}

Expected<std::unique_ptr<Module>> runClang(LLVMContext &Context,
                                           const std::string &Path,
                                           const std::vector<std::string> &Args,
                                           std::string &Warnings) {
  std::string Text;
  raw_string_ostream Stream(Text);
  auto Failure = [&]() -> Error {
    return createStringError(Path + " does not compile\n" +
                             StringRef(Text).rtrim().str());
  };

  // The driver finds "clang" only to derive the folders of the system headers.
  std::vector<const char *> Arguments = {HEDDLE_CLANG, "-resource-dir",
                                         HEDDLE_CLANG_RESOURCES};
  for (const std::string &Arg : Args)
    Arguments.push_back(Arg.c_str());

  auto FileSystem = createFileSystem();
  clang::DiagnosticOptions DriverOptions;
  clang::TextDiagnosticPrinter DriverPrinter(Stream, DriverOptions);
  clang::CreateInvocationOptions Options;
  Options.VFS = FileSystem;
  Options.Diags = clang::CompilerInstance::createDiagnostics(
      *FileSystem, DriverOptions, &DriverPrinter, /*ShouldOwnClient=*/false);
  std::shared_ptr<clang::CompilerInvocation> Invocation =
      clang::createInvocation(Arguments, Options);
  if (!Invocation || Options.Diags->hasErrorOccurred())
    return Failure();

  clang::CodeGenOptions &CodeGen = Invocation->getCodeGenOpts();
  CodeGen.DisableLLVMPasses = true; // prepareModule runs the pipeline
  CodeGen.DiscardValueNames = false;
  Invocation->getFrontendOpts().DisableFree = false;
  Invocation->getFrontendOpts().ProgramAction = clang::frontend::EmitLLVMOnly;

  clang::CompilerInstance Compiler(Invocation);
  clang::TextDiagnosticPrinter Printer(Stream, Invocation->getDiagnosticOpts());
  Compiler.setVirtualFileSystem(FileSystem);
  Compiler.createDiagnostics(&Printer, /*ShouldOwnClient=*/false);
  // "1 error generated." goes to the same stream as the errors.
  Compiler.setVerboseOutputStream(Stream);

  clang::EmitLLVMOnlyAction Action(&Context);
  if (!Compiler.ExecuteAction(Action))
    return Failure();
  std::unique_ptr<Module> M = Action.takeModule();
  if (!M)
    return Failure();
  Warnings = Text;
  return M;
}

} // namespace heddle
