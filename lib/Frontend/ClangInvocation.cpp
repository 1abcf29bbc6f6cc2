//===- ClangInvocation.cpp - Source to module, through Clang --------------===//

#include "ClangInvocation.h"

#include "EmbeddedFiles.h"

#include "clang/AST/Decl.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace heddle {

/// The real file system with the embedded files laid over it.
static IntrusiveRefCntPtr<vfs::FileSystem> createFileSystem() {
  auto Embedded = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  for (const EmbeddedFile &File : embeddedFiles()) {
    SmallString<128> Path(VirtualFolder);
    sys::path::append(Path, File.Name);
    Embedded->addFile(Path, 0, MemoryBuffer::getMemBuffer(File.Text, Path));
  }
  auto Overlay =
      makeIntrusiveRefCnt<vfs::OverlayFileSystem>(vfs::getRealFileSystem());
  Overlay->pushOverlay(Embedded);
  return Overlay;
}

namespace {
/// Emits IR and says of every CUDA kernel what OpenCL's kernels have as
/// metadata: names and types of the arguments.
class EmitKernels : public clang::EmitLLVMOnlyAction {
public:
  using EmitLLVMOnlyAction::EmitLLVMOnlyAction;

protected:
  void EndSourceFileAction() override;
};
} // namespace

static void describeArguments(Function &Kernel,
                              const clang::FunctionDecl &Decl) {
  LLVMContext &Context = Kernel.getContext();
  clang::PrintingPolicy Policy(Decl.getASTContext().getLangOpts());
  Policy.SuppressTagKeyword = true;
  SmallVector<Metadata *, 8> Names, Types, Qualifiers;
  for (const clang::ParmVarDecl *Parameter : Decl.parameters()) {
    clang::QualType T = Parameter->getType();
    std::string Qualifier = T.isRestrictQualified() ? "restrict" : "";
    T = T.getUnqualifiedType();
    std::string Text = T.getAsString(Policy);
    if (T->isPointerType()) {
      clang::QualType Pointee = T->getPointeeType();
      if (Pointee.isConstQualified())
        Qualifier += Qualifier.empty() ? "const" : " const";
      Text = Pointee.getUnqualifiedType().getAsString(Policy) + "*";
    }
    Names.push_back(MDString::get(Context, Parameter->getName()));
    Types.push_back(MDString::get(Context, Text));
    Qualifiers.push_back(MDString::get(Context, Qualifier));
  }
  Kernel.setMetadata("kernel_arg_name", MDNode::get(Context, Names));
  Kernel.setMetadata("kernel_arg_type", MDNode::get(Context, Types));
  Kernel.setMetadata("kernel_arg_type_qual", MDNode::get(Context, Qualifiers));
}

void EmitKernels::EndSourceFileAction() {
  clang::CodeGenerator *Generator = getCodeGenerator();
  if (Module *M = Generator ? Generator->GetModule() : nullptr)
    for (Function &F : *M) {
      if (F.getCallingConv() != CallingConv::PTX_Kernel ||
          F.getMetadata("kernel_arg_type"))
        continue;
      const auto *Decl = dyn_cast_or_null<clang::FunctionDecl>(
          Generator->GetDeclForMangledName(F.getName()));
      if (Decl && Decl->getNumParams() == F.arg_size())
        describeArguments(F, *Decl);
    }
  EmitLLVMOnlyAction::EndSourceFileAction();
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
  CodeGen.ClearASTBeforeBackend = false; // describeArguments reads it
  Invocation->getFrontendOpts().DisableFree = false;
  Invocation->getFrontendOpts().ProgramAction = clang::frontend::EmitLLVMOnly;

  clang::CompilerInstance Compiler(Invocation);
  clang::TextDiagnosticPrinter Printer(Stream, Invocation->getDiagnosticOpts());
  Compiler.setVirtualFileSystem(FileSystem);
  Compiler.createDiagnostics(&Printer, /*ShouldOwnClient=*/false);
  // "1 error generated." goes to the same stream as the errors.
  Compiler.setVerboseOutputStream(Stream);

  EmitKernels Action(&Context);
  if (!Compiler.ExecuteAction(Action))
    return Failure();
  std::unique_ptr<Module> M = Action.takeModule();
  if (!M)
    return Failure();
  Warnings = Text;
  return M;
}

} // namespace heddle
