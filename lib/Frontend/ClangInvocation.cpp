//===- ClangInvocation.cpp - Source to module, through Clang --------------===//

#include "ClangInvocation.h"

#include "EmbeddedFiles.h"
#include "ErrorLog.h"
#include "ForeignFlags.h"
#include "HeaderAliases.h"
#include "HostMacros.h"
#include "KernelConsumer.h"
#include "MissingHeaders.h"
#include "SourceRepairs.h"

#include "heddle/Analysis/KernelInfo.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <set>

using namespace llvm;

namespace heddle {

/// Calls \p Visit with the name, relative to VirtualFolder, and the text of
/// every file that Clang sees beside those on disk.
static void
forEachVirtualFile(function_ref<void(StringRef Name, StringRef Text)> Visit) {
  for (const EmbeddedFile &File : embeddedFiles())
    Visit(File.Name, File.Text);
  for (const HeaderAliases &A : headerAliases()) {
    SmallVector<StringRef> Names;
    StringRef(A.Names).split(Names, ' ', -1, /*KeepEmpty=*/false);
    const std::string Text = "#include <" + std::string(A.Target) + ">\n";
    for (StringRef Name : Names)
      Visit(("CUDA/" + Twine(A.Prefix) + Name + A.Suffix).str(),
            A.IsOfLibrary ? "#include <" + Name.str() + ">\n" + Text : Text);
  }
}

/// The real file system with the embedded files and \p More laid over it.
static IntrusiveRefCntPtr<vfs::FileSystem>
createFileSystem(ArrayRef<SourceText> More) {
  auto Embedded = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  forEachVirtualFile([&](StringRef Name, StringRef Text) {
    SmallString<128> Path(VirtualFolder);
    sys::path::append(Path, Name);
    Embedded->addFile(Path, 0, MemoryBuffer::getMemBufferCopy(Text, Path));
  });
  for (const SourceText &File : More)
    Embedded->addFile(File.Name, 0,
                      MemoryBuffer::getMemBufferCopy(File.Text, File.Name));
  auto Overlay =
      makeIntrusiveRefCnt<vfs::OverlayFileSystem>(vfs::getRealFileSystem());
  Overlay->pushOverlay(Embedded);
  return Overlay;
}

Error writeHeaders(const std::string &Folder) {
  Error Failed = Error::success();
  forEachVirtualFile([&](StringRef Name, StringRef Text) {
    if (Failed || !Name.consume_front("CUDA/"))
      return;
    SmallString<128> Path(Folder);
    sys::path::append(Path, Name);
    std::error_code EC =
        sys::fs::create_directories(sys::path::parent_path(Path));
    if (!EC) {
      raw_fd_ostream Out(Path, EC);
      Out << Text;
    }
    if (EC)
      Failed = createStringError("cannot write '" + Path.str().str() +
                                 "': " + EC.message());
  });
  return Failed;
}

namespace {
/// Emits IR of what is whole and says of every CUDA kernel what OpenCL's
/// kernels have as metadata: names and types of the arguments.
class EmitKernels : public clang::EmitLLVMOnlyAction {
public:
  EmitKernels(LLVMContext &Context, ErrorLog &Log,
              const std::set<std::string> &Excluded)
      : EmitLLVMOnlyAction(&Context), Log(Log), Excluded(Excluded) {}

  KernelConsumer *Kernels = nullptr; ///< owned by the compiler instance
  bool ParsedAll = false;

protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &Compiler,
                    StringRef File) override {
    auto CodeGen = EmitLLVMOnlyAction::CreateASTConsumer(Compiler, File);
    if (!CodeGen)
      return nullptr;
    auto Consumer =
        std::make_unique<KernelConsumer>(std::move(CodeGen), Log, Excluded);
    Kernels = Consumer.get();
    return Consumer;
  }
  void EndSourceFileAction() override;

public:
  std::vector<RefusedSource> Refused;
  std::vector<bool> ConcernsKernel;
  std::string FailedAt; ///< function that code generation failed for
  const LoggedError *OfInstance = nullptr; ///< of one that was asked for
  SourceRepairs Repairs;
  std::vector<std::string> Files; ///< that were read

private:
  ErrorLog &Log;
  const std::set<std::string> &Excluded;
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

/// Clang gives NVPTX no attribute for __cluster_dims__ by itself.
static void describeCluster(Function &Kernel, const clang::FunctionDecl &Decl) {
  const auto *Cluster = Decl.getAttr<clang::CUDAClusterDimsAttr>();
  if (!Cluster)
    return;
  auto Blocks = [&](const clang::Expr *Size) -> std::string {
    std::optional<APSInt> N =
        Size ? Size->getIntegerConstantExpr(Decl.getASTContext())
             : APSInt::get(1);
    return N ? toString(*N, 10) : "0";
  };
  Kernel.addFnAttr(ClusterAttribute, Blocks(Cluster->getX()) + "," +
                                         Blocks(Cluster->getY()) + "," +
                                         Blocks(Cluster->getZ()));
}

/// The first error of an instance that was asked for; null if there is none.
/// Its functions live as long as the AST.
static const LoggedError *errorOfInstance(const ErrorLog &Log) {
  for (const LoggedError &E : Log.errors())
    for (const clang::FunctionDecl *F : E.Functions)
      if (F->getIdentifier() && F->getName().starts_with(InstanceFunction))
        return &E;
  return nullptr;
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
      if (!Decl)
        continue;
      describeCluster(F, *Decl);
      if (Decl->getNumParams() == F.arg_size())
        describeArguments(F, *Decl);
    }
  const clang::SourceManager &Sources =
      getCompilerInstance().getSourceManager();
  for (const auto &[File, Content] :
       make_range(Sources.fileinfo_begin(), Sources.fileinfo_end()))
    Files.push_back(File.getName().str());
  Repairs = findRepairs(Sources, Log);
  Refused = Kernels->refused();
  ConcernsKernel = Kernels->concernsKernel();
  OfInstance = errorOfInstance(Log);
  // What came after the parser's errors is code generation's.
  for (size_t I = ConcernsKernel.size(); I < Log.errors().size(); ++I)
    if (FailedAt.empty())
      FailedAt = Kernels->functionAt(Log.errors()[I].Loc);
  EmitLLVMOnlyAction::EndSourceFileAction();
}

static bool isType(const LoggedError &E) {
  return E.DiagID == clang::diag::err_unknown_typename ||
         E.DiagID == clang::diag::err_unknown_typename_suggest;
}

/// Names in kernels that nothing declares and that look like macros, which
/// hosts often set when they build a kernel; one line each.
static std::string missingMacros(const ErrorLog &Log,
                                 const std::vector<bool> &ConcernsKernel,
                                 StringRef Advice) {
  SetVector<StringRef> Names, Types;
  for (const auto &[E, Concerns] : zip(Log.errors(), ConcernsKernel)) {
    StringRef Name = E.Undeclared;
    if (!Name.empty() && (Concerns || E.Functions.empty()) &&
        all_of(Name,
               [](char C) { return isUpper(C) || isDigit(C) || C == '_'; }))
      (isType(E) ? Types : Names).insert(Name);
  }
  std::string Text = Advice.str();
  for (StringRef Name : Names)
    if (!Advice.contains(("note: " + Name + " ").str()))
      Text +=
          ("note: " + Name + " is not defined; if the host sets it, give -D" +
           Name + "=... after '--'\n")
              .str();
  for (StringRef Name : Types)
    if (!Advice.contains(("note: " + Name + " ").str()))
      Text += ("note: no file here declares the type " + Name +
               "; name the one that does: -include FILE after '--'\n")
                  .str();
  return Text;
}

/// Names that keep a kernel out because nothing declares them.
static std::vector<UnknownName>
unknownNames(const ErrorLog &Log, const std::vector<bool> &ConcernsKernel,
             const std::vector<RefusedSource> &Refused) {
  std::vector<UnknownName> Names;
  if (all_of(Refused, [](const RefusedSource &R) { return R.IsTemplate; }))
    return Names;
  for (const auto &[E, Concerns] : zip(Log.errors(), ConcernsKernel))
    if (!E.Undeclared.empty() && (Concerns || E.Functions.empty()))
      Names.push_back({E.Undeclared, isType(E)});
  return Names;
}

/// The flag with which OpenCL/Prelude.h declares functions of vendors. Not at
/// first: sources that define them themselves do it their own way.
static constexpr char VendorFunctions[] = "-D__HEDDLE_VENDOR_FUNCTIONS";
static bool isVendorFunction(const UnknownName &Unknown) {
  StringRef Name = Unknown.Name;
  return Name.starts_with("amd_") || Name.starts_with("intel_sub_group_");
}

static std::string textOf(ArrayRef<const LoggedError *> Errors,
                          bool AllErrors) {
  if (!AllErrors)
    return briefErrors(Errors) + adviseOnToolkit(Errors);
  std::string Text;
  for (const LoggedError *E : Errors)
    Text += E->Text;
  return Text;
}

static std::string textOf(const ErrorLog &Log, bool AllErrors) {
  std::vector<const LoggedError *> Errors;
  for (const LoggedError &E : Log.errors())
    Errors.push_back(&E);
  return textOf(Errors, AllErrors);
}

/// What to tell of errors that did not stop the file. Those of declarations
/// count as soon as some kernel is refused without an error of its own.
static std::string summary(const ErrorLog &Log,
                           const std::vector<bool> &ConcernsKernel,
                           const std::vector<RefusedSource> &Refused,
                           StringRef Advice, bool AllErrors) {
  bool NeedsDeclarations = any_of(Refused, [](const RefusedSource &R) {
    return R.Errors.empty() && !R.IsTemplate;
  });
  std::string Text = Log.warnings();
  unsigned Ignored = 0;
  const LoggedError *First = nullptr;
  std::vector<const LoggedError *> Said;
  for (const auto &[E, Concerns] : zip(Log.errors(), ConcernsKernel)) {
    if (Concerns ||
        (NeedsDeclarations && E.Functions.empty() && E.MissingHeader.empty()))
      Said.push_back(&E);
    else if (E.MissingHeader.empty() && !Ignored++)
      First = &E;
  }
  Text += textOf(Said, AllErrors);
  if (Ignored)
    Text += textOf({First}, AllErrors) + "note: " + std::to_string(Ignored) +
            (Ignored == 1 ? " error" : " errors") +
            " outside of kernels ignored\n";
  return Text + missingMacros(Log, ConcernsKernel, Advice);
}

static std::string firstLine(StringRef Text) {
  return Text.take_until([](char C) { return C == '\n'; }).str();
}

/// Why there is no instance of a template. Errors in host code may have hidden
/// one.
static std::string reasonOfTemplate(const ErrorLog &Log) {
  for (const LoggedError &E : Log.errors())
    if (!E.StopsFile && E.MissingHeader.empty())
      return "a template without an instance; host code that does not compile "
             "may have one; name it: --instance 'NAME<ARGUMENTS>'";
  return "a template that this file does not instantiate; name an instance: "
         "--instance 'NAME<ARGUMENTS>'";
}

static std::vector<RefusedKernel>
describeRefused(const std::vector<RefusedSource> &Sources,
                const ErrorLog &Log) {
  std::vector<RefusedKernel> Result;
  for (const RefusedSource &Source : Sources) {
    RefusedKernel &R = Result.emplace_back();
    R.Name = Source.Name;
    R.Position = Source.Position;
    if (Source.IsTemplate)
      R.Reason = reasonOfTemplate(Log);
    else if (!Source.Errors.empty())
      R.Reason = errorLine(Log.errors()[Source.Errors.front()].Text);
    else
      R.Reason = "it uses a declaration that has an error";
  }
  return Result;
}

namespace {
/// One run of Clang.
struct Attempt {
  std::unique_ptr<Module> M;
  std::string Text; ///< all diagnostics, if there is no module
  ClangResult Result;
  std::string FailedAt;
  std::vector<std::string> MissingHeaders;
  std::vector<UnknownName> Unknown;
  SourceRepairs Repairs;
  bool NeedsLinking = false; ///< another attempt with -fgpu-rdc
};
} // namespace

/// What Clang takes for an error by default, and other compilers of kernels
/// accept. No error ends the parse: there may be kernels after it.
static constexpr const char *Tolerances[] = {
    "-ferror-limit=0",
    "-Wno-register",
    "-Wno-nan-infinity-disabled",
    "-Wno-reserved-user-defined-literal",
    "-Wno-dynamic-exception-spec",
    "-Wno-error=c++11-narrowing",
    "-Wno-error=c++11-narrowing-const-reference",
    "-Wno-error=non-pod-varargs",
    "-Wno-error=address-of-temporary",
    "-Wno-error=missing-template-arg-list-after-template-kw",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=implicit-int",
    "-Wno-error=return-mismatch",
    "-Wno-error=return-type"};

static Attempt attempt(LLVMContext &Context,
                       const std::vector<std::string> &Args,
                       const std::set<std::string> &Excluded,
                       const RepairedFiles &Repaired, MacroSearch &Macros,
                       const ClangInput &Given) {
  const bool AllErrors = Given.AllErrors || !Given.Files.empty();
  Attempt A;
  // The driver finds "clang" only to derive the folders of the system headers.
  std::vector<const char *> Arguments = {HEDDLE_CLANG, "-resource-dir",
                                         HEDDLE_CLANG_RESOURCES};
  append_range(Arguments, Tolerances);
  for (const std::string &Arg : Args)
    Arguments.push_back(Arg.c_str());

  auto FileSystem = createFileSystem(Given.Files);
  raw_string_ostream Stream(A.Text);
  clang::DiagnosticOptions DriverOptions;
  clang::TextDiagnosticPrinter DriverPrinter(Stream, DriverOptions);
  clang::CreateInvocationOptions Options;
  Options.VFS = FileSystem;
  Options.Diags = clang::CompilerInstance::createDiagnostics(
      *FileSystem, DriverOptions, &DriverPrinter, /*ShouldOwnClient=*/false);
  std::shared_ptr<clang::CompilerInvocation> Invocation =
      clang::createInvocation(Arguments, Options);
  if (!Invocation || Options.Diags->hasErrorOccurred())
    return A;
  A.Text.clear();

  clang::CodeGenOptions &CodeGen = Invocation->getCodeGenOpts();
  CodeGen.DisableLLVMPasses = true; // prepareModule runs the pipeline
  CodeGen.DiscardValueNames = false;
  CodeGen.DisableFree = false; // a folder of files has many target machines
  CodeGen.ClearASTBeforeBackend = false; // describeArguments reads it
  Invocation->getFrontendOpts().DisableFree = false;
  Invocation->getFrontendOpts().SkipFunctionBodies =
      true; // KernelConsumer says
  Invocation->getFrontendOpts().ProgramAction = clang::frontend::EmitLLVMOnly;

  for (const auto &[File, Text] : Repaired.texts())
    Invocation->getPreprocessorOpts().addRemappedFile(
        File, MemoryBuffer::getMemBufferCopy(Text, File).release());

  clang::CompilerInstance Compiler(Invocation);
  ErrorLog Log(Compiler);
  Compiler.setVirtualFileSystem(FileSystem);
  Compiler.createDiagnostics(&Log, /*ShouldOwnClient=*/false);
  Compiler.setVerboseOutputStream(nulls());

  EmitKernels Action(Context, Log, Excluded);
  bool Done = Compiler.ExecuteAction(Action);
  std::unique_ptr<Module> M = Action.takeModule();
  A.FailedAt = Action.FailedAt;
  A.Repairs = std::move(Action.Repairs);
  for (const LoggedError &E : Log.errors())
    if (!E.MissingHeader.empty())
      A.MissingHeaders.push_back(E.MissingHeader);
  A.NeedsLinking =
      any_of(Log.errors(), [](const LoggedError &E) { return E.NeedsLinking; });
  bool Stopped =
      any_of(Log.errors(), [](const LoggedError &E) { return E.StopsFile; });
  bool HasErrors = !Log.errors().empty();
  if (HasErrors && !Given.Files.empty()) {
    A.Text = Log.warnings() + textOf(Log, AllErrors);
    return A;
  }
  bool HasKernel = M && any_of(*M, [](const Function &F) {
                     return !F.isDeclaration() &&
                            F.getCallingConv() == CallingConv::PTX_Kernel;
                   });
  std::vector<bool> Concerns = Action.ConcernsKernel;
  Concerns.resize(Log.errors().size(), true);
  A.Unknown = unknownNames(Log, Concerns, Action.Refused);
  const std::string Advice = Macros.advise(A.Unknown);
  if (Action.OfInstance) {
    A.Text = textOf({Action.OfInstance}, AllErrors);
    return A;
  }
  if (!Done || !M || Stopped || (HasErrors && !HasKernel)) {
    A.Text = textOf(Log, AllErrors) + adviseOnHeaders(A.MissingHeaders) +
             missingMacros(Log, Concerns, Advice) + Macros.adviseOnIncluder();
    return A;
  }
  A.M = std::move(M);
  A.Result.Warnings =
      HasErrors ? summary(Log, Concerns, Action.Refused, Advice, AllErrors) +
                      adviseOnHeaders(A.MissingHeaders)
                : Log.warnings();
  A.Result.Assumptions = adviseOnHeaders(A.MissingHeaders);
  A.Result.Refused = describeRefused(Action.Refused, Log);
  A.Result.Files = std::move(Action.Files);
  return A;
}

std::string surplusInput(ArrayRef<std::string> ClangArgs) {
  SmallVector<const char *, 8> Arguments;
  std::string Notes;
  std::vector<std::string> Flags = translateFlags(ClangArgs, Notes);
  for (const std::string &Arg : Flags)
    Arguments.push_back(Arg.c_str());
  unsigned MissingIndex, MissingCount;
  opt::InputArgList Parsed = clang::getDriverOptTable().ParseArgs(
      Arguments, MissingIndex, MissingCount,
      opt::Visibility(clang::options::ClangOption));
  for (const opt::Arg *A : Parsed)
    if (A->getOption().getKind() == opt::Option::InputClass)
      return A->getValue();
  return "";
}

/// Flag under which OpenCL/Prelude.h takes min(uint, 255), and whether that is
/// what \p Diagnostics are about.
static constexpr char MixedLimits[] = "-D__HEDDLE_MIXED_LIMITS";
static bool hasMixedLimits(StringRef Diagnostics) {
  return any_of(ArrayRef<StringRef>{"min", "max", "clamp"}, [&](StringRef F) {
    return Diagnostics.contains(("call to '" + F + "' is ambiguous").str());
  });
}

Expected<ClangResult> runClang(LLVMContext &Context, const std::string &Path,
                               const std::vector<std::string> &Args,
                               const ClangInput &Given) {
  std::set<std::string> Excluded;
  std::string FirstText, Found, Assumed;
  std::vector<std::string> All = Args;
  HeaderSearch Headers(Path);
  MacroSearch Macros(Path);
  RepairedFiles Repaired;
  if (!Given.Text.empty())
    Repaired.replace(Path, Given.Text);
  while (true) {
    Attempt A = attempt(Context, All, Excluded, Repaired, Macros, Given);
    if (!A.M && !Given.Files.empty())
      return createStringError(A.Text);
    // A header that lies in the same tree: once more, with its folder.
    if (std::vector<std::string> Folders =
            Headers.find(A.MissingHeaders, Found);
        !Folders.empty()) {
      for (const std::string &Folder : Folders)
        All.insert(All.end(), {"-idirafter", Folder});
      continue;
    }
    if (A.NeedsLinking && !is_contained(All, "-fgpu-rdc")) {
      All.push_back("-fgpu-rdc");
      continue;
    }
    if (any_of(A.Unknown, isVendorFunction) &&
        !is_contained(All, VendorFunctions)) {
      All.push_back(VendorFunctions);
      continue;
    }
    if (hasMixedLimits(A.M ? A.Result.Warnings : A.Text) &&
        !is_contained(All, MixedLimits)) {
      All.push_back(MixedLimits);
      continue;
    }
    if (std::vector<std::string> Flags = Given.GuessMacros
                                             ? Macros.guess(A.Unknown, Assumed)
                                             : std::vector<std::string>();
        !Flags.empty()) {
      append_range(All, Flags);
      continue;
    }
    if (Repaired.apply(std::move(A.Repairs), Assumed))
      continue;
    if (A.M) {
      A.Result.Module = std::move(A.M);
      for (RefusedKernel &R : A.Result.Refused)
        if (Excluded.contains(R.Position))
          R.Reason = "code generation refuses it: " + firstLine(FirstText);
      A.Result.Warnings += FirstText + Found + Assumed;
      A.Result.Assumptions += Assumed;
      if (Repaired.changed())
        for (const auto &[File, Text] : Repaired.texts())
          A.Result.Repaired.push_back({File, Text});
      return std::move(A.Result);
    }
    if (FirstText.empty())
      FirstText = A.Text;
    // Code generation failed: once more, without the function at fault.
    if (!A.FailedAt.empty() && Excluded.insert(A.FailedAt).second)
      continue;
    return createStringError(Path + " does not compile\n" +
                             StringRef(FirstText).rtrim().str());
  }
}

} // namespace heddle
